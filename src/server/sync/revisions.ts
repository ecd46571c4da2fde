import type { IsoDate, SearchType } from '../../contract/common.ts'
import { addDays, earlier, later } from '../../core/analytics/days.ts'
import type { FactsStore } from '../facts/store.ts'
import type { GoogleResult } from '../google/problem.ts'
import type { GoogleSource } from './google-source.ts'
import { type Coverage, recheckDays } from './sync-plan.ts'

export type Revisions = {
  /** Last day that Google has declared complete. */
  finalThrough: IsoDate
  /** Days stored as final whose totals are other ones now; oldest first. */
  revisedDays: IsoDate[]
}

/** Final data is two to three days late (GSC-API): what is taken for granted when Google names no day. */
const usualDelayDays = 3

/**
 * One small request that tells which day is the last complete one, and which of the days already
 * taken for final have changed all the same.
 */
export async function lookForRevisions(
  source: GoogleSource,
  facts: FactsStore,
  what: { propertyId: number; searchType: SearchType; coverage: Coverage; today: IsoDate },
): Promise<GoogleResult<Revisions>> {
  const { coverage, today, searchType } = what
  const known = coverage.finalThrough
  const start = later(coverage.backfillTo, addDays(earlier(known ?? today, today), -recheckDays))
  const answer = await source.rows({ searchType, dimensions: ['date'], startDate: start, endDate: today, startRow: 0 })
  if (!answer.ok) return answer

  const firstIncomplete = answer.value.metadata?.firstIncompleteDate
  const finalThrough = earlier(addDays(today, -1), firstIncomplete ? addDays(firstIncomplete, -1) : addDays(today, -usualDelayDays))
  if (known === null || coverage.backfilledFrom === null) return { ok: true, value: { finalThrough, revisedDays: [] } }

  const from = later(start, coverage.backfilledFrom)
  const now = new Map(answer.value.rows.map((row) => [row.keys[0] ?? '', row]))
  const stored = await facts.dailyTotals({ property: what.propertyId, searchType, start: from, end: known })
  const before = new Map(stored.map((day) => [day.date, day]))
  const revisedDays: IsoDate[] = []
  for (let day = from; day <= known; day = addDays(day, 1)) {
    const a = before.get(day)
    const b = now.get(day)
    if ((a?.clicks ?? 0) !== (b?.clicks ?? 0) || (a?.impressions ?? 0) !== (b?.impressions ?? 0)) revisedDays.push(day)
  }
  return { ok: true, value: { finalThrough, revisedDays } }
}
