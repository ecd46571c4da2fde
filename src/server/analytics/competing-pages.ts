import type { z } from 'zod'
import type { CompetingFileQuery, CompetingKeyword, KeywordPages, pagesOfQuery } from '../../contract/keywords.ts'
import type { ReportProperty } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { CsvFile } from '../common/send-file.ts'
import { pairShares } from '../facts/questions/compared-figures.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import { contestedQueries } from '../facts/questions/window-queries.ts'
import type { CompleteProperty } from './requested-property.ts'
import { refuseSlow } from './explore/filters.ts'
import { figureCells, figureHeader, rounded, yesNo } from './files.ts'
import type { WithFilters } from './explore/saved.ts'
import { type List, listFile, prepareFilter } from './keyword-filter.ts'
import { usualOrder } from './keywords.ts'
import { answerKey, comparedOf, hasBefore, isCompared, kept, periodsKey, periodsOf, sortedBy, type AnalyticsParts } from './parts.ts'

const competingHeader = (compared: boolean): string[] => [
  'query',
  'brand',
  ...figureHeader(compared),
  'page',
  'page share of impressions',
  ...figureHeader(false).map((name) => `page ${name}`),
]

type CompetingQuery = WithFilters<CompetingFileQuery>

/** Which pages rank for a keyword, and where several of them compete. */
export function createCompetingPages(parts: AnalyticsParts) {
  const { facts } = parts

  async function competing(property: CompleteProperty, query: CompetingQuery): Promise<List<CompetingKeyword>> {
    const { periods, filter } = await prepareFilter(parts, property, query)
    if (filter.segment?.pairs)
      throw new Refusal(400, 'Competing pages can’t use a segment that filters by page. Choose another segment.', 'segment')
    const compared = await hasBefore(parts, property, periods, 'query')
    const { sort, order = usualOrder(sort) } = query
    const rows: List<CompetingKeyword>['rows'] = async (part) =>
      (await facts.ask(contestedQueries, { ...filter, ...sortedBy(sort, order, compared) }, part).catch(refuseSlow)).map(
        ({ rivals, ...row }) => ({
          query: row.query,
          ...comparedOf(row, compared),
          brand: row.brand,
          atStake: row.contested,
          pages: rivals,
        }),
      )
    return { compared, rows }
  }

  return {
    list: async (property: CompleteProperty, { limit, offset, ...query }: CompetingQuery & Part): Promise<CompetingKeyword[]> =>
      (await competing(property, query)).rows({ limit, offset }),

    /** One line for each page of a keyword. */
    file(property: ReportProperty, query: CompetingQuery): Promise<CsvFile> {
      const compared = isCompared(query.compare)
      return listFile(parts, property, query, {
        report: 'competing-pages',
        header: competingHeader(compared),
        list: competing,
        linesOf: ({ pages, ...row }: CompetingKeyword) =>
          pages.map(({ page, share, ...figures }) => [
            row.query,
            yesNo(row.brand),
            ...figureCells(row, compared),
            page,
            rounded(share),
            ...figureCells(figures, false),
          ]),
      })
    },

    /** The pages shown for a query. */
    async pagesOf(property: CompleteProperty, { query, limit, ...asked }: z.infer<typeof pagesOfQuery>): Promise<KeywordPages> {
      const periods = await periodsOf(parts, property, asked)
      return kept(parts, limit, answerKey('pages of a query', property, query, periodsKey(periods), limit), async () => {
        const of = { kind: 'query', name: query } as const
        const rows = await facts.ask(pairShares, { property: property.id, ...periods, of, limit })
        const compared = await hasBefore(parts, property, periods, 'query_page')
        return rows.map(({ name, share, ...row }) => ({ page: name, share, ...comparedOf(row, compared) }))
      })
    },
  }
}
