import type { Grain } from '../../contract/analytics.ts'
import { hasPosition, type SearchType } from '../../contract/common.ts'
import { type Filter, type FilterField, type Grouping, isBound } from '../../contract/explore/explore.ts'

type Dimension = 'query' | 'page' | Alone
/**
 * Stored only on their own, by date. Google can't combine search appearances with anything; it could combine countries and devices, but we don't
 * store that.
 */
type Alone = 'country' | 'device' | 'search_appearance'

const ofGrouping: Record<Grouping, readonly Dimension[]> = {
  query: ['query'],
  page: ['page'],
  folder: ['page'],
  query_page: ['query', 'page'],
  country: ['country'],
  device: ['device'],
  search_appearance: ['search_appearance'],
  date: [],
}
const ofFilter: Partial<Record<FilterField, Dimension>> = {
  query: 'query',
  brand: 'query',
  page: 'page',
  country: 'country',
  device: 'device',
  search_appearance: 'search_appearance',
}

/** As Search Console calls them. */
export const typeLabels: Record<SearchType, string> = {
  web: 'Web',
  image: 'Image',
  video: 'Video',
  news: 'News',
  discover: 'Discover',
  googleNews: 'Google News',
}

/** Which rows Google has for a search type (docs/google-api.md). */
const lacks = (type: SearchType, dimension: Dimension): boolean =>
  (dimension === 'query' && !hasPosition(type)) ||
  (dimension === 'device' && type === 'discover') ||
  (dimension === 'search_appearance' && type === 'googleNews')

const names: Record<Dimension, string> = {
  query: 'keywords',
  page: 'pages',
  country: 'countries',
  device: 'devices',
  search_appearance: 'search appearances',
}
const inWords = (dimension: Dimension): string => (dimension === 'query' ? 'keyword' : dimension.replace('_', ' '))
const isAlone = (dimension: Dimension): dimension is Alone => dimension !== 'query' && dimension !== 'page'

/** What is wrong with asking for positions. */
export const noPositions = (type: SearchType): string => `${typeLabels[type]} has no position data`

type Asked = { by: Grouping; type: SearchType; where: readonly { field: FilterField }[] }

/** Why filters don't fit where rows with small figures may not be left out; null if they do. */
export function boundProblem(what: string, where: readonly Filter[]): string | null {
  const bound = where.find(({ operator }) => isBound(operator))
  return bound === undefined
    ? null
    : `${what} can’t use a segment that filters by ${bound.field === 'ctr' ? 'CTR' : bound.field}. Choose another segment.`
}

/** Why a report can't be limited to a segment; null if it can. */
export const reportSegmentProblem = (where: readonly Filter[]): string | null => segmentProblem('Reports', where)

/** Why something that lists pages, and keywords where a search type has them, can't be limited to a segment; null if it can. */
export function segmentProblem(what: string, where: readonly Filter[], type: SearchType = 'web'): string | null {
  const found = (['page', 'query'] as const).flatMap((by) => (lacks(type, by) ? [] : [grainOfExploration({ by, type, where })]))
  return boundProblem(what, where) ?? found.flatMap((each) => ('problem' in each ? [each.problem] : []))[0] ?? null
}

/** The stored grain with the requested figures, or why there is none: countries, devices and search appearances are stored for the whole property only. */
export function grainOfExploration({ by, type, where }: Asked): { grain: Grain } | { problem: string } {
  const dimensions = new Set([...ofGrouping[by], ...where.flatMap(({ field }) => ofFilter[field] ?? [])])
  for (const dimension of dimensions)
    if (lacks(type, dimension)) return { problem: `${typeLabels[type]} has no data for ${names[dimension]}` }
  if (!hasPosition(type) && where.some(({ field }) => field === 'position')) return { problem: noPositions(type) }
  const alone = [...dimensions].find(isAlone)
  const other = [...dimensions].find((dimension) => dimension !== alone)
  if (alone !== undefined && other !== undefined)
    return { problem: `Google doesn’t break down ${inWords(alone)} data by ${inWords(other)}` }
  if (alone !== undefined) return { grain: alone }
  if (dimensions.has('query')) return { grain: dimensions.has('page') ? 'query_page' : 'query' }
  return { grain: dimensions.has('page') ? 'page' : 'total' }
}

/** Google's codes for search appearances, as Search Console calls them. It publishes no list; these have been seen (docs/google-api.md). */
const appearances: Readonly<Record<string, string>> = {
  AMP_BLUE_LINK: 'AMP non-rich results',
  AMP_IMAGE_RESULT: 'AMP image results',
  AMP_STORY: 'AMP stories',
  AMP_TOP_STORIES: 'AMP in top stories',
  ANDROID_APP: 'Android app',
  EDU_Q_AND_A: 'Education Q&A',
  EDUCATION_Q_AND_A: 'Education Q&A',
  EVENTS_DETAILS: 'Event details',
  EVENTS_LISTING: 'Event listing',
  FORUMS: 'Discussions and forums',
  JOB_DETAILS: 'Job details',
  JOB_LISTING: 'Job listing',
  LEARNING_VIDEOS: 'Learning videos',
  MATH_SOLVERS: 'Math solvers',
  MERCHANT_LISTINGS: 'Merchant listings',
  NEWS_SHOWCASE: 'News Showcase',
  ORGANIC_SHOPPING: 'Shopping',
  PAGE_EXPERIENCE: 'Good page experience',
  PRACTICE_PROBLEMS: 'Practice problems',
  PRODUCT_SNIPPETS: 'Product snippets',
  RECIPE_FEATURE: 'Recipe gallery',
  RECIPE_RICH_SNIPPET: 'Recipe rich results',
  REVIEW_SNIPPET: 'Review snippets',
  SPECIAL_ANNOUNCEMENT: 'Special announcements',
  SUBSCRIBED_CONTENT: 'Subscribed content',
  TPF_FAQ: 'FAQ rich results',
  TPF_HOWTO: 'How-to rich results',
  TPF_QA: 'Q&A rich results',
  TRANSLATED_RESULT: 'Translated results',
  VIDEO: 'Videos',
  WEBLITE: 'Web Light results',
}

export const knownAppearances: readonly string[] = Object.keys(appearances)

/** Unknown ones keep Google's code. */
export const appearanceName = (code: string): string => appearances[code] ?? code
