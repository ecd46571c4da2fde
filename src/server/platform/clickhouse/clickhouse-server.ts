import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { ofClickHouse } from './clickhouse-errors.ts'

/** A question that takes longer is broken off: whoever asked does not wait any more. The server gives up first and says so. */
const questionMs = 30_000
const serverGivesUpAfter = 25
/** What changes all that is stored of somebody, or sums a whole period up, takes as long as it takes. */
const commandMs = 15 * 60_000

/** Statements at a time from one process; others wait here, where they cost nothing. */
export const connections = 32

/** What the engine in the process is opened with, or has by itself, and a server may have been set up otherwise. */
const settings: ClickHouseSettings = {
  // Rows are there, on disk, when the insert returns; also where the address has the server gather them.
  async_insert: 0,
  wait_for_async_insert: 1,
  // One batch is one block, hence one part: all of it or none of it.
  min_insert_block_size_rows: '1048449',
  session_timezone: 'UTC',
  join_use_nulls: 0,
  transform_null_in: 0,
  group_by_use_nulls: 0,
  aggregate_functions_null_for_empty: 0,
  prefer_column_name_to_alias: 0,
  // An answer comes whole or not at all: without this, an error in the middle of it ends it as if it were all.
  wait_end_of_query: 1,
  cancel_http_readonly_queries_on_client_close: 1,
}

/**
 * A client of a ClickHouse server. What passes by itself comes as `ClickHouseUnavailable`. The address may carry options
 * of the client and settings of its statements, as in `http://host:8123/ranklark?request_timeout=60000&ch_async_insert=1`.
 * @param more settings for every statement
 */
export function createServerClient(url: string, more: ClickHouseSettings = {}): ClickHouseClient {
  const given = new URL(url).searchParams
  const options = {
    application: 'ranklark',
    compression: { request: true, response: true },
    ...(given.has('max_open_connections') ? {} : { max_open_connections: connections }),
    keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
    // Hundreds of properties and names do not fit into an address.
    use_multipart_params_auto: true,
    // What goes wrong is thrown; the client need not write it to the terminal too.
    log: { level: ClickHouseLogLevel.OFF },
  }
  const client = createClient({
    ...options,
    url,
    ...(given.has('request_timeout') ? {} : { request_timeout: questionMs }),
    clickhouse_settings: unlessGiven({ ...settings, max_execution_time: serverGivesUpAfter, ...more }, given),
  })
  const patient = createClient({
    ...options,
    url: withoutTimeout(url),
    request_timeout: commandMs,
    clickhouse_settings: unlessGiven({ ...settings, ...more }, given),
  })
  return telling(client, patient)
}

/** What the address says of a setting counts; given both, the client takes that as well, and complains. */
function unlessGiven(all: ClickHouseSettings, given: URLSearchParams): ClickHouseSettings {
  const isGiven = (name: string): boolean => given.has(`ch_${name}`) || given.has(`clickhouse_setting_${name}`)
  return Object.fromEntries(Object.entries(all).filter(([name]) => !isGiven(name)))
}

/** The same client, whose commands are another's, and whose errors tell what passes by itself from what does not. */
function telling(client: ClickHouseClient, patient: ClickHouseClient): ClickHouseClient {
  const told =
    <Args extends unknown[], Answer>(ask: (...args: Args) => Promise<Answer>) =>
    (...args: Args): Promise<Answer> =>
      ask(...args).catch((error: unknown) => Promise.reject(ofClickHouse(error)))
  const [query, closeFirst, closePatient] = [client.query.bind(client), client.close.bind(client), patient.close.bind(patient)]
  return Object.assign(client, {
    query: told(async (params: Parameters<typeof query>[0]) => {
      const answer = await query(params)
      // One that has begun may still break off.
      return Object.assign(answer, { json: told(answer.json.bind(answer)) })
    }) as typeof query,
    insert: told(client.insert.bind(client)),
    exec: told(client.exec.bind(client)),
    command: told(patient.command.bind(patient)),
    close: async () => void (await Promise.all([closeFirst(), closePatient()])),
  })
}

function withoutTimeout(url: string): URL {
  const address = new URL(url)
  address.searchParams.delete('request_timeout')
  return address
}
