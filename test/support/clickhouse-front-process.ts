// Run by `startClickHouseFront`, in a separate process because a process has only one engine: ClickHouse's HTTP interface.
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, gzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { type RawInsertFormat, Session } from 'chdb'
import type { FrontFault, FrontOptions, SeenStatement } from './clickhouse-front.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as FrontOptions & { directory: string; password: string; port: number }
const data = path.join(options.directory, 'data')

let fault: FrontFault = { kind: 'none' }
const seen: SeenStatement[] = []

const engine = openEngine()
const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
// Longer than a client keeps an idle connection, as servers are configured.
server.keepAliveTimeout = 10_000
server.listen(options.port, '127.0.0.1', () => process.send?.({ type: 'ready', port: portOf() }))
let port = 0
const portOf = (): number => (port = (server.address() as AddressInfo).port)

process.on('message', (message: { type: 'fault'; fault: FrontFault } | { type: 'seen' } | { type: 'stop' }) => {
  if (message.type === 'stop') return end()
  if (message.type === 'seen') return void process.send?.({ type: 'seen', statements: seen.splice(0) })
  const was = fault
  fault = message.fault
  const done = () => void process.send?.({ type: 'set' })
  if (fault.kind === 'refuse' && was.kind !== 'refuse') {
    server.close(done)
    server.closeAllConnections()
  } else if (was.kind === 'refuse' && fault.kind !== 'refuse') server.listen(port, '127.0.0.1', done)
  else done()
})
process.on('disconnect', end)

function end(): void {
  engine.close()
  process.exit(0)
}

/** The parameters that a request may have besides settings and `param_…`. */
const notSettings = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'wait_end_of_query',
  'role',
  'user',
  'password',
])

type Asked = { sql: string; body: Buffer; settings: [string, string][]; params: [string, string][]; database: string; format: string }

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://front')
  const queryId = url.searchParams.get('query_id') ?? randomUUID()
  response.setHeader('X-ClickHouse-Server-Display-Name', 'front')
  response.setHeader('X-ClickHouse-Query-Id', queryId)
  response.setHeader('X-ClickHouse-Timezone', 'UTC')
  response.setHeader('X-ClickHouse-Exception-Tag', 'front-exception-')
  const body = await bodyOf(request)
  if (fault.kind === 'delay') await sleep(fault.ms)
  if (url.pathname === '/ping') return void response.end('Ok.\n')
  if (request.headers.authorization !== `Basic ${Buffer.from(`default:${options.password}`).toString('base64')}`)
    return refuse(
      response,
      516,
      'default: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)',
    )

  const asked = askedBy(request, url, body)
  const text = `${asked.sql}\n${asked.body.length > 0 ? `<${asked.body.length} bytes>` : ''}`.trim()
  seen.push({ text, settings: Object.fromEntries(asked.settings), agent: request.headers['user-agent'] ?? '' })
  const cut = fault.kind === 'cut' && new RegExp(fault.statement, 'i').test(asked.sql) ? fault : null
  if (cut?.when === 'before') return void response.destroy()
  try {
    const bytes = await run(asked)
    if (cut) return cutOff(response, bytes)
    response.setHeader('X-ClickHouse-Summary', JSON.stringify({ read_rows: '0', written_rows: '0', result_rows: '0', elapsed_ns: '1' }))
    const zipped =
      url.searchParams.get('enable_http_compression') === '1' && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    if (zipped) response.setHeader('Content-Encoding', 'gzip')
    response.end(zipped ? gzipSync(bytes) : bytes)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    refuse(response, Number(/Code: (\d+)/.exec(message)?.[1] ?? 1002), message.replace(/^Code: \d+\. DB::\w*Exception: /, ''))
  }
}

/** Announces a complete response, sends half of it and hangs up. */
function cutOff(response: ServerResponse, bytes: Buffer): void {
  response.setHeader('Content-Length', bytes.length + 1)
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
  setTimeout(() => response.destroy(), 20)
}

function refuse(response: ServerResponse, code: number, message: string): void {
  const status: Record<number, number> = { 47: 404, 60: 404, 81: 404, 62: 400, 27: 400, 159: 408, 516: 403 }
  response.setHeader('X-ClickHouse-Exception-Code', code)
  response.statusCode = status[code] ?? 500
  response.end(`Code: ${code}. DB::Exception: ${message}\n`)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const raw = await buffer(request)
  switch (request.headers['content-encoding']) {
    case undefined:
    case 'identity':
      return raw
    case 'gzip':
      return gunzipSync(raw)
    case 'deflate':
      return inflateSync(raw)
    case 'br':
      return brotliDecompressSync(raw)
    case 'zstd':
      return zstdDecompressSync(raw)
    default:
      throw new Error('Unknown compression of the request')
  }
}

