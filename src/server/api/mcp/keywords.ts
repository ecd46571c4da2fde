import { z } from 'zod'
import { keyword, keywordSort, presence } from '../../../contract/keywords.ts'
import type { ApiServices } from '../operation.ts'
import { limitArgument, periodArguments, searchArgument } from './arguments.ts'
import { fitting, quoted } from './plain.ts'
import { standing, type Standings, standingText } from './standing.ts'
import { type McpTool, tool } from './tool.ts'
import { comparedText, count, numbered, paragraphs } from './words.ts'

const filters = {
  ...periodArguments,
  search: searchArgument.describe('Only queries that hold this text.'),
  brand: z.enum(['all', 'brand', 'non-brand']).default('all').describe('Only queries with, or without, the name of the brand.'),
  positionMin: z.number().min(1).max(1000).optional().describe('Mean position from here on (1 is best).'),
  positionMax: z.number().min(1).max(1000).optional().describe('Mean position up to here.'),
}

export const listKeywordsTool = ({ reports }: ApiServices, standings: Standings): McpTool =>
  tool({
    name: 'list_keywords',
    title: 'Which keywords bring visitors?',
    description:
      'Search queries with clicks, impressions, CTR and position, each with its figures of the compared period: the top ones, or those that hold a text, lie between two positions, are new or lost.',
    scope: 'read',
    input: z.object({
      ...filters,
      presence: presence
        .default('current')
        .describe('`current`: shown in the period. `new`: shown in it and not before. `lost`: shown before and not in it.'),
      sort: keywordSort.default('clicks').describe('Best first: position 1, letter A, else the largest.'),
      limit: limitArgument(20),
    }),
    output: standing.extend({
      keywords: z.array(keyword),
      shown: z.number().describe('Different queries shown in the period, whatever the filter.'),
    }),
    async run(person, { property: name, limit, ...asked }) {
      const site = await standings.siteOf(person, name)
      const [about, rows] = await Promise.all([
        standings.ofPeriod(site, asked, 'query', ['unnamed', 'query', 'query_page']),
        reports.keywords.list(site.property, { ...asked, limit }),
      ])
      return { ...about.standing, keywords: fitting(rows), shown: about.summary.keywords.count }
    },
    tell: ({ keywords, shown, ...rest }) =>
      paragraphs(
        keywords.length === 0
          ? 'No keywords match.'
          : `${count(keywords.length, 'keyword')} (${count(shown, 'query', 'queries')} shown in the period):`,
        numbered(
          keywords.map(({ query, page, ...row }) => `${quoted(query)}: ${comparedText(row)}${page ? `. Page: ${quoted(page)}` : ''}`),
        ),
        standingText(rest),
      ),
  })

export const opportunitiesTool = ({ reports }: ApiServices, standings: Standings): McpTool =>
  tool({
    name: 'opportunities',
    title: 'What is worth working on?',
    description:
      'Keywords that would bring most additional clicks if they rose: `opportunityScore` estimates the extra clicks a week at position 3, from the impressions and the site’s own CTR by position.',
    scope: 'read',
    input: z.object({ ...filters, limit: limitArgument(20) }),
    output: standing.extend({ opportunities: z.array(keyword) }),
    async run(person, { property: name, limit, ...asked }) {
      const site = await standings.siteOf(person, name)
      const [about, rows] = await Promise.all([
        standings.ofPeriod(site, asked, 'query', ['unnamed', 'query', 'query_page']),
        reports.keywords.opportunities(site.property, { ...asked, sort: 'opportunityScore', limit }),
      ])
      return { ...about.standing, opportunities: fitting(rows) }
    },
    tell: ({ opportunities, ...rest }) =>
      paragraphs(
        opportunities.length === 0 ? 'No keyword has something to gain by this estimate.' : 'Most to gain first:',
        numbered(
          opportunities.map(
            ({ query, page, opportunityScore, ...row }) =>
              `${quoted(query)}: about ${opportunityScore.toFixed(1)} more clicks a week; ${comparedText(row)}${page ? `. Page: ${quoted(page)}` : ''}`,
          ),
        ),
        standingText(rest),
      ),
  })
