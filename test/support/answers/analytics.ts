import { comparison } from '../../../src/contract/range.ts'
import { type AnalyticsDays, type AnalyticsSummary, type Gaps, grain } from '../../../src/contract/analytics.ts'
import type { Counts, RowFigures } from '../../../src/contract/figures.ts'
import type { CompetingKeyword, Keyword, Opportunity } from '../../../src/contract/keywords.ts'
import type { Period } from '../../../src/contract/metrics.ts'
import type { Page } from '../../../src/contract/pages.ts'
import { eachDay } from '../../../src/core/analytics/days.ts'
import { comparedPeriod, lastDays } from '../../../src/core/analytics/periods.ts'
import type { Desk } from './desk.ts'
import { completeThrough, shop } from './usual.ts'

/** The URL of a page on the selected property. */
export const at = (path: string): string => `https://www.lumenandloom.example/${path}`

/** How many days a request asks for, by either parameter. */
export const daysAsked = (query: URLSearchParams): number => Number.parseInt(query.get('range') ?? query.get('days') ?? '7')

/** The requested days, and those they are compared with. */
export function periodsOf(query: URLSearchParams): { current: Period; previous: Period | null } {
  const days = daysAsked(query)
  const current = lastDays(completeThrough, days)
  return { current, previous: comparedPeriod(current, days, comparison.parse(query.get('compare') ?? 'previous')) }
}

export const figuresOf = (clicks: number, impressions: number, position: number): RowFigures => ({
  clicks,
  impressions,
  ctr: impressions === 0 ? 0 : clicks / impressions,
  position,
})

/** All days of both periods are stored. */
export const noGaps: Gaps = { gaps: [], previousGaps: [] }

const totals = { clicks: 20_000, impressions: 500_000 }

/** What a list covers of the property, on all days. */
export const listedOf = (count: number, clicks: number, impressions: number, of: Counts = totals): AnalyticsSummary['pages'] => ({
  count,
  clicks,
  impressions,
  totals: of,
  cutOffDays: 0,
  ...noGaps,
})

/** The context of lists; all days of both periods are stored. */
export function summaryOf(query: URLSearchParams, change: Partial<AnalyticsSummary> = {}): AnalyticsSummary {
  const { current, previous } = periodsOf(query)
  return {
    property: shop,
    current,
    previous,
    completeThrough,
    currentFrom: current.start,
    previousFrom: previous?.start ?? null,
    totals: figuresOf(totals.clicks, totals.impressions, 9),
    previousTotals: previous && figuresOf(18_000, 480_000, 9.4),
    comparedGrains: previous ? [...grain.options] : [],
    pages: listedOf(130, 19_500, 490_000),
    keywords: listedOf(1_200, 16_000, 400_000),
    pairs: { cutOffDays: 0, ...noGaps },
    ...noGaps,
    ...change,
  }
}

/** The same if none of the compared days are stored. */
export function summaryWithoutBefore(query: URLSearchParams): AnalyticsSummary {
  const summary = summaryOf(query)
  const { previous, pages, keywords, pairs } = summary
  const gaps = { previousGaps: previous ? [previous] : [] }
  return {
    ...summary,
    previousFrom: null,
    previousTotals: null,
    comparedGrains: [],
    pages: { ...pages, ...gaps },
    keywords: { ...keywords, ...gaps },
    pairs: { ...pairs, ...gaps },
    ...gaps,
  }
}

/** Neither period has more than totals. */
export function summaryWithTotals(query: URLSearchParams): AnalyticsSummary {
  const summary = summaryOf(query)
  const { current, previous } = summary
  const gaps: Gaps = { gaps: [current], previousGaps: previous ? [previous] : [] }
  const none = { ...listedOf(0, 0, 0, { clicks: 0, impressions: 0 }), ...gaps }
  return { ...summary, comparedGrains: ['total'], pages: none, keywords: none, pairs: { cutOffDays: 0, ...gaps } }
}

