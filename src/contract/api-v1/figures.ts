import { z } from 'zod'
import { analyticsDays, analyticsQuery, analyticsSummary, comparedFigures, dailyFileQuery, daysQuery } from '../analytics.ts'
import { isoDate } from '../common.ts'
import { keyword, keywordsFileQuery, opportunitiesFileQuery, opportunity } from '../keywords.ts'
import { metrics, period } from '../metrics.ts'
import { pagesFileQuery } from '../pages.ts'
import { ofProperty, pageQuery, partOf } from './common.ts'

/** What figures are of: `completeThrough` is the last day that Google declared complete; null while no such day is stored. */
const figuresOf = z.object({ property: z.string(), completeThrough: isoDate.nullable() })

/** `GET /api/v1/metrics`; `data` is null while no complete day is stored. */
export const apiMetrics = figuresOf.extend({ data: metrics.nullable() })

/** `GET /api/v1/summary` */
export const apiSummaryQuery = analyticsQuery.extend(ofProperty.shape)
export const apiSummary = figuresOf.extend({ data: analyticsSummary.nullable() })

/** `GET /api/v1/series` */
export const apiSeriesQuery = daysQuery.extend(ofProperty.shape)
export const apiSeries = figuresOf.extend({ data: analyticsDays.nullable() })

/** The dates that a list is of: of the period, and of the one it is compared with; null where nothing is compared, or not all of it is stored. */
const listed = figuresOf.extend({ current: period.nullable(), previous: period.nullable() })

/** `GET /api/v1/keywords` */
export const apiKeywordsQuery = keywordsFileQuery.extend(ofProperty.shape).extend(pageQuery.shape)
export const apiKeywords = listed.extend(partOf(keyword).shape)

/** `GET /api/v1/opportunities` */
export const apiOpportunitiesQuery = opportunitiesFileQuery.extend(ofProperty.shape).extend(pageQuery.shape)
export const apiOpportunities = listed.extend(partOf(opportunity).shape)

/** `GET /api/v1/pages`: figures as those of keywords, CTR as a fraction. `ctrBelow` and `ctrAtLeast` are per cent. */
export const apiPagesQuery = pagesFileQuery.extend(ofProperty.shape).extend(pageQuery.shape)
export const apiPages = listed.extend(partOf(comparedFigures.extend({ page: z.string() })).shape)

/** `GET /api/v1/exports/{keywords,opportunities,pages,daily}`: CSV, all rows that match. */
export const apiKeywordsFileQuery = keywordsFileQuery.extend(ofProperty.shape)
export const apiOpportunitiesFileQuery = opportunitiesFileQuery.extend(ofProperty.shape)
export const apiPagesFileQuery = pagesFileQuery.extend(ofProperty.shape)
export const apiDailyFileQuery = dailyFileQuery.omit({ compare: true }).extend(ofProperty.shape)
