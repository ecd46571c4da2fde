import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Session } from 'chdb'
import { statementBytes } from './clickhouse-server.ts'
import { memoryLimits, type MemorySettings } from './memory-limits.ts'

const MIB = 1024 ** 2

type Settings = Readonly<Record<string, number>>
/** `ofPeople`: what differs from `settings` in a question of a person's. */
export type Engine = { sessions: readonly Session[]; settings: Settings; ofPeople: Settings }

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
  const { others, ofPeople } = memoryLimits(memoryBytes, count - 1)
  const settings = querySettings(others)
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

function querySettings(memory: MemorySettings): Settings {
  return {
    ...memory,
    max_threads: 2,
    max_insert_threads: 1,
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
    compiled_expression_cache_size: 8 * MIB,
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
