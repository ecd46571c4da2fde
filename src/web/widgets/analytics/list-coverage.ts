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
  return [
    `${formatPeriod(current)}, complete through ${formatDay(completeThrough)}.`,
    shown.rows < all.count
      ? `Shown ${shown.rows === 1 ? 'is' : 'are'} ${formatCount(shown.rows)} of ${formatCount(all.count)} ${many}.`
      : `Shown ${shown.rows === 1 ? `is the one ${one}` : `are all ${formatCount(shown.rows)} ${many}`} that Google names.`,
    ...explained(totals.clicks, all, shown, what),
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
    ...(currentFrom !== null && currentFrom > current.start ? [`Figures are stored from ${formatDay(currentFrom)} on.`] : []),
    ...(previous !== null && previousFrom === null ? [`Of ${formatPeriod(previous)}, to compare with, none are stored.`] : []),
    ...(previous !== null && previousFrom !== null && previousFrom > previous.start
      ? [`Of ${formatPeriod(previous)}, to compare with, only those from ${formatDay(previousFrom)} on are stored.`]
      : []),
    ...(fromTheFirst && !of.isCompared ? [gapWords(current, previous)] : []),
  ]
}

function explained(total: number, all: AnalyticsSummary[Listed], shown: { clicks: number }, what: Listed): string[] {
  if (total === 0) return []
  const ofTotal = `They explain ${percent(shown.clicks, total)} of all ${formatCount(total)} clicks.`
  if (what === 'pages') return [ofTotal]
  const hidden = Math.max(0, total - all.clicks)
  return hidden === 0 ? [ofTotal] : [ofTotal, `${percent(hidden, total)} came by queries that Google does not name.`]
}
