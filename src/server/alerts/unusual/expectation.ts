import type { AlertExpectation } from '../../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { countedAlike } from '../../../core/analytics/anomalies.ts'
import { addDays, daysBetween, earlier, later } from '../../../core/analytics/days.ts'
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

/** What has to be known about an alert to say what was expected of its days. */
export type ExpectedRow = Pick<AlertRow, 'propertyId' | 'type' | 'entityKind' | 'entityName' | 'searchType' | 'figures' | 'opening'>

/**
 * The first day, and the expected values of the days from `from` to `end`; null if the past is too short to tell, or about anything new.
 */
export async function expectationOf(
  { facts, countries }: PastStores,
  row: ExpectedRow,
  { from, end }: { from: IsoDate; end: IsoDate },
  within: Within | null,
): Promise<AlertExpectation | null> {
  const { figures, opening, entityKind, propertyId, type } = row
  if (!figures || figures.previous === null || entityKind === 'connection') return null
  // A threshold rule compares with other days, whose total is no expectation.
  const total = figures.months === undefined ? figures.expected?.value : figures.previous
  if (total === undefined) return null
  if (type !== 'clicks' && type !== 'impressions') return rateExpectationOf(facts, row, { from, end }, within)
  if (figures.change === null) return null
  const opened = opening?.windows.current ?? figures.windows.current
  const window = figures.windows.current
  // Days that Google counted differently say nothing about these.
  const alike = countedAlike(type, window.end, row.searchType)
  const wanted = addDays(earlier(opened.start, from), -bandPastDays)
  const start = later(wanted, alike.since ?? wanted)
  const span = { start, end }
  const grain = entityGrain(entityKind)
  const named = [{ property: propertyId, name: fromStored(row.entityName) }]
  const [[found], [stored], countryOf] = await Promise.all([
    facts.ask(entityDays, { grain, properties: [propertyId], span, pick: { by: 'names', named }, within }),
    facts.ask(storedDays, { type: row.searchType, grains: [within?.grain ?? grain], properties: [propertyId], spans: [span] }),
    countries.of([propertyId], window.end),
  ])
  const known = new Set(stored?.dates.filter(alike.isAlike))
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
  const days = bandOf({ ...question, window, total, from })
  if (days.length === 0 && figures.months === undefined) return null
  return { firstDay: firstDayOf({ ...question, window: opened }), days }
}