function askedBy(request: IncomingMessage, url: URL, body: Buffer): Asked {
  const fields = [...url.searchParams]
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1]
  if (boundary !== undefined) fields.push(...partsOf(body.toString('utf8'), boundary))
  const inAddress = fields.find(([name]) => name === 'query')?.[1]
  const text = boundary === undefined ? body.toString('utf8') : ''
  return {
    sql: (inAddress ?? text).trim(),
    body: inAddress !== undefined && boundary === undefined ? body : Buffer.alloc(0),
    settings: fields.filter(([name]) => !name.startsWith('param_') && !notSettings.has(name)),
    params: fields.filter(([name]) => name.startsWith('param_')),
    database: url.searchParams.get('database') ?? 'default',
    format: url.searchParams.get('default_format') ?? 'TabSeparated',
  }
}

function partsOf(text: string, boundary: string): [string, string][] {
  return text
    .split(`--${boundary}`)
    .map((part) => /name="([^"]+)"\r\n\r\n([\s\S]*)\r\n$/.exec(part))
    .flatMap((found) => (found ? [[found[1] ?? '', found[2] ?? ''] as [string, string]] : []))
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const insertOf = /^INSERT\s+INTO\s+([\w.`"]+)\s*(?:\(([^)]*)\))?\s*FORMAT\s+(\w+)$/i
const unquoted = (name: string): string => name.replaceAll(/[`"]/g, '').trim()

/** A session for each request, as on a server: its settings and parameters end with it. */
async function run({ sql, body, settings, params, database, format }: Asked): Promise<Buffer> {
  const session = new Session(data)
  const say = async (statement: string): Promise<Buffer> => Buffer.from((await session.queryAsync(statement, { format })).bytes())
  try {
    if (database !== 'default') await say(`USE \`${database}\``)
    const ours = settings.filter(([name]) => !(options.cluster !== undefined && onlyForServers.has(name)))
    const set = [...ours, ...params].map(([name, value]) => `${name} = ${quoted(value)}`)
    if (set.length > 0) await say(`SET ${set.join(', ')}`)
    const [, table, columns, into] = insertOf.exec(sql) ?? []
    if (table !== undefined && into !== undefined) {
      await session.insert({
        table: unquoted(table),
        values: body,
        format: into as RawInsertFormat,
        settings: Object.fromEntries(ours),
        ...(columns !== undefined && { columns: columns.split(',').map(unquoted) }),
      })
      return Buffer.alloc(0)
    }
    const statement = body.length > 0 ? `${sql}\n${body.toString('utf8')}` : sql
    if (options.cluster === undefined) return await say(statement)
    const local = withoutKeeper(statement)
    if (local === statement) return await say(statement)
    // The engine must understand the servers' statement, though it can execute only part of it alone.
    await say(`EXPLAIN AST ${statement}`)
    return local === '' ? Buffer.alloc(0) : await say(local)
  } finally {
    session.close()
  }
}

/** A cluster whose single server is both of its shards has to be queried within the process. */
const onlyForServers: ReadonlySet<string> = new Set(['prefer_localhost_replica'])

/** A statement without what requires Keeper: there is nobody to inform and nothing to copy from. */
function withoutKeeper(sql: string): string {
  if (sql.startsWith('SYSTEM SYNC REPLICA ')) return ''
  return sql.replace(/ ON CLUSTER `[^`]+`/, '').replace(/ENGINE = Replicated(\w*MergeTree)\('[^']+', '\{replica\}'(?:, )?/, 'ENGINE = $1(')
}

function openEngine(): Session {
  mkdirSync(data, { recursive: true })
  const config = path.join(options.directory, 'server.xml')
  const users = path.join(options.directory, 'users.xml')
  const caches = ['mark_cache_size', 'primary_index_cache_size', 'uncompressed_cache_size'].map((name) => `<${name}>8388608</${name}>`)
  writeFileSync(
    config,
    `<clickhouse>
  <tcp_port>9000</tcp_port><timezone>UTC</timezone><logger><level>none</level></logger>
  <max_server_memory_usage>1073741824</max_server_memory_usage>${caches.join('')}
  <background_pool_size>2</background_pool_size><background_schedule_pool_size>2</background_schedule_pool_size>
  ${options.cluster === undefined ? '' : `<users_config>${users}</users_config>${clusterOf(options.cluster)}`}
</clickhouse>`,
  )
  writeFileSync(users, usersOf(options.shardedTables ?? []))
  return new Session(data, { connectionArgs: [`--config-file=${config}`] })
}

/** Two shards, both of which are this server. */
function clusterOf(name: string): string {
  const shard = '<shard><internal_replication>true</internal_replication><replica><host>localhost</host><port>9000</port></replica></shard>'
  return `<macros><shard>01</shard><replica>front</replica></macros><remote_servers><${name}>${shard}${shard}</${name}></remote_servers>`
}

/** A query sent to a shard sees that shard's rows; a query that names no shard sees nothing. */
function usersOf(tables: readonly string[]): string {
  const filters = tables.map((table) => `<${table}><filter>property % 2 = shardNum() - 1</filter></${table}>`).join('\n')
  return `<clickhouse>
  <profiles><default></default></profiles><quotas><default></default></quotas>
  <users><default>
    <password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
    <databases><default>${filters}</default></databases>
  </default></users>
</clickhouse>`
}
