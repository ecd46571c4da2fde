import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type ClickHouseClientConfigOptions, parseError } from '@clickhouse/client'
import { type ChdbResult, type RawInsertFormat, type Session } from 'chdb'
import { type Lanes, type Work } from './chdb-lanes.ts'
import { bindParameters, settingLiteral } from './chdb-parameters.ts'
import { ofClickHouse } from './clickhouse-errors.ts'
import { questionSeconds } from './clickhouse-server.ts'
import { isServersNow } from '../tenant.ts'

/** The backend interface that `createClient({ connection })` expects. */
export type Connection = NonNullable<ClickHouseClientConfigOptions['connection']>
type Params = Parameters<Connection['query']>[0]
type Settings = Record<string, unknown>

/** Settings for the HTTP interface, unknown to the engine. */
const HTTP_SETTINGS = new Set([
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_response_buffer_size',
  'http_headers_progress_interval_ms',
  'enable_http_compression',
  'http_zlib_compression_level',
  'default_format',
])

/** Formats passed to the engine as bytes next to the statement, without copying and without blocking the event loop. */
const RAW_FORMATS: readonly string[] = [
  'JSONEachRow',
  'JSONCompactEachRow',
  'CSV',
  'CSVWithNames',
  'TabSeparated',
  'TabSeparatedWithNames',
] satisfies RawInsertFormat[]

/** A statement that only reads: it must not hold up writes, and it is stopped when its time is up, as on a server. */
const SELECT = /^\s*(SELECT|WITH)\b/i

