import { apiFigureEndpoints as endpoints } from '../../../contract/api-v1/figures.ts'
import { isComplete } from '../../reports/service.ts'
import { propertyNamed } from '../asked-property.ts'
import { type Operation, operation } from '../operation.ts'

const property = 'sc-domain:example.com'

export const figureOperations: readonly Operation[] = [
  operation({
    id: 'getMetrics',
    endpoint: endpoints.getMetrics,
    summary: 'Metrics of the last week',
    description:
      'Clicks, impressions, CTR and position of the last 7 complete days against the 7 before, with their daily values. Changes are per cent of the previous value. CTR is a fraction. `data` is null while no complete day is stored.',
    tag: 'Figures',
    example: { query: { property } },
    async handle(context, { query }) {
      const { name, completeThrough, ...rest } = await propertyNamed(context, query.property)
      const data = await context.services.reports.metrics({ name, completeThrough, ...rest })
      return { property: name, completeThrough, data }
    },
  }),
  operation({
    id: 'getSummary',
    endpoint: endpoints.getSummary,
    summary: 'Totals of a period',
    description:
      'Totals of the last 7, 28 or 90 complete days and of the period they are compared with, how many pages and keywords were shown, and how much of the totals the lists explain: anonymised queries and rows that Google cut off are in no list.',
    tag: 'Figures',
    example: { query: { property, days: 28, compare: 'previous' } },
    async handle(context, { query }) {
      const found = await propertyNamed(context, query.property)
      const data = isComplete(found) ? await context.services.reports.overview.summary(found, query) : null
      return { property: found.name, completeThrough: found.completeThrough, data }
    },
  }),
  operation({
    id: 'getSeries',
    endpoint: endpoints.getSeries,
    summary: 'Figures day by day',
    description:
      'The days of a period and of the one it is compared with, oldest first: of the whole property, or of one `page` or one `query`. Days for which Google has no figures are left out, never zeros.',
    tag: 'Figures',
    example: { query: { property, days: 28, compare: 'none' } },
    async handle(context, { query }) {
      const found = await propertyNamed(context, query.property)
      const data = isComplete(found) ? await context.services.reports.overview.days(found, query) : null
      return { property: found.name, completeThrough: found.completeThrough, data }
    },
  }),
]
