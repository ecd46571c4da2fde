import type { IsoDate, SearchType } from '../../contract/common.ts'
import { addDays } from '../../core/analytics/days.ts'
import { type FactRow } from '../facts/load.ts'
import { type Grain, grainDimensions } from '../facts/schema.ts'
import type { GoogleResult } from '../google/problem.ts'
import { type AnalyticsAnswer, type AnalyticsQuery, rowLimit } from '../google/search-console.ts'
import type { Chunk } from './sync-plan.ts'

/** Asks Google for one page of results, waiting and retrying as needed. */
export type AskGoogle = (query: Omit<AnalyticsQuery, 'siteUrl'>) => Promise<GoogleResult<AnalyticsAnswer>>

/** Takes rows as they arrive; resolves when there is room for more. */
export type RowSink = (grain: Grain, rows: FactRow[]) => Promise<void>

/**
 * Longest span asked for at once. Google may drop rows to finish long page and query requests in
 * time, most of all with both together, so those are asked for day by day.
 */
const spanDays: Record<Grain, number> = { total: 500, device: 500, country: 31, page: 7, query: 7, query_page: 1 }

/** The requests that fetch one grain of a chunk of days. */
export function spansOf(grain: Grain, chunk: Chunk): Chunk[] {
  const spans: Chunk[] = []
  for (let from = chunk.from; from <= chunk.to; from = addDays(from, spanDays[grain])) {
    const end = addDays(from, spanDays[grain] - 1)
    spans.push({ from, to: end < chunk.to ? end : chunk.to })
  }
  return spans
}

/**
 * Fetches every row of one grain over one span and hands the rows to `sink`. A page of results
 * that is full means there may be more: several days are then asked for singly (the 50,000 rows
 * that Google gives are counted per day), a single day page after page until one is not full.
 */
export async function fetchSpan(
  ask: AskGoogle,
  what: { grain: Grain; searchType: SearchType; span: Chunk },
  sink: RowSink,
): Promise<GoogleResult<null>> {
  const { grain, searchType, span } = what
  const query = { searchType, dimensions: ['date', ...grainDimensions[grain]] as const, startDate: span.from, endDate: span.to }
  for (let startRow = 0; ; startRow += rowLimit) {
    const answer = await ask({ ...query, startRow })
    if (!answer.ok) return answer
    const rows = answer.value.rows
    if (rows.length >= rowLimit && span.from < span.to) return fetchDayByDay(ask, what, sink)
    if (rows.length > 0) await sink(grain, rows.map(toFactRow))
    if (rows.length < rowLimit) return { ok: true, value: null }
  }
}

async function fetchDayByDay(
  ask: AskGoogle,
  what: { grain: Grain; searchType: SearchType; span: Chunk },
  sink: RowSink,
): Promise<GoogleResult<null>> {
  for (let day: IsoDate = what.span.from; day <= what.span.to; day = addDays(day, 1)) {
    const answer = await fetchSpan(ask, { ...what, span: { from: day, to: day } }, sink)
    if (!answer.ok) return answer
  }
  return { ok: true, value: null }
}

function toFactRow({ keys, clicks, impressions, position }: AnalyticsAnswer['rows'][number]): FactRow {
  const [date = '', ...rest] = keys
  return { date, keys: rest, clicks, impressions, position }
}
