import { createHash } from 'node:crypto'
import type { AskedPeriod } from '../../contract/analytics.ts'
import { defaultRange, ranges } from '../../contract/range.ts'
import type { Metrics } from '../../contract/metrics.ts'
import type { Searched, SearchResults } from '../../contract/search.ts'
import type { TodayAnswer, TodaySoFar } from '../../contract/today.ts'
import { addDays, pacificDay } from '../../core/analytics/days.ts'
import { metricsFrom, metricsOf, sparklineDays } from '../../core/analytics/metrics.ts'
import { usualWeeks } from '../../core/analytics/same-hours.ts'
import { todayFrom } from '../../core/analytics/today.ts'
import { hourlyRefusal } from '../../core/billing/entitlements.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { EventBus } from '../common/events.ts'
import type { Db } from '../database/open.ts'
import { storedTotals } from '../facts/questions/daily-totals.ts'
import { hourTotals } from '../facts/questions/hours.ts'
import { lastDaysOf } from '../facts/questions/last-days.ts'
import { windowPages } from '../facts/questions/window-pages.ts'
import { windowQueries } from '../facts/questions/window-queries.ts'
import type { FactsStore } from '../facts/store.ts'
import { TookTooLong } from '../platform/clickhouse/clickhouse-errors.ts'
import type { Clock } from '../platform/clock.ts'
import { type CompleteProperty, isComplete } from './requested-property.ts'
import { createHolidayCountries } from '../common/holiday-countries.ts'
import { createBrandTerms } from './brand/brands.ts'
import { createBrandAnalytics } from './brand/split.ts'
import { createBreakdown } from './breakdown.ts'
import { createRateBreakdown } from './rate-breakdown.ts'
import { createAnswerCache } from '../common/answer-cache.ts'
import { createExplore } from './explore/explore.ts'
import { createWithin } from './explore/filters.ts'
import { createSaved } from './explore/saved.ts'
import { type Counted, createChosenMetrics, createHistory, createSearchTypes, ofWebSearch, segmentDays, storedDaysOf } from './history.ts'
import { createKeywordAnalytics } from './keywords.ts'
import { createMoved } from './moved.ts'
import { createOverview } from './overview.ts'
import { createPageAnalytics } from './pages.ts'
import { type AnalyticsParts, type Periods, curveOf, knownOf, periodsOf } from './parts.ts'
import { createPeriodicFigures } from './periodic.ts'
import { createCompetingPages } from './competing-pages.ts'
import { createWindows } from './windows.ts'

type TodayDeps = { facts: FactsStore; db: Db; clock: Clock; cache: ReturnType<typeof createAnswerCache> }

/** Today so far, for plans with hourly data. */
const createToday =
  ({ facts, db, clock, cache }: TodayDeps) =>
  async (person: Person, property: ReportProperty | null): Promise<TodayAnswer> => {
    const locked = hourlyRefusal(person.plan)
    if (locked !== null || property === null) return { locked, today: null }
    const sync = await db
      .selectFrom('hourSyncs')
      .where('propertyId', '=', property.id)
      .select(['askedAt', 'through', 'completeThrough'])
      .executeTakeFirst()
    if (!sync?.askedAt || !sync.through) return { locked, today: null }
    const { askedAt, completeThrough } = sync
    const date = pacificDay(clock.now())
    // Hours are stored before the time of the request is noted, so a cached answer is never older than its key.
    const today = await cache.get<TodaySoFar>(JSON.stringify(['today', property.id, askedAt, date]), async () => {
      const hours = await facts.ask(hourTotals, { property: property.id, from: addDays(date, -7 * usualWeeks), to: date })
      return todayFrom(property.name, date, hours, { completeThrough, syncedAt: askedAt })
    })
    return { locked, today }
  }

/** How many results of each kind the command palette shows. */
const paletteRows = { limit: 8, offset: 0 }

/** Finds keywords and pages that contain a text (OPEN-POINTS 1). */
async function findInProperty(
  parts: AnalyticsParts,
  property: CompleteProperty,
  { q: search, ...asked }: Searched,
): Promise<SearchResults> {
  const { facts, windows } = parts
  const window = (await windows.of(property, await periodsOf(parts, property, { days: defaultRange, ...asked }))).id
  const byClicks = { window, search, sort: 'clicks', order: 'desc' } as const
  const [keywords, pages] = await Promise.all([
    facts.ask(windowQueries, { ...byClicks, presence: 'current', brand: 'all', brandTerms: [], scored: null }, paletteRows),
    facts.ask(windowPages, byClicks, paletteRows),
  ])
  return {
    keywords: keywords.map(({ query, clicks, impressions, ctr, position }) => ({ query, clicks, impressions, ctr, position })),
    pages: pages.map(({ page, clicks, impressions, ctr, position }) => ({ page, clicks, impressions, ctr, position })),
  }
}

const mebibyte = 1024 * 1024
/** Bounds of the answers cached for all properties: usually a few kilobytes each, but names can have any length. */
const keptAnswers = { entries: 1_000, bytes: 32 * mebibyte, bytesOfTenant: 8 * mebibyte }

export { type CompleteProperty, isComplete } from './requested-property.ts'

