import { addDays, eachDay } from '../../core/analytics/days.ts'
import type { SearchType } from '../../contract/common.ts'
import type { EncodedRows, LoadTarget } from '../facts/encode.ts'
import { type Grain, grainDimensions } from '../facts/schema.ts'
import type { GoogleResult } from '../google/problem.ts'
import { rowLimit } from '../google/search-console.ts'
import type { GoogleSource } from './google-source.ts'
import type { Chunk } from './sync-plan.ts'

/** Takes pages of rows as they arrive; resolves when there is room for more. */
export type RowSink = (grain: Grain, rows: EncodedRows) => Promise<void>

/** One grain of one load over some days. */
export type Span = { grain: Grain; searchType: SearchType; days: Chunk; target: LoadTarget }

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
export async function fetchSpan(source: GoogleSource, span: Span, sink: RowSink): Promise<GoogleResult<null>> {
  const { from, to } = span.days
  const query = { searchType: span.searchType, dimensions: ['date', ...grainDimensions[span.grain]] as const, startDate: from, endDate: to }
  for (let startRow = 0; ; startRow += rowLimit) {
    const answer = await source.page({ ...query, startRow }, span.target)
    if (!answer.ok) return answer
    const { rows } = answer.value
    if (rows >= rowLimit && from < to) return fetchDayByDay(source, span, sink)
    if (rows > 0) await sink(span.grain, answer.value)
    if (rows < rowLimit) return { ok: true, value: null }
  }
}

async function fetchDayByDay(source: GoogleSource, span: Span, sink: RowSink): Promise<GoogleResult<null>> {
  for (const day of eachDay(span.days.from, span.days.to)) {
    const answer = await fetchSpan(source, { ...span, days: { from: day, to: day } }, sink)
    if (!answer.ok) return answer
  }
  return { ok: true, value: null }
}
