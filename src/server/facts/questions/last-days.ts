import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type IsoDate } from '../../../contract/common.ts'
import { lastDays } from '../../../core/analytics/periods.ts'
import { type Span, withinSpans } from '../current.ts'
import { askWith } from '../question.ts'
import { firstShownOf } from '../stored-days.ts'
import type { DailyTotal } from './daily-totals.ts'

const counts = z.array(z.number())
/** A property's lists in any order, but all in the same one. */
const pointers = z.object({ property: z.number(), dates: z.array(isoDate), loads: counts, rows: counts })
const figures = z.object({
  property: z.number(),
  dates: z.array(isoDate),
  loads: counts,
  clicks: counts,
  impressions: counts,
  positionSums: counts,
  rankedImpressions: counts,
})

/** Numbers of ten thousand properties. */
const mostBytes = 64 * 1024 ** 2

/** A property, and the last day that counts for it. */
export type EndOfDays = { property: number; end: IsoDate }

/** Days oldest first; `stored` are the known days, and one without figures had no impressions. */
export type LastDays = { property: number; stored: IsoDate[]; days: DailyTotal[] }

/**
 * The last `count` days of many properties, each up to its own end. Properties that never had impressions are absent. Web search only.
 *
 * Pointers are asked before the facts (docs/decisions/0003), and the current loads are picked here: totals have one row per day and load,
 * cheaper than listing all loads in a statement.
 */
export async function lastDaysOf(client: ClickHouseClient, ends: readonly EndOfDays[], count: number): Promise<LastDays[]> {
  if (ends.length === 0) return []
  const stored = new Map<number, z.infer<typeof pointers>>()
  for (const row of await pointersOf(client, ends, 2 * count)) stored.set(row.property, row)
  const [found, first] = await Promise.all([figuresOf(client, ends, count), firstDays(client, ends, count, stored)])
  const figuresBy = new Map(found.map((row) => [row.property, row]))
  return ends.flatMap(({ property, end }) => {
    const from = first.get(property)
    if (from === undefined) return []
    const span = lastDays(end, count)
    const loads = new Map<IsoDate, number>()
    stored.get(property)?.dates.forEach((date, at) => {
      if (date >= span.start) loads.set(date, stored.get(property)?.loads[at] ?? 0)
    })
    const days = daysOf(figuresBy.get(property), loads)
    return [{ property, stored: [...loads.keys()].filter((date) => date >= from).toSorted(), days }]
  })
}

/** The days of some properties; those with the same end share a condition, so that the primary key prunes. */
const within = (ends: readonly EndOfDays[], spanOf: (end: IsoDate) => Span): string =>
  [...Map.groupBy(ends, ({ end }) => end)]
    .map(([end, some]) => `(property IN (${some.map(({ property }) => property).join(', ')}) AND ${withinSpans([spanOf(end)])})`)
    .join(' OR ')

/** The current load of each stored day, and its number of rows. */
const pointersOf = (client: ClickHouseClient, ends: readonly EndOfDays[], count: number): Promise<z.infer<typeof pointers>[]> =>
  askWith(client, {
    sql: `SELECT property, groupArray(day) AS dates, groupArray(newest) AS loads, groupArray(size) AS rows
      FROM (
        SELECT c.property AS property, c.date AS day, max(c.load) AS newest, argMax(c.rows, c.load) AS size FROM facts_current AS c
        WHERE c.property IN {properties:Array(UInt64)} AND c.type = 'web' AND c.grain = 'total' AND (${within(ends, (end) => lastDays(end, count))})
        GROUP BY property, day)
      GROUP BY property`,
    row: pointers,
    mostBytes,
    params: { properties: ends.map(({ property }) => property) },
  })

/** The daily totals of every existing load. */
const figuresOf = (client: ClickHouseClient, ends: readonly EndOfDays[], count: number): Promise<z.infer<typeof figures>[]> =>
  askWith(client, {
    sql: `SELECT property, groupArray(day) AS dates, groupArray(number) AS loads, groupArray(c) AS clicks, groupArray(i) AS impressions,
        groupArray(p) AS positionSums, groupArray(r) AS rankedImpressions
      FROM (
        SELECT f.property AS property, f.date AS day, f.load AS number, sum(f.clicks) AS c, sum(f.impressions) AS i, sum(f.position_sum) AS p,
          sumIf(f.impressions, f.position_sum > 0) AS r
        FROM facts_total AS f
        WHERE f.property IN {properties:Array(UInt64)} AND f.type = 'web' AND (${within(ends, (end) => lastDays(end, count))})
        GROUP BY property, day, number)
      GROUP BY property`,
    row: figures,
    mostBytes,
    params: { properties: ends.map(({ property }) => property) },
  })

/**
 * A day by which each property had impressions, exact if within the last `count` days: days are known from then on. There nearly always
 * were impressions shortly before these days, so no older day has to be read.
 */
async function firstDays(
  client: ClickHouseClient,
  ends: readonly EndOfDays[],
  count: number,
  stored: ReadonlyMap<number, z.infer<typeof pointers>>,
): Promise<Map<number, IsoDate>> {
  const first = new Map<number, IsoDate>()
  for (const { property, end } of ends) {
    const { start } = lastDays(end, count)
    const { dates, rows } = stored.get(property) ?? { dates: [], rows: [] }
    const shown = dates.find((date, at) => date < start && (rows[at] ?? 0) > 0)
    if (shown !== undefined) first.set(property, shown)
  }
  const others = ends.map(({ property }) => property).filter((property) => !first.has(property))
  for (const [property, date] of await firstShownOf(client, others)) first.set(property, date)
  return first
}

function daysOf(row: z.infer<typeof figures> | undefined, loads: ReadonlyMap<IsoDate, number>): DailyTotal[] {
  if (row === undefined) return []
  const days = row.dates.map((date, at) => ({
    date,
    clicks: row.clicks[at] ?? 0,
    impressions: row.impressions[at] ?? 0,
    positionSum: row.positionSums[at] ?? 0,
    rankedImpressions: row.rankedImpressions[at] ?? 0,
  }))
  return days.filter(({ date }, at) => loads.get(date) === row.loads[at]).toSorted((a, b) => (a.date < b.date ? -1 : 1))
}