/** Nothing is stored of either period. */
export function summaryOfNothing(query: URLSearchParams): AnalyticsSummary {
  const summary = summaryWithTotals(query)
  const { gaps, previousGaps } = summary.pages
  const unknown = { currentFrom: null, previousFrom: null, totals: figuresOf(0, 0, 0), previousTotals: null, comparedGrains: [] }
  return { ...summary, ...unknown, gaps, previousGaps }
}

type PageFigures = Omit<Page, 'page' | 'previous'>

/** In the server's format for pages. */
const written = ({ clicks, impressions, ctr, position }: RowFigures): PageFigures => ({
  clicks,
  impressions,
  ctr: (ctr * 100).toFixed(2),
  position: position.toFixed(1),
})

export const pageOf = (page: string, figures: RowFigures, previous: RowFigures | null = null): Page => ({
  page,
  ...written(figures),
  previous: previous && written(previous),
})

export const keywordOf = (query: string, figures: RowFigures, change: Partial<Keyword> = {}): Keyword => ({
  query,
  ...figures,
  page: at(query.replaceAll(' ', '-')),
  pages: 1,
  brand: false,
  opportunityScore: 0,
  previous: null,
  ...change,
})

/** Each share is of the impressions of all pages. */
export function competingOf(query: string, pages: Record<string, RowFigures>, change: Partial<CompetingKeyword> = {}): CompetingKeyword {
  const all = Object.values(pages)
  const sum = (of: 'clicks' | 'impressions') => all.reduce((total, each) => total + each[of], 0)
  const impressions = sum('impressions')
  return {
    query,
    brand: false,
    ...figuresOf(sum('clicks'), impressions, 8),
    previous: null,
    atStake: impressions - Math.max(...all.map((each) => each.impressions)),
    pages: Object.entries(pages).map(([page, figures]) => ({ page, ...figures, share: figures.impressions / impressions })),
    ...change,
  }
}

/** Days with the same figures in both periods, unless `before` says otherwise. */
export function daysOf(query: URLSearchParams, each: RowFigures, before: RowFigures = each): AnalyticsDays {
  const { current, previous } = periodsOf(query)
  const days = (period: Period, figures: RowFigures) => eachDay(period.start, period.end).map((date) => ({ date, ...figures }))
  return {
    current,
    previous,
    completeThrough,
    days: days(current, each),
    previousDays: previous ? days(previous, before) : [],
    cutOffDays: 0,
    ...noGaps,
  }
}

/** What page and query panels request: 20 clicks of 200 impressions on each day, by one query or on one page. */
export function answerPanels(desk: Desk, { query = 'oak lamp', page = at('oak') } = {}): void {
  desk.answer('GET /api/analytics/days', ({ query: asked }) => daysOf(asked, figuresOf(20, 200, 4)))
  const pair = { ...figuresOf(140, 1_400, 4), previous: figuresOf(140, 1_400, 4), share: 1 }
  desk.answer('GET /api/pages/keywords', [{ ...pair, query }])
  desk.answer('GET /api/keywords/pages', [{ ...pair, page }])
}

/** 120 pages whose orders by clicks, impressions, CTR and position all differ, every tenth of them new. */
export const manyPages: readonly Page[] = Array.from({ length: 120 }, (_, index) => {
  const figures = figuresOf(1_000 - index * 8, 3_000 + ((index * 37) % 120) * 400, 2 + ((index * 17) % 120) / 10)
  const before = figuresOf(figures.clicks - 50, figures.impressions + 100, figures.position + 0.4)
  const path = index % 4 === 0 ? `guides/how-to-choose-a-lamp-for-room-${index}?lang=en` : `lamps/${index}`
  return pageOf(at(path), figures, index % 10 === 9 ? null : before)
})

