import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeFileName, safeFileNames } from './file-names.ts'

test.each([
  ['sc-domain:lumenandloom.example', 'sc-domain_lumenandloom.example'],
  ['https://thecrumbjournal.example/', 'https_thecrumbjournal.example'],
  ['https://example.com/a/../../etc/passwd', 'https_example.com_a_._._etc_passwd'],
  ['../../etc/passwd', 'etc_passwd'],
  ['C:\\Windows\\x', 'C_Windows_x'],
  ['/absolute', 'absolute'],
  ['..', 'unnamed'],
  ['???', 'unnamed'],
  ['con.example', '_con.example'],
  ['Bücher & Brötchen', 'Bücher_Brötchen'],
  ['a\0b\nc\u202ed', 'a_b_c_d'],
])('%j becomes %j', (text, name) => {
  expect(safeFileName(text)).toBe(name)
})

test("names that come out the same are distinguished, even where case doesn't count", () => {
  expect(safeFileNames(['http://a.example/', 'https://a.example', 'http:a.example', 'HTTP:A.example', 'http_a.example-2'])).toEqual([
    'http_a.example',
    'https_a.example',
    'http_a.example-2',
    'HTTP_A.example-3',
    'http_a.example-2-2',
  ])
})

test('whatever a property is called, its name leads nowhere and is unique', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 20 }), (texts) => {
      const names = safeFileNames(texts)
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(texts.length)
      for (const name of names) {
        expect(name).toMatch(/^[\p{L}\p{N}._-]+$/u)
        expect(name).not.toMatch(/\.\.|^\.|\.$/)
      }
    }),
  )
})
