import { expect, test } from 'vitest'
import { bindParameters } from './chdb-parameters.ts'

test.each([
  ['{n:UInt32}', { n: 5 }, "CAST('5', 'UInt32')"],
  ['{ s : String }', { s: "it's \\ `x`" }, "CAST('it\\'s \\\\ `x`', 'String')"],
  ['{s:String}', { s: 'a\0b' }, "CAST('a\\0b', 'String')"],
  ['{d:Date}', { d: '2026-01-31' }, "CAST('2026-01-31', 'Date')"],
  ["{t:DateTime64(3, 'UTC')}", { t: new Date(5) }, "CAST(fromUnixTimestamp64Milli(5, 'UTC'), 'DateTime64(3, \\'UTC\\')')"],
  ['{a:Array(String)}', { a: ["x'", 'y'] }, "CAST(['x\\'', 'y'], 'Array(String)')"],
  ['{a:Array(String)}', { a: [] }, "CAST([], 'Array(String)')"],
  ['{n:Nullable(String)}', { n: null }, "CAST(NULL, 'Nullable(String)')"],
  ['{b:Bool}', { b: true }, "CAST(true, 'Bool')"],
  ['{b:UInt64}', { b: 18_446_744_073_709_551_615n }, "CAST('18446744073709551615', 'UInt64')"],
  ['{t:Identifier}', { t: 'a`b' }, '`a\\`b`'],
  ['{m:Map(String, UInt8)}', { m: { a: 1 } }, "CAST(map('a', '1'), 'Map(String, UInt8)')"],
])('%s', (sql, values, bound) => {
  expect(bindParameters(sql, values)).toBe(bound)
})

test('what only looks like a parameter stays: in strings, quoted names and comments', () => {
  const sql = `SELECT '{a:String} it''s', \`{a:String}\`, "{a:String}" -- {a:String}\n /* {a:String} */`
  expect(bindParameters(sql, {})).toBe(sql)
})

test("a value that itself looks like a parameter isn't bound again", () => {
  expect(bindParameters('{a:String}', { a: '{b:String}', b: 'x' })).toBe("CAST('{b:String}', 'String')")
})

test('a parameter without a value is an error', () => {
  expect(() => bindParameters('{a:String}', {})).toThrow('Query parameter a has no value')
  expect(() => bindParameters('{toString:String}', {})).toThrow('Query parameter toString has no value')
})
