import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

// Nobody can give this server a regular expression, in any field of any screen or API, except for the explorer's filters, which ClickHouse
// runs (explorer.test.ts): search terms and brand names are compared literally. What remains are our own expressions on other people's
// texts, in the server and in the browser. Each of them is tested here with texts that make expressions slow.

const root = path.resolve(import.meta.dirname, '../../src')
const files = ['server', 'core', 'contract', 'web', 'site'].flatMap((part) =>
  readdirSync(path.join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|d)\.tsx?$/.test(name))
    .map((name) => path.join(part, name)),
)

type Expression = { file: string; source: string; flags: string }
type Node = { type: string; [key: string]: unknown }
/** A file's regular expressions: literals, and places that build one from a string. */
type Found = { expressions: Expression[]; made: string[]; inStores: string[] }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
/** A name used only as a type. */
const isType = ({ type }: Node) => type === 'TSTypeReference' || type === 'TSTypeAnnotation'

/** All nodes of a tree, without types. */
function nodesOf(value: unknown, into: Node[] = []): Node[] {
  if (value === null || typeof value !== 'object') return into
  if (Array.isArray(value)) {
    for (const part of value) nodesOf(part, into)
    return into
  }
  const node = isNode(value) ? value : null
  if (node && isType(node)) return into
  if (node) into.push(node)
  // A property's key isn't a value.
  const isNamed = node?.type === 'Property' && node['computed'] === false
  for (const name in value) if (!(isNamed && name === 'key')) nodesOf((value as Record<string, unknown>)[name], into)
  return into
}

