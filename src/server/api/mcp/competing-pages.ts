import { z } from 'zod'
import { comparedFigures } from '../../../contract/figures.ts'
import { competingKeyword } from '../../../contract/keywords.ts'
import type { ApiServices } from '../operation.ts'
import { limitArgument, periodArguments, searchArgument } from './arguments.ts'
import { comparedText, figuresText, fitting, numbered, paragraphs, quoted, shareText } from './copy.ts'
import { dataContext, type DataContexts, contextText } from './data-context.ts'
import { type McpTool, tool } from './tool.ts'

export const keywordPagesTool = ({ analytics }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'pages_of_keyword',
    title: 'Which pages compete for a query?',
    description:
      'All pages that got impressions for one query, most clicks first, with each page’s share of impressions. Pages with large shares compete for the same clicks.',
    scope: 'read',
    input: z.object({
      ...periodArguments,
      query: z.string().min(1).max(4096).describe('The query, exactly as list_keywords returns it.'),
      limit: limitArgument(20),
    }),
    output: dataContext.extend({
      query: z.string(),
      pages: z.array(comparedFigures.extend({ page: z.string(), share: z.number().describe('Share of impressions, as a fraction.') })),
    }),
    async run(person, { property: name, ...asked }) {
      const site = await contexts.siteOf(person, name)
      const [about, rows] = await Promise.all([
        contexts.ofPeriod(site, asked, 'query_page', ['query_page']),
        analytics.rivals.pagesOf(site.property, asked),
      ])
      return { ...about.dataContext, query: asked.query, pages: fitting(rows) }
    },
    text: ({ query, pages, ...rest }) =>
      paragraphs(
        pages.length === 0
          ? `No pages got impressions for ${quoted(query)}. list_keywords with \`search\` finds queries.`
          : `Pages shown for ${quoted(query)}:`,
        numbered(pages.map(({ page, share, ...row }) => `${quoted(page)}, ${shareText(share)}: ${comparedText(row, rest)}`)),
        contextText(rest),
      ),
  })

export const competingPagesTool = ({ analytics }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'competing_pages',
    title: 'Where do my pages compete with each other?',
    description: 'Queries whose impressions are split across several pages, with those pages. Most impressions at stake first.',
    scope: 'read',
    input: z.object({
      ...periodArguments,
      search: searchArgument.describe('Only queries that contain this text.'),
      limit: limitArgument(10),
    }),
    output: dataContext.extend({ keywords: z.array(competingKeyword) }),
    async run(person, { property: name, limit, ...asked }) {
      const site = await contexts.siteOf(person, name)
      const [about, rows] = await Promise.all([
        contexts.ofPeriod(site, asked, 'query', ['unnamed', 'query', 'query_page']),
        analytics.rivals.list(site.property, { ...asked, brand: 'all', sort: 'atStake', limit, offset: 0 }),
      ])
      return { ...about.dataContext, keywords: fitting(rows) }
    },
    text: ({ keywords, ...rest }) =>
      paragraphs(
        keywords.length === 0 ? 'No queries have impressions split across pages.' : 'Most impressions at stake first:',
        numbered(
          keywords.map(({ query, pages, ...row }) =>
            [
              `${quoted(query)}: ${comparedText(row, rest)}`,
              ...pages.map(({ page, share, ...figures }) => `   ${quoted(page)}, ${shareText(share)}: ${figuresText(figures)}`),
            ].join('\n'),
          ),
        ),
        contextText(rest),
      ),
  })
