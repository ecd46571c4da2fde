import type { Grain, SortOrder } from '../../contract/analytics.ts'
import type { Keyword, KeywordsFileQuery, OpportunitiesFileQuery, Opportunity } from '../../contract/keywords.ts'
import type { Period } from '../../contract/metrics.ts'
import type { CsvCell } from '../../core/csv.ts'
import type { ReportProperty } from '../accounts/service.ts'
import type { CsvFile } from '../common/send-file.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import { type QueriesQuestion, windowQueries, type WindowQuery } from '../facts/questions/window-queries.ts'
import type { CompleteProperty } from './requested-property.ts'
import { grainOfSegment, refuseSlow } from './explore/filters.ts'
import type { WithFilters } from './explore/saved.ts'
import { figureCells, figureHeader, rounded, yesNo } from './files.ts'
import { type List, listFile, prepareFilter } from './keyword-filter.ts'
import { comparedOf, curveOf, hasBefore, isCompared, isStored, knownLoads, sortedBy, type AnalyticsParts } from './parts.ts'

type Limited<Query> = WithFilters<Query> & Part

/** Best first: for names and positions, that is the smallest. */
export const usualOrder = (sort: string): SortOrder => (sort === 'query' || sort === 'position' ? 'asc' : 'desc')

/** Keywords and opportunities (SPEC §7). */
export function createKeywordAnalytics(parts: AnalyticsParts) {
  const { facts } = parts

  async function keywords(property: CompleteProperty, query: WithFilters<KeywordsFileQuery>): Promise<List<Keyword>> {
    const { periods, window, brand, filter } = await prepareFilter(parts, property, query)
    const { presence, sort } = query
    const grain = grainOfSegment(filter.segment, 'query')
    const scored = { curve: await curveOf(parts, property, brand), days: window.days[grain], least: null }
    const absentOn = periods.previous && (presence === 'new' ? periods.previous : periods.current)
    if (presence !== 'current' && !(await canBeAbsent(property, grain, absentOn)))
      return { compared: false, rows: () => Promise.resolve([]) }
    const compared = await hasBefore(parts, property, periods, grain)
    const question: QueriesQuestion = { ...filter, presence, ...sortedBy(sort, query.order ?? usualOrder(sort), compared), scored }
    // A lost keyword shows what it had, as far as that is stored.
    return { ...listOf(question, compared || presence === 'lost'), compared }
  }

  /** Whether a query that isn't found on these days wasn't shown on them: there are such days, and all are stored. */
  async function canBeAbsent(property: CompleteProperty, grain: Grain, days: Period | null): Promise<boolean> {
    return days !== null && isStored(await knownLoads(parts, property, { grains: [grain], spans: [days] }), grain, days)
  }

  async function opportunities(property: CompleteProperty, query: WithFilters<OpportunitiesFileQuery>): Promise<List<Opportunity>> {
    const { periods, window, brand, filter } = await prepareFilter(parts, property, query)
    const { sort } = query
    const grain = grainOfSegment(filter.segment, 'query')
    const scored = { curve: await curveOf(parts, property, brand), days: window.days[grain], least: query.scoreMin ?? 0 }
    const compared = await hasBefore(parts, property, periods, grain)
    const order = sortedBy(sort, query.order ?? usualOrder(sort), compared)
    const question: QueriesQuestion = { ...filter, presence: 'current', ...order, scored }
    return listOf(question, compared)
  }

  const listOf = (question: QueriesQuestion, compared: boolean): List<Keyword> => ({
    compared,
    rows: async (part) => (await facts.ask(windowQueries, question, part).catch(refuseSlow)).map((row) => keywordOf(row, compared)),
  })

  return {
    /** Lists as of this moment, of which any part can be read. */
    all: keywords,
    allOpportunities: opportunities,

    list: async (property: CompleteProperty, { limit, offset, ...query }: Limited<KeywordsFileQuery>): Promise<Keyword[]> =>
      (await keywords(property, query)).rows({ limit, offset }),

    opportunities: async (
      property: CompleteProperty,
      { limit, offset, ...query }: Limited<OpportunitiesFileQuery>,
    ): Promise<Opportunity[]> => (await opportunities(property, query)).rows({ limit, offset }),

    file(property: ReportProperty, query: WithFilters<KeywordsFileQuery>): Promise<CsvFile> {
      const compared = isCompared(query.compare)
      return listFile(parts, property, query, {
        report: query.presence === 'current' ? 'keywords' : `${query.presence}-keywords`,
        header: [...nameHeader, ...figureHeader(compared)],
        list: keywords,
        linesOf: (row: Keyword) => [[...nameCells(row), ...figureCells(row, compared)]],
      })
    },

    opportunitiesFile(property: ReportProperty, query: WithFilters<OpportunitiesFileQuery>): Promise<CsvFile> {
      const compared = isCompared(query.compare)
      return listFile(parts, property, query, {
        report: 'keyword-opportunities',
        header: [...nameHeader, ...figureHeader(compared)],
        list: opportunities,
        linesOf: (row: Opportunity) => [[...nameCells(row), ...figureCells(row, compared)]],
      })
    },
  }
}

const nameHeader = ['query', 'page', 'pages', 'brand', 'opportunity score']
const nameCells = (row: Keyword): CsvCell[] => [row.query, row.page, row.pages, yesNo(row.brand), rounded(row.opportunityScore, 2)]

const keywordOf = (row: WindowQuery, compared: boolean): Keyword => ({
  query: row.query,
  page: row.page,
  pages: row.pages,
  brand: row.brand,
  opportunityScore: row.score,
  ...comparedOf(row, compared),
})
