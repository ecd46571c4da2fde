import { type AnalyticsSummary, mostRowsADay } from '../../../contract/analytics.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'
import { gapWords, isCompared } from './is-compared.ts'

export type Listed = 'pages' | 'keywords'

const nouns: Record<Listed, { one: string; many: string }> = {
  pages: { one: 'page', many: 'pages' },
  keywords: { one: 'keyword', many: 'keywords' },
}

const percent = (part: number, of: number): string => `${Math.min(100, Math.round((part / of) * 100))}%`

/**
 * How much of the total a list explains, in sentences: what is shown of what there is, what Google keeps to itself, what
 * it cut off, and through which date it is complete.
 * @param shown the rows on screen: how many, and their clicks
 */
export function listCoverage(summary: AnalyticsSummary, what: Listed, shown: { rows: number; clicks: number }): string[] {
  const { totals, current, completeThrough } = summary
  const all = summary[what]
  const { one, many } = nouns[what]
  const part = `${formatCount(shown.rows)} of ${formatCount(all.count)} ${many}`
  const whole = `${shown.rows === 1 ? `the only ${one}` : `all ${formatCount(shown.rows)} ${many}`} Google reports`
  return [
    `${formatPeriod(current)}, complete through ${formatDay(completeThrough)}.`,
    `Showing ${shown.rows < all.count ? part : whole}${shareOf(totals.clicks, shown.clicks)}.`,
    ...(what === 'keywords' ? anonymized(totals.clicks, all.clicks) : []),
    ...capped(all.cutOffDays, many, `the smallest ${many} are`),
    ...storedFrom({ ...summary, isCompared: isCompared(summary, what === 'pages' ? 'page' : 'query') }),
  ]
}

/** That Google cut a list off, and what is missing for it; nothing where it did not. */
export const capped = (days: number, list: string, missing: string): string[] =>
  days === 0
    ? []
    : [
        `Google capped its list of ${list} at ${formatCount(mostRowsADay)} rows on ${days === 1 ? 'one day' : `${days} days`}, so ${missing} missing.`,
      ]

/** The same of the list that has the pages of queries, and the queries of pages. */
export const cappedPairs = (days: number, missing: string): string[] => capped(days, 'queries by page', missing)

type Stored = Pick<AnalyticsSummary, 'current' | 'previous' | 'currentFrom' | 'previousFrom'> & { isCompared: boolean }

/** What is not stored of a period; a comparison with a part of one misleads. */
export function storedFrom({ current, previous, currentFrom, previousFrom, ...of }: Stored): string[] {
  const fromTheFirst = previous !== null && previousFrom === previous.start && currentFrom === current.start
  return [
    ...(currentFrom !== null && currentFrom > current.start ? [`Data starts ${formatDay(currentFrom)}.`] : []),
    ...(previous !== null && previousFrom === null ? [`No comparison data for ${formatPeriod(previous)}.`] : []),
    ...(previous !== null && previousFrom !== null && previousFrom > previous.start
      ? [`Comparison data starts ${formatDay(previousFrom)}.`]
      : []),
    ...(fromTheFirst && !of.isCompared ? [gapWords(current, previous)] : []),
  ]
}

const shareOf = (total: number, clicks: number): string =>
  total === 0 ? '' : ` (${percent(clicks, total)} of ${formatCount(total)} clicks)`

function anonymized(total: number, named: number): string[] {
  const hidden = Math.max(0, total - named)
  return total === 0 || hidden === 0 ? [] : [`${percent(hidden, total)} of clicks are from anonymized queries.`]
}
