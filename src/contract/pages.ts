import { z } from 'zod'
import { analyticsQuery, changeSorts, clicksTrend, listLimit, listOffset, numberFrom, searchText, sortOrder } from './analytics.ts'
import { counts } from './figures.ts'
import { segmentId } from './common.ts'
import { inAll, orElse, propertyQuery, rowsOf } from './common.ts'
import { keywordsOfPage, pageKeywords } from './keywords.ts'
import { period } from './metrics.ts'
import { signedIn } from './endpoint.ts'

const percent = numberFrom(0, 100, 'CTR must be a percentage from 0 to 100')

/** A number as text: `"3.45"`. */
const numeric = z.string().regex(/^\d+(\.\d+)?$/)

/** `ctr` is percent with 2 decimals, `position` with 1; both as text (SPEC §3), "0.00" and "0.0" if there is none. */
const pageFigures = counts.extend({ ctr: numeric, position: numeric })

/** A page (SPEC §3), with the page grain's own figures. `previous` is null if it wasn't shown or nothing is compared. */
export const page = pageFigures.extend({
  page: z.string(),
  previous: orElse(pageFigures.nullable(), null),
  /** If requested: the clicks of equally long parts of these days, oldest first; null for a part that isn't completely stored. */
  trend: z.object({ days: period, clicks: z.array(z.number().nullable()) }).optional(),
})
export type Page = z.infer<typeof page>

export const pageSort = z.enum(['clicks', 'impressions', 'ctr', 'position', 'page'])
const pageListSort = z.enum([...pageSort.options, ...changeSorts])
export type PageListSort = z.infer<typeof pageListSort>

/** All matching rows. */
export const pagesFileQuery = analyticsQuery.extend({
  segment: segmentId,
  search: searchText,
  sort: pageListSort.default('clicks'),
  order: sortOrder.default('desc'),
  /** More impressions than this. */
  impressionsAbove: numberFrom(0, 1e12, 'impressionsAbove must be 0 or more').optional(),
  /** CTR in percent: below this; at least this. */
  ctrBelow: percent.optional(),
  ctrAtLeast: percent.optional(),
})
export type PagesFileQuery = z.infer<typeof pagesFileQuery>

export const pagesQuery = pagesFileQuery.extend({
  limit: listLimit(100),
  offset: listOffset,
  /** Adds the clicks over time to the first rows of one property. */
  trend: clicksTrend,
})
export const pages = z.array(page.extend(inAll))

/** Pages whose clicks fell from period to period three times in a row, largest losses first. */
export const decayFileQuery = propertyQuery.extend({
  days: analyticsQuery.shape.days,
  range: analyticsQuery.shape.range,
  segment: segmentId,
  search: searchText,
})
export const decayQuery = decayFileQuery.extend({ limit: listLimit(100), offset: listOffset })
export const decay = z.object({
  /** Four periods of the same length, oldest first. */
  periods: z.array(period).length(4),
  /** Whether all of their days are stored; otherwise nothing can be said to have fallen three times. */
  complete: z.boolean(),
  pages: z.array(z.object({ page: z.string(), clicks: z.array(z.number()).length(4), impressions: z.array(z.number()).length(4) })),
})
export type Decay = z.infer<typeof decay>

const path = '/api/pages'
/** Pages (SPEC §7), with a file for each list. */
export const pageEndpoints = {
  list: signedIn.get(path, { query: pagesQuery, isLong: 'names', answer: rowsOf(pages) }),
  file: signedIn.get(`${path}/export.csv`, { answer: 'file', query: pagesFileQuery }),
  keywordsOf: signedIn.get(`${path}/keywords`, { query: keywordsOfPage, isLong: 'names', answer: rowsOf(pageKeywords) }),
  decay: signedIn.get(`${path}/decay`, { query: decayQuery, isLong: 'names', answer: decay.nullable() }),
  decayFile: signedIn.get(`${path}/decay/export.csv`, { answer: 'file', query: decayFileQuery }),
}
