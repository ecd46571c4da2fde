import type { Metrics } from '../../contract/metrics.ts'
import { metricsFrom, metricsOf } from '../../core/analytics/metrics.ts'
import type { FactsStore } from '../facts/store.ts'
import type { ReportProperty } from '../accounts/service.ts'
import { createAnswerCache } from './cache.ts'

/** Answers kept in memory, over all properties: a few kilobytes each. */
const cachedAnswers = 2_000

export function createReportsService(deps: { facts: FactsStore }) {
  const cache = createAnswerCache(cachedAnswers)

  return {
    /** The four metric cards; null while no complete day of the property is stored. */
    async metrics(property: ReportProperty): Promise<Metrics | null> {
      const { id, name, completeThrough, factsVersion } = property
      if (completeThrough === null) return null
      return cache.get(`metrics:${id}:${factsVersion}:${completeThrough}`, async () => {
        const scope = { property: id, searchType: 'web', start: metricsFrom(completeThrough), end: completeThrough } as const
        const days = await deps.facts.dailyTotals(scope)
        return days.length === 0 ? null : metricsOf(name, days, completeThrough)
      })
    },
  }
}
export type ReportsService = ReturnType<typeof createReportsService>
