import type { IsoDate, SearchType } from '../../contract/common.ts'
import { addDays, daysBetween, later, monthsBefore, searchConsoleMonths } from '../../core/analytics/days.ts'
import type { Grain } from '../facts/schema.ts'

/** How far one search type is stored; see `SearchTypeSyncsTable`. */
export type Coverage = {
  backfillTo: IsoDate
  backfilledFrom: IsoDate | null
  finalThrough: IsoDate | null
  fetchedThrough: IsoDate | null
}

/** What is stored of a property before its first sync: nothing of all that Google has. */
export const notBegun = (today: IsoDate): Coverage => ({
  backfillTo: monthsBefore(today, searchConsoleMonths),
  backfilledFrom: null,
  finalThrough: null,
  fetchedThrough: null,
})

/** Days to fetch and publish together, both included. */
export type Chunk = { from: IsoDate; to: IsoDate }

/** Days that are fetched, stored and shown as one: small enough to be on screen and retried quickly. */
export const chunkDays = 7

/** Days before the first unfinished one whose totals are compared again, in case Google revised them after all. */
export const recheckDays = 14

/**
 * Grains that Google has for a search type. Discover knows no queries and no devices (docs/google-api.md).
 */
export const grainsOf = (type: SearchType): readonly Grain[] =>
  type === 'discover' ? ['total', 'page', 'country'] : ['total', 'page', 'query', 'query_page', 'device', 'country']

/** The days that may have changed since the last sync: those not yet final, up to today. Oldest first, in chunks. */
export function freshChunks(coverage: Coverage, today: IsoDate): Chunk[] {
  if (coverage.backfilledFrom === null || coverage.finalThrough === null) return []
  const from = later(addDays(coverage.finalThrough, 1), coverage.backfilledFrom)
  return inChunks(from, today)
}

/** The next days of the backfill, newest first; null when everything back to `backfillTo` is stored. */
export function nextBackfill(coverage: Coverage, today: IsoDate): Chunk | null {
  const to = coverage.backfilledFrom === null ? today : addDays(coverage.backfilledFrom, -1)
  if (to < coverage.backfillTo) return null
  return { from: later(coverage.backfillTo, addDays(to, 1 - chunkDays)), to }
}

/** Days still to fetch and days in all, for a progress bar. */
export function progress(coverages: readonly Coverage[], today: IsoDate): { daysLeft: number; daysTotal: number } {
  let daysLeft = 0
  let daysTotal = 0
  for (const { backfillTo, backfilledFrom } of coverages) {
    daysTotal += daysBetween(backfillTo, today)
    daysLeft += backfilledFrom === null ? daysBetween(backfillTo, today) : daysBetween(backfillTo, addDays(backfilledFrom, -1))
  }
  return { daysLeft, daysTotal }
}

/** Groups scattered days into chunks of neighbours, each no longer than `chunkDays`. Days in ascending order. */
export function chunksOf(days: readonly IsoDate[]): Chunk[] {
  const chunks: Chunk[] = []
  for (const day of days) {
    const last = chunks.at(-1)
    if (last && day === addDays(last.to, 1) && daysBetween(last.from, day) <= chunkDays) last.to = day
    else chunks.push({ from: day, to: day })
  }
  return chunks
}

function inChunks(from: IsoDate, to: IsoDate): Chunk[] {
  const chunks: Chunk[] = []
  for (let start = from; start <= to; start = addDays(start, chunkDays)) {
    const end = addDays(start, chunkDays - 1)
    chunks.push({ from: start, to: end < to ? end : to })
  }
  return chunks
}
