import { z } from 'zod'
import { comparedFigures } from '../../../contract/figures.ts'
import { pageSort } from '../../../contract/pages.ts'
import type { ApiServices } from '../operation.ts'
import { limitArgument, periodArguments, searchArgument, segmentArgument } from './arguments.ts'
import { counted } from '../../../core/words.ts'
import { comparedText, fitting, numbered, paragraphs, quoted, shareText } from './copy.ts'
import { dataContext, type DataContexts, contextText, grainOfList } from './data-context.ts'
import { type McpTool, tool } from './tool.ts'

export const listPagesTool = ({ analytics }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'list_pages',
    title: 'Which pages get traffic?',
    description:
      'Pages with clicks, impressions, CTR and position for the period and its comparison period. Filter by URL text, or find pages with many impressions and a low CTR.',
    scope: 'read',
    input: z.object({
      ...periodArguments,
      search: searchArgument.describe('Only pages whose URL contains this text.'),
      segment: segmentArgument,
      sort: pageSort.default('clicks'),
      order: z.enum(['asc', 'desc']).default('desc'),
      impressionsAbove: z.number().min(0).max(1e12).optional().describe('Only pages with more impressions than this.'),
      ctrBelow: z.number().min(0).max(100).optional().describe('Only pages with a CTR below this percentage.'),
      limit: limitArgument(20),
    }),
    output: dataContext.extend({
      pages: z.array(comparedFigures.extend({ page: z.string() })),
      shown: z.number().describe('Distinct pages with impressions in the period, ignoring filters.'),
    }),
    async run(person, { property: name, limit, segment, ...asked }) {
      const site = await contexts.siteOf(person, name)
      const where = await analytics.saved.filtersNamed(person, segment)
      const [about, rows] = await Promise.all([
        contexts.ofPeriod(site, asked, grainOfList('page', where), ['page']),
        analytics.pages.all(site.property, { ...asked, where }).then((list) => list.rows({ limit, offset: 0 })),
      ])
      return { ...about.dataContext, pages: fitting(rows), shown: about.summary.pages.count }
    },
    text: ({ pages, shown, ...rest }) =>
      paragraphs(
        pages.length === 0
          ? 'No pages match.'
          : `${counted(pages.length, 'page')} (${counted(shown, 'page')} with impressions in the period):`,
        numbered(pages.map(({ page, ...row }) => `${quoted(page)}: ${comparedText(row, rest)}`)),
        contextText(rest),
      ),
  })

export const pageKeywordsTool = ({ analytics }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'page_keywords',
    title: 'Which keywords does a page rank for?',
    description: 'The queries one page got impressions for, most clicks first.',
    scope: 'read',
    input: z.object({
      ...periodArguments,
      page: z.string().min(1).max(4096).describe('The full URL of the page, as list_pages returns it.'),
      limit: limitArgument(20),
    }),
    output: dataContext.extend({
      page: z.string(),
      keywords: z.array(comparedFigures.extend({ query: z.string(), share: z.number().describe('Share of impressions, as a fraction.') })),
    }),
    async run(person, { property: name, ...asked }) {
      const site = await contexts.siteOf(person, name)
      const [about, rows] = await Promise.all([
        contexts.ofPeriod(site, asked, 'query_page', ['unnamed', 'query_page']),
        analytics.pages.keywordsOf(site.property, asked),
      ])
      return { ...about.dataContext, page: asked.page, keywords: fitting(rows) }
    },
    text: ({ page, keywords, ...rest }) =>
      paragraphs(
        keywords.length === 0
          ? `No queries are recorded for ${quoted(page)}. list_pages with \`search\` finds the full URL of a page.`
          : `Queries for ${quoted(page)}:`,
        numbered(keywords.map(({ query, share, ...row }) => `${quoted(query)}, ${shareText(share)}: ${comparedText(row, rest)}`)),
        contextText(rest),
      ),
  })

export const decayingPagesTool = ({ analytics }: ApiServices, contexts: DataContexts): McpTool =>
  tool({
    name: 'decaying_pages',
    title: 'Which pages are decaying?',
    description: 'Pages with three straight periods of falling clicks, biggest loss first. Compares four periods of `days` days each.',
    scope: 'read',
    input: z.object({
      property: periodArguments.property,
      days: periodArguments.days,
      search: searchArgument.describe('Only pages whose URL contains this text.'),
      limit: limitArgument(20),
    }),
    output: dataContext.extend({
      periods: z.array(dataContext.shape.period).describe('Oldest first.'),
      complete: z.boolean().describe('Whether every day of these periods is stored. If not, no pages are listed.'),
      pages: z.array(z.object({ page: z.string(), clicks: z.array(z.number()), impressions: z.array(z.number()) })),
    }),
    async run(person, { property: name, ...asked }) {
      const site = await contexts.siteOf(person, name)
      const [about, decay] = await Promise.all([
        contexts.ofPeriod(site, { days: asked.days, compare: 'none' }, 'page', ['page']),
        analytics.pages.decay(site.property, { ...asked, offset: 0 }),
      ])
      return { ...about.dataContext, ...decay, pages: fitting(decay.pages) }
    },
    text: ({ periods, complete, pages, ...rest }) =>
      paragraphs(
        !complete
          ? `Not every day from ${periods[0]?.start} to ${periods.at(-1)?.end} is stored, so decay can't be measured. Try fewer days.`
          : pages.length === 0
            ? 'No pages had three straight periods of falling clicks.'
            : `Clicks in the periods from ${periods.map(({ start }) => start).join(', ')}:`,
        numbered(
          pages.map(({ page, clicks }) => `${quoted(page)}: ${clicks.map((each) => each.toLocaleString('en-US')).join(' → ')} clicks`),
        ),
        contextText(rest),
      ),
  })
