import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type IsoDate } from '../../contract/common.ts'
import { addDays, eachDay } from '../../core/analytics/days.ts'
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

/** Days in a row with one load, as an import leaves them. */
type Run = { start: IsoDate; end: IsoDate; load: number; days: number }

/** From this length on, a run is stated as a range: in fewer words, but the engine looks up pairs faster than it tries many ranges. */
const longRun = 100

/**
 * The condition on facts `f` that limits a query to these loads, as constants so that the primary key prunes; needs at least one. All pairs
 * are one literal to the engine, however many: it refuses statements with more than 50,000 parts, and an import brings ten thousand days.
 */
export function onLoads(loads: readonly { date: IsoDate; load: number }[]): string {
  const [first, last] = [loads[0], loads.at(-1)]
  if (!first || !last) throw new Error('There is no load to read')
  const { long = [], short = [] } = Object.groupBy(runsOf(loads), ({ days }) => (days < longRun ? 'short' : 'long'))
  const ranges = long.map(({ start, end, load }) => `f.date BETWEEN toDate('${start}') AND toDate('${end}') AND f.load = ${load}`)
  const pairs = short.flatMap(({ start, end, load }) => eachDay(start, end).map((date) => `('${date}', ${load})`))
  const any = [...ranges, ...(pairs.length > 0 ? [`(f.date, f.load) IN (${pairs.join(', ')})`] : [])]
  return `f.date BETWEEN toDate('${first.date}') AND toDate('${last.date}') AND (${any.join(' OR ')})`
}

function runsOf(loads: readonly { date: IsoDate; load: number }[]): Run[] {
  const runs: Run[] = []
  for (const { date, load } of loads) {
    const last = runs.at(-1)
    if (last?.load === load && addDays(last.end, 1) === date) {
      last.end = date
      last.days += 1
    } else runs.push({ start: date, end: date, load, days: 1 })
  }
  return runs
}
