import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient, type ExecParams } from '@clickhouse/client'
import type { Log } from '../log.ts'
import { isServersNow } from '../tenant.ts'
import { ofClickHouse } from './clickhouse-errors.ts'
import { memoryLimits, spillLimits } from './memory-limits.ts'
import { endingInServer } from './until-ended.ts'

/** Time limit for a question: nobody waits longer. ClickHouse gives up first and says so, whether it is a server or in the process. */
const questionMs = 30_000
export const questionSeconds = 25
/** Limit for statements that change all of a person's data or aggregate a whole period, and for questions that nobody waits for. */
export const commandSeconds = 15 * 60
const commandMs = commandSeconds * 1000

/** Concurrent statements of one process; others wait here, where it costs nothing. */
export const connections = 32

/** Longest statement: one about every day since 1990, each with a load of its own, in several of its parts. The usual limit is 256 KiB. */
export const statementBytes = 8 * 1024 ** 2

/** Settings that the in-process engine has anyway, but a server may not. */
const settings: ClickHouseSettings = {
  // Rows are on disk when the insert returns, even if the URL tells the server to batch inserts.
  async_insert: 0,
  wait_for_async_insert: 1,
  // One batch is one block, and so one part: all or nothing.
  min_insert_block_size_rows: '1048449',
  max_query_size: String(statementBytes),
  session_timezone: 'UTC',
  join_use_nulls: 0,
  transform_null_in: 0,
  group_by_use_nulls: 0,
  aggregate_functions_null_for_empty: 0,
  prefer_column_name_to_alias: 0,
  // An answer arrives whole or not at all: otherwise an error in the middle would end it as if it were complete.
  wait_end_of_query: 1,
}

/**
 * A client for a ClickHouse server. Throws transient errors as `ClickHouseUnavailable`. The URL may include client options and statement
 * settings, as in `http://host:8123/ranklark?request_timeout=60000&ch_async_insert=1`.
 * @param more settings for every statement
 */
export function createServerClient(url: string, log: Log, more: ClickHouseSettings = {}): ClickHouseClient {
  const given = new URL(url).searchParams
  const options = {
    application: 'ranklark',
    compression: { request: true, response: true },
    ...(given.has('max_open_connections') ? {} : { max_open_connections: connections }),
    keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
    // Hundreds of properties and names don't fit in a URL.
    use_multipart_params_auto: true,
    // Errors are thrown; the client need not print them too.
    log: { level: ClickHouseLogLevel.OFF },
  }
  const client = createClient({
    ...options,
    url,
    ...(given.has('request_timeout') ? {} : { request_timeout: questionMs }),
    clickhouse_settings: unlessGiven({ ...settings, max_execution_time: questionSeconds, ...more }, given),
  })
  const patient = createClient({
    ...options,
    url: withoutTimeout(url),
    request_timeout: commandMs,
    clickhouse_settings: unlessGiven({ ...settings, ...more }, given),
  })
  const seconds = Number(given.get('ch_max_execution_time') ?? given.get('clickhouse_setting_max_execution_time') ?? questionSeconds)
  return withClearErrors(client, patient, { seconds, log })
}

/** A person's question gets at least this much memory, however small the server. */
const leastBytes = 128 * 1024 ** 2

/**
 * The same client, with limits of memory and of temporary files as in the embedded engine: a person's questions together may use 80% of the
 * server's memory, as far as they come through this process, and none may use the last of its disk. Limits in the URL precede these. What a
 * server doesn't say it has gets no limits.
 */
