import { z } from 'zod'
import { inAll, orElse, rowsOf } from './common.ts'
import { analyticsQuery, changeSorts, listLimit, listOffset, numberFrom, searchText, sortOrder } from './analytics.ts'
import { comparedFigures, figures } from './figures.ts'
import { segmentId } from './common.ts'
import { signedIn } from './endpoint.ts'

const position = numberFrom(1, 1_000, 'Position must be a number from 1 to 1,000').optional()

/** Which keywords, besides the period; the same for lists and files. */
export const keywordsFilter = analyticsQuery.extend({
  segment: segmentId,
  search: searchText,
  /** Bounds of the mean position, inclusive. */
  positionMin: position,
  positionMax: position,
  brand: z.enum(['all', 'brand', 'non-brand']).default('all'),
})

/**
 * A keyword (SPEC §3): the query's own figures, not sums over its pages (docs/google-api.md). `page` is the one with the most clicks, else
 * the most impressions; empty if Google named none. `pages`: how many were shown for it.
 */
export const keyword = comparedFigures.extend({
  query: z.string(),
  page: orElse(z.string(), ''),
  pages: orElse(z.number(), 1),
  brand: orElse(z.boolean(), false),
  /** Estimated extra clicks a week if the keyword rose to position 3 (docs/opportunity-score.md); 0 if there is nothing to gain. */
  opportunityScore: orElse(z.number(), 0),
})
export type Keyword = z.infer<typeof keyword>

/**
 * `current`: shown in the period. `new`: shown in it but not in the compared one; `lost`: the other way around, with its own figures all 0,
 * sorted by its earlier ones. Nothing is new or lost without a comparison, or if some of the days on which it wasn't shown aren't stored: a
 * keyword may have been shown on those.
 */
export const presence = z.enum(['current', 'new', 'lost'])
export type Presence = z.infer<typeof presence>

export const keywordSort = z.enum(['clicks', 'impressions', 'ctr', 'position', 'query', 'opportunityScore'])
const keywordListSort = z.enum([...keywordSort.options, ...changeSorts])
export type KeywordListSort = z.infer<typeof keywordListSort>

/** All matching rows. Without `order`: best first (position 1, letter A, else the largest). */
export const keywordsFileQuery = keywordsFilter.extend({
  presence: presence.default('current'),
  sort: keywordListSort.default('clicks'),
  order: sortOrder.optional(),
})
export type KeywordsFileQuery = z.infer<typeof keywordsFileQuery>

export const keywordsQuery = keywordsFileQuery.extend({ limit: listLimit(200), offset: listOffset })
export const keywords = z.array(keyword.extend(inAll))

/** A keyword with room to improve. */
export const opportunity = keyword.extend({ opportunityScore: z.number().positive() })
export type Opportunity = z.infer<typeof opportunity>

/** Keywords with a score of 0 aren't opportunities, so no list includes them. */
export const opportunitiesFileQuery = keywordsFilter.extend({
  sort: keywordListSort.default('opportunityScore'),
  order: sortOrder.optional(),
  scoreMin: numberFrom(0, 1e9, 'scoreMin must be 0 or more').optional(),
})
export type OpportunitiesFileQuery = z.infer<typeof opportunitiesFileQuery>

export const opportunitiesQuery = opportunitiesFileQuery.extend({ limit: listLimit(100), offset: listOffset })
export const opportunities = z.array(opportunity.extend(inAll))

/** One page of a keyword, or one keyword of a page; `share` is its fraction of all their impressions. */
const pairFigures = comparedFigures.extend({ share: z.number() })

/** The pages shown for a query, most clicks first (a page's own figures, which are counted differently than the query's). */
export const pagesOfQuery = analyticsQuery.extend({ query: z.string().min(1).max(4096), limit: listLimit(50) })
export const keywordPages = z.array(pairFigures.extend({ page: z.string() }))
export type KeywordPages = z.infer<typeof keywordPages>

/** The queries a page was shown for, most clicks first. */
export const keywordsOfPage = analyticsQuery.extend({ page: z.string().min(1).max(4096), limit: listLimit(50) })
export const pageKeywords = z.array(pairFigures.extend({ query: z.string() }))
export type PageKeywords = z.infer<typeof pageKeywords>

const competingSort = z.enum(['atStake', 'clicks', 'impressions', 'ctr', 'position', 'query', ...changeSorts])

/** Queries whose impressions are split among several pages; by default, those with the most impressions at stake first. */
export const competingFileQuery = keywordsFilter.extend({ sort: competingSort.default('atStake'), order: sortOrder.optional() })
export type CompetingFileQuery = z.infer<typeof competingFileQuery>
export const competingQuery = competingFileQuery.extend({ limit: listLimit(100), offset: listOffset })
export const competingKeyword = comparedFigures.extend({
  query: z.string(),
  brand: z.boolean(),
  /** Impressions of all its pages but the one with the most. */
  atStake: orElse(z.number(), 0),
  /** Two or more, each with at least a tenth of the impressions; most impressions first, at most 5. */
  pages: z.array(figures.extend({ page: z.string(), share: z.number() })),
})
export type CompetingKeyword = z.infer<typeof competingKeyword>
export const competingKeywords = z.array(competingKeyword)

const path = '/api/keywords'
/** Keywords (SPEC §7), with a file for each list. */
export const keywordEndpoints = {
  list: signedIn.get(path, { query: keywordsQuery, isLong: 'names', answer: rowsOf(keywords) }),
  file: signedIn.get(`${path}/export.csv`, { answer: 'file', query: keywordsFileQuery }),
  opportunities: signedIn.get(`${path}/opportunities`, { query: opportunitiesQuery, isLong: 'names', answer: rowsOf(opportunities) }),
  opportunitiesFile: signedIn.get(`${path}/opportunities/export.csv`, { answer: 'file', query: opportunitiesFileQuery }),
  pagesOf: signedIn.get(`${path}/pages`, { query: pagesOfQuery, isLong: 'names', answer: rowsOf(keywordPages) }),
  competing: signedIn.get(`${path}/competing`, { query: competingQuery, isLong: 'names', answer: rowsOf(competingKeywords) }),
  competingFile: signedIn.get(`${path}/competing/export.csv`, { answer: 'file', query: competingFileQuery }),
}
