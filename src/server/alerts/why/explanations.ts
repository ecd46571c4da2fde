import { signOf } from '../../../core/alerting/figures.ts'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import type { ChangeBreakdown, Coincidence } from '../../../contract/alerts/change-breakdown.ts'
import type { RateBreakdown } from '../../../contract/alerts/rate-breakdown.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { eachDay } from '../../../core/analytics/days.ts'
import { coincidencesOf, surroundings } from '../../../core/alerting/coincidences.ts'
import { rateWhySentence } from '../../../core/alerting/rate-why.ts'
import { whySentence } from '../../../core/alerting/why.ts'
import type { Sentence } from '../../../core/alerting/copy.ts'
import type { AnnotationsService } from '../../annotations/service.ts'
import type { HolidayCountries } from '../../common/holiday-countries.ts'
import type { StoredFigures } from '../../database/alert-tables.ts'
import type { Db } from '../../database/open.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { AnalyticsService } from '../../analytics/service.ts'
import type { AlertRow } from '../incidents/alerts-store.ts'
import { completeThroughOf } from '../rules/complete-through.ts'
import type { Contributors } from './contributors.ts'
import { fromStored } from '../names.ts'
import { partlyOf, type RuleScopes } from '../rules/scopes.ts'
import { entityGrain } from '../tasks.ts'
import { storedDays } from '../../facts/stored-days.ts'
import { isOfTopQueries } from '../unusual/rate-expectation.ts'
import { topQueries } from '../unusual/rates.ts'
import { entityFigures } from '../../facts/questions/entity-figures.ts'

type Explanation = {
  /** The day through which the property is complete. */
  completeThrough: IsoDate | null
  contributors: AlertReport['contributors']
  breakdown: ChangeBreakdown | null
  rateBreakdown: RateBreakdown | null
  why: Sentence | null
  coincidences: Coincidence[]
}
/** The reader: the owner sees all notes, others only those that may leave the account. */
type Reader = 'owner' | 'others'
export type Explain = (row: AlertRow, reader: Reader) => Promise<Explanation>

type ExplanationsDeps = {
  db: Db
  facts: FactsStore
  countries: Pick<HolidayCountries, 'of'>
  scopes: Pick<RuleScopes, 'ofAlert'>
  contributors: Contributors
  analytics: Pick<AnalyticsService, 'breakdown' | 'rateBreakdown'>
  annotations: Pick<AnnotationsService, 'ofProperty' | 'forOthers'>
}

type Property = Parameters<AnalyticsService['breakdown']>[0]
type Found = Pick<Explanation, 'breakdown' | 'rateBreakdown'>
const nothing: Found = { breakdown: null, rateBreakdown: null }

