import type { z } from 'zod'
import type { ComparedFigures } from '../../contract/figures.ts'
import { isBound } from '../../contract/explore/explore.ts'
import type { keywordsOfPage, PageKeywords } from '../../contract/keywords.ts'
import { writeRange } from '../../contract/range.ts'
import type { Decay, decayFileQuery, Page, PagesFileQuery } from '../../contract/pages.ts'
import { daysBetween } from '../../core/analytics/days.ts'
import { consecutivePeriods } from '../../core/analytics/periods.ts'
import type { ReportProperty } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import { type DecayingPage, decayingPages, type DecayQuestion } from '../facts/questions/decaying-pages.ts'
import { type CompleteProperty, isComplete } from './requested-property.ts'
import type { createExplore } from './explore/explore.ts'
import { grainOfSegment, refuseSlow, segmentOf } from './explore/filters.ts'
import type { WithFilters } from './explore/saved.ts'
import { figureCells, figureHeader, reportFile } from './files.ts'
import type { CsvFile } from '../common/send-file.ts'
import { type List, listFile } from './keyword-filter.ts'
import {
  answerKey,
  comparedOf,
  hasBefore,
  isCompared,
  isStored,
  kept,
  knownLoads,
  periodsKey,
  periodsOf,
  sortedBy,
  type AnalyticsParts,
} from './parts.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import { windowPages } from '../facts/questions/window-pages.ts'
import { pairShares } from '../facts/questions/compared-figures.ts'

export type PageRow = ComparedFigures & { page: string }
type DecayFileQuery = z.infer<typeof decayFileQuery>

/** Number of periods for content decay: three consecutive falls. */
const decayPeriods = 4

