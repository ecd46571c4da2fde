import { type IsoDate, type SearchType, searchTypes } from '../../../../contract/common.ts'
import { addDays, earlier, later } from '../../../../core/analytics/days.ts'
import type { Db } from '../../../database/open.ts'
import type { FactsStore } from '../../../facts/store.ts'
import { loadsOfFiles } from '../loads.ts'
import { notBegun, recheckDays } from '../../sync-plan.ts'
import { currentLoads } from '../../../facts/current-loads.ts'
import { dailyTotals } from '../../../facts/questions/daily-totals.ts'

/**
 * The day from which Google supplies the figures of a synced property, by search type: files may only bring older days. It is the first day
 * with figures from Google or, while the backfill runs, the day it will reach back to.
 */
export async function googleFrom(
  deps: { db: Db; facts: FactsStore },
  propertyId: number,
  today: IsoDate,
): Promise<Map<SearchType, IsoDate>> {
  const coverages = await deps.db
    .selectFrom('searchTypeSyncs')
    .where('propertyId', '=', propertyId)
    .select(['searchType', 'backfillTo', 'backfilledFrom', 'finalThrough'])
    .execute()
  const ofFiles = await loadsOfFiles(deps.db, propertyId)
  const from = new Map<SearchType, IsoDate>()
  for (const searchType of searchTypes) {
    const coverage = coverages.find((each) => each.searchType === searchType) ?? notBegun(today)
    const { backfillTo, backfilledFrom, finalThrough } = coverage
    from.set(searchType, backfillTo)
    if (backfilledFrom === null || finalThrough === null || backfilledFrom > backfillTo) continue
    const scope = { property: propertyId, searchType, start: backfillTo, end: today }
    const google = new Set(
      (await deps.facts.ask(currentLoads, 'total', scope)).flatMap(({ date, load }) => (ofFiles.has(load) ? [] : [date])),
    )
    const first = (await deps.facts.ask(dailyTotals, scope)).find(({ date }) => google.has(date))
    // The latest days are always asked for again.
    const asked = later(backfillTo, addDays(finalThrough, -recheckDays))
    from.set(searchType, first ? earlier(first.date, asked) : asked)
  }
  return from
}
