import { createHash } from 'node:crypto'
import { type AskedPeriod, ranges } from '../../contract/analytics.ts'
import type { Metrics } from '../../contract/metrics.ts'
import type { SearchResults } from '../../contract/search.ts'
import { metricsFrom, metricsOf, sparklineDays } from '../../core/analytics/metrics.ts'
import type { ReportProperty } from '../accounts/service.ts'
import type { Db } from '../database/open.ts'
import type { FactsStore } from '../facts/store.ts'
import type { Clock } from '../platform/clock.ts'
import { type CompleteProperty, isComplete } from './asked-property.ts'
import { createBreakdown } from './breakdown.ts'
import { createBrandAnalytics } from './brand/split.ts'
import { createBrands } from './brand/brands.ts'
import { createAnswerCache } from './cache.ts'
import { createExplore } from './explore/explore.ts'
import { createHistory } from './history.ts'
import { createKeywordAnalytics } from './keywords.ts'
import { createMoved } from './moved.ts'
import { createOverview } from './overview.ts'
import { createPageAnalytics } from './pages.ts'
import { findInProperty } from './palette.ts'
import { curveOf, knownOf, periodsOf, type AnalyticsParts, type Periods } from './parts.ts'
import { createPeriodicFigures } from './periodic.ts'
import { createRivals } from './rivals.ts'
import { createToday } from './today.ts'
import { createWindows } from './windows.ts'
import { storedTotals } from '../facts/questions/daily-totals.ts'
import { lastDaysOf } from '../facts/questions/last-days.ts'

const mebibyte = 1024 * 1024
/** Bounds of the answers cached for all properties: usually a few kilobytes each, but names can have any length. */
const keptAnswers = { entries: 1_000, bytes: 32 * mebibyte, bytesOfTenant: 8 * mebibyte }

export { type CompleteProperty, isComplete } from './asked-property.ts'

export function createAnalyticsService(deps: { facts: FactsStore; db: Db; clock: Clock }) {
  const cache = createAnswerCache(keptAnswers)
  const parts: AnalyticsParts = { facts: deps.facts, windows: createWindows(deps), brands: createBrands(deps.db), cache }

  return {
    keywords: createKeywordAnalytics(parts),
    rivals: createRivals(parts),
    pages: createPageAnalytics(parts),
    overview: createOverview(parts),
    history: createHistory(parts),
    explore: createExplore(parts),
    moved: createMoved(parts),
    periodic: createPeriodicFigures(parts),
    breakdown: createBreakdown(parts),
    today: createToday({ ...deps, cache }),
    brand: { ...createBrandAnalytics(parts), ...parts.brands },
    find: (property: CompleteProperty, text: string): Promise<SearchResults> => findInProperty(parts, property, text),

    /** The requested days of this property, and those they are compared with. */
    periods: (property: CompleteProperty, asked: AskedPeriod): Promise<Periods> => periodsOf(parts, property, asked),

    /** Identifies the data behind a period's lists: parts read under the same mark fit together. */
    async mark(property: CompleteProperty, asked: AskedPeriod): Promise<string> {
      const periods = await periodsOf(parts, property, asked)
      const [window, brand] = await Promise.all([parts.windows.of(property, periods), parts.brands.of(property)])
      const made = [window.id, brand.version, await curveOf(parts, property, brand)]
      return createHash('sha256').update(JSON.stringify(made)).digest('base64url').slice(0, 16)
    },

    /** Prepares what the first reader of a screen would have to wait for; `mayGoOn` is asked before each step. */
    async prepare(property: CompleteProperty, mayGoOn: () => boolean): Promise<void> {
      for (const days of ranges) {
        if (!mayGoOn()) return
        await parts.windows.of(property, await periodsOf(parts, property, { days, compare: 'previous' }), { background: true })
      }
      if (mayGoOn()) await curveOf(parts, property, await parts.brands.of(property))
    },

    /** The four metric cards; null while the property has no complete day. */
    async metrics(property: ReportProperty): Promise<Metrics | null> {
      const { id, name, completeThrough, factsVersion } = property
      if (completeThrough === null) return null
      return cache.get(`metrics:${id}:${factsVersion}:${completeThrough}`, async () => {
        const scope = { property: id, searchType: 'web', start: metricsFrom(completeThrough), end: completeThrough } as const
        const { days, stored } = await deps.facts.ask(storedTotals, scope)
        const known = await knownOf(
          parts,
          { ...property, completeThrough },
          stored.map((date) => ({ date })),
        )
        return days.length === 0 ? null : metricsOf(name, { days, stored: new Set(known.map(({ date }) => date)) }, completeThrough)
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
          if (property === undefined || days.length === 0) return []
          return [{ id, metrics: metricsOf(property.name, { days, stored: new Set(stored) }, property.completeThrough) }]
        })
      })
      return new Map(found.map(({ id, metrics }) => [id, metrics]))
    },
  }
}
export type AnalyticsService = ReturnType<typeof createAnalyticsService>
