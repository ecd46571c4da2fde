import { z } from 'zod'
import { cleanedText, isoDate, orElse, propertyQuery, rowsOf, searchType, trimmed } from './common.ts'
import { comparedFigures, counts, dayFigures, figures } from './figures.ts'
import { period, type Period } from './metrics.ts'
import { signedIn } from './endpoint.ts'
import { comparison, type Comparison, defaultRange, type HistoryRange, historyRange, type Range, ranges } from './range.ts'

export const sortOrder = z.enum(['asc', 'desc'])
export type SortOrder = z.infer<typeof sortOrder>

const wrongDays = { error: 'days must be 7, 28 or 90' }
const days = z.coerce
  .number(wrongDays)
  .pipe(
    z.union(
      ranges.map((range) => z.literal(range)),
      wrongDays,
    ),
  )
  .default(defaultRange)

/** The requested days: `range` overrides `days`, the form in URLs from before there were other ranges. */
const askedDays = z.object({ days, range: historyRange.optional() })

/** Common parameters of all analytics questions; `property` defaults to the selected one. */
export const analyticsQuery = propertyQuery.extend(askedDays.shape).extend({ compare: comparison.default('previous') })
export type AnalyticsQuery = z.infer<typeof analyticsQuery>

/** The requested days, and what they are compared with. */
export type AskedPeriod = { days: Range; range?: HistoryRange | undefined; compare: Comparison }

/** A number in a URL; `error` is reported if it isn't one, or is out of bounds. */
export const numberFrom = (least: number, most: number, error: string) =>
  z.coerce.number({ error }).min(least, { error }).max(most, { error })

/** Number of rows returned of a list; files have all of them. */
export const listLimit = (usual: number) => {
  const error = 'limit must be a whole number from 1 to 1,000'
  return numberFrom(1, 1_000, error).int({ error }).default(usual)
}

/** Number of rows to skip. */
export const listOffset = (() => {
  const error = 'offset must be a whole number from 0 to 1,000,000'
  return numberFrom(0, 1_000_000, error).int({ error }).default(0)
})()

/** Adds the clicks over time to the first rows of a list. */
export const clicksTrend = z.literal('clicks', 'trend must be clicks').optional()

/**
 * Sorts a list by how much a figure changed, best first: clicks, impressions, fractions of CTR, places gained. Rows without a comparison,
 * or without a base for it, come last.
 */
export const changeSorts = ['clicksChange', 'impressionsChange', 'ctrChange', 'positionChange'] as const
export type ChangeSort = (typeof changeSorts)[number]

/** Text to find anywhere in a page or query, ignoring case. */
export const searchText = cleanedText(200, trimmed, 'A search term can have up to 200 characters').optional()

/** Google's maximum number of rows in a list per day (docs/google-api.md). */
export const mostRowsADay = 50_000

/** Days of the period with a truncated list: Google returned its maximum number of rows, so some are missing. */
const cutOffDays = z.number()

/** The days of the current and the compared period that aren't stored, as runs: nothing is known about them. */
const gaps = { gaps: z.array(period), previousGaps: z.array(period) }
export type Gaps = Record<keyof typeof gaps, Period[]>

/** How much of the total a list explains: no list includes anonymized queries and rows that Google truncated. */
const listed = counts.extend({
  /** Number of distinct pages or queries shown. */
  count: z.number(),
  /** Of everything on the list's own stored days, which may be fewer than those with totals. */
  totals: counts,
  cutOffDays,
  ...gaps,
})

/** What figures are grouped by. Each grain has its own figures and, in an import, its own days. */
export const grain = z.enum(['total', 'page', 'query', 'query_page', 'device', 'country', 'search_appearance'])
export type Grain = z.infer<typeof grain>

/** Context for reading a period's lists. Null while no complete day is stored. */
export const analyticsSummary = z.object({
  property: z.string(),
  current: period,
  /** Null without a comparison. */
  previous: period.nullable(),
  completeThrough: isoDate,
  /** First day of the current, and of the compared period, with stored figures; null without any. */
  currentFrom: isoDate.nullable(),
  previousFrom: isoDate.nullable(),
  /** Of everything, including anonymized queries. */
  totals: figures,
  /** Also null if either period is only partly stored: then nothing is compared. */
  previousTotals: figures.nullable(),
  /** The compared grains: those with every day of both periods stored. */
  comparedGrains: z.array(grain),
  pages: listed,
  keywords: listed,
  /** Queries and pages together: a query's pages, and a page's queries. */
  pairs: z.object({ cutOffDays, ...gaps }),
  /** Of the totals. Each list has its own. */
  ...gaps,
})
export type AnalyticsSummary = z.infer<typeof analyticsSummary>

/** Most clicks first. `name` is Google's: `MOBILE`, `usa`. */
export const segmentsQuery = analyticsQuery.extend({ dimension: z.enum(['device', 'country']) })
export const segments = z.array(comparedFigures.extend({ name: z.string() }))
export type Segments = z.infer<typeof segments>

/** Those with impressions in either period, most clicks first. Each type's period is limited to its own stored days. */
export const ofSearchTypes = z.array(comparedFigures.extend({ type: searchType, period, compared: orElse(period.nullable(), null) }))
export type OfSearchTypes = z.infer<typeof ofSearchTypes>

/**
 * The days of the current and the compared period, oldest first; for the whole property, or for one `page` or `query` (from that grain's
 * own figures).
 */
export const daysQuery = analyticsQuery.extend({
  page: z.string().min(1).max(4096).optional(),
  query: z.string().min(1).max(4096).optional(),
})
export const analyticsDays = z.object({
  current: period,
  previous: period.nullable(),
  completeThrough: isoDate,
  days: z.array(dayFigures),
  previousDays: z.array(dayFigures),
  /**
   * For the list that contains the page, the query, or both; 0 for the whole property. On such a day, something missing may still have been
   * shown.
   */
  cutOffDays,
  ...gaps,
})
export type AnalyticsDays = z.infer<typeof analyticsDays>

/** Every row of every day of the period, unchanged. */
export const dailyFileQuery = analyticsQuery.extend({ grain })

/** Data above and next to the lists. Null, or without rows, while no complete day is stored. */
export const analyticsEndpoints = {
  summary: signedIn.get('/api/analytics/summary', { query: analyticsQuery, answer: analyticsSummary.nullable() }),
  segments: signedIn.get('/api/analytics/segments', { query: segmentsQuery, answer: rowsOf(segments) }),
  searchTypes: signedIn.get('/api/analytics/search-types', {
    query: analyticsQuery.omit({ days: true }).extend({ range: historyRange }),
    isLong: 'days',
    answer: rowsOf(ofSearchTypes),
  }),
  days: signedIn.get('/api/analytics/days', { query: daysQuery, isLong: 'days', answer: analyticsDays.nullable() }),
  dailyFile: signedIn.get('/api/analytics/daily.csv', { query: dailyFileQuery, answer: 'file' }),
}
