import { addDays, daysBetween, earlier } from '../../core/analytics/days.ts'
import type { SearchType } from '../../contract/common.ts'
import type { EncodedRows, LoadTarget } from '../facts/encode.ts'
import { type Grain, grainDimensions } from '../facts/schema.ts'
import type { GoogleResult } from '../google/problem.ts'
import { rowLimit } from '../google/search-console.ts'
import type { GoogleSource } from './google-source.ts'
import { type Chunk, chunkDays } from './sync-plan.ts'

/** Takes pages of rows as they arrive; resolves when there is room for more. */
export type RowSink = (grain: Grain, rows: EncodedRows) => Promise<void>

/** One grain of one load over some days. */
export type Span = { grain: Grain; searchType: SearchType; days: Chunk; target: LoadTarget }

/**
 * Longest span asked for at once. Google may drop rows to finish long page and query requests in
 * time, most of all with both together, so those are asked for day by day.
 */
export const spanDays: Record<Grain, number> = { total: 500, device: 500, country: 500, page: 28, query: 28, query_page: 1 }

/** The requests that fetch one grain of some days, each for no more than `mostDays`. */
export function spansOf(grain: Grain, days: Chunk, mostDays = spanDays[grain]): Chunk[] {
  const spans: Chunk[] = []
  for (let from = days.from; from <= days.to; from = addDays(from, mostDays)) {
    spans.push({ from, to: earlier(addDays(from, mostDays - 1), days.to) })
  }
  return spans
}

/**
 * Fetches every row of one grain over one span and hands the rows to `sink`. A page of results
 * that is not full is all there is: nothing was cut by the rows of a call, and so nothing by those of a
 * day either, which are more. One that is full means there may be more: several days are then asked for in parts, down to
 * single ones (the 50,000 rows that Google gives are counted per day), a single day page after page until one is not full.
 */
export async function fetchSpan(source: GoogleSource, span: Span, sink: RowSink): Promise<GoogleResult<null>> {
  const { from, to } = span.days
  const query = { searchType: span.searchType, dimensions: ['date', ...grainDimensions[span.grain]] as const, startDate: from, endDate: to }
  for (let startRow = 0; ; startRow += rowLimit) {
    const answer = await source.page({ ...query, startRow }, span.target)
    if (!answer.ok) return answer
    const { rows } = answer.value
    if (rows >= rowLimit && from < to) return fetchInParts(source, span, sink)
    if (rows > 0) await sink(span.grain, answer.value)
    if (rows < rowLimit) return { ok: true, value: null }
  }
}

/** A long span in halves, a week day by day. */
async function fetchInParts(source: GoogleSource, span: Span, sink: RowSink): Promise<GoogleResult<null>> {
  const days = daysBetween(span.days.from, span.days.to)
  for (const part of spansOf(span.grain, span.days, days > chunkDays ? Math.ceil(days / 2) : 1)) {
    const answer = await fetchSpan(source, { ...span, days: part }, sink)
    if (!answer.ok) return answer
  }
  return { ok: true, value: null }
}
