import { z } from 'zod'
import { analyticsDays, analyticsQuery, analyticsSummary, dailyFileQuery, daysQuery } from '../analytics.ts'
import { comparedFigures } from '../figures.ts'
import { anomalyMetric } from '../annotations.ts'
import { isoDate, searchType } from '../common.ts'
import { withKey } from '../endpoint.ts'
import { keyword, keywordsFileQuery, opportunitiesFileQuery, opportunity } from '../keywords.ts'
import { metrics, period } from '../metrics.ts'
import { pagesFileQuery } from '../pages.ts'
import { apiBase, ofProperty, pageQuery, partOf } from './common.ts'

/**
 * Context of figures: `completeThrough` is the last day that Google declared complete; null while no such day is stored. `notComparable`:
 * metrics that Google counted differently in the two periods, so their change says nothing about the property.
 */
const figuresOf = z.object({ property: z.string(), completeThrough: isoDate.nullable(), notComparable: z.array(anomalyMetric) })

/** `data` is null until a complete day is stored, and for a search type without any impressions. */
export const apiMetrics = figuresOf.extend({ data: metrics.nullable() })

/** Web search unless another `type` is given. */
export const apiMetricsQuery = ofProperty.extend({ type: searchType.default('web') })

export const apiSummaryQuery = analyticsQuery.extend(ofProperty.shape)
export const apiSummary = figuresOf.extend({ data: analyticsSummary.nullable() })

export const apiSeriesQuery = daysQuery.extend(ofProperty.shape)
export const apiSeries = figuresOf.extend({ data: analyticsDays.nullable() })

/** The dates of a list: its period, and the compared one; null without a comparison, or if that isn't completely stored. */
const listed = figuresOf.extend({ current: period.nullable(), previous: period.nullable() })

export const apiKeywordsQuery = keywordsFileQuery.extend(ofProperty.shape).extend(pageQuery.shape)
export const apiKeywords = listed.extend(partOf(keyword).shape)

export const apiOpportunitiesQuery = opportunitiesFileQuery.extend(ofProperty.shape).extend(pageQuery.shape)
export const apiOpportunities = listed.extend(partOf(opportunity).shape)

/** Same figures as for keywords, with CTR as a fraction. `ctrBelow` and `ctrAtLeast` are in percent. */
export const apiPagesQuery = pagesFileQuery.extend(ofProperty.shape).extend(pageQuery.shape)
export const apiPages = listed.extend(partOf(comparedFigures.extend({ page: z.string() })).shape)

/** `filters` as written in the explorer's URL, one per line: `query not contains lamp`, `clicks from 10`. */
const apiSegment = z.object({ id: z.string(), name: z.string(), filters: z.string() })
export const apiSegments = partOf(apiSegment)

/** CSV with all matching rows. */
export const apiKeywordsFileQuery = keywordsFileQuery.extend(ofProperty.shape)
export const apiOpportunitiesFileQuery = opportunitiesFileQuery.extend(ofProperty.shape)
export const apiPagesFileQuery = pagesFileQuery.extend(ofProperty.shape)
export const apiDailyFileQuery = dailyFileQuery.omit({ compare: true }).extend(ofProperty.shape)

export const apiExportEndpoints = {
  exportKeywords: withKey.get(`${apiBase}/exports/keywords`, { query: apiKeywordsFileQuery, answer: 'file' }),
  exportPages: withKey.get(`${apiBase}/exports/pages`, { query: apiPagesFileQuery, answer: 'file' }),
  exportOpportunities: withKey.get(`${apiBase}/exports/opportunities`, { query: apiOpportunitiesFileQuery, answer: 'file' }),
  exportDaily: withKey.get(`${apiBase}/exports/daily`, { query: apiDailyFileQuery, answer: 'file' }),
}

export const apiFigureEndpoints = {
  getMetrics: withKey.get(`${apiBase}/metrics`, { query: apiMetricsQuery, isLong: 'days', answer: apiMetrics }),
  getSummary: withKey.get(`${apiBase}/summary`, { query: apiSummaryQuery, answer: apiSummary }),
  getSeries: withKey.get(`${apiBase}/series`, { query: apiSeriesQuery, isLong: 'days', answer: apiSeries }),
  listKeywords: withKey.get(`${apiBase}/keywords`, { query: apiKeywordsQuery, isLong: 'names', answer: apiKeywords }),
  listPages: withKey.get(`${apiBase}/pages`, { query: apiPagesQuery, isLong: 'names', answer: apiPages }),
  listOpportunities: withKey.get(`${apiBase}/opportunities`, { query: apiOpportunitiesQuery, isLong: 'names', answer: apiOpportunities }),
  listSegments: withKey.get(`${apiBase}/segments`, { query: pageQuery, answer: apiSegments }),
}
