import type { AnomalyMetric } from '../../../contract/annotations.ts'
import { apiFigureEndpoints as endpoints } from '../../../contract/api-v1/figures.ts'
import type { SearchType } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import { incomparableMetrics } from '../../../core/analytics/anomalies.ts'
import { isComplete } from '../../analytics/service.ts'
import { propertyNamed } from '../asked-property.ts'
import { type Operation, operation } from '../operation.ts'

const property = 'sc-domain:example.com'

const incomparableIn = (data: { current: Period; previous: Period | null } | null, type?: SearchType): AnomalyMetric[] =>
  data === null ? [] : incomparableMetrics(data.current, data.previous, type)

export const figureOperations: readonly Operation[] = [
  operation({
    id: 'getMetrics',
    endpoint: endpoints.getMetrics,
    summary: 'Metrics for the last week',
    description:
      'Clicks, impressions, CTR and position for the last 7 complete days vs the previous 7, with daily values, in web search or in the search type named by `type`. Changes are in percent. CTR is a fraction. Discover and Google News have no position: it is 0. `data` is null until a complete day is stored, and for a search type without any impressions. `notComparable` lists metrics that Google counted differently in the two weeks: ignore their change.',
    tag: 'Figures',
    example: { query: { property } },
    async handle(context, { query }) {
      const { name, completeThrough, ...rest } = await propertyNamed(context, query.property)
      const data = await context.services.analytics.metrics({ name, completeThrough, ...rest }, { type: query.type, where: [] })
      return { property: name, completeThrough, notComparable: incomparableIn(data, query.type), data }
    },
  }),
  operation({
    id: 'getSummary',
    endpoint: endpoints.getSummary,
    summary: 'Totals for a period',
    description:
      'Totals for the last 7, 28 or 90 complete days and the comparison period, how many pages and keywords got impressions, and how much of the totals the lists cover. Anonymized queries and rows beyond Google’s limit aren’t in any list.',
    tag: 'Figures',
    example: { query: { property, days: 28, compare: 'previous' } },
    async handle(context, { query }) {
      const found = await propertyNamed(context, query.property)
      const data = isComplete(found) ? await context.services.analytics.overview.summary(found, query) : null
      return { property: found.name, completeThrough: found.completeThrough, notComparable: incomparableIn(data), data }
    },
  }),
  operation({
    id: 'getSeries',
    endpoint: endpoints.getSeries,
    summary: 'Daily figures',
    description:
      'Daily figures for a period and its comparison period, oldest first: for the whole property, one `page` or one `query`. Days without data from Google are omitted, never zero.',
    tag: 'Figures',
    example: { query: { property, days: 28, compare: 'none' } },
    async handle(context, { query }) {
      const found = await propertyNamed(context, query.property)
      const data = isComplete(found) ? await context.services.analytics.overview.days(found, query) : null
      return { property: found.name, completeThrough: found.completeThrough, notComparable: incomparableIn(data), data }
    },
  }),
]
