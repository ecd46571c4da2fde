import type { KeywordPages, PageKeywords } from '../../../../contract/keywords.ts'
import { formatCount, formatPart } from '../../../lib/format.ts'
import { cappedPairs } from '../coverage/list-coverage.ts'
import type { Detail } from './detail-link.ts'
import { counted } from '../../../../core/words.ts'

/** The share of impressions from which a page competes for a query, as in the list of competing ones. */
const competingShare = 0.1

/**
 * Which queries a page was shown for, and how much of its clicks they explain. `limit`: number of requested rows; `cutOffDays`: on which
 * Google returned only the first of its rows.
 */
export const explainedByKeywords = (rows: PageKeywords, clicks: number, limit: number, cutOffDays: number): string =>
  [explained(rows, clicks, limit, cutOffDays > 0), ...cappedPairs(cutOffDays, 'some keywords may be')].join(' ')

function explained(rows: PageKeywords, clicks: number, limit: number, isCutOff: boolean): string {
  const [only] = rows
  if (only === undefined) return 'Google reports no keywords for this page on these days.'
  const named = rows.reduce((sum, row) => sum + row.clicks, 0)
  const head = `Showing ${rows.length >= limit ? `the top ${queries(limit)}` : queries(rows.length)}`
  if (clicks === 0) return `${head}. The page had no clicks on these days.`
  const others = isCutOff ? 'anonymized queries or rows that Google cut off' : 'anonymized queries'
  return `${head} (${formatPart(named, clicks)} of the page’s ${counted(clicks, 'click')}).${named < clicks ? ` The rest are from ${others}.` : ''}`
}

const narrowings = { segment: 'segment', where: 'filters' } as const

/** In a panel over a list that is narrowed by these URL parameters: the panel isn't. */
export const wholeWords = (kind: Detail['kind'], by: readonly (keyof typeof narrowings)[]): string =>
  `Metrics for this ${kind} without the ${by.map((each) => narrowings[each]).join(' and ')} applied.`

const queries = (count: number): string => (count === 1 ? '1 keyword' : `${formatCount(count)} keywords`)

/** Whether pages compete for a query, as far as Google returned its rows: not on `cutOffDays`. `limit`: number of requested rows. */
export const competition = (rows: KeywordPages, limit: number, cutOffDays: number): string =>
  [compared(rows, limit), ...cappedPairs(cutOffDays, 'some pages may be')].join(' ')

function compared(rows: KeywordPages, limit: number): string {
  if (rows.length === 0) return 'Google reports no pages for this keyword on these days.'
  if (rows.length === 1) return 'No competing pages: only one page appears for this keyword.'
  const competing = rows.filter(({ share }) => share >= competingShare).length
  const shown = `${formatCount(rows.length)}${rows.length >= limit ? ' or more' : ''} pages appear for this keyword`
  if (competing < 2) return `${shown}, but one gets nearly all the impressions: no competing pages.`
  const of = competing === rows.length ? (competing === 2 ? 'Both' : 'All') : `${formatCount(competing)} of them`
  return `${shown}. ${of} compete: each gets at least 10% of the impressions.`
}

export const nouns: Record<Detail['kind'], { one: string; title: string }> = {
  page: { one: 'page', title: 'Page' },
  keyword: { one: 'keyword', title: 'Keyword' },
}
