import { mkdirSync, statfsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import type { Session } from 'chdb'
import { lockDirectory } from '../directory-lock.ts'
import type { Log } from '../log.ts'
import type { StoreCheck } from '../store-outages.ts'
import { createChdbConnection } from './chdb-connection.ts'
import { createLanes } from './chdb-lanes.ts'
import { ClickHouseUnavailable, exceededTime, reasonOf } from './clickhouse-errors.ts'
import { connections, createCheckClient, createServerClient, statementBytes, withLimits } from './clickhouse-server.ts'
import { memoryLimits, spillLimits } from './memory-limits.ts'

export type { ClickHouseClient }

export type ClickHouseOptions = {
  /** A ClickHouse server. If absent, the engine runs in this process on `dataDir`. */
  clickhouseUrl?: string | undefined
  /** Settings for every statement to that server. */
  settings?: ClickHouseSettings | undefined
  dataDir: string
  /** Limit for the in-process engine: queries, merges and caches together. */
  memoryBytes: number
  log: Log
}

export type ClickHouse = {
  readonly client: ClickHouseClient
  readonly check: StoreCheck<ClickHouseClient>
  /** Whether the engine runs in this process. */
  readonly embedded: boolean
  /** Maximum number of statements that this process runs at once. */
  readonly atATime: number
  /** Refuses new statements, waits for running ones, then closes. */
  close(): Promise<void>
}

/** Errors are thrown; the client need not print them too. */
const QUIET = { level: ClickHouseLogLevel.OFF }

/** ClickHouse is unusable; the message is one line. */
class ClickHouseError extends Error {
  override name = 'ClickHouseError'
}

/**
 * Opens the facts store and checks that it answers.
 * @throws ClickHouseError or DirectoryInUseError, each with one clear line
 */
export async function openClickHouse(options: ClickHouseOptions): Promise<ClickHouse> {
  return options.clickhouseUrl === undefined ? openEmbedded(options) : openServer(options.clickhouseUrl, options)
}

async function openEmbedded({ dataDir, memoryBytes, log }: ClickHouseOptions): Promise<ClickHouse> {
  const home = path.join(dataDir, 'clickhouse')
  const lock = lockDirectory(home)
  try {
    const { sessions, settings, ofPeople } = openEngine(home, memoryBytes, statementsAtATime() + 1)
    const clientOn = (some: typeof sessions): ClickHouseClient => {
      const lanes = createLanes(some, (work) => log.error({ work }, 'a statement has been running in ClickHouse for a minute'))
      return createClient({ connection: createChdbConnection(lanes, settings, ofPeople), log: QUIET })
    }
    const [client, checking] = [clientOn(sessions.slice(1)), clientOn(sessions.slice(0, 1))]
    await client.command({ query: 'SELECT 1' })
    const atATime = sessions.length - 1
    log.debug({ statementsAtATime: atATime, memoryBytes }, 'ClickHouse opened')
    return {
      ...withCheck(client, checking),
      embedded: true,
      atATime,
      async close() {
        await Promise.all([client.close(), checking.close()])
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw new ClickHouseError(`ClickHouse could not be opened in ${home}: ${reasonOf(error)}`, { cause: error })
  }
}

async function openServer(url: string, { settings = {}, log }: ClickHouseOptions): Promise<ClickHouse> {
  const client = createServerClient(url, log, settings)
  const ping = await client.ping({ select: true })
  if (!ping.success) {
    await client.close()
    throw new ClickHouseError(`ClickHouse at CLICKHOUSE_URL is not responding: ${reasonOf(ping.error)}`, { cause: ping.error })
  }
  const checking = createCheckClient(url)
  const close = async () => void (await Promise.all([client.close(), checking.close()]))
  const limited = await withLimits(client, url, connections).catch(async (error: unknown) => {
    if (!(error instanceof ClickHouseUnavailable)) {
      // Such as a role that may not read the server's settings.
      log.warn({ err: error }, "ClickHouse doesn't say how much memory and disk space it has: queries have no limits but the server's")
      return client
    }
    await close()
    throw new ClickHouseError(`ClickHouse at CLICKHOUSE_URL is not responding: ${reasonOf(error)}`, { cause: error })
  })
  return { ...withCheck(limited, checking), embedded: false, atATime: connections, close }
}

/** Notes when ClickHouse answers; stopping a question because its time is up is an answer, too. */
function withCheck(client: ClickHouseClient, checking: ClickHouseClient): Pick<ClickHouse, 'client' | 'check'> {
  let answeredAt = performance.now()
  const note = () => (answeredAt = performance.now())
  const noting =
    <Args extends unknown[], Answer>(ask: (...args: Args) => Promise<Answer>) =>
    (...args: Args): Promise<Answer> => {
      const answer = ask(...args)
      answer.then(note, (error: unknown) => exceededTime(error) && note())
      return answer
    }
  const notingAll = (each: ClickHouseClient): ClickHouseClient =>
    Object.assign(Object.create(each) as ClickHouseClient, {
      query: noting(each.query.bind(each)),
      exec: noting(each.exec.bind(each)),
      insert: noting(each.insert.bind(each)),
      command: noting(each.command.bind(each)),
    })
  return { client: notingAll(client), check: { client: notingAll(checking), answeredAt: () => answeredAt } }
}

/**
 * Every running statement holds one of Node's worker threads, which files, name lookups and password hashing need too: leaves two for them,
 * and for a moment's check.
 * `npm start` raises their number from 4 to 12.
 */
function statementsAtATime(): number {
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)
  return Math.min(Math.max(threads - 2, 2), 8)
}

const MIB = 1024 ** 2

type Settings = Readonly<Record<string, number>>
/** `ofPeople`: what differs from `settings` in a question of a person's. */
type Engine = { sessions: readonly Session[]; settings: Settings; ofPeople: Settings }

/**
 * Opens the in-process engine. There can be only one: a second directory can't be opened before the first is closed.
 * @param home DATA_DIR/clickhouse
 * @param memoryBytes limit for all queries, merges and caches together
 * @param count number of sessions, and so of concurrent statements
 */
export function openEngine(home: string, memoryBytes: number, count: number): Engine {
  const data = path.join(home, 'data')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const configFile = path.join(home, 'server.xml')
  writeFileSync(configFile, serverConfig(memoryBytes))
  // One session is for checks.
  const memory = memoryLimits(memoryBytes, count - 1)
  const { blocks, bsize } = statfsSync(data)
  const spill = spillLimits(blocks * bsize)
  const settings = querySettings({ ...memory.others, ...spill.others })
  const ofPeople = { ...memory.ofPeople, ...spill.ofPeople }
  const connectionArgs = [`--config-file=${configFile}`, ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)]
  // Loaded here, not at the top: 45 MB of engine that a server with CLICKHOUSE_URL doesn't need.
  const { Session: NativeSession } = createRequire(import.meta.url)('chdb') as typeof import('chdb')
  const sessions: Session[] = []
  try {
    for (let index = 0; index < count; index += 1) sessions.push(new NativeSession(data, { connectionArgs }))
  } catch (error) {
    for (const session of sessions) session.close()
    throw error
  }
  return { sessions, settings, ofPeople }
}

function querySettings(limits: Settings): Settings {
  return {
    ...limits,
    max_threads: 2,
    max_insert_threads: 1,
    // Compiling a question takes 90 ms of CPU time when it is asked for the third time, and saves 4% of one about ten million rows.
    compile_expressions: 0,
    compile_aggregate_expressions: 0,
    compile_sort_description: 0,
    // Rows are on disk when the insert returns.
    async_insert: 0,
    // One batch is one block, and so one part: all or nothing.
    min_insert_block_size_rows: 1_048_449,
    max_untracked_memory: 1 * MIB,
    max_query_size: statementBytes,
  }
}

function serverConfig(memoryBytes: number): string {
  const entries: Record<string, string | number> = {
    max_server_memory_usage: memoryBytes,
    mark_cache_size: 32 * MIB,
    primary_index_cache_size: 32 * MIB,
    index_mark_cache_size: 4 * MIB,
    query_condition_cache_size: 8 * MIB,
    background_pool_size: 2,
    background_schedule_pool_size: 2,
    // max_thread_pool_size stays at its default: each engine opened earlier in this process keeps five threads, and a statement that finds
    // no free thread waits forever.
    max_thread_pool_free_size: 8,
    max_io_thread_pool_size: 8,
    timezone: 'UTC',
  }
  const lines = Object.entries(entries).map(([name, value]) => `  <${name}>${value}</${name}>`)
  return `<clickhouse>\n${lines.join('\n')}\n  <logger><level>none</level></logger>\n</clickhouse>\n`
}
