import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type IsoDate } from '../../contract/common.ts'
import { dayNumber, daysBetween, eachDay } from '../../core/analytics/days.ts'
import { askWith, type Scope } from './question.ts'
import type { StoredGrain } from './schema.ts'

const row = z.object({ date: isoDate, load: z.number() })
export type CurrentLoad = z.infer<typeof row>

/**
 * The load to read for each stored day of a period, oldest day first. Asked before the facts, not within the same statement: the engine
 * fixes which facts a statement sees before it reads other tables, so it could find a load whose rows it doesn't see (docs/decisions/0003).
 */
export function currentLoads(
  client: ClickHouseClient,
  grain: StoredGrain,
  { property, searchType, start, end }: Scope,
): Promise<CurrentLoad[]> {
  const sql = `SELECT c.date AS date, max(c.load) AS load FROM facts_current AS c
    WHERE c.property = {property:UInt64} AND c.type = {type:String} AND c.grain = {grain:String}
      AND c.date BETWEEN {start:Date} AND {end:Date}
    GROUP BY date ORDER BY date`
  return askWith(client, { sql, row, params: { property, type: searchType, grain, start, end } })
}

/** The engine keeps a copy of the pairs for each part of a table (imports leave one a month): 100 MB in all for ten thousand days. */
const mostPairs = 1_000

/**
 * The condition on facts `f` that limits a query to these loads, oldest day first, as constants so that the primary key prunes; needs at
 * least one. All loads are one literal to the engine, however many: it refuses statements of more than 50,000 parts.
 */
export function onLoads(loads: readonly { date: IsoDate; load: number }[]): string {
  const [first, last] = [loads[0], loads.at(-1)]
  if (!first || !last) throw new Error('There is no load to read')
  return `f.date BETWEEN toDate('${first.date}') AND toDate('${last.date}') AND ${loadOfDay(loads, first.date, last.date)}`
}

function loadOfDay(loads: readonly { date: IsoDate; load: number }[], start: IsoDate, end: IsoDate): string {
  const byDay = new Map(loads.map(({ date, load }) => [date, load]))
  const [one, ...more] = new Set(byDay.values())
  // As an import leaves them.
  if (one !== undefined && more.length === 0 && byDay.size === daysBetween(start, end)) return `f.load = ${one}`
  if (loads.length <= mostPairs) return `(f.date, f.load) IN (${loads.map(({ date, load }) => `('${date}', ${load})`).join(', ')})`
  // No load is 0.
  const all = eachDay(start, end).map((date) => byDay.get(date) ?? 0)
  return `f.load = [${all.join(',')}][toUInt32(f.date) - ${dayNumber(start) - 1}]`
}
