import { z } from 'zod'
import { isoDate, orElse, propertyQuery, rowsOf } from './common.ts'
import { period } from './metrics.ts'
import { endpoint } from './endpoint.ts'
import { type HistoryRange, historyRange } from './range.ts'

/** Days that the analytics screens look at (SPEC §9): so many that end with the last complete one. */
export const ranges = [7, 28, 90] as const
export type Range = (typeof ranges)[number]
export const defaultRange: Range = 7

/** What a period is compared with: the days just before it, the same days a year earlier (364 days, so that weekdays match), or nothing. */
export const comparison = z.enum(['previous', 'year', 'none'])
export type Comparison = z.infer<typeof comparison>

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

/** Which days are asked about: a `range` wins over `days`, which is how addresses said it before there were other ranges. */
const askedDays = z.object({ days, range: historyRange.optional() })

/** What every analytics question is asked with; `property` is the selected one unless another is named. */
export const analyticsQuery = propertyQuery.extend(askedDays.shape).extend({ compare: comparison.default('previous') })
export type AnalyticsQuery = z.infer<typeof analyticsQuery>

/** Which days are asked about, and what they are compared with. */
export type AskedPeriod = { days: Range; range?: HistoryRange | undefined; compare: Comparison }

/** A number in an address; `error` is said when it is none, or out of bounds. */
export const numberFrom = (least: number, most: number, error: string) =>
  z.coerce.number({ error }).min(least, { error }).max(most, { error })

/** How many rows of a list are answered; files hold them all. */
export const listLimit = (usual: number) => {
  const error = 'limit must be a whole number from 1 to 1,000'
  return numberFrom(1, 1_000, error).int({ error }).default(usual)
}

/** How many rows of a list come before those that are answered. */
export const listOffset = (() => {
  const error = 'offset must be a whole number from 0 to 1,000,000'
  return numberFrom(0, 1_000_000, error).int({ error }).default(0)
})()

/**
 * Sorts a list by how much a figure changed, counted so that the largest change is the best: clicks, impressions, fractions of
 * CTR, places gained. Without a comparison, or where there is nothing to count it from, a row comes last.
 */
export const changeSorts = ['clicksChange', 'impressionsChange', 'ctrChange', 'positionChange'] as const
export type ChangeSort = (typeof changeSorts)[number]

/** Text to be found in a page or query, wherever it stands, capitals or not. */
export const searchText = z.string().trim().max(200, 'A search can have up to 200 characters').optional()

/** `ctr` is a fraction, `position` the impression-weighted mean; both 0 without impressions, and the position also where none is known. */
export const figures = z.object({ clicks: z.number(), impressions: z.number(), ctr: z.number(), position: z.number() })
export type RowFigures = z.infer<typeof figures>

/** Rows of a list that Google gives at most for a day (docs/google-api.md). */
export const mostRowsADay = 50_000

/** Days of the period on which Google cut a list off: it gave as many rows as it gives at most, so that some are missing. */
const cutOffDays = z.number()

/** What a list explains of the total: anonymized queries and rows that Google cut off are in no list. */
const listed = z.object({
  /** Different pages or queries that were shown. */
  count: z.number(),
  clicks: z.number(),
  impressions: z.number(),
  cutOffDays,
})

/** What figures are of. Each has figures of its own, and in an import days of its own. */
export const grain = z.enum(['total', 'page', 'query', 'query_page', 'device', 'country'])
export type Grain = z.infer<typeof grain>

/** What the lists of a period have to be read against. Null while no complete day is stored. */
export const analyticsSummary = z.object({
  property: z.string(),
  current: period,
  /** Null where nothing is compared. */
  previous: period.nullable(),
  completeThrough: isoDate,
  /** First day of the current, and of the compared period, for which figures are stored; null where there is none. */
  currentFrom: isoDate.nullable(),
  previousFrom: isoDate.nullable(),
  /** Of everything, anonymized queries included. */
  totals: figures,
  /** Null as well where only a part of either period is stored: then nothing is compared. */
  previousTotals: figures.nullable(),
  /** What is compared: every day of both periods is stored of it. */
  comparedGrains: z.array(grain),
  pages: listed,
  keywords: listed,
  /** Queries and pages together: which pages a query has, and which queries a page. */
  pairs: z.object({ cutOffDays }),
})
export type AnalyticsSummary = z.infer<typeof analyticsSummary>

/** Figures of a period beside those of the one it is compared with; null where there were none or nothing is compared. */
export const comparedFigures = figures.extend({ previous: orElse(figures.nullable(), null) })
export type ComparedFigures = z.infer<typeof comparedFigures>

/** Most clicks first. `name` is as Google gives it: `MOBILE`, `usa`. */
export const segmentsQuery = analyticsQuery.extend({ dimension: z.enum(['device', 'country']) })
export const segments = z.array(comparedFigures.extend({ name: z.string() }))
export type Segments = z.infer<typeof segments>

/** A day's figures; days for which Google has none are left out. */
export const dayFigures = figures.extend({ date: isoDate })
export type DayOfFigures = z.infer<typeof dayFigures>

/**
 * The days of the current period, and of the one compared with, oldest first; of the whole
 * property, or of one `page` or `query` (at that grain's own figures).
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
  /** Of the list that the page, the query, or both were looked for in; 0 for the whole property. On such a day, what is left out may have been shown. */
  cutOffDays,
})
export type AnalyticsDays = z.infer<typeof analyticsDays>

/** Every row of every day of the period, as stored. */
export const dailyFileQuery = analyticsQuery.extend({ grain })

/** What stands above and beside the lists. Null, or without rows, while no complete day is stored. */
export const analyticsEndpoints = {
  summary: endpoint({
    method: 'GET',
    path: '/api/analytics/summary',
    access: 'session',
    query: analyticsQuery,
    answer: analyticsSummary.nullable(),
  }),
  segments: endpoint({ method: 'GET', path: '/api/analytics/segments', access: 'session', query: segmentsQuery, answer: rowsOf(segments) }),
  days: endpoint({ method: 'GET', path: '/api/analytics/days', access: 'session', query: daysQuery, answer: analyticsDays.nullable() }),
  dailyFile: endpoint({ method: 'GET', path: '/api/analytics/daily.csv', access: 'session', query: dailyFileQuery, answer: 'file' }),
}
