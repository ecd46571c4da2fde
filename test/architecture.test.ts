import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

// The import rules of CONTRIBUTING.md ("What may import what"), as tests.

const root = path.resolve(import.meta.dirname, '..')
const capabilities = [
  'accounts',
  'sites',
  'billing',
  'sync',
  'annotations',
  'analytics',
  'alerts',
  'portfolio',
  'delivery',
  'reports',
  'support',
  'api',
]
/** Folders of the server that every capability may use; each may use only those further to the left, and itself. */
const shared = ['config', 'platform', 'database', 'audit', 'google', 'mail', 'facts', 'common', 'backup']

type Import = { from: string; to: string }

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  const names = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '')
  return names.map((name) => ({ from: file, to: path.relative(root, path.resolve(root, path.dirname(file), name)) }))
}

const files = globSync('{src,emulators,bench,chaos,test}/**/*.{ts,tsx}', { cwd: root })
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file) || file.startsWith('test/')
const production = files.filter((file) => !isTest(file)).flatMap(importsOf)

/** `src/server/sync/store.ts` is in folder `server/sync`; `src/server/main.ts` in `server/main`. */
function roomOf(file: string): string {
  const [top = '', ...rest] = file.split('/')
  if (top !== 'src') return top
  const [area = '', second = ''] = rest
  if (area === 'core' || area === 'contract' || area === 'site') return area
  const room = second.replace(/\.(ts|tsx|css)$/, '')
  return area === 'web' && room === 'features' ? `web/features/${rest[2]}` : `${area}/${room}`
}

const broken = (mayImport: (from: string, to: string, entry: Import) => boolean, scope: (room: string) => boolean): string[] =>
  production
    .map((entry) => ({ entry, from: roomOf(entry.from), to: roomOf(entry.to) }))
    .filter(({ entry, from, to }) => scope(from) && from !== to && !mayImport(from, to, entry))
    .map(({ entry }) => `${entry.from} → ${entry.to}`)

test('there are files to check', () => {
  expect(production.length).toBeGreaterThan(200)
})

test('the contract imports nothing of ours, the core only the contract', () => {
  expect(
    broken(
      (from, to) => from === 'core' && to === 'contract',
      (room) => room === 'contract' || room === 'core',
    ),
  ).toEqual([])
})

test('the platform knows nothing of the product, except for how the command line talks to the server', () => {
  const handOver = ['src/contract/endpoint.ts', 'src/contract/machine.ts']
  expect(
    broken(
      (_from, to, { to: file }) => to === 'server/config' || handOver.includes(file),
      (room) => room === 'server/platform',
    ),
  ).toEqual([])
})

test('shared folders of the server only import to their left', () => {
  const order = shared.map((name) => `server/${name}`)
  const allowed = (from: string, to: string) =>
    to === 'contract' || to === 'core' || (order.includes(to) && order.indexOf(to) < order.indexOf(from))
  expect(broken(allowed, (room) => order.includes(room) && room !== 'server/platform')).toEqual([])
})

test('a capability imports another only through its service, and only to its left', () => {
  const rooms = capabilities.map((name) => `server/${name}`)
  const allowed = (from: string, to: string, { to: file }: Import) => {
    if (to === 'contract' || to === 'core' || shared.includes(to.replace('server/', ''))) return true
    return rooms.includes(to) && rooms.indexOf(to) < rooms.indexOf(from) && file.endsWith('/service.ts')
  }
  expect(broken(allowed, (room) => rooms.includes(room))).toEqual([])
})

test('the browser part imports no server code, and a feature never imports another feature', () => {
  const layers = ['web/lib', 'web/ui', 'web/charts', 'web/api', 'web/paths', 'web/widgets', 'web/shell']
  const allowed = (from: string, to: string) => {
    if (to === 'contract' || to === 'core') return true
    if (from.startsWith('web/features/')) return layers.includes(to)
    if (from === 'web/ui' || from === 'web/charts') return to === 'web/lib' || to === 'web/ui'
    if (from === 'web/lib') return false
    if (from === 'web/api') return to === 'web/lib' || to === 'web/paths'
    if (from === 'web/widgets') return layers.slice(0, layers.indexOf(from)).includes(to)
    if (from === 'web/shell') return layers.includes(to)
    return to.startsWith('web/')
  }
  expect(broken(allowed, (room) => room.startsWith('web/'))).toEqual([])
})