export function createAnalyticsService(deps: { facts: FactsStore; db: Db; events: EventBus; clock: Clock }) {
  const cache = createAnswerCache(keptAnswers)
  const parts: AnalyticsParts = {
    facts: deps.facts,
    windows: createWindows(deps),
    brands: createBrandTerms(deps.db),
    countries: createHolidayCountries(deps.db, deps.facts),
    cache,
  }

  const explore = createExplore(parts)

  return {
    keywords: createKeywordAnalytics(parts),
    rivals: createCompetingPages(parts),
    pages: createPageAnalytics(parts, explore.trends),
    overview: createOverview(parts),
    history: createHistory(parts),
    chosenMetrics: createChosenMetrics(parts),
    searchTypes: createSearchTypes(parts),
    explore,
    saved: createSaved(deps),
    within: createWithin(parts),
    moved: createMoved(parts),
    periodic: createPeriodicFigures(parts),
    breakdown: createBreakdown(parts),
    rateBreakdown: createRateBreakdown(parts),
    today: createToday({ ...deps, cache }),
    brand: { ...createBrandAnalytics(parts), ...parts.brands },
    find: (property: CompleteProperty, searched: Searched): Promise<SearchResults> => findInProperty(parts, property, searched),

    /** The requested days of this property, and those they are compared with. */
    periods: (property: CompleteProperty, asked: AskedPeriod): Promise<Periods> => periodsOf(parts, property, asked),

    /** Identifies the data behind a period's lists: parts read under the same mark fit together. */
    async mark(property: CompleteProperty, asked: AskedPeriod): Promise<string> {
      const periods = await periodsOf(parts, property, asked)
      const [window, brand] = await Promise.all([parts.windows.of(property, periods), parts.brands.of(property)])
      const made = [window.id, brand.version, await curveOf(parts, property, brand)]
      return createHash('sha256').update(JSON.stringify(made)).digest('base64url').slice(0, 16)
    },

    /**
     * Prepares what the first reader of a screen would have to wait for, as long as the account has rows of windows left today and they can
     * be made in time; `mayGoOn` is asked before each step.
     */
    async prepare(property: CompleteProperty, mayGoOn: () => boolean): Promise<void> {
      for (const days of ranges) {
        if (!mayGoOn()) return
        const periods = await periodsOf(parts, property, { days, compare: 'previous' })
        const isMade = await parts.windows.of(property, periods, { background: true }).then(
          () => true,
          (error: unknown) => (error instanceof Refusal || error instanceof TookTooLong ? false : Promise.reject(error)),
        )
        if (!isMade) return
      }
      if (mayGoOn()) await curveOf(parts, property, await parts.brands.of(property))
    },

    /**
     * The four metric cards; null while none of their days is stored, or if the property never had impressions in the search type. Weeks
     * without any are zeros: a site that Google no longer shows must not look like one without data.
     * @throws Refusal 400 if no stored data answers the filters of a segment
     */
    async metrics(property: ReportProperty, counted: Counted = ofWebSearch): Promise<Metrics | null> {
      const { id, name, completeThrough, factsVersion } = property
      if (completeThrough === null) return null
      if (counted.where.length > 0) {
        const span = { start: metricsFrom(completeThrough), end: completeThrough }
        const found = await segmentDays(parts, { ...property, completeThrough }, counted, span)
        return found.stored.size === 0 ? null : metricsOf(name, found, completeThrough)
      }
      // Discover comes and goes: weeks without it are zeros.
      if (counted.type !== 'web') {
        const known = await storedDaysOf(parts, { ...property, completeThrough }, counted.type)
        return known && metricsOf(name, known, completeThrough)
      }
      return cache.get(`metrics:${id}:${factsVersion}:${completeThrough}`, async () => {
        const scope = { property: id, searchType: 'web', start: metricsFrom(completeThrough), end: completeThrough } as const
        const { days, stored } = await deps.facts.ask(storedTotals, scope)
        const known = await knownOf(
          parts,
          { ...property, completeThrough },
          stored.map((date) => ({ date })),
        )
        return known.length === 0 ? null : metricsOf(name, { days, stored: new Set(known.map(({ date }) => date)) }, completeThrough)
      })
    },

    /** The same for many properties in one question; properties without a complete day are absent. */
    async allMetrics(properties: readonly ReportProperty[]): Promise<Map<number, Metrics>> {
      const complete = properties.filter(isComplete)
      const versions = complete.map(({ id, factsVersion, completeThrough }) => [id, factsVersion, completeThrough])
      const key = createHash('sha256').update(JSON.stringify(versions)).digest('base64url')
      const found = await cache.get(`all metrics:${key}`, async () => {
        const ends = complete.map(({ id, completeThrough }) => ({ property: id, end: completeThrough }))
        const byId = new Map(complete.map((property) => [property.id, property]))
        return (await deps.facts.ask(lastDaysOf, ends, sparklineDays)).flatMap(({ property: id, days, stored }) => {
          const property = byId.get(id)
          if (property === undefined || stored.length === 0) return []
          return [{ id, metrics: metricsOf(property.name, { days, stored: new Set(stored) }, property.completeThrough) }]
        })
      })
      return new Map(found.map(({ id, metrics }) => [id, metrics]))
    },
  }
}
export type AnalyticsService = ReturnType<typeof createAnalyticsService>
