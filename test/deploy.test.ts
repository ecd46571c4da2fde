import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ends } from '../src/server/backup/restore.ts'
import { parseConfig } from '../src/server/config.ts'
import { openStores } from '../src/server/stores/stores.ts'
import { openQueue } from '../src/server/platform/queue.ts'
import { startTestApp } from './support/app.ts'
import { silentLog, temporaryDirectory } from './support/platform.ts'
import { withRouteTable } from './support/route-table.ts'

// What the examples in deploy/ hide, and from whom.

const deploy = (file: string): string => readFileSync(path.resolve(import.meta.dirname, '../deploy', file), 'utf8')

/** The lines of a block of compose.yaml, from its name to the next one with the same indentation. */
function blockOf(text: string, name: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex((line) => [`${name}:`, `  ${name}:`].some((start) => line.startsWith(start)))
  const depth = /^ */.exec(lines[begin] ?? '')?.[0].length ?? 0
  const end = lines.findIndex((line, at) => at > begin && line.trim() !== '' && /^ */.exec(line)![0].length <= depth)
  return lines.slice(begin, end === -1 ? undefined : end).join('\n')
}

test('proxies forward nothing meant for operators and local commands', async () => {
  const { started: app, routes } = await withRouteTable(() => startTestApp({ demo: false }))
  onTestFinished(() => app.close())
  const inside = [...new Set(routes.map(({ url }) => url))].filter(
    (url) => url.startsWith('/api/internal') || ['/metrics', '/readyz', '/healthz'].includes(url),
  )
  expect(inside.length).toBeGreaterThan(7)
  const caddy = /@inside path (.+)/.exec(deploy('Caddyfile'))?.[1]?.split(' ') ?? []
  const nginx = [...deploy('nginx.conf').matchAll(/location (=|\^~) (\S+)\s+\{ return 404; \}/g)].map(([, kind, place = '']) =>
    kind === '=' ? place : `${place}*`,
  )
  const covers = (rules: readonly string[], url: string) =>
    rules.some((rule) => (rule.endsWith('*') ? url.startsWith(rule.slice(0, -1)) : url === rule))
  for (const rules of [caddy, nginx]) expect(inside.filter((url) => !covers(rules, url))).toEqual([])
})

test("after a restore with the databases' own tools, the documented SQL ends what `npm run restore` ends", () => {
  const docs = readFileSync(path.resolve(import.meta.dirname, '../docs/deploy.md'), 'utf8')
  const documented = /^psql .*--set ON_ERROR_STOP=1 .*<<'SQL'\n(.*?)^SQL$/ms.exec(docs)?.[1] ?? ''
  const statementsOf = (sql: string) =>
    sql
      .split(';')
      .map((each) => each.replaceAll(/\s+/g, ' ').trim())
      .filter((each) => each !== '')
  expect(statementsOf(documented)).toEqual(ends.flatMap(statementsOf))
})

