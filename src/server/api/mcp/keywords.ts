import { z } from 'zod'
import { keyword, keywordSort, presence } from '../../../contract/keywords.ts'
import type { ApiServices } from '../operation.ts'
import { limitArgument, periodArguments, searchArgument, segmentArgument } from './arguments.ts'
import { counted } from '../../../core/words.ts'
import { comparedText, fitting, numbered, paragraphs, quoted } from './copy.ts'
import { dataContext, type DataContexts, contextText, grainOfList } from './data-context.ts'
import { type McpTool, tool } from './tool.ts'

const filters = {
  ...periodArguments,
  search: searchArgument.describe('Only queries that contain this text.'),
  segment: segmentArgument,
  brand: z
    .enum(['all', 'brand', 'non-brand'])
    .default('all')
    .describe('Only queries with (`brand`) or without (`non-brand`) a brand term.'),
  positionMin: z.number().min(1).max(1000).optional().describe('Minimum average position (1 is best).'),
  positionMax: z.number().min(1).max(1000).optional().describe('Maximum average position.'),
}

export const listKeywordsTool = ({ analytics }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'list_keywords',
    title: 'Which keywords drive traffic?',
    description:
      'Queries with clicks, impressions, CTR and position for the period and its comparison period. Filter by text, position, brand, or new and lost queries.',
    scope: 'read',
    input: z.object({
      ...filters,
      presence: presence
        .default('current')
        .describe('`current`: has impressions in the period. `new`: in the period but not in the comparison period. `lost`: the reverse.'),
      sort: keywordSort.default('clicks').describe('Best first: lowest position, A to Z, otherwise the highest value.'),
      limit: limitArgument(20),
    }),
    output: dataContext.extend({
      keywords: z.array(keyword),
      shown: z.number().describe('Distinct queries with impressions in the period, ignoring filters.'),
    }),
    async run(person, { property: name, limit, segment, ...asked }) {
      const site = await contexts.siteOf(person, name)
      const where = await analytics.saved.filtersNamed(person, segment)
      const [about, rows] = await Promise.all([
        contexts.ofPeriod(site, asked, grainOfList('query', where), ['unnamed', 'query', 'query_page']),
        analytics.keywords.list(site.property, { ...asked, where, limit, offset: 0 }),
      ])
      return { ...about.dataContext, keywords: fitting(rows), shown: about.summary.keywords.count }
    },
    text: ({ keywords, shown, ...rest }) =>
      paragraphs(
        keywords.length === 0
          ? 'No keywords match.'
          : `${counted(keywords.length, 'keyword')} (${counted(shown, 'query', 'queries')} with impressions in the period):`,
        numbered(
          keywords.map(({ query, page, ...row }) => `${quoted(query)}: ${comparedText(row, rest)}${page ? `. Page: ${quoted(page)}` : ''}`),
        ),
        contextText(rest),
      ),
  })

export const opportunitiesTool = ({ analytics }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'opportunities',
    title: 'What is worth working on?',
    description:
      'Keywords with the most clicks to gain. `opportunityScore` estimates extra clicks per week at position 3, based on impressions and the site’s own CTR by position.',
    scope: 'read',
    input: z.object({ ...filters, limit: limitArgument(20) }),
    output: dataContext.extend({ opportunities: z.array(keyword) }),
    async run(person, { property: name, limit, segment, ...asked }) {
      const site = await contexts.siteOf(person, name)
      const where = await analytics.saved.filtersNamed(person, segment)
      const [about, rows] = await Promise.all([
        contexts.ofPeriod(site, asked, grainOfList('query', where), ['unnamed', 'query', 'query_page']),
        analytics.keywords.opportunities(site.property, { ...asked, where, sort: 'opportunityScore', limit, offset: 0 }),
      ])
      return { ...about.dataContext, opportunities: fitting(rows) }
    },
    text: ({ opportunities, ...rest }) =>
      paragraphs(
        opportunities.length === 0 ? 'No keywords have clicks to gain by this estimate.' : 'Most to gain first:',
        numbered(
          opportunities.map(
            ({ query, page, opportunityScore, ...row }) =>
              `${quoted(query)}: about ${opportunityScore.toFixed(1)} more clicks a week; ${comparedText(row, rest)}${page ? `. Page: ${quoted(page)}` : ''}`,
          ),
        ),
        contextText(rest),
      ),
  })