/** What PostgreSQL and ClickHouse treat as a regular expression, within SQL. */
const asking = [
  /(?:^|[\s\w)"'])!?~\*?(?:[\s\w("'$:]|$)/,
  /\bsimilar\s+to\b/i,
  /\b(?:regexp_\w+|(?:multi(?:Fuzzy)?)?Match(?:Any|All)?\w*|r?like_regex|countMatches\w*|extract(?:All|Groups)\w*|(?:replace|splitBy)Regexp\w*)\s*\(/i,
  /\b(?:regexp|rlike)\b/i,
  // extract(epoch FROM …) is PostgreSQL's way to get a part of a time.
  /\bextract\s*\((?!\s*\w+\s+from\b)/i,
  /\bsubstring\s*\([^)]*\b(?:from\s+'|similar\b)/i,
]

/** `String.match`, `matchAll` and `search` turn strings into expressions. */
const makers = new Set(['match', 'matchAll', 'search'])

function findIn(file: string, text: string): Found {
  const nodes = nodesOf(parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }, file))
  const found: Found = { expressions: [], made: [], inStores: [] }
  const ours = new Set<unknown>()
  for (const { type, id, init } of nodes)
    if (type === 'VariableDeclarator' && isNode(id) && isNode(init) && init['regex']) ours.add(id['name'])
  const isOurs = (node: unknown) => isNode(node) && (node['regex'] !== undefined || (node.type === 'Identifier' && ours.has(node['name'])))
  for (const node of nodes) {
    const { type, callee, arguments: given = [], value } = node as Node & { arguments?: unknown[] }
    const { regex } = node as { regex?: { pattern: string; flags: string } }
    if (type === 'Literal' && regex) found.expressions.push({ file, source: regex.pattern, flags: regex.flags })
    if ((type === 'Identifier' && node['name'] === 'RegExp') || (type === 'Literal' && value === 'RegExp')) found.made.push(file)
    const property = isNode(callee) && isNode(callee['property']) ? callee['property'] : null
    if (type === 'CallExpression' && makers.has(String(property?.['name'] ?? property?.['value'])) && given.length > 0 && !isOurs(given[0]))
      found.made.push(file)
    const said = type === 'TemplateElement' ? (value as { raw: string }).raw : type === 'Literal' && typeof value === 'string' ? value : ''
    if (asking.some((form) => form.test(said))) found.inStores.push(`${file}: ${said.trim()}`)
  }
  return found
}

const found = files.map((file) => findIn(file, readFileSync(path.join(root, file), 'utf8')))
const expressions = found.flatMap((each) => each.expressions)

test.each([
  'new RegExp(given)',
  'RegExp(given, "i")',
  'const Expression = RegExp; new Expression(given)',
  'Reflect.construct(globalThis["RegExp"], [given])',
  'text.match(given)',
  'text?.match(given)',
  'text.matchAll(`${given}`)',
  'text.search("a" + given)',
  'text["match"](given)',
])('one built from user input would be found: %s', (code) => {
  expect(findIn('evil.ts', code).made).toContain('evil.ts')
})

test.each([
  'text.match(/a/)',
  'const own = /a/g; for (const each of text.matchAll(own)) use(each)',
  'let own: RegExp | null',
  'cards.match()',
])("other code isn't reported: %s", (code) => {
  expect(findIn('good.ts', code).made).toEqual([])
})

test('no expression is built from user input', () => {
  expect(expressions.length).toBeGreaterThan(200)
  for (const part of ['server', 'web', 'site', 'contract', 'core'])
    expect(expressions.filter(({ file }) => file.startsWith(`${part}${path.sep}`)).length).toBeGreaterThan(0)
  // Each of these is built from our own words: names of metrics, the prefix of a secret, the paths of our screens.
  expect([...new Set(found.flatMap(({ made }) => made))].toSorted()).toEqual([
    'contract/screens.ts',
    'server/delivery/email/copy.ts',
    'server/delivery/webhook/destination.ts',
  ])
})

test.each([
  'sql`SELECT 1 FROM pages WHERE name ~ ${given}`',
  'sql`name !~* ${given}`',
  'sql`${name}~${given}`',
  `sql\`name ~'^a'\``,
  "rows.where('name', '~*', given)",
  'sql`WHERE name SIMILAR TO ${given}`',
  'sql`SELECT regexp_matches(name, ${given})`',
  "sql`SELECT substring(name FROM 'a+')`",
  "'SELECT count() FROM facts WHERE match(page, {pattern: String})'",
  "'SELECT extract(page, {pattern: String})'",
  "'WHERE multiMatchAny(page, {patterns: Array(String)})'",
  "'WHERE page REGEXP {pattern: String}'",
  "'SELECT replaceRegexpAll(page, {pattern: String}, {to: String})'",
])('a store query with one would be found: %s', (code) => {
  expect(findIn('evil.ts', code).inStores).toHaveLength(1)
})

/** The explorer's filters, which segments are made of, and its folders: ClickHouse runs them with RE2, which never backtracks, and users' own are bound as parameters. */
const ofExplorer = ['server/facts/questions/explored.ts', 'server/facts/filter-sql.ts']

test('no store query has an expression, except for the explorer’s', () => {
  const asked = found.flatMap(({ inStores }) => inStores.filter((each) => each.startsWith('server')))
  expect(asked.filter((each) => !ofExplorer.some((file) => each.startsWith(file)))).toEqual([])
  expect(asked.length).toBeGreaterThan(0)
})

/** A long run of any of these, ended by something that doesn't match, makes an expression backtrack. */
const pieces = (source: string): string[] => {
  const own = [...new Set(source.replaceAll(/\\[a-zA-Z]|[\\[\](){}^$*+?|.]/g, ''))].slice(0, 12)
  const usual = [
    'a',
    'A',
    '0',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '-',
    '.',
    ',',
    '/',
    '"',
    '<',
    '=',
    '@',
    '\0',
    'é',
    '\u200B',
    '\u0301',
    '\uD83D\uDE00',
    'a.',
    'a ',
    ' a',
    'a@',
    '1,',
  ]
  // Words of the expression itself, as an unanchored one may begin anew at each of them.
  const words = source.match(/-?[A-Za-z]{3,}/g) ?? []
  return [...new Set([...usual, ...own, ...words])]
}
/** Whether each expression finishes with all of its texts; names the first that doesn't. */
function runAll(some: readonly Expression[], patience: number, length: number): Promise<string | null> {
  const texts = some.map(({ source }) => pieces(source).map((piece) => [piece, Math.ceil(length / piece.length)] as const))
  const script = `
    const { parentPort, workerData: { some, texts } } = require('node:worker_threads')
    for (const [at, { file, source, flags }] of some.entries()) {
      const name = file + ': /' + source + '/' + flags
      for (const [piece, times] of texts[at]) {
        parentPort.postMessage(name + ' over ' + JSON.stringify(piece))
        for (const [before, after] of [['', ''], ['', '\\u0001!'], ['<', '\\u0001'], ['a', '!a']]) {
          const text = before + piece.repeat(times) + after
          const expression = new RegExp(source, flags)
          if (flags.includes('g')) text.replaceAll(expression, '')
          else expression.test(text)
        }
      }
    }
    parentPort.postMessage(null)`
  return new Promise((done, failed) => {
    const worker = new Worker(script, { eval: true, workerData: { some, texts } })
    let current = 'nothing'
    let last: NodeJS.Timeout | undefined
    const end = async (result: string | null) => {
      clearTimeout(last)
      await worker.terminate()
      done(result)
    }
    const watch = () => {
      clearTimeout(last)
      last = setTimeout(() => void end(current), patience)
    }
    watch()
    worker.on('error', failed)
    worker.on('message', (message: string | null) => {
      if (message === null) return void end(null)
      current = message
      watch()
    })
  })
}

/** Their texts have at most a few hundred characters, by the contract. */
const onShortTexts = [path.join('core', 'accounts', 'password-advice.ts')]

/** A linear expression finishes this within a few milliseconds; one that backtracks takes minutes. */
const patienceMs = 2_000

test('an expression that backtracks would be found', { tags: ['full'] }, async () => {
  expect(await runAll([{ file: 'evil', source: '^(a+)+$', flags: '' }], 3000, 100_000)).toMatch(/^evil: /)
})

test('each of ours finishes a hundred thousand characters immediately', { tags: ['full'], timeout: 240_000 }, async () => {
  const isShort = ({ file }: Expression): boolean => onShortTexts.includes(file)
  expect(
    await runAll(
      expressions.filter((each) => !isShort(each)),
      patienceMs,
      100_000,
    ),
  ).toBeNull()
  expect(await runAll(expressions.filter(isShort), patienceMs, 1_000)).toBeNull()
})