test("clients can't make a proxy consider a process failed: only closed ports and readiness checks count", () => {
  const withoutComments = (file: string) => deploy(file).replaceAll(/^\s*#.*$/gm, '')
  const servers = [...withoutComments('nginx.conf').matchAll(/^\s*server (127\.\S+.*);/gm)].map(([, server]) => server)
  expect(servers).toHaveLength(2)
  // By default, one request that takes too long is enough, for ten seconds.
  for (const server of servers) expect(server).toMatch(/ max_fails=0\b/)
  const caddy = withoutComments('Caddyfile')
  expect(caddy).not.toMatch(/\b(fail_duration|unhealthy_\w+)\b/)
  // A process that shuts down must be out before it closes its port, five seconds later.
  const [every, times] = [/health_interval (\d+)s/, /health_fails (\d+)/].map((setting) => Number(setting.exec(caddy)?.[1]))
  expect(times).toBeGreaterThanOrEqual(3)
  expect(Number(every) * Number(times)).toBeLessThan(5)
})

test('in compose, no process and no database can take the memory of the others', () => {
  const compose = deploy('compose.yaml')
  const limited = ['x-web', 'worker-1', 'postgres', 'clickhouse'].filter((service) =>
    /^ +mem_limit: (\d+[mg]|\$\{\w+:-\d+g\})$/m.test(blockOf(compose, service)),
  )
  expect(limited).toEqual(['x-web', 'worker-1', 'postgres', 'clickhouse'])
  expect(blockOf(deploy('compose.cluster.yaml'), 'x-server')).toMatch(/^ +mem_limit: /m)
})

test("compose keeps visitors' addresses, even on IPv6: the proxy's network has both, and the server trusts both of its addresses", () => {
  const compose = deploy('compose.yaml')
  const networks = compose.slice(compose.indexOf('\nnetworks:'))
  expect(networks).toMatch(/^ {4}enable_ipv6: true$/m)
  const subnets = [...networks.matchAll(/subnet: '?([\da-f.:]+)\/(\d+)/g)].map(([, prefix = '', bits]) => ({ prefix, bits: Number(bits) }))
  expect(subnets.map(({ prefix }) => isIP(prefix))).toEqual([4, 6])
  const proxy = blockOf(compose, 'proxy')
  const addresses = [...proxy.matchAll(/ipv[46]_address: (\S+)/g)].map(([, address = '']) => address)
  expect(addresses.map(isIP)).toEqual([4, 6])
  for (const [at, { prefix, bits }] of subnets.entries()) {
    const subnet = new BlockList()
    subnet.addSubnet(prefix, bits, isIP(prefix) === 6 ? 'ipv6' : 'ipv4')
    expect(subnet.check(addresses[at] ?? '', isIP(prefix) === 6 ? 'ipv6' : 'ipv4')).toBe(true)
  }
  const trusted = /TRUST_PROXY: (\S+)/.exec(compose)?.[1] ?? ''
  expect(trusted.split(',')).toEqual(addresses)
  const config = { BASE_URL: 'https://rank.example', SECRET_KEY: 'k'.repeat(32), DEMO: '0', TRUST_PROXY: trusted }
  expect(parseConfig(config).http.trustProxy).toEqual(addresses)
  // The only network that ports are published into is the proxy's, and only the web processes share it.
  expect(blockOf(compose, 'x-web')).toContain('networks: [inside, edge]')
  expect(blockOf(compose, 'x-ranklark')).toContain('networks: [inside]')
})

test('images are pinned by digest, not by a tag that may point to something else tomorrow', () => {
  const named = ['compose.yaml', 'compose.cluster.yaml', 'Dockerfile']
    .flatMap((file) => deploy(file).split('\n'))
    .filter((line) => /^\s*(image:|FROM )/.test(line) && !line.endsWith('image: ranklark'))
  expect(named.length).toBeGreaterThan(5)
  const digests = named.map((line) => /@\$\{(\w+)(:\?[^}]+)?\}/.exec(line)?.[1])
  expect(digests).not.toContain(undefined)
  for (const digest of digests) expect(deploy('pin-images.sh')).toContain(`pin ${digest} `)
})

test('the copy of .env that gets the digests is never readable by others', () => {
  const commands = deploy('pin-images.sh')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(commands.slice(0, 2)).toEqual(['set -eu', 'umask 077'])
})

test('each process gets the secrets it needs, and no others', () => {
  const compose = deploy('compose.yaml')
  expect(compose).not.toContain('env_file')
  const blocks = ['x-ranklark', 'x-web', 'worker-1', 'postgres', 'clickhouse', 'proxy']
  const givenTo = (secret: string) => blocks.filter((name) => blockOf(compose, name).includes(`\${${secret}`))
  expect(givenTo('POSTGRES_ADMIN_PASSWORD')).toEqual(['postgres'])
  expect(givenTo('STRIPE_WEBHOOK_SECRET')).toEqual(['x-web'])
  expect(givenTo('SECRET_KEY')).toEqual(['x-ranklark'])
  expect(givenTo('SMTP_URL')).toEqual(['x-ranklark'])
  expect(givenTo('CLICKHOUSE_PASSWORD')).toEqual(['x-ranklark', 'clickhouse'])
  // A worker doesn't need what only starts or reports payments.
  const shared = {
    DATABASE_URL: 'postgres://db/x',
    CLICKHOUSE_URL: 'http://facts',
    SECRET_KEY: 'k'.repeat(32),
    BASE_URL: 'https://rank.example',
    DEMO: '0',
  }
  expect(parseConfig({ ...shared, ROLE: 'worker', STRIPE_SECRET_KEY: 'sk_test_1' }).offer.billing).toBe('stripe')
  expect(() => parseConfig({ ...shared, ROLE: 'web', STRIPE_SECRET_KEY: 'sk_test_1' })).toThrow('must be set together')
})

test("Ranklark's role owns one database, can do nothing else, and that is enough", async () => {
  const admin = new pg.Client({ connectionString: process.env['TEST_POSTGRES'] })
  await admin.connect()
  const name = `least_${process.pid}_${Date.now()}`
  const statements = deploy('postgres-role.sql')
    .split('\n')
    .filter((line) => !line.startsWith('--'))
    .join('\n')
    .replaceAll(/\branklark\b/g, name)
    .replaceAll(":'password'", `'a-password'`)
    .split(';')
    .map((statement) => statement.trim())
    // Others use this cluster at the same time.
    .filter((statement) => statement !== '' && !/ON DATABASE (postgres|template1)/.test(statement))
  for (const statement of statements) await admin.query(statement)
  onTestFinished(async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.query(`DROP ROLE ${name}`)
    await admin.end()
  })
  const url = new URL(process.env['TEST_POSTGRES'] ?? '')
  Object.assign(url, { username: name, password: 'a-password', pathname: `/${name}` })

  const config = parseConfig({ DEMO: '0', DATABASE_URL: url.href, DATA_DIR: temporaryDirectory('least') })
  const stores = await openStores(config, silentLog, () => {})
  const queue = await openQueue({ url: stores.postgresUrl, log: silentLog, worker: false })
  await queue.close()
  const { rows } = await stores.pool.query(
    `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS "mayMore" FROM pg_roles WHERE rolname = current_user`,
  )
  expect(rows).toEqual([{ mayMore: false }])
  await expect(stores.pool.query('CREATE ROLE another')).rejects.toThrow('permission denied')
  await expect(stores.pool.query(`COPY (SELECT 1) TO PROGRAM 'true'`)).rejects.toThrow('permission denied')
  await stores.close()
})
