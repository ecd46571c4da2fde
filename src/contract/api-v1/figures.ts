import { z } from 'zod'
import { analyticsDays, analyticsQuery, analyticsSummary, comparedFigures, dailyFileQuery, daysQuery } from '../analytics.ts'
import { anomalyMetric } from '../annotations.ts'
import { isoDate, searchType } from '../common.ts'
import { endpoint } from '../endpoint.ts'
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
  exportKeywords: endpoint({
    method: 'GET',
    path: `${apiBase}/exports/keywords`,
    access: { key: 'read' },
    query: apiKeywordsFileQuery,
    answer: 'file',
  }),
  exportPages: endpoint({
    method: 'GET',
    path: `${apiBase}/exports/pages`,
    access: { key: 'read' },
    query: apiPagesFileQuery,
    answer: 'file',
  }),
  exportOpportunities: endpoint({
    method: 'GET',
    path: `${apiBase}/exports/opportunities`,
    access: { key: 'read' },
    query: apiOpportunitiesFileQuery,
    answer: 'file',
  }),
  exportDaily: endpoint({
    method: 'GET',
    path: `${apiBase}/exports/daily`,
    access: { key: 'read' },
    query: apiDailyFileQuery,
    answer: 'file',
  }),
}

export const apiFigureEndpoints = {
  getMetrics: endpoint({
    method: 'GET',
    path: `${apiBase}/metrics`,
    access: { key: 'read' },
    query: apiMetricsQuery,
    isLong: 'days',
    answer: apiMetrics,
  }),
  getSummary: endpoint({ method: 'GET', path: `${apiBase}/summary`, access: { key: 'read' }, query: apiSummaryQuery, answer: apiSummary }),
  getSeries: endpoint({
    method: 'GET',
    path: `${apiBase}/series`,
    access: { key: 'read' },
    query: apiSeriesQuery,
    isLong: 'days',
    answer: apiSeries,
  }),
  listKeywords: endpoint({
    method: 'GET',
    path: `${apiBase}/keywords`,
    access: { key: 'read' },
    query: apiKeywordsQuery,
    isLong: 'names',
    answer: apiKeywords,
  }),
  listPages: endpoint({
    method: 'GET',
    path: `${apiBase}/pages`,
    access: { key: 'read' },
    query: apiPagesQuery,
    isLong: 'names',
    answer: apiPages,
  }),
  listOpportunities: endpoint({
    method: 'GET',
    path: `${apiBase}/opportunities`,
    access: { key: 'read' },
    query: apiOpportunitiesQuery,
    isLong: 'names',
    answer: apiOpportunities,
  }),
  listSegments: endpoint({ method: 'GET', path: `${apiBase}/segments`, access: { key: 'read' }, query: pageQuery, answer: apiSegments }),
}
