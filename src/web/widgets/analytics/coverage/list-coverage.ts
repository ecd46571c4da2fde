import { type AnalyticsSummary, type Gaps, mostRowsADay } from '../../../../contract/analytics.ts'
import type { History } from '../../../../contract/history.ts'
import type { Period } from '../../../../contract/metrics.ts'
import { eachDay } from '../../../../core/analytics/days.ts'
import { daysMissing, firstStored, gapsIn } from '../../../../core/analytics/gaps.ts'
import { formatDay, formatPeriod } from '../../../lib/dates.ts'
import { formatCount, formatPart } from '../../../lib/format.ts'
import { daysShown, yearsNeeded } from './years-of-periods.ts'
import { gapWords } from './is-compared.ts'
import { counted, listed } from '../../../../core/words.ts'

export type Listed = 'pages' | 'keywords'

const nouns: Record<Listed, { one: string; many: string }> = {
  pages: { one: 'page', many: 'pages' },
  keywords: { one: 'keyword', many: 'keywords' },
}

/**
 * How much of the total a list explains, in sentences: what it shows, what Google withholds, what it truncated, and up to which date it is
 * complete.
 * @param shown the number of rows on screen, and their clicks
 */
export function listCoverage(summary: AnalyticsSummary, what: Listed, shown: { rows: number; clicks: number }, now: Date): string[] {
  const { current, previous, completeThrough } = summary
  const all = summary[what]
  const { totals } = all
  const { one, many } = nouns[what]
  const part = `${formatCount(shown.rows)} of ${formatCount(all.count)} ${many}`
  const whole = `${shown.rows === 1 ? `the only ${one}` : `all ${formatCount(shown.rows)} ${many}`} Google reports`
  return [
    daysShown({ current, previous: null, completeThrough }, now),
    ...(firstStored(current, all.gaps) === null
      ? []
      : [`Showing ${shown.rows < all.count ? part : whole}${shareOf(totals.clicks, shown.clicks)}.`]),
    ...(what === 'keywords' ? anonymized(totals.clicks, all.clicks) : []),
    ...capped(all.cutOffDays, many, `${many} with the fewest clicks are`),
    ...notStored({ ...all, current, previous, completeThrough }),
  ]
}

/** Says that Google truncated a list, and what is missing as a result; empty if it didn't. */
export const capped = (days: number, list: string, missing: string): string[] =>
  days === 0
    ? []
    : [
        `Google capped its list of ${list} at ${formatCount(mostRowsADay)} rows on ${days === 1 ? 'one day' : `${days} days`}, so ${missing} missing.`,
      ]

/** Same for the list with queries' pages and pages' queries. */
export const cappedPairs = (days: number, missing: string): string[] => capped(days, 'keywords by page', missing)

/** How many days of a period aren't stored. */
export const missingWords = (days: number): string => `${counted(days, 'day')} of this period ${days === 1 ? 'is' : 'are'} missing.`

/** In place of figures over days of which none is stored; with the days that can be, unless these are among them. */
export function notStoredWords({ period, firstDay, completeThrough }: Pick<History, 'period' | 'firstDay' | 'completeThrough'>): string {
  const isOutside = period.end < firstDay || period.start > completeThrough
  const available = isOutside ? ` Data is available for ${formatPeriod({ start: firstDay, end: completeThrough }, true)}.` : ''
  return `These days aren’t stored.${available}`
}

/** The part of a period that isn't stored; comparing with a partial one misleads. */
export function notStored({
  current,
  previous,
  gaps,
  previousGaps,
  completeThrough,
}: Pick<AnalyticsSummary, 'current' | 'previous' | 'completeThrough' | keyof Gaps>): string[] {
  const { isOld, years } = yearsNeeded({ current, previous, completeThrough })
  const [from, before] = [firstStored(current, gaps), previous && firstStored(previous, previousGaps)]
  const said = [
    from === null && `No data is stored for ${formatPeriod(current, isOld)}.`,
    from !== null && from > current.start && `Data starts ${formatDay(from, isOld)}.`,
    previous !== null && before === null && `No comparison data for ${formatPeriod(previous, years)}.`,
    previous !== null && before !== null && before > previous.start && `Comparison data starts ${formatDay(before, years)}.`,
  ].filter((each) => typeof each === 'string')
  if (said.length > 0 || gaps.length + previousGaps.length === 0) return said
  return [previous === null ? missingWords(daysMissing(gaps)) : gapWords({ current, previous, completeThrough })]
}

type Stored = Pick<AnalyticsSummary, 'current' | 'previous' | 'gaps'> & Record<'pages' | 'keywords' | 'pairs', Gaps>

const dataOf = { pages: 'page data', keywords: 'keyword data', pairs: 'keyword data by page' } as const

/**
 * Says that nothing is stored for a period, or, as an import may have, only totals and nothing by page or keyword, and which compared days
 * have more; null if some day of the list is stored.
 */
export function whyNotListed({ current, previous, ...stored }: Stored, what: keyof typeof dataOf): string | null {
  const { gaps, previousGaps } = stored[what]
  if (firstStored(current, gaps) !== null) return null
  if (firstStored(current, stored.gaps) === null) return `No data is stored for ${formatPeriod(current, true)}.`
  const others = previous === null ? [] : gapsIn(previous, new Set(previousGaps.flatMap(({ start, end }) => eachDay(start, end))))
  const known = others.length === 0 ? '' : ` It’s available for ${daysWords(others)}.`
  return `Totals are stored for ${formatPeriod(current, true)}, but ${dataOf[what]} isn’t.${known}`
}

const mostNamed = 3

/** The first runs of days by name, and how many others there are. */
export function daysWords(days: readonly Period[]): string {
  const others = daysMissing(days.slice(mostNamed))
  return listed([...days.slice(0, mostNamed).map((run) => formatPeriod(run, true)), ...(others > 0 ? [counted(others, 'other day')] : [])])
}

const shareOf = (total: number, clicks: number): string =>
  total === 0 ? '' : ` (${formatPart(clicks, total)} of ${counted(total, 'click')})`

function anonymized(total: number, named: number): string[] {
  const hidden = Math.max(0, total - named)
  return total === 0 || hidden === 0 ? [] : [`${formatPart(hidden, total)} of clicks are from anonymized queries.`]
}