test('the static pages import nothing of the app but its logo, and nothing of ours imports them', () => {
  const allowed = (_from: string, to: string, { to: file }: Import) => to === 'contract' || to === 'core' || file === 'src/web/ui/Logo.tsx'
  expect(broken(allowed, (room) => room === 'site')).toEqual([])
  expect(
    broken(
      (_from, to) => to !== 'site',
      (room) => room !== 'site',
    ),
  ).toEqual([])
})

test('the stand-ins import nothing from src, where a shared mistake would go unnoticed', () => {
  expect(production.filter(({ from, to }) => from.startsWith('emulators/') && !to.startsWith('emulators/'))).toEqual([])
})

test('nothing in src imports the stand-ins, tests or benchmarks', () => {
  expect(production.filter(({ from, to }) => from.startsWith('src/') && !to.startsWith('src/'))).toEqual([])
})

test('paths below /api appear only in the contract, whose endpoints everything else derives from', () => {
  const literal = /['"`}]\/api(?=['"`/?$])/
  const stating = files.filter((file) => file.startsWith('src/') && !file.startsWith('src/contract/') && !isTest(file))
  expect(stating.filter((file) => literal.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([])
})

test("the numbers of PostgreSQL's locks are made in one place, so nobody can choose somebody else's", () => {
  const made = /pg_(?:try_)?advisory\w*\((?!\$\{)|hashtext/
  const making = files.filter((file) => /^(?:src|chaos)\//.test(file) && made.test(readFileSync(path.join(root, file), 'utf8')))
  expect(making).toEqual(['src/server/platform/postgres.ts'])
})

/** Data tables may be as long as their data. */
const dataTables = ['emulators/google/figures/incidents.ts']

test('`npm run security` includes every attack test, and names no file that is gone', () => {
  const list = readFileSync(path.join(root, 'scripts/lib/attacks.mjs'), 'utf8')
  const named = new Set([...list.matchAll(/'([\w./-]+\.test\.ts)'/g)].map(([, file = '']) => file))
  const written = globSync('test/attack/*.test.ts', { cwd: root }).map((file) => file.replaceAll(path.sep, '/'))
  expect(written.filter((file) => !named.has(file))).toEqual([])
  expect([...named].filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})

test('every file is short: a longer one has more than one job', () => {
  const long = files
    .filter((file) => !isTest(file) && !dataTables.includes(file))
    .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n').length }))
    .filter(({ lines }) => lines > 300)
  expect(long).toEqual([])
})

/** Numbered files, of which there are only ever more. */
const sequences = ['src/server/database/migrations']

test("no folder has more than 25 files; outside the browser part, tests don't count", () => {
  const counted = (file: string): boolean => file.startsWith('src/web/') || file.startsWith('src/site/') || !isTest(file)
  const folders = Map.groupBy(
    files.filter((file) => file.startsWith('src/') && counted(file)),
    (file) => path.dirname(file),
  )
  const full = [...folders].filter(([folder, inside]) => !sequences.includes(folder) && inside.length > 25).map(([folder]) => folder)
  expect(full).toEqual([])
})

test('no files of the browser part or the static pages have import cycles, including types', () => {
  const imports = Map.groupBy(
    production.filter(({ from }) => from.startsWith('src/web/') || from.startsWith('src/site/')),
    ({ from }) => from,
  )
  expect(imports.size).toBeGreaterThan(200)
  expect(circlesIn(imports)).toEqual([])
})

/** Each cycle once, as its path. */
function circlesIn(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const follow = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (way.includes(file) || done.has(file)) return
    for (const { to } of imports.get(file) ?? []) follow(to, [...way, file])
    done.add(file)
  }
  for (const file of imports.keys()) follow(file, [])
  return circles
}
