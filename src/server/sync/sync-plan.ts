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

/** Coverage before a property's first sync: nothing of all that Google has. */
export const notBegun = (today: IsoDate): Coverage => ({
  backfillTo: monthsBefore(today, searchConsoleMonths),
  backfilledFrom: null,
  finalThrough: null,
  fetchedThrough: null,
})

/** Days fetched and published together, both included. */
export type Chunk = { from: IsoDate; to: IsoDate }

/** Days fetched, stored and shown as one: small enough to appear and to be retried quickly. */
export const chunkDays = 7

/** Days before the first unfinished one whose totals are rechecked, in case Google revised them after all. */
export const recheckDays = 14

/** Google's grains for a search type: Discover and Google News have no queries, for instance (docs/google-api.md). */
export function grainsOf(type: SearchType): readonly Grain[] {
  if (type === 'discover') return ['total', 'page', 'country', 'search_appearance']
  if (type === 'googleNews') return ['total', 'page', 'device', 'country']
  return ['total', 'page', 'query', 'query_page', 'device', 'country', 'search_appearance']
}

/** Whether Google may refuse a grain as one that the search type lacks: what it documents leaves that open. */
export const mayBeRefused = (type: SearchType, grain: Grain): boolean =>
  grain === 'search_appearance' || (type === 'googleNews' && grain === 'device')

/**
 * The days that may have changed since the last sync: unfinished ones, up to today. Oldest first, in chunks. After a very long absence,
 * Google no longer has the first of them: they stay unknown.
 */
export function freshChunks(coverage: Coverage, today: IsoDate): Chunk[] {
  if (coverage.backfilledFrom === null || coverage.finalThrough === null) return []
  const from = later(later(addDays(coverage.finalThrough, 1), coverage.backfilledFrom), notBegun(today).backfillTo)
  return inChunks(from, today)
}

/** The backfill's next days, newest first; null once everything back to `backfillTo` is stored. */
export function nextBackfill(coverage: Coverage, today: IsoDate): Chunk | null {
  const to = coverage.backfilledFrom === null ? today : addDays(coverage.backfilledFrom, -1)
  if (to < coverage.backfillTo) return null
  return { from: later(coverage.backfillTo, addDays(to, 1 - chunkDays)), to }
}

export type Progress = { daysLeft: number; daysTotal: number }

/**
 * Days left to fetch and days in all, as one number for all search types: each has its share of every day, so the figure neither doubles
 * with a second type nor counts its days as fetched too early.
 */
export function progress(coverages: readonly Coverage[], today: IsoDate): Progress {
  const types = coverages.map(({ backfillTo, backfilledFrom }) => ({
    total: daysBetween(backfillTo, today),
    left: daysBetween(backfillTo, backfilledFrom === null ? today : addDays(backfilledFrom, -1)),
  }))
  const daysTotal = Math.max(0, ...types.map(({ total }) => total))
  const left = types.reduce((sum, type) => sum + (type.total === 0 ? 0 : (type.left * daysTotal) / type.total), 0)
  // A fraction counts as missing; a rounding error isn't a day.
  return { daysLeft: Math.max(0, Math.ceil(left / Math.max(1, types.length) - 1e-6)), daysTotal }
}

/** A fetching run: when it began, and how many days were left then. */
export type Run = { beganAt: Date; daysLeft: number }

/** How long the remaining days take at the pace of this run; null if none are left or none have come yet. */
export function secondsLeft(run: Run | null, daysLeft: number, now: Date): number | null {
  if (run === null || daysLeft === 0 || daysLeft >= run.daysLeft) return null
  const seconds = Math.max(0, now.getTime() - run.beganAt.getTime()) / 1000
  return Math.round((seconds / (run.daysLeft - daysLeft)) * daysLeft)
}

/** Groups scattered days into chunks of neighbors, each at most `chunkDays` long. Expects days in ascending order. */
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
