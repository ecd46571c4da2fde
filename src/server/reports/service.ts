import { createHash } from 'node:crypto'
import { ranges } from '../../contract/analytics.ts'
import type { Metrics } from '../../contract/metrics.ts'
import type { SearchResults } from '../../contract/search.ts'
import { metricsFrom, metricsOf } from '../../core/analytics/metrics.ts'
import type { ReportProperty } from '../accounts/service.ts'
import type { Db } from '../database/open.ts'
import type { FactsStore } from '../facts/store.ts'
import type { Clock } from '../platform/clock.ts'
import type { CompleteProperty } from './asked-property.ts'
import { createBreakdown } from './breakdown.ts'
import { createBrandReports } from './brand-reports.ts'
import { createBrands } from './brands.ts'
import { createAnswerCache } from './cache.ts'
import { createKeywordReports } from './keywords.ts'
import { createMoved } from './moved.ts'
import { createOverviewReports } from './overview.ts'
import { createPageReports } from './pages.ts'
import { findInProperty } from './palette.ts'
import { curveOf, knownOf, type ReportParts } from './parts.ts'
import { createPeriodicFigures } from './periodic.ts'
import { createRivalReports } from './rivals.ts'
import { createTodayReport } from './today.ts'
import { type Asked, createWindows } from './windows.ts'

const mebibyte = 1024 * 1024
/** Answers kept in memory, over all properties: usually a few kilobytes each, but names may be as long as people like. */
const keptAnswers = { entries: 1_000, bytes: 32 * mebibyte, bytesOfTenant: 8 * mebibyte }

export { type CompleteProperty, isComplete } from './asked-property.ts'

export function createReportsService(deps: { facts: FactsStore; db: Db; clock: Clock }) {
  const cache = createAnswerCache(keptAnswers)
  const parts: ReportParts = { facts: deps.facts, windows: createWindows(deps), brands: createBrands(deps.db), cache }

  return {
    keywords: createKeywordReports(parts),
    rivals: createRivalReports(parts),
    pages: createPageReports(parts),
    overview: createOverviewReports(parts),
    moved: createMoved(parts),
    periodic: createPeriodicFigures(parts),
    breakdown: createBreakdown(parts),
    today: createTodayReport({ ...deps, cache }),
    brand: { ...createBrandReports(parts), ...parts.brands },
    find: (property: CompleteProperty, text: string): Promise<SearchResults> => findInProperty(parts, property, text),

    /** Names what the lists of a period are made of: parts of them that were asked under the same mark fit together. */
    async mark(property: CompleteProperty, asked: Asked): Promise<string> {
      const [window, brand] = await Promise.all([parts.windows.of(property, asked), parts.brands.of(property)])
      const made = [window.id, brand.version, await curveOf(parts, property, brand)]
      return createHash('sha256').update(JSON.stringify(made)).digest('base64url').slice(0, 16)
    },

    /** Makes what the first reader of a screen would have to wait for; `mayGoOn` is asked before each piece of work. */
    async prepare(property: CompleteProperty, mayGoOn: () => boolean): Promise<void> {
      for (const days of ranges) {
        if (!mayGoOn()) return
        await parts.windows.of(property, { days, compare: 'previous' }, { background: true })
      }
      if (mayGoOn()) await curveOf(parts, property, await parts.brands.of(property))
    },

    /** The four metric cards; null while no complete day of the property is stored. */
    async metrics(property: ReportProperty): Promise<Metrics | null> {
      const { id, name, completeThrough, factsVersion } = property
      if (completeThrough === null) return null
      return cache.get(`metrics:${id}:${factsVersion}:${completeThrough}`, async () => {
        const scope = { property: id, searchType: 'web', start: metricsFrom(completeThrough), end: completeThrough } as const
        const { days, stored } = await deps.facts.storedTotals(scope)
        const known = await knownOf(
          parts,
          { ...property, completeThrough },
          stored.map((date) => ({ date })),
        )
        return days.length === 0 ? null : metricsOf(name, { days, stored: new Set(known.map(({ date }) => date)) }, completeThrough)
      })
    },
  }
}
export type ReportsService = ReturnType<typeof createReportsService>
