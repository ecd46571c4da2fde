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

export type Progress = { daysLeft: number; daysTotal: number }

/**
 * Days still to fetch and days in all, as one number for all search types: each has its share of every day, so that the
 * figure neither doubles with a second type nor takes its days for fetched before they are.
 */
export function progress(coverages: readonly Coverage[], today: IsoDate): Progress {
  const types = coverages.map(({ backfillTo, backfilledFrom }) => ({
    total: daysBetween(backfillTo, today),
    left: daysBetween(backfillTo, backfilledFrom === null ? today : addDays(backfilledFrom, -1)),
  }))
  const daysTotal = Math.max(0, ...types.map(({ total }) => total))
  const left = types.reduce((sum, type) => sum + (type.total === 0 ? 0 : (type.left * daysTotal) / type.total), 0)
  // What is not whole counts as missing; a rounding error is no day.
  return { daysLeft: Math.max(0, Math.ceil(left / Math.max(1, types.length) - 1e-6)), daysTotal }
}

/** A run of fetching: when it began, and how many days were left then. */
export type Run = { beganAt: Date; daysLeft: number }

/** How long the days that are left take at the pace since the run began; null when none are left or none have come yet. */
export function secondsLeft(run: Run | null, daysLeft: number, now: Date): number | null {
  if (run === null || daysLeft === 0 || daysLeft >= run.daysLeft) return null
  const seconds = Math.max(0, now.getTime() - run.beganAt.getTime()) / 1000
  return Math.round((seconds / (run.daysLeft - daysLeft)) * daysLeft)
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
