import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { IsoDate } from '../../../contract/common.ts'
import type { Span } from '../current.ts'
import { type FactsLayout, oneServer } from '../layout.ts'
import { askWith, inTime } from '../question.ts'
import { partitionsOf } from '../rewriting.ts'
import { loadsMark, onStoredLoads, type StoredLoad } from '../stored-loads.ts'
import { comparedDays, comparedSums } from './compared-figures.ts'
import { inWindow, type WindowId, windowId, windowParams } from './window-columns.ts'
import { windowTables } from './window-schema.ts'

/** Grains a window is built from. */
export const windowGrains = ['page', 'query', 'query_page'] as const

/** A period, the compared one, and the loads of `windowGrains` to read for their days. */
export type WindowSource = { property: number; current: Span; previous: Span; loads: readonly StoredLoad[] }

/** Increase it whenever the meaning of a window column changes. */
const form = 1
/** Most pages per query tracked separately when they compete. */
const mostRivals = 5

/** Equal for windows with the same rows. */
function fingerprintOf({ current, previous, loads }: WindowSource): string {
  return [form, current.start, current.end, previous.start, previous.end, loadsMark(loads)].join(' ')
}

/** The window of exactly these loads, if made on that day or later. */
export async function findWindow(client: ClickHouseClient, source: WindowSource, madeSince: IsoDate): Promise<WindowId | null> {
  const sql = `SELECT max(window) AS window FROM windows
    WHERE property = {property:UInt64} AND fingerprint = {fingerprint:String} AND made >= {since:Date}`
  const params = { property: source.property, fingerprint: fingerprintOf(source), since: madeSince }
  const [found] = await askWith(client, { sql, row: z.object({ window: z.number() }), params })
  return found?.window ? windowId(source.property, found.window) : null
}

/** Bytes of a name that count as a row: the disk holds bytes, and imported names can be thirty times as long as usual ones. */
const bytesOfRow = 64

/** How many rows of usual length a window has. */
export async function windowRows(client: ClickHouseClient, id: WindowId): Promise<number> {
  const row = z.object({ rows: z.number() })
  const counts = (['query', 'page'] as const).map((name) =>
    askWith(client, {
      sql: `SELECT sum(greatest(1, intDiv(length(${name}), ${bytesOfRow}))) AS rows FROM window_${name} WHERE ${inWindow()}`,
      row,
      params: windowParams(id),
    }),
  )
  return (await Promise.all(counts)).flat().reduce((sum, { rows }) => sum + rows, 0)
}

/** Seconds that each of a window's two sums may take; others wait for it. */
const usualSeconds = 60

/** How to make and keep a window: its unique number, its day, the number of engine threads, and the time for each of its sums. */
export type Making = {
  window: number
  made: IsoDate
  threads: number
  seconds?: number
  /** Called at the end, even for a window that wasn't finished: its rows stay until its day is dropped. */
  written?: (id: WindowId) => Promise<void>
}

/** Sums up a window and stores it. It is listed once all its rows are stored. @throws TookTooLong */
export async function makeWindow(client: ClickHouseClient, source: WindowSource, making: Making): Promise<WindowId> {
  const id = windowId(source.property, making.window)
  try {
    await sumUp(client, source, making)
  } finally {
    await making.written?.(id)
  }
  return id
}

async function sumUp(client: ClickHouseClient, source: WindowSource, making: Making): Promise<void> {
  const { window, made, threads, seconds = usualSeconds } = making
  const { property } = source
  const params = { made, property, window, ...comparedDays(source) }
  const clickhouse_settings = { max_threads: threads, max_execution_time: seconds }
  for (const query of [`INSERT INTO window_query ${querySums(source)}`, `INSERT INTO window_page ${pageSums(source)}`]) {
    await inTime(client.command({ query, query_params: params, clickhouse_settings }))
  }
  await client.insert({
    table: 'windows',
    values: [{ made, property, window, fingerprint: fingerprintOf(source) }],
    format: 'JSONEachRow',
  })
}

const named = '{made:Date} AS made, {property:UInt64} AS property, {window:UInt64} AS window'
const columns = (prefix: string): string => ['clicks', 'impressions', 'position_sum', 'ranked'].map((name) => `${prefix}${name}`).join(', ')

function loadsOf({ loads, current, previous }: WindowSource, grain: (typeof windowGrains)[number]): string {
  const some = loads.filter((load) => load.grain === grain)
  return onStoredLoads(some, [current, previous])
}

const pageSums = (source: WindowSource): string =>
  `SELECT ${named}, toString(f.page) AS page, ${comparedSums} FROM facts_page AS f WHERE ${loadsOf(source, 'page')} GROUP BY f.page`

/**
 * Query-grain figures, combined with what the query and page grain knows about their pages; a query no longer shown keeps its earlier page.
 */
const querySums = (source: WindowSource): string => `SELECT ${named}, q.query, p.page, p.pages, ${columns('q.')}, ${columns('q.before_')},
    if(length(p.rivals) > 1, p.shown - p.strongest, 0), if(length(p.rivals) > 1, arraySlice(p.rivals, 1, ${mostRivals}), []), p.shown
  FROM (SELECT f.query AS query, ${comparedSums} FROM facts_query AS f WHERE ${loadsOf(source, 'query')} GROUP BY query) AS q
  LEFT JOIN (
    SELECT query, argMax(name, (clicks, impressions, before_clicks, before_impressions, name)) AS page, toUInt32(countIf(impressions > 0)) AS pages,
      sum(impressions) AS shown, max(impressions) AS strongest,
      arraySort(r -> (-toInt64(r.3), -toInt64(r.2), r.1), arrayFilter(r -> r.3 > 0 AND r.3 * 10 >= shown,
        groupArray((name, clicks, impressions, position_sum, ranked)))) AS rivals
    FROM (
      SELECT f.query AS query, toString(f.page) AS name, ${comparedSums} FROM facts_query_page AS f WHERE ${loadsOf(source, 'query_page')}
      GROUP BY f.query, f.page)
    GROUP BY query) AS p ON q.query = p.query`

/** Deletes the windows made before that day. */
export async function dropWindows(client: ClickHouseClient, madeBefore: IsoDate, layout: FactsLayout = oneServer): Promise<void> {
  for (const { table, id } of await partitionsOf(client, layout, windowTables))
    if (id < madeBefore.replaceAll('-', '')) await client.command({ query: `${layout.alter(table)} DROP PARTITION ID '${id}'` })
}