const INSERT = /^\s*INSERT\s+INTO\s+([\w.`"]+)\s*(?:\(([^)]*)\))?\s*FORMAT\s+(\w+)\s*$/i

/**
 * `@clickhouse/client`'s connection on an in-process engine. The `chdb` package has one too, but on a single session: its queries wait for
 * each other, parameterized ones for all others in the process, and a query's settings leak into the next.
 * @param lanes the engine's sessions
 * @param base settings every session was opened with, restored after a command that changes them
 * @param ofPeople settings for questions that aren't the server's own
 */
export function createChdbConnection(lanes: Lanes, base: Readonly<Settings>, ofPeople: Readonly<Settings> = {}): Connection {
  const run = async (work: Work, params: Params, sql: string): Promise<ChdbResult> => {
    return translated(lanes.run(work, (session) => session.queryAsync(sql, { format: 'TabSeparated' }), params.abort_signal))
  }

  /** The same question with a server's usual limit of time and its asker's share of the memory, unless it has limits of its own. */
  const limited = (params: Params): Params => {
    if (!SELECT.test(params.query)) return params
    const usual = { max_execution_time: questionSeconds, ...(!isServersNow() && ofPeople) }
    return { ...params, clickhouse_settings: { ...usual, ...params.clickhouse_settings } }
  }

  return {
    async query(params) {
      const sql = withSettings(bindParameters(params.query, params.query_params), engineSettings(limited(params)))
      const result = await run('read', params, sql)
      return { stream: inPieces(result), ...header(params) }
    },

    async command(params) {
      const result = await translated(lanes.run('long write', (session) => command(session, params, base), params.abort_signal))
      return { ...header(params), summary: summary(result.rowsRead, 0, result.elapsed) }
    },

    async exec(params) {
      if (params.values === undefined) {
        const work = SELECT.test(params.query) ? 'read' : 'write'
        // Now, because the tenant is no longer known once the statement has a session.
        const asked = limited(params)
        const result = await translated(lanes.run(work, (session) => command(session, asked, base), params.abort_signal))
        return { stream: inPieces(result), ...header(params), summary: summary(result.rowsRead, 0, result.elapsed) }
      }
      const body = (await collect(params.values)).toString('utf8')
      const result = await run('write', params, `${bindParameters(params.query, params.query_params)}\n${body}`)
      return { stream: inPieces(result), ...header(params), summary: summary(result.rowsRead, 0, result.elapsed) }
    },

    async insert(params) {
      const body = await collect(params.values)
      if (body.length === 0) return { ...header(params), summary: summary(0, 0, 0) }
      const [, table, columns, format] = INSERT.exec(params.query) ?? []
      if (table === undefined || format === undefined || !RAW_FORMATS.includes(format)) {
        const result = await run('write', params, `${params.query}\n${body.toString('utf8')}`)
        return { ...header(params), summary: summary(0, result.rowsRead, result.elapsed) }
      }
      const into = {
        table: unquoted(table),
        values: body,
        format: format as RawInsertFormat,
        settings: engineSettings(params) as Record<string, string | number | boolean>,
        ...(columns !== undefined && { columns: columns.split(',').map((column) => unquoted(column.trim())) }),
      }
      const result = await translated(lanes.run('write', (session) => session.insert(into), params.abort_signal))
      return { ...header(params), summary: summary(0, result.rowsWritten, result.elapsed) }
    },

    async ping() {
      try {
        await lanes.run('read', (session) => session.queryAsync('SELECT 1', { format: 'TabSeparated' }))
        return { success: true }
      } catch (error) {
        return { success: false, error: error instanceof Error ? error : new Error(String(error)) }
      }
    },

    close: () => lanes.close(),
  }
}

/** Some statements don't accept a SETTINGS clause, so settings are set on the session and restored afterwards. */
async function command(session: Session, params: Params, base: Readonly<Settings>): Promise<ChdbResult> {
  const sql = bindParameters(params.query, params.query_params)
  const settings = Object.entries(engineSettings(params))
  for (const [name, value] of settings) await session.queryAsync(`SET ${name} = ${settingLiteral(value)}`)
  try {
    return await session.queryAsync(sql, { format: 'TabSeparated' })
  } finally {
    for (const [name] of settings) await session.queryAsync(`SET ${name} = ${name in base ? settingLiteral(base[name]) : 'DEFAULT'}`)
  }
}

function withSettings(sql: string, settings: Settings): string {
  const list = Object.entries(settings).map(([name, value]) => `${name} = ${settingLiteral(value)}`)
  return list.length === 0 ? sql : `${sql}\nSETTINGS ${list.join(', ')}`
}

function engineSettings(params: Params): Settings {
  const entries = Object.entries(params.clickhouse_settings ?? {}).filter(
    ([name, value]) => value !== undefined && !HTTP_SETTINGS.has(name),
  )
  for (const [name] of entries) if (!/^\w+$/.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a setting`)
  return Object.fromEntries(entries)
}

async function collect(values: string | Readable): Promise<Buffer> {
  if (typeof values === 'string') return Buffer.from(values)
  const chunks: Buffer[] = []
  for await (const chunk of values) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer))
  return Buffer.concat(chunks)
}

/** Converts errors to the client's own form, and those that pass to ours, so that callers see the same ones as from a server. */
async function translated<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    throw error instanceof Error ? ofClickHouse(Object.assign(parseError(error), { cause: error })) : error
  }
}

/** As from a server, so that nobody makes text or objects of a whole answer at once. */
const pieceBytes = 256 * 1024

function inPieces(result: ChdbResult): Readable {
  const answer = result.bytes()
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, i) =>
    bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes),
  )
  const stream = Readable.from(pieces, { objectMode: false })
  // A result closed unread is destroyed with an error nobody listens to.
  stream.on('error', () => {})
  return stream
}

function header(params: Params) {
  return { query_id: params.query_id ?? randomUUID(), response_headers: {}, http_status_code: 200 }
}

function summary(read: number, written: number, seconds: number) {
  return {
    read_rows: String(read),
    read_bytes: '0',
    written_rows: String(written),
    written_bytes: '0',
    result_rows: String(read),
    result_bytes: '0',
    total_rows_to_read: '0',
    elapsed_ns: String(Math.round(seconds * 1e9)),
  }
}

function unquoted(name: string): string {
  return name.replaceAll(/[`"]/g, '')
}
