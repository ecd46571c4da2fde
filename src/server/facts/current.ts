import type { IsoDate } from '../../contract/common.ts'
import { addDays, later } from '../../core/analytics/days.ts'
import type { Grain } from './schema.ts'

/** Days from start to end, both included. */
export type Span = { start: IsoDate; end: IsoDate }

/**
 * The condition that limits a query to the current load of each day, for many properties and non-contiguous days. The query binds
 * `properties` and `type`.
 * @param days a condition on `date`; see `withinSpans`
 */
export const onCurrentDaysOf = (grain: Grain, days: string): string => `property IN {properties:Array(UInt64)} AND type = {type:String}
    AND ${days}
    AND (property, date, load) IN (
      SELECT property, date, max(load) FROM facts_current
      WHERE property IN {properties:Array(UInt64)} AND type = {type:String} AND grain = '${grain}' AND ${days}
      GROUP BY property, date)`

/** A condition on `date` as constants, so that the primary key prunes; merges spans that overlap or touch. */
export function withinSpans(spans: readonly Span[]): string {
  const merged: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => (a.start < b.start ? -1 : 1))) {
    const last = merged.at(-1)
    if (last && start <= addDays(last.end, 1)) last.end = later(last.end, end)
    else merged.push({ start, end })
  }
  return `(${merged.map(({ start, end }) => `date BETWEEN toDate('${start}') AND toDate('${end}')`).join(' OR ') || 'false'})`
}
