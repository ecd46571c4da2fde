import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IsoDate, SearchType } from '../../../contract/common.ts'
import { countedAlike } from '../../../core/analytics/anomalies.ts'
import { addDays, daysBetween, later } from '../../../core/analytics/days.ts'
import type { Verdict } from '../../../core/alerting/lifecycle.ts'
import { type AlertMetric, entityKindOf, type Rule } from '../../../core/alerting/rule.ts'
import { historyWeeks } from '../../../core/alerting/windows.ts'
import type { EndedUnusual } from '../../../core/alerting/unusual/evening.ts'
import { evaluateSite, type SiteHistory } from '../../../core/alerting/unusual/site.ts'
import { holidaysOf } from '../../../core/detection/holidays.ts'
import { everythingOf } from '../../facts/filter-sql.ts'
import { type EntityDays, entityDays } from '../../facts/questions/entity-days.ts'
import type { FactsStore } from '../../facts/store.ts'
import { type Baseline, type Baselines, carried, keyOf } from './baselines.ts'
import type { OpenRow } from '../open-rows.ts'
import type { Limits, Room } from '../ask-figures.ts'
import { askInHalves } from '../question-time.ts'
import type { RuleScope } from '../rules/scopes.ts'
import type { Evaluated } from '../tasks.ts'
import { endedOf, isOwnOver, lastingOf } from './lasting.ts'
import { evaluateUnusualMany } from './many.ts'
import { evaluateUnusualRates } from './rates.ts'
import { storedDays } from '../../facts/stored-days.ts'
import type { HolidayCountries } from '../../common/holiday-countries.ts'

/** A smart rule with its open alerts. */
export type WantedUnusual = {
  property: Evaluated
  rule: Rule
  scope: RuleScope | null
  alerts: readonly OpenRow[]
  /** For a rule about the whole site: its alerts that recovered or settled recently. */
  ended: readonly EndedUnusual[]
}

/** `verdicts` null: its days are still being fetched. */
export type EvaluatedUnusual = { propertyId: number; ruleId: string; verdicts: Verdict[] | null; error?: unknown }

/** `isGrowing`: older days are still being fetched, and everything is stored from `backfilledFrom` on. */
export type Of = { id: number; name: string; through: IsoDate } & Partial<Pick<Evaluated, 'isGrowing' | 'backfilledFrom'>>
type Past = Map<number, { histories: Map<CountedMetric, SiteHistory>; country: string | null }>
type CountedMetric = 'clicks' | 'impressions'
const counted = (metric: AlertMetric): CountedMetric => (metric === 'impressions' ? 'impressions' : 'clicks')

/** While older days are being fetched, at least this many must be stored: it takes weeks to know what is usual. */
const fewestDays = 7 * (historyWeeks + 1)

/** What smart rules about whole sites find may be the return from what they found before. */
export const sitesOf = ({ property, rule }: Pick<WantedUnusual, 'property' | 'rule'>): { ruleId: string; name: string }[] =>
  rule.monitor === 'site' ? [{ ruleId: rule.id, name: property.name }] : []

type Stores = PastStores & { baselines: Baselines }
/** What a property's past is read from. */
export type PastStores = { facts: FactsStore; countries: Pick<HolidayCountries, 'of'> }

type Evaluate = (of: readonly WantedUnusual[]) => Promise<EvaluatedUnusual[]>

/**
 * Evaluates smart rules of many properties at once. A rule whose data can't be read doesn't keep the others from being evaluated.
 * @throws errors that aren't any rule's fault
 */
export async function evaluateUnusual(
  stores: Stores,
  wanted: readonly WantedUnusual[],
  limits: Limits,
): Promise<Map<number, EvaluatedUnusual[]>> {
  const kinds: [(of: WantedUnusual) => boolean, Evaluate][] = [
    [({ rule }) => rule.monitor === 'site', (of) => evaluateSites(stores, of)],
    [({ rule }) => rule.monitor !== 'site' && rule.metric === 'ctr', (of) => evaluateUnusualRates(stores.facts, of)],
    [({ rule }) => rule.monitor !== 'site' && rule.metric !== 'ctr', (of) => evaluateUnusualMany(stores.facts, of)],
  ]
  const evaluated: EvaluatedUnusual[] = []
  for (const [isOne, evaluate] of kinds) {
    for (const group of Map.groupBy(wanted.filter(isOne), questionOf).values()) {
      const ask = async (some: readonly WantedUnusual[]) => (await evaluate(some)).map((each) => fitting(each, limits.room))
      evaluated.push(...(await askInHalves(group, limits.time, ask, failedOf)))
    }
  }
  return Map.groupBy(evaluated, ({ propertyId }) => propertyId)
}

/**
 * Rules with the same key share questions: those about whole sites in the same search type, else those with the same last day, kind of
 * entity, metric and scope.
 */
const questionOf = ({ property, rule, scope }: WantedUnusual): string =>
  rule.monitor === 'site' ? `site ${rule.searchType}` : JSON.stringify([property.through, entityKindOf(rule), rule.metric, scope?.within])

const failedOf = ({ property, rule }: WantedUnusual, error: unknown): EvaluatedUnusual => ({
  propertyId: property.id,
  ruleId: rule.id,
  verdicts: null,
  error,
})

