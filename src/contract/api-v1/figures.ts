import { z } from 'zod'
import { analyticsDays, analyticsQuery, analyticsSummary, comparedFigures, dailyFileQuery, daysQuery } from '../analytics.ts'
import { anomalyMetric } from '../annotations.ts'
import { isoDate } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { keyword, keywordsFileQuery, opportunitiesFileQuery, opportunity } from '../keywords.ts'
import { metrics, period } from '../metrics.ts'
import { pagesFileQuery } from '../pages.ts'
import { apiBase, ofProperty, pageQuery, partOf } from './common.ts'

/**
 * What figures are of: `completeThrough` is the last day that Google declared complete; null while no such day is stored.
 * `notComparable`: the metrics that Google counted differently in the two periods, so that their change says nothing about the property.
 */
const figuresOf = z.object({ property: z.string(), completeThrough: isoDate.nullable(), notComparable: z.array(anomalyMetric) })

/** `data` is null while no complete day is stored. */
export const apiMetrics = figuresOf.extend({ data: metrics.nullable() })

export const apiSummaryQuery = analyticsQuery.extend(ofProperty.shape)
export const apiSummary = figuresOf.extend({ data: analyticsSummary.nullable() })

export const apiSeriesQuery = daysQuery.extend(ofProperty.shape)
export const apiSeries = figuresOf.extend({ data: analyticsDays.nullable() })

/** The dates that a list is of: of the period, and of the one it is compared with; null where nothing is compared, or not all of it is stored. */
const listed = figuresOf.extend({ current: period.nullable(), previous: period.nullable() })

export const apiKeywordsQuery = keywordsFileQuery.extend(ofProperty.shape).extend(pageQuery.shape)
export const apiKeywords = listed.extend(partOf(keyword).shape)

export const apiOpportunitiesQuery = opportunitiesFileQuery.extend(ofProperty.shape).extend(pageQuery.shape)
export const apiOpportunities = listed.extend(partOf(opportunity).shape)

/** Figures as those of keywords, CTR as a fraction. `ctrBelow` and `ctrAtLeast` are per cent. */
export const apiPagesQuery = pagesFileQuery.extend(ofProperty.shape).extend(pageQuery.shape)
export const apiPages = listed.extend(partOf(comparedFigures.extend({ page: z.string() })).shape)

/** CSV, all rows that match. */
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
  getMetrics: endpoint({ method: 'GET', path: `${apiBase}/metrics`, access: { key: 'read' }, query: ofProperty, answer: apiMetrics }),
  getSummary: endpoint({ method: 'GET', path: `${apiBase}/summary`, access: { key: 'read' }, query: apiSummaryQuery, answer: apiSummary }),
  getSeries: endpoint({ method: 'GET', path: `${apiBase}/series`, access: { key: 'read' }, query: apiSeriesQuery, answer: apiSeries }),
  listKeywords: endpoint({
    method: 'GET',
    path: `${apiBase}/keywords`,
    access: { key: 'read' },
    query: apiKeywordsQuery,
    answer: apiKeywords,
  }),
  listPages: endpoint({ method: 'GET', path: `${apiBase}/pages`, access: { key: 'read' }, query: apiPagesQuery, answer: apiPages }),
  listOpportunities: endpoint({
    method: 'GET',
    path: `${apiBase}/opportunities`,
    access: { key: 'read' },
    query: apiOpportunitiesQuery,
    answer: apiOpportunities,
  }),
}