/** Explains an alert, from the data as it is now. */
export function createExplanations({ db, facts, countries, scopes, contributors, analytics, annotations }: ExplanationsDeps): Explain {
  async function partsOf(row: AlertRow, property: Property): Promise<Found> {
    const { type: metric, entityKind: kind, entityName, figures, hours } = row
    if (figures === null || kind === 'connection' || hours?.status === 'preliminary') return nothing
    // Figures of some of the days can't be broken down by all of them.
    if (figures.days !== undefined) return nothing
    // Figures limited to a segment, or of another search type, have no breakdown.
    if (kind === 'segment' || row.searchType !== 'web' || partlyOf(await scopes.ofAlert(row)) !== null) return nothing
    const { current, base, scale } = comparedDays(figures, hours)
    // Compared with the expected value, the days before may have been low as well; then they don't explain this change.
    const explains = (found: Pick<ChangeBreakdown, 'current' | 'previous'> | null) =>
      Math.sign((found?.current ?? 0) - (found?.previous ?? 0)) === signOf(figures)
    const of = kind === 'site' ? { kind } : { kind, name: fromStored(entityName) }
    if (metric === 'clicks' || metric === 'impressions') {
      const found = await analytics.breakdown(property, { of, metric, current, previous: base, scale })
      return { ...nothing, breakdown: explains(found) ? found : null }
    }
    const ofRate = isOfTopQueries(row) ? await theTopQueries(row.propertyId, current.end) : of
    const found = await analytics.rateBreakdown(property, { of: ofRate, metric, current, previous: base })
    return { ...nothing, rateBreakdown: explains(found) ? found : null }
  }

  const theTopQueries = async (property: number, through: IsoDate) => ({
    kind: 'queries' as const,
    names: (await topQueries(facts, [property], through)).map(({ name }) => name),
  })

  /** For the days of its opening, which is when something may have happened. */
  async function coincidencesWith(row: AlertRow, userId: string, reader: Reader): Promise<Coincidence[]> {
    const { opening, figures, entityKind: kind, propertyId, hours, type: metric } = row
    const explained = opening ?? figures
    if (explained === null || kind === 'connection' || hours?.status === 'preliminary') return []
    const { current, base: compared } = comparedDays(explained, hours)
    const base = figures?.months === undefined ? compared : null
    const within = await scopes.ofAlert(row)
    const grain = within?.grain ?? entityGrain(kind)
    const spans = base === null ? [current] : [current, base]
    const notesFor = reader === 'owner' ? annotations.ofProperty : annotations.forOthers
    const [happened, countryOf, [stored], isRevised] = await Promise.all([
      notesFor(userId, propertyId, surroundings({ current, base }), row.searchType),
      countries.of([propertyId], current.end),
      facts.ask(storedDays, { type: row.searchType, grains: [grain], properties: [propertyId], spans }),
      hasOtherFigures(row),
    ])
    const known = new Set(stored?.dates)
    const missing = spans.flatMap(({ start, end }) => eachDay(start, end)).filter((day) => !known.has(day))
    const country = countryOf.get(propertyId) ?? null
    return coincidencesOf({ metric, current, base, annotations: happened, country, missing, isRevised: isRevised && missing.length === 0 })
  }

  /** Whether its days have been revised: Google changes days it called final, and ended alerts aren't evaluated again. */
  async function hasOtherFigures(row: AlertRow): Promise<boolean> {
    const { figures, opening, type, entityKind, entityName, propertyId, hours } = row
    const explained = opening ?? figures
    if (explained === null || explained.months !== undefined || entityKind === 'connection') return false
    if (type !== 'clicks' && type !== 'impressions') return false
    // What its hours had shown by then says nothing about the final day.
    const counted = isOfOneDay(explained, hours) ? (hours?.final?.current ?? null) : explained.current
    if (counted === null) return false
    const [found] = await facts.ask(entityFigures, {
      grain: entityGrain(entityKind),
      properties: [propertyId],
      windows: [explained.windows.current],
      pick: { by: 'names' },
      named: [{ property: propertyId, name: fromStored(entityName) }],
      within: await scopes.ofAlert(row),
    })
    return (found?.[type][0] ?? 0) !== counted
  }

  return async (row, reader) => {
    const sync = await db
      .selectFrom('propertySyncs')
      .innerJoin('properties', 'properties.id', 'propertySyncs.propertyId')
      .where('propertyId', '=', row.propertyId)
      .select(['completeThrough', 'factsVersion', 'properties.userId'])
      .executeTakeFirst()
    const { propertyId: id, searchType } = row
    const completeThrough = await completeThroughOf(db, { id, completeThrough: sync?.completeThrough ?? null }, searchType)
    const property =
      sync && completeThrough ? { id: row.propertyId, name: row.property, completeThrough, factsVersion: sync.factsVersion } : null
    const [shown, found, coincidences] = await Promise.all([
      contributors(row),
      property ? partsOf(row, property) : nothing,
      sync ? coincidencesWith(row, sync.userId, reader) : [],
    ])
    return { completeThrough, contributors: shown, ...found, why: whyOf(row, found), coincidences }
  }
}

/** Whether it is about the single day whose hours opened it, rather than about a week that shows the same. */
const isOfOneDay = ({ windows: { current } }: StoredFigures, hours: AlertRow['hours']): boolean =>
  hours !== null && current.start === hours.day && current.end === hours.day

/** A single day is explained by the same weekday of the week before: its base runs from the first to the last of several. */
function comparedDays(explained: StoredFigures, hours: AlertRow['hours']): StoredFigures['windows'] {
  const { current, base } = explained.windows
  return isOfOneDay(explained, hours) ? { current, base: { start: base.end, end: base.end }, scale: 1 } : explained.windows
}

function whyOf(
  { type: metric, entityKind: kind, entityName, figures, hours }: AlertRow,
  { breakdown, rateBreakdown }: Found,
): Sentence | null {
  if (kind === 'connection') return null
  const entity = { kind, name: fromStored(entityName) }
  const isExpected = figures !== null && (figures.months !== undefined || isOfOneDay(figures, hours))
  const days = isExpected ? comparedDays(figures, hours).base : null
  if (metric === 'clicks' || metric === 'impressions') return breakdown && whySentence({ entity, metric, days }, breakdown)
  return rateBreakdown && rateWhySentence({ entity, metric, days }, rateBreakdown)
}