export async function withLimits(client: ClickHouseClient, url: string, atATime: number): Promise<ClickHouseClient> {
  const bytesOf = async (query: string): Promise<number> => {
    const answer = await client.query({ query, format: 'JSONEachRow' })
    const [{ bytes = 0 } = {}] = await answer.json<{ bytes: number }>()
    return bytes
  }
  const memoryBytes = await bytesOf("SELECT toFloat64(value) AS bytes FROM system.server_settings WHERE name = 'max_server_memory_usage'")
  // Where temporary files are, unless the server's configuration says otherwise.
  const diskBytes = await bytesOf("SELECT toFloat64(total_space) AS bytes FROM system.disks WHERE name = 'default' AND type = 'Local'")
  const memory = memoryBytes > 0 ? memoryLimits(memoryBytes, atATime, leastBytes) : null
  const spill = diskBytes > 0 ? spillLimits(diskBytes) : null
  const given = new URL(url).searchParams
  const settingsOf = (whose: 'ofPeople' | 'others'): ClickHouseSettings =>
    unlessGiven(
      Object.fromEntries(Object.entries({ ...memory?.[whose], ...spill?.[whose] }).map(([name, value]) => [name, String(value)])),
      given,
    )
  const [ofPeople, others] = [settingsOf('ofPeople'), settingsOf('others')]
  const reading = <P extends { clickhouse_settings?: ClickHouseSettings }>(params: P): P => ({
    ...params,
    clickhouse_settings: { ...(isServersNow() ? others : ofPeople), ...params.clickhouse_settings },
  })
  const writing = <P extends { clickhouse_settings?: ClickHouseSettings }>(params: P): P => ({
    ...params,
    clickhouse_settings: { ...others, ...params.clickhouse_settings },
  })
  return Object.assign(Object.create(client) as ClickHouseClient, {
    query: ((params) => client.query(reading(params))) as typeof client.query,
    exec: ((params: Parameters<typeof client.exec>[0]) => client.exec(reading(params))) as typeof client.exec,
    insert: ((params) => client.insert(writing(params))) as typeof client.insert,
    command: ((params) => client.command(writing(params))) as typeof client.command,
  })
}

/** A client with a connection of its own, for checks. */
export function createCheckClient(url: string): ClickHouseClient {
  const address = new URL(url)
  for (const name of ['max_open_connections', 'request_timeout']) address.searchParams.delete(name)
  return createClient({
    url: address,
    application: 'ranklark',
    max_open_connections: 1,
    request_timeout: questionMs,
    keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
    log: { level: ClickHouseLogLevel.OFF },
  })
}

/** The URL's setting wins; given both, the client would use it as well, but complain. */
function unlessGiven(all: ClickHouseSettings, given: URLSearchParams): ClickHouseSettings {
  const isGiven = (name: string): boolean => given.has(`ch_${name}`) || given.has(`clickhouse_setting_${name}`)
  return Object.fromEntries(Object.entries(all).filter(([name]) => !isGiven(name)))
}

/**
 * Same client, but with another client's commands, with questions that are over once they have ended in the server (see until-ended.ts), and
 * with errors that separate transient failures from others.
 */
function withClearErrors(client: ClickHouseClient, patient: ClickHouseClient, of: { seconds: number; log: Log }): ClickHouseClient {
  const clear =
    <Args extends unknown[], Answer>(ask: (...args: Args) => Promise<Answer>) =>
    (...args: Args): Promise<Answer> =>
      ask(...args).catch((error: unknown) => Promise.reject(ofClickHouse(error)))
  const tell = (statement: string, abort_signal: AbortSignal) => patient.command({ query: statement, abort_signal })
  const inServer = endingInServer({ tell, ...of })
  const [hurried, unhurried] = [client.query.bind(client), patient.query.bind(patient)]
  const mayTakeLong = (params: Parameters<typeof hurried>[0]) => Number(params.clickhouse_settings?.max_execution_time ?? 0) > of.seconds
  const query = inServer((params: Parameters<typeof hurried>[0]) =>
    (mayTakeLong(params) ? unhurried : hurried)(params),
  ) as typeof client.query
  const exec = inServer(client.exec.bind(client) as (params: ExecParams) => Promise<unknown>) as typeof client.exec
  const [closeFirst, closePatient] = [client.close.bind(client), patient.close.bind(patient)]
  return Object.assign(client, {
    query: clear(async (params: Parameters<typeof query>[0]) => {
      const answer = await query(params)
      // An answer may still break off after it began.
      return Object.assign(answer, { json: clear(answer.json.bind(answer)) })
    }) as typeof query,
    insert: clear(client.insert.bind(client)),
    exec: clear(exec),
    command: clear(patient.command.bind(patient)),
    close: async () => void (await Promise.all([closeFirst(), closePatient()])),
  })
}

function withoutTimeout(url: string): URL {
  const address = new URL(url)
  address.searchParams.delete('request_timeout')
  return address
}
