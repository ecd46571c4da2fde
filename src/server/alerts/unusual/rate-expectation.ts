import type { AlertExpectation } from '../../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { directionOf, type Sums } from '../../../core/alerting/figures.ts'
import type { Window } from '../../../core/alerting/rule.ts'
import { firstPlaceDayOf, placeBandDays, placeBandOf } from '../../../core/alerting/unusual/place-band.ts'
import { ratesOf } from '../../../core/alerting/unusual/rates.ts'
import { countedAlikeSince } from '../../../core/analytics/anomalies.ts'
import { addDays, daysBetween, earlier, later } from '../../../core/analytics/days.ts'
import { firstRateDayOf, rateBandDays, rateBandOf } from '../../../core/detection/rate-band.ts'
import { baseDays } from '../../../core/detection/rate-base.ts'
import type { Within } from '../../facts/filter-sql.ts'
import { type EntityDays, entityDays } from '../../facts/questions/entity-days.ts'
import { storedDays } from '../../facts/stored-days.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { AlertRow } from '../incidents/alerts-store.ts'
import type { ExpectedRow } from './expectation.ts'
import { fromStored } from '../names.ts'
import { historyOf, topQueries } from './rates.ts'

type Drawn = { from: IsoDate; end: IsoDate }

/** An unusual CTR of the site is that of its top queries together (docs/decisions/0079). */
export const isOfTopQueries = ({ type, entityKind, figures }: Pick<AlertRow, 'type' | 'entityKind' | 'figures'>): boolean =>
  type === 'ctr' && entityKind === 'site' && figures?.months !== undefined

/** The expected CTR or position of each drawn day, for an alert about an unusual one of a query, or of the top queries together. */
export async function rateExpectationOf(
  facts: FactsStore,
  row: ExpectedRow,
  drawn: Drawn,
  within: Within | null,
): Promise<AlertExpectation | null> {
  const { figures, opening, type } = row
  if (!figures || (type !== 'ctr' && type !== 'position')) return null
  if (row.entityKind !== 'query' && !isOfTopQueries(row)) return null
  const window = figures.windows.current
  const opened = opening?.windows.current ?? window
  // Days on which Google counted differently, before or since, can't be compared with the alert's days.
  const since = countedAlikeSince(type, window.end, row.searchType)
  const end = countedAlikeSince(type, drawn.end, row.searchType) === since ? drawn.end : window.end
  const before = type === 'ctr' ? rateBandDays + baseDays.most : placeBandDays
  const wanted = addDays(earlier(opened.start, drawn.from), -before)
  const span = { start: later(wanted, since ?? wanted), end }
  // A ranking that is gone has no direction.
  const direction = directionOf(type, figures.change) > 0 ? ('rise' as const) : ('fall' as const)
  const about = { facts, row, span, within, window, opened, direction, from: later(drawn.from, span.start) }
  return type === 'ctr' ? ctrExpectation(about) : placeExpectation(about)
}

type About = {
  facts: FactsStore
  row: ExpectedRow
  span: Window
  within: Within | null
  window: Window
  opened: Window
  direction: 'fall' | 'rise'
  from: IsoDate
}

async function ctrExpectation({ facts, row, span, within, window, opened, direction, from }: About): Promise<AlertExpectation | null> {
  const top = (await topQueries(facts, [row.propertyId], window.end, within ?? undefined)).map(({ name }) => name)
  const own = row.entityKind === 'query' ? fromStored(row.entityName) : null
  const { rows, known } = await read(facts, row, span, within, [...new Set(own === null ? top : [...top, own])])
  // The expectation depends on a day's impressions and position: days that aren't stored have none.
  const end = [...known].reduce<IsoDate>((last, day) => later(last, day), span.start)
  const history = historyOf(rows, { start: span.start, end, from: span.start, type: row.searchType }, known)
  const at = own === null ? 'all' : history.names.indexOf(own)
  if (at === -1) return null
  const question = {
    rates: ratesOf(history),
    of: at,
    among: history.names.map((_, i) => i),
    start: span.start,
    length: daysBetween(span.start, end),
  } as const
  const days = rateBandOf({ ...question, window, from })
  return days.length === 0 ? null : { firstDay: firstRateDayOf({ ...question, window: opened, direction }), days }
}

async function placeExpectation({ facts, row, span, within, window, opened, direction, from }: About): Promise<AlertExpectation | null> {
  const { rows, known } = await read(facts, row, span, within, [fromStored(row.entityName)])
  const of = { start: span.start, days: sumsByDay(rows[0], span, known) }
  const days = placeBandOf(of, window, from)
  return days.length === 0 ? null : { firstDay: firstPlaceDayOf(of, opened, direction), days }
}

async function read(
  facts: FactsStore,
  { propertyId, searchType }: ExpectedRow,
  span: Window,
  within: Within | null,
  names: readonly string[],
) {
  const named = names.map((name) => ({ property: propertyId, name }))
  const [rows, [stored]] = await Promise.all([
    facts.ask(entityDays, { grain: 'query', properties: [propertyId], span, pick: { by: 'names', named }, within }),
    facts.ask(storedDays, { type: searchType, grains: [within?.grain ?? 'query'], properties: [propertyId], spans: [span] }),
  ])
  return { rows, known: new Set(stored?.dates) }
}

function sumsByDay(row: EntityDays | undefined, { start, end }: Window, known: ReadonlySet<IsoDate>): (Sums | null)[] {
  const at = new Map(row?.day.map((day, index) => [day, index]))
  return Array.from({ length: daysBetween(start, end) }, (_, day) => {
    const index = at.get(day) ?? -1
    if (!known.has(addDays(start, day))) return null
    return {
      clicks: row?.clicks[index] ?? 0,
      impressions: row?.impressions[index] ?? 0,
      positionSum: row?.positionSum[index] ?? 0,
      rankedImpressions: row?.rankedImpressions[index] ?? 0,
    }
  })
}
