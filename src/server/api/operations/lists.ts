import { apiFigureEndpoints as endpoints } from '../../../contract/api-v1/figures.ts'
import { partOfFigures } from '../list-of-figures.ts'
import { type Operation, operation } from '../operation.ts'

const property = 'sc-domain:example.com'

export const listOperations: readonly Operation[] = [
  operation({
    id: 'listKeywords',
    endpoint: endpoints.listKeywords,
    summary: 'List keywords',
    description:
      'The queries of a period with their figures: those shown in it, or with `presence` those that are `new` in it or were `lost` since the period it is compared with. `opportunityScore` estimates the extra clicks a week at position 3.',
    tag: 'Figures',
    pages: true,
    example: { query: { property, days: 28, sort: 'impressions', limit: 10 } },
    handle: (context, { query }) => partOfFigures('keywords', context, query, context.services.reports.keywords.all),
  }),
  operation({
    id: 'listPages',
    endpoint: endpoints.listPages,
    summary: 'List pages',
    description:
      "The pages of a period with their figures, at the page's own grain. `ctr` is a fraction; the filters `ctrBelow` and `ctrAtLeast` are per cent.",
    tag: 'Figures',
    pages: true,
    example: { query: { property, days: 28, ctrBelow: 2, limit: 10 } },
    handle: (context, { query }) => partOfFigures('pages', context, query, context.services.reports.pages.all),
  }),
  operation({
    id: 'listOpportunities',
    endpoint: endpoints.listOpportunities,
    summary: 'List keyword opportunities',
    description: 'Keywords with something to gain: `opportunityScore` estimates the extra clicks a week if they rose to position 3.',
    tag: 'Figures',
    pages: true,
    example: { query: { property, days: 28, positionMin: 5, positionMax: 15, limit: 10 } },
    handle: (context, { query }) => partOfFigures('opportunities', context, query, context.services.reports.keywords.allOpportunities),
  }),
]
