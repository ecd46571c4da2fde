import { z } from 'zod'
import type { AskedPeriod } from '../../../contract/analytics.ts'
import type { AnomalyMetric } from '../../../contract/annotations.ts'
import { apiFigureEndpoints as endpoints } from '../../../contract/api-v1/figures.ts'
import type { IsoDate, SearchType } from '../../../contract/common.ts'
import type { Filter } from '../../../contract/explore/explore.ts'
import type { Period } from '../../../contract/metrics.ts'
import { incomparableMetrics } from '../../../core/analytics/anomalies.ts'
import { type CompleteProperty, isComplete } from '../../analytics/service.ts'
import { type ApiContext, operation, operationsOf } from '../operation.ts'
import { partOf } from '../paging.ts'
import { ApiProblem } from '../problem.ts'
import { propertyNamed } from '../requested-property.ts'

const property = 'sc-domain:example.com'

const incomparableIn = (data: { current: Period; previous: Period | null } | null, type?: SearchType): AnomalyMetric[] =>
  data === null ? [] : incomparableMetrics(data.current, data.previous, type)

export const figureOperations = operationsOf('Figures', {
  getMetrics: operation(endpoints.getMetrics, {
    summary: 'Metrics for the last week',
    description:
      'Clicks, impressions, CTR and position for the last 7 complete days vs the previous 7, with daily values, in web search or in the search type named by `type`. Changes are in percent. CTR is a fraction. Discover and Google News have no position: it is 0. `data` is null until a complete day is stored, and for a search type without any impressions. `notComparable` lists metrics that Google counted differently in the two weeks: ignore their change.',
    example: { query: { property } },
    async handle(context, { query }) {
      const { name, completeThrough, ...rest } = await propertyNamed(context, query.property)
      const data = await context.services.analytics.metrics({ name, completeThrough, ...rest }, { type: query.type, where: [] })
      return { property: name, completeThrough, notComparable: incomparableIn(data, query.type), data }
    },
  }),
  getSummary: operation(endpoints.getSummary, {
    summary: 'Totals for a period',
    description:
      'Totals for a period and its comparison period, how many pages and keywords got impressions, and how much of the totals the lists cover. Anonymized queries and rows beyond Google’s limit aren’t in any list.',
    example: { query: { property, days: 28, compare: 'previous' } },
    async handle(context, { query }) {
      const found = await propertyNamed(context, query.property)
      const data = isComplete(found) ? await context.services.analytics.overview.summary(found, query) : null
      return { property: found.name, completeThrough: found.completeThrough, notComparable: incomparableIn(data), data }
    },
  }),
  getSeries: operation(endpoints.getSeries, {
    summary: 'Daily figures',
    description:
      'Daily figures for a period and its comparison period, oldest first: for the whole property, one `page` or one `query`. Days without data from Google are omitted, never zero.',
    example: { query: { property, days: 28, compare: 'none' } },
    async handle(context, { query }) {
      const found = await propertyNamed(context, query.property)
      const data = isComplete(found) ? await context.services.analytics.overview.days(found, query) : null
      return { property: found.name, completeThrough: found.completeThrough, notComparable: incomparableIn(data), data }
    },
  }),
  listKeywords: operation(endpoints.listKeywords, {
    summary: 'List keywords',
    description:
      'Queries for a period with their figures. Set `presence` to list queries that are `new` or `lost` vs the comparison period. `opportunityScore` estimates extra clicks per week at position 3.',
    pages: true,
    example: { query: { property, days: 28, sort: 'impressions', limit: 10 } },
    handle: (context, { query }) => partOfFigures('keywords', context, query, context.services.analytics.keywords.all),
  }),
  listPages: operation(endpoints.listPages, {
    summary: 'List pages',
    description: 'Pages for a period with their figures. `ctr` is a fraction; the filters `ctrBelow` and `ctrAtLeast` are percentages.',
    pages: true,
    example: { query: { property, days: 28, ctrBelow: 2, limit: 10 } },
    handle: (context, { query }) => partOfFigures('pages', context, query, context.services.analytics.pages.all),
  }),
  listOpportunities: operation(endpoints.listOpportunities, {
    summary: 'List keyword opportunities',
    description: 'Keywords with clicks to gain. `opportunityScore` estimates extra clicks per week at position 3.',
    pages: true,
    example: { query: { property, days: 28, positionMin: 5, positionMax: 15, limit: 10 } },
    handle: (context, { query }) => partOfFigures('opportunities', context, query, context.services.analytics.keywords.allOpportunities),
  }),
  listSegments: operation(endpoints.listSegments, {
    summary: 'List segments',
    description:
      'Your saved segments, oldest first. Use an `id` as `segment` in the lists and exports of keywords, opportunities and pages. `filters` has one filter per line.',
    pages: true,
    example: { query: { limit: 25 } },
    async handle({ person, services }, { query }) {
      const part = services.cursors.open({ list: 'segments', userId: person.id, query, position: z.number() })
      const saved = await services.analytics.saved.list(person)
      const rows = saved
        .filter(({ kind }) => kind === 'segment')
        .map(({ id, name, content: filters }) => ({ id, name, filters }))
        .toSorted((a, b) => Number(a.id) - Number(b.id))
      return partOf(
        rows,
        part,
        ({ id }) => Number(id),
        ({ id }, after) => Number(id) > after,
      )
    },
  }),
})

type ListQuery = AskedPeriod & { property: string; segment?: string | undefined; limit: number; cursor?: string | undefined }
type List<Row> = { compared: boolean; rows(part: { limit: number; offset: number }): Promise<readonly Row[]> }

type FiguresPart<Row> = {
  property: string
  completeThrough: IsoDate | null
  current: Period | null
  previous: Period | null
  notComparable: AnomalyMetric[]
  data: Row[]
  next: string | null
}

/** A position within a particular list. */
const place = z.object({ mark: z.string(), offset: z.number().int().positive() })

/** A part of a sorted list of figures. Newer figures may arrive during paging: rows from two different lists are never returned as one. */
async function partOfFigures<Row, Query extends ListQuery>(
  list: string,
  context: ApiContext,
  query: Query,
  open: (property: CompleteProperty, query: Query & { where: readonly Filter[] }) => Promise<List<Row>>,
): Promise<FiguresPart<Row>> {
  const { person, services } = context
  const found = await propertyNamed(context, query.property)
  const { limit, after, next } = services.cursors.open({ list, userId: person.id, query, position: place })
  const about = { property: found.name, completeThrough: found.completeThrough }
  if (!isComplete(found)) return { ...about, current: null, previous: null, notComparable: [], data: [], next: null }
  const { current, previous: before } = await services.analytics.periods(found, query)
  const mark = await services.analytics.mark(found, query)
  if (after !== null && after.mark !== mark) {
    throw new ApiProblem('list-changed', 'Newer data arrived while you were paging. Start again without the cursor.', { field: 'cursor' })
  }
  const offset = after?.offset ?? 0
  const opened = await open(found, await services.analytics.saved.whole(person, query))
  const rows = await opened.rows({ limit: limit + 1, offset })
  const previous = opened.compared ? before : null
  return {
    ...about,
    current,
    previous,
    notComparable: incomparableMetrics(current, previous),
    data: rows.slice(0, limit),
    next: rows.length > limit ? next({ mark, offset: offset + limit }) : null,
  }
}
