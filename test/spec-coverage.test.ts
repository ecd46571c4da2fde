import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

// docs/spec-coverage.md lists where each statement of the specification lives and which test covers it; this checks the list.

const root = path.resolve(import.meta.dirname, '..')
const lines = readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8').split('\n')

type Row = { line: number; section: string; statement: string; files: string[]; tests: { file: string; title: string }[] }

const rows: Row[] = []
const sections: string[] = []
for (const [index, text] of lines.entries()) {
  if (text.startsWith('## ')) sections.push(text.slice(3))
  if (!text.startsWith('| ') || text.startsWith('| Statement ')) continue
  const [statement = '', files = '', tests = ''] = text.slice(2, -2).split(/(?<!\\) \| /)
  rows.push({
    line: index + 1,
    section: sections.at(-1) ?? '',
    statement,
    files: quoted(files),
    tests: quoted(tests).map((each) => {
      const [file = '', ...title] = each.split(' › ')
      return { file, title: title.join(' › ') }
    }),
  })
}

/** The text between backticks. */
function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => (match[1] ?? '').replaceAll('\\|', '|'))
}

const titles = new Map<string, ReadonlySet<string>>()

/** The titles of a file's tests and groups, as written in it. */
function titlesOf(file: string): ReadonlySet<string> {
  const known = titles.get(file)
  if (known) return known
  const text = readFileSync(path.join(root, file), 'utf8')
  // Including the second pair of parentheses after `each`.
  const found = text.matchAll(/(?:\btest|\bdescribe|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)
  const all = new Set([...found].map((match) => (match[2] ?? '').replaceAll(/\\(.)/g, '$1')))
  titles.set(file, all)
  return all
}

const at = ({ line, statement }: Row): string => `line ${line}, "${statement}"`
const isThere = (file: string): boolean => existsSync(path.join(root, file))

test('the table covers the whole specification and every decision', () => {
  for (let section = 1; section <= 9; section += 1) {
    expect(sections.filter((name) => name.startsWith(`SPEC §${section}`)).length, `sections of SPEC §${section}`).toBeGreaterThan(0)
  }
  const numbers = rows.filter(({ section }) => section.startsWith('OPEN-POINTS 1')).map(({ statement }) => Number.parseInt(statement, 10))
  expect([...new Set(numbers)]).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
})

test('every statement has a place and a test', () => {
  expect(rows.filter(({ files, tests }) => files.length === 0 || tests.length === 0).map(at)).toEqual([])
})

test('every file it names exists', () => {
  const missing = rows.flatMap((row) =>
    [...row.files, ...row.tests.map(({ file }) => file)].filter((file) => !isThere(file)).map((file) => `${file}: ${at(row)}`),
  )
  expect(missing).toEqual([])
})

test('every test it names is in the named file', () => {
  const missing = rows.flatMap((row) =>
    row.tests
      .filter(({ file, title }) => isThere(file) && !titlesOf(file).has(title))
      .map(({ file, title }) => `${file} › ${title}: ${at(row)}`),
  )
  expect(missing).toEqual([])
})