/** 230 keywords from position 1 to 24; those from position 5 on have something to gain, and every seventh is about the brand. */
export const manyKeywords: readonly Keyword[] = Array.from({ length: 230 }, (_, index) => {
  const figures = figuresOf(460 - index * 2, 5_000 + ((index * 53) % 230) * 90, 1 + index / 10)
  const isBrand = index % 7 === 0
  return keywordOf(`${isBrand ? 'loom' : 'oak'} lamp ${index}`, figures, {
    brand: isBrand,
    opportunityScore: figures.position < 5 ? 0 : 30 - ((index * 29) % 230) / 8,
    pages: 1 + (index % 3),
    previous: index % 10 === 9 ? null : figuresOf(figures.clicks + 20, figures.impressions + 400, figures.position + 0.5),
  })
})

const isOpportunity = (keyword: Keyword): keyword is Opportunity => keyword.opportunityScore > 0

/** Answers lists of pages and keywords from these rows, as the server would. */
export function answerLists(desk: Desk, { pages = [], keywords = [] }: { pages?: readonly Page[]; keywords?: readonly Keyword[] }): void {
  desk.answer('GET /api/analytics/summary', ({ query }) => summaryOf(query))
  desk.answer('GET /api/pages', ({ query }) => {
    const found = listed(pages, query)
    const days = periodsOf(query).current
    return query.has('trend') ? found.map((row) => ({ ...row, trend: { days, clicks: [row.clicks / 2, null, row.clicks] } })) : found
  })
  desk.answer('GET /api/keywords', ({ query }) => listed(keywords, query))
  desk.answer('GET /api/keywords/opportunities', ({ query }) => listed(keywords.filter(isOpportunity), query, 'opportunityScore'))
}

const numbers = ['clicks', 'impressions', 'ctr', 'position'] as const

/** Evaluates a request like the server: the matching rows, in the requested or default order, as many as requested. */
export function listed<Row extends Page | Keyword>(rows: readonly Row[], query: URLSearchParams, usually = 'clicks'): Row[] {
  const number = (name: string): number | undefined => (query.has(name) ? Number(query.get(name)) : undefined)
  const nameOf = (row: Row) => ('query' in row ? row.query : row.page)
  const scoreOf = (row: Row) => ('opportunityScore' in row ? row.opportunityScore : 0)
  const by = query.get('sort') ?? usually
  const figureOf = (row: Row, name: string) => Number(row[numbers.find((each) => each === name) ?? 'clicks'])
  const isUp = (query.get('order') ?? (by === 'position' ? 'asc' : 'desc')) === 'asc'
  /** New ones come last in either order. */
  const changeIn = (row: Row, name: string): number => {
    if (row.previous === null) return isUp ? Infinity : -Infinity
    const metric = numbers.find((each) => each === name) ?? 'clicks'
    return (Number(row[metric]) - Number(row.previous[metric])) * (metric === 'position' ? -1 : 1)
  }
  const valueOf = (row: Row): number => {
    if (by === 'opportunityScore') return scoreOf(row)
    return by.endsWith('Change') ? changeIn(row, by.slice(0, -'Change'.length)) : figureOf(row, by)
  }
  const brand = query.get('brand') ?? 'all'
  return rows
    .filter(
      (row) =>
        nameOf(row)
          .toLowerCase()
          .includes((query.get('search') ?? '').toLowerCase()) &&
        Number(row.position) >= (number('positionMin') ?? 0) &&
        Number(row.position) <= (number('positionMax') ?? Infinity) &&
        row.impressions > (number('impressionsAbove') ?? -1) &&
        (brand === 'all' || ('brand' in row && row.brand === (brand === 'brand'))),
    )
    .filter(({ ctr }) => Number(ctr) < (number('ctrBelow') ?? Infinity) && Number(ctr) >= (number('ctrAtLeast') ?? 0))
    .toSorted((a, b) => (isUp ? valueOf(a) - valueOf(b) : valueOf(b) - valueOf(a)))
    .slice(number('offset') ?? 0, (number('offset') ?? 0) + (number('limit') ?? Infinity))
}

/** The rows of a request given as a query string. */
export const listedBy = <Row extends Page | Keyword>(rows: readonly Row[], question: string): Row[] =>
  listed(rows, new URLSearchParams(question))