function fitting(evaluated: EvaluatedUnusual, room: Room): EvaluatedUnusual {
  try {
    room.take(evaluated.verdicts ?? [])
    return evaluated
  } catch (error) {
    return { ...evaluated, verdicts: null, error }
  }
}

/** Site-wide rules of one search type: one question reads the days, and the condensed years before are stored. */
async function evaluateSites({ facts, countries, baselines }: Stores, wanted: readonly WantedUnusual[]): Promise<EvaluatedUnusual[]> {
  const properties = [...new Map(wanted.map(({ property }) => [property.id, property])).values()]
  const ids = properties.map(({ id }) => id)
  const searchType = wanted[0]?.rule.searchType ?? 'web'
  const [kept, confirmed, past] = await Promise.all([
    baselines.load(ids),
    baselines.confirmed(ids),
    readPast({ facts, countries }, properties, searchType),
  ])
  const moved = new Map<string, Baseline>()
  const evaluated: EvaluatedUnusual[] = []
  for (const { property, rule, alerts, ended } of wanted) {
    await nextTurn()
    const metric = counted(rule.metric)
    const known = past.get(property.id)
    const found = known?.histories.get(metric)
    const of = { propertyId: property.id, searchType, metric }
    const key = keyOf(of)
    const history = found && { ...found, confirmed: confirmed.get(key) ?? [] }
    const about = { propertyId: property.id, ruleId: rule.id }
    if (!known || !history || history.counts.counts.at(-1) === null) evaluated.push({ ...about, verdicts: null })
    else {
      const { state, baseline } = await carried({ ...of, country: known.country }, history, moved.get(key) ?? kept.get(key))
      if (baseline) moved.set(key, baseline)
      const [over, lasting] = [alerts.filter(isOwnOver), alerts.filter((alert) => !isOwnOver(alert))]
      const [open] = lasting.flatMap((alert) => lastingOf(rule.metric, alert))
      const verdict = evaluateSite(rule, history, state, open?.[1] ?? null, [...over.flatMap(endedOf), ...ended])
      evaluated.push({ ...about, verdicts: verdict === null ? [] : [verdict] })
    }
  }
  await baselines.store([...moved.values()])
  return evaluated
}

/**
 * All stored days of these properties in a search type, up to the last complete one of each; properties without any are absent.
 * @param since if only the days from then on matter
 */
export async function readPast(
  { facts, countries }: PastStores,
  properties: readonly Of[],
  type: SearchType,
  since: IsoDate = firstDay,
): Promise<Past> {
  const ids = properties.map(({ id }) => id)
  const through = properties.map((property) => property.through).reduce((a, b) => (a > b ? a : b))
  const span = { start: since, end: through }
  const within = type === 'web' ? null : everythingOf(type, 'total')
  const [storedOf, rows, countryOf] = await Promise.all([
    facts.ask(storedDays, { type, grains: ['total'], properties: ids, spans: [span] }),
    facts.ask(entityDays, { grain: 'total', properties: ids, span, pick: { by: 'names', named: [] }, within }),
    countries.of(ids, through),
  ])
  const stored = new Map(storedOf.map((days) => [days.property, days]))
  const byProperty = new Map(rows.map((row) => [row.property, row]))
  const past: Past = new Map()
  for (const property of properties) {
    await nextTurn()
    const days = stored.get(property.id)
    const from = days && startOf(property, later(days.from, since))
    if (!days || !from) continue
    const country = countryOf.get(property.id) ?? null
    const known = new Set(days.dates)
    const histories = (['clicks', 'impressions'] as const).map((metric): [CountedMetric, SiteHistory] => {
      // Days that Google counted differently say nothing about what to expect of these.
      const alike = countedAlike(metric, property.through, type)
      const start = later(from, alike.since ?? from)
      const isKnown = (date: IsoDate) => known.has(date) && alike.isAlike(date)
      const counts = countsOf(metric, byProperty.get(property.id), since, { start, end: property.through }, isKnown)
      return [metric, { name: property.name, counts: { start, counts }, isHoliday: holidaysOf(country) }]
    })
    past.set(property.id, { histories: new Map(histories), country })
  }
  return past
}

/** The first day of a history; null while it is too short. Imported files may go further back than what was fetched, with a gap. */
function startOf({ through, isGrowing = false, backfilledFrom = null }: Of, storedFrom: IsoDate): IsoDate | null {
  if (!isGrowing) return storedFrom <= through ? storedFrom : null
  if (backfilledFrom === null) return null
  const start = later(backfilledFrom, storedFrom)
  return daysBetween(start, through) >= fewestDays ? start : null
}

/** Before the first day Search Console ever counted. */
const firstDay = '1990-01-01'

/**
 * A stored day without a row is zero; a day that isn't stored is unknown.
 * @param since the first requested day
 */
function countsOf(
  metric: CountedMetric,
  row: EntityDays | undefined,
  since: IsoDate,
  span: { start: IsoDate; end: IsoDate },
  isKnown: (date: IsoDate) => boolean,
): (number | null)[] {
  const offset = daysBetween(since, span.start) - 1
  const counts: (number | null)[] = Array.from({ length: daysBetween(span.start, span.end) }, (_, i) =>
    isKnown(addDays(span.start, i)) ? 0 : null,
  )
  for (const [i, day] of row?.day.entries() ?? []) {
    const at = day - offset
    if (at >= 0 && at < counts.length && counts[at] !== null) counts[at] = row?.[metric][i] ?? 0
  }
  return counts
}