/** Pages, their queries, and pages that lose clicks period after period (SPEC §7). */
export function createPageAnalytics(parts: AnalyticsParts, trendsOf: ReturnType<typeof createExplore>['trends']) {
  const { facts, windows } = parts

  async function pages(property: CompleteProperty, { where, ...query }: WithFilters<PagesFileQuery>): Promise<List<PageRow>> {
    const periods = await periodsOf(parts, property, query)
    const segment = await segmentOf(parts, property, { by: 'page', where, periods, ofAll: query.property === 'all' })
    const grain = grainOfSegment(segment, 'page')
    const [window, compared] = await Promise.all([windows.of(property, periods), hasBefore(parts, property, periods, grain)])
    const rows: List<PageRow>['rows'] = async (part) =>
      (
        await facts
          .ask(windowPages, { ...query, ...sortedBy(query.sort, query.order, compared), window: window.id, segment }, part)
          .catch(refuseSlow)
      ).map((row) => ({
        page: row.page,
        ...comparedOf(row, compared),
      }))
    return { compared, rows }
  }

  async function decaying(
    property: CompleteProperty,
    { search, where = [], ...asked }: WithFilters<DecayFileQuery>,
  ): Promise<{ question: DecayQuestion; complete: boolean }> {
    const { current } = await periodsOf(parts, property, { ...asked, compare: 'none' })
    const periods = consecutivePeriods(current, daysBetween(current.start, current.end), decayPeriods)
    const bound = where.find(({ operator }) => isBound(operator))
    if (bound)
      throw new Refusal(
        400,
        `Content decay can’t use a segment that filters by ${bound.field === 'ctr' ? 'CTR' : bound.field}. Choose another segment.`,
        'segment',
      )
    const filtering = await segmentOf(parts, property, { by: 'page', where, periods: { current, previous: null } })
    const grain = grainOfSegment(filtering, 'page')
    const loads = await knownLoads(parts, property, { grains: [grain], spans: periods })
    const complete = periods.every((period) => isStored(loads, grain, period))
    return { question: { property: property.id, periods, loads, grain, search, filtering }, complete }
  }

  return {
    /** A list as of this moment, of which any part can be read. */
    all: pages,

    /** `trend`: with the clicks over time of the first rows. */
    async list(
      property: CompleteProperty,
      { limit, offset, trend, ...query }: WithFilters<PagesFileQuery> & Part & { trend?: 'clicks' | undefined },
    ): Promise<Page[]> {
      const rows = await (await pages(property, query)).rows({ limit, offset })
      if (trend === undefined) return rows.map(pageOf)
      const names = rows.map(({ page }) => page)
      const trends = await trendsOf(property, query, query.where ?? [], names)
      return rows.map((row, at) => {
        const clicks = trends?.of[at]
        return { ...pageOf(row), ...(trends && clicks && { trend: { days: trends.days, clicks } }) }
      })
    },

    file(property: ReportProperty, query: WithFilters<PagesFileQuery>): Promise<CsvFile> {
      const compared = isCompared(query.compare)
      return listFile(parts, property, query, {
        report: 'pages',
        header: ['page', ...figureHeader(compared)],
        list: pages,
        linesOf: (row: PageRow) => [[row.page, ...figureCells(row, compared)]],
      })
    },

    /** The queries a page was shown for. */
    async keywordsOf(property: CompleteProperty, { page, limit, ...asked }: z.infer<typeof keywordsOfPage>): Promise<PageKeywords> {
      const periods = await periodsOf(parts, property, asked)
      return kept(parts, limit, answerKey('queries of a page', property, page, periodsKey(periods), limit), async () => {
        const of = { kind: 'page', name: page } as const
        const rows = await facts.ask(pairShares, { property: property.id, ...periods, of, limit })
        const compared = await hasBefore(parts, property, periods, 'query_page')
        return rows.map(({ name, share, ...row }) => ({ query: name, share, ...comparedOf(row, compared) }))
      })
    },

    async decay(property: CompleteProperty, { limit, offset, ...query }: WithFilters<DecayFileQuery> & Part): Promise<Decay> {
      const usesBrand = query.where?.some(({ field }) => field === 'brand')
      return kept(
        parts,
        limit,
        answerKey(
          'decay',
          property,
          query.range ? writeRange(query.range) : query.days,
          query.search,
          JSON.stringify(query.where),
          usesBrand ? (await parts.brands.of(property)).version : undefined,
          limit,
          offset,
        ),
        async () => {
          const { question, complete } = await decaying(property, query)
          const falling = complete ? await facts.ask(decayingPages, question, { limit, offset }).catch(refuseSlow) : []
          return { periods: [...question.periods], complete, pages: falling }
        },
      )
    },

    async decayFile(property: ReportProperty, query: WithFilters<DecayFileQuery>): Promise<CsvFile> {
      const { question, complete } = isComplete(property) ? await decaying(property, query) : { question: null, complete: false }
      const [first, last] = [question?.periods[0], question?.periods.at(-1)]
      const header = (figure: string) => (question?.periods ?? []).map(({ start, end }) => `${figure} ${start} to ${end}`)
      return reportFile<DecayingPage>(
        { property: property.name, report: 'content-decay', period: first && last ? { start: first.start, end: last.end } : null },
        ['page', ...header('clicks'), ...header('impressions'), 'clicks lost'],
        ({ page, clicks, impressions }) => [[page, ...clicks, ...impressions, (clicks[0] ?? 0) - (clicks.at(-1) ?? 0)]],
        (part) => (question && complete ? facts.ask(decayingPages, question, part).catch(refuseSlow) : Promise.resolve([])),
      )
    },
  }
}

/** In the form of SPEC §3: CTR in percent with two decimals, position with one. */
export const pageOf = ({ page, previous, ...now }: PageRow): Page => ({ page, ...shown(now), previous: previous && shown(previous) })

const shown = ({ clicks, impressions, ctr, position }: { clicks: number; impressions: number; ctr: number; position: number }) => ({
  clicks,
  impressions,
  ctr: (ctr * 100).toFixed(2),
  position: position.toFixed(1),
})
