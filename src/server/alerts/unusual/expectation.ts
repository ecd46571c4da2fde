import type { AlertExpectation } from '../../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { countedAlikeSince } from '../../../core/analytics/anomalies.ts'
import { addDays, daysBetween, later } from '../../../core/analytics/days.ts'
import { bandOf, bandPastDays, firstDayOf } from '../../../core/detection/band.ts'
import { holidaysOf } from '../../../core/detection/holidays.ts'
import type { AlertRow } from '../incidents/alerts-store.ts'
import { dailyValues } from '../daily-values.ts'
import { fromStored } from '../names.ts'
import { entityGrain } from '../tasks.ts'
import { rateExpectationOf } from './rate-expectation.ts'
import type { PastStores } from './unusual.ts'
import type { Within } from '../../facts/filter-sql.ts'
import { entityDays } from '../../facts/questions/entity-days.ts'
import { storedDays } from '../../facts/stored-days.ts'

/** The expected values of the days from `from` to `end`, for an alert about something unusual; null for any other. */
export async function expectationOf(
  { facts, countries }: PastStores,
  row: AlertRow,
  { from, end }: { from: IsoDate; end: IsoDate },
  within: Within | null,
): Promise<AlertExpectation | null> {
  const { figures, opening, entityKind, propertyId, type } = row
  if (figures?.months === undefined || figures.previous === null || figures.change === null || entityKind === 'connection') return null
  if (type !== 'clicks' && type !== 'impressions') return rateExpectationOf(facts, row, { from, end }, within)
  const opened = opening?.windows.current ?? figures.windows.current
  const window = figures.windows.current
  // Days that Google counted differently say nothing about these.
  const start = later(
    addDays(opened.start < from ? opened.start : from, -bandPastDays),
    countedAlikeSince(type, window.end, row.searchType) ?? from,
  )
  const span = { start, end }
  const grain = entityGrain(entityKind)
  const named = [{ property: propertyId, name: fromStored(row.entityName) }]
  const [[found], [stored], countryOf] = await Promise.all([
    facts.ask(entityDays, { grain, properties: [propertyId], span, pick: { by: 'names', named }, within }),
    facts.ask(storedDays, { type: row.searchType, grains: [within?.grain ?? grain], properties: [propertyId], spans: [span] }),
    countries.of([propertyId], window.end),
  ])
  const known = new Set(stored?.dates)
  const values = dailyValues(type, found, daysBetween(start, end))
  const first = values.findIndex((_, i) => known.has(addDays(start, i)))
  if (first < 0) return null
  const counts = {
    start: addDays(start, first),
    counts: values.slice(first).map((value, i) => (known.has(addDays(start, first + i)) ? value : null)),
  }
  const question = {
    counts,
    isHoliday: holidaysOf(countryOf.get(propertyId) ?? null),
    direction: figures.change < 0 ? ('fall' as const) : ('rise' as const),
  }
  return {
    firstDay: firstDayOf({ ...question, window: opened }),
    days: bandOf({ ...question, window, total: figures.previous, from }),
  }
}
