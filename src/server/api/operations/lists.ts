import { z } from 'zod'
import { apiFigureEndpoints as endpoints } from '../../../contract/api-v1/figures.ts'
import { partOfFigures } from '../list-of-figures.ts'
import { type Operation, operation } from '../operation.ts'
import { partOf } from '../paging.ts'

const property = 'sc-domain:example.com'

export const listOperations: readonly Operation[] = [
  operation({
    id: 'listKeywords',
    endpoint: endpoints.listKeywords,
    summary: 'List keywords',
    description:
      'Queries for a period with their figures. Set `presence` to list queries that are `new` or `lost` vs the comparison period. `opportunityScore` estimates extra clicks per week at position 3.',
    tag: 'Figures',
    pages: true,
    example: { query: { property, days: 28, sort: 'impressions', limit: 10 } },
    handle: (context, { query }) => partOfFigures('keywords', context, query, context.services.analytics.keywords.all),
  }),
  operation({
    id: 'listPages',
    endpoint: endpoints.listPages,
    summary: 'List pages',
    description: 'Pages for a period with their figures. `ctr` is a fraction; the filters `ctrBelow` and `ctrAtLeast` are percentages.',
    tag: 'Figures',
    pages: true,
    example: { query: { property, days: 28, ctrBelow: 2, limit: 10 } },
    handle: (context, { query }) => partOfFigures('pages', context, query, context.services.analytics.pages.all),
  }),
  operation({
    id: 'listOpportunities',
    endpoint: endpoints.listOpportunities,
    summary: 'List keyword opportunities',
    description: 'Keywords with clicks to gain. `opportunityScore` estimates extra clicks per week at position 3.',
    tag: 'Figures',
    pages: true,
    example: { query: { property, days: 28, positionMin: 5, positionMax: 15, limit: 10 } },
    handle: (context, { query }) => partOfFigures('opportunities', context, query, context.services.analytics.keywords.allOpportunities),
  }),
  operation({
    id: 'listSegments',
    endpoint: endpoints.listSegments,
    summary: 'List segments',
    description:
      'Your saved segments, oldest first. Use an `id` as `segment` in the lists and exports of keywords, opportunities and pages. `filters` has one filter per line.',
    tag: 'Figures',
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
]
