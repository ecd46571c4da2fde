import type { IsoDate, SearchType } from '../../contract/common.ts'
import { addDays, eachDay, earlier, later } from '../../core/analytics/days.ts'
import { type DailyTotal, dailyTotals } from '../facts/questions/daily-totals.ts'
import type { FactsStore } from '../facts/store.ts'
import type { GoogleResult } from '../google/problem.ts'
import type { AnalyticsRow } from '../google/search-console.ts'
import type { GoogleSource } from './google-source.ts'
import { type Coverage, recheckDays } from './sync-plan.ts'

export type Revisions = {
  /** Last day that Google declared complete. */
  finalThrough: IsoDate
  /** Days stored as final whose totals have changed; oldest first. */
  revisedDays: IsoDate[]
}

/** Final data is two to three days late (docs/google-api.md): the assumption if Google names no day. */
const usualDelayDays = 3

/** One small request that shows the last complete day, and which days that were already final have changed after all. */
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
  const stored = await facts.ask(dailyTotals, { property: what.propertyId, searchType, start: from, end: known })
  const before = new Map(stored.map((day) => [day.date, day]))
  const revisedDays = eachDay(from, known).filter((day) => !isSame(before.get(day), now.get(day)))
  return { ok: true, value: { finalThrough, revisedDays } }
}

/** Whether Google's day equals the stored one; a day absent on one side is empty. */
function isSame(stored: DailyTotal | undefined, given: AnalyticsRow | undefined): boolean {
  if ((stored?.clicks ?? 0) !== (given?.clicks ?? 0) || (stored?.impressions ?? 0) !== (given?.impressions ?? 0)) return false
  const positionSum = (given?.position ?? 0) * (given?.impressions ?? 0)
  return Math.abs((stored?.positionSum ?? 0) - positionSum) <= positionSum * 1e-9
}
