import { addDays, daysBetween, earlier } from '../../core/analytics/days.ts'
import type { SearchType } from '../../contract/common.ts'
import { type EncodedRows, encodeRows, type LoadTarget } from '../facts/encode.ts'
import { type Grain, grainDimensions } from '../facts/schema.ts'
import type { GoogleResult } from '../google/problem.ts'
import { rowLimit } from '../google/search-console.ts'
import type { GoogleSource } from './google-source.ts'
import { type Chunk, chunkDays, mayBeRefused } from './sync-plan.ts'

/** Takes pages of rows as they come in; resolves when there is room for more. */
export type RowSink = (grain: Grain, rows: EncodedRows) => Promise<void>

/** One grain of one load over some days. */
export type Span = { grain: Grain; searchType: SearchType; days: Chunk; target: LoadTarget }

/**
 * Longest span of one request. Google may drop rows to finish long page and query requests in time, most of all for both together, so those
 * are asked for day by day.
 */
export const spanDays: Record<Grain, number> = {
  total: 500,
  device: 500,
  country: 500,
  search_appearance: 500,
  page: 28,
  query: 28,
  query_page: 1,
}

/** The requests that fetch one grain of some days, each for at most `mostDays`. */
export function spansOf(grain: Grain, days: Chunk, mostDays = spanDays[grain]): Chunk[] {
  const spans: Chunk[] = []
  for (let from = days.from; from <= days.to; from = addDays(from, mostDays)) {
    spans.push({ from, to: earlier(addDays(from, mostDays - 1), days.to) })
  }
  return spans
}

/**
 * Fetches every row of one grain over one span and hands the rows to `sink`. A page of results that isn't full is complete: neither the
 * call's row limit nor the day's, which is higher, cut anything. A full page may have more behind it: several days are then requested in
 * parts, down to single days (Google's limit of 50,000 rows is per day), and a single day page by page until one isn't full.
 */
export async function fetchSpan(source: GoogleSource, span: Span, sink: RowSink): Promise<GoogleResult<null>> {
  const { grain } = span
  const answer = grain === 'search_appearance' ? await fetchAppearances(source, span, sink) : await fetchPages(source, grain, span, sink)
  const isRefused = !answer.ok && answer.problem.kind === 'bad_request' && mayBeRefused(span.searchType, grain)
  return isRefused ? { ok: true, value: null } : answer
}

/**
 * Google combines search appearances with no other dimension: it is asked which there are, then for the days of each (docs/google-api.md).
 */
async function fetchAppearances(source: GoogleSource, { searchType, days, target }: Span, sink: RowSink): Promise<GoogleResult<null>> {
  const query = { searchType, startDate: days.from, endDate: days.to, startRow: 0 }
  const found = await source.rows({ ...query, dimensions: ['searchAppearance'] })
  if (!found.ok) return found
  for (const [name = ''] of found.value.rows.map(({ keys }) => keys)) {
    const answer = await source.rows({ ...query, dimensions: ['date'], appearance: name })
    if (!answer.ok) return answer
    const rows = answer.value.rows.map(({ keys: [date = ''], ...figures }) => ({ ...figures, date, keys: [name] }))
    if (rows.length > 0) await sink('search_appearance', encodeRows(target, rows))
  }
  return { ok: true, value: null }
}

type PagedGrain = Exclude<Grain, 'search_appearance'>

async function fetchPages(source: GoogleSource, grain: PagedGrain, span: Span, sink: RowSink): Promise<GoogleResult<null>> {
  const { from, to } = span.days
  const query = { searchType: span.searchType, dimensions: ['date', ...grainDimensions[grain]] as const, startDate: from, endDate: to }
  for (let startRow = 0; ; startRow += rowLimit) {
    const answer = await source.page({ ...query, startRow }, span.target)
    if (!answer.ok) return answer
    const { rows } = answer.value
    if (rows >= rowLimit && from < to) return fetchInParts(source, span, sink)
    if (rows > 0) await sink(grain, answer.value)
    if (rows < rowLimit) return { ok: true, value: null }
  }
}

/** Splits a long span in half, and a week into days. */
async function fetchInParts(source: GoogleSource, span: Span, sink: RowSink): Promise<GoogleResult<null>> {
  const days = daysBetween(span.days.from, span.days.to)
  for (const part of spansOf(span.grain, span.days, days > chunkDays ? Math.ceil(days / 2) : 1)) {
    const answer = await fetchSpan(source, { ...span, days: part }, sink)
    if (!answer.ok) return answer
  }
  return { ok: true, value: null }
}
