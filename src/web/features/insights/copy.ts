import type { AnalyticsSummary, Segments } from '../../../contract/analytics.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import { formatCount, formatCtr, formatPart } from '../../lib/format.ts'
import { gapWords } from '../../widgets/analytics/coverage/is-compared.ts'
import { daysShown, yearsNeeded } from '../../widgets/analytics/coverage/years-of-periods.ts'
import { type InsightLists, listLimits, type positionBuckets } from './insight-figures.ts'
import { counted } from '../../../core/words.ts'

type Buckets = ReturnType<typeof positionBuckets>

/** Which rows the cards count, given the lists' limits (SPEC §7). */
export function countedAmong({ opportunities, pages }: Pick<InsightLists, 'opportunities' | 'pages'>, isOfSegment: boolean): string {
  const keywords = among(opportunities.length, listLimits.opportunities, 'keyword', 'with a score above 0', 'with the highest scores')
  return `Based on ${keywords} and ${among(pages.length, listLimits.pages, 'page', isOfSegment ? 'in this segment' : 'reported by Google', 'with the most clicks')}.`
}

function among(rows: number, limit: number, noun: string, whenAll: string, whenCut: string): string {
  if (rows === 0) return `no ${noun}s ${whenAll}`
  if (rows >= limit) return `the ${limit} ${noun}s ${whenCut}`
  return rows === 1 ? `the only ${noun} ${whenAll}` : `all ${formatCount(rows)} ${noun}s ${whenAll}`
}

/** How many keywords are at which positions, in a sentence. */
export function distributionSummary(buckets: Buckets): string {
  const parts = buckets.map(({ label, keywords }) => `${formatCount(keywords)} at ${label}`)
  return `Keywords by their average position: ${parts.join(', ')}.`
}

/** The CTR by position, in a sentence. */
export function ctrSummary(buckets: Buckets): string {
  const known = buckets.filter(({ impressions }) => impressions > 0)
  const parts = known.map(({ label, clicks, impressions }) => `${formatCtr(clicks / impressions)} at ${label}`)
  return `CTR by average position: ${parts.join(', ')}.`
}

type Compared = Pick<AnalyticsSummary, 'current' | 'previous' | 'previousFrom' | 'completeThrough'> & { isCompared: boolean }

/** The days shown, what they are compared with, and what is missing from that. */
export function comparedDays(summary: Compared, now: Date): string {
  const missing = missingBefore(summary)
  return missing === null ? daysShown(summary, now) : `${daysShown(summary, now, false)} ${missing}`
}

function missingBefore(summary: Compared): string | null {
  const { previous, previousFrom, isCompared } = summary
  const { years } = yearsNeeded(summary)
  if (previous === null) return null
  if (previousFrom === null) return `No comparison data for ${formatPeriod(previous, years)}.`
  if (previousFrom > previous.start) return `Comparison data starts ${formatDay(previousFrom, years)}.`
  return isCompared ? null : gapWords({ ...summary, previous })
}

/** The shares of all clicks by origin, naming the first three. */
export function clicksSummary(rows: Segments, nameOf: (name: string) => string): string {
  const total = rows.reduce((sum, { clicks }) => sum + clicks, 0)
  if (total === 0) return 'No clicks in this period.'
  const parts = rows.slice(0, 3).map(({ name, clicks }) => `${nameOf(name)} ${formatPart(clicks, total)}`)
  return `Of ${counted(total, 'click')}: ${parts.join(', ')}.`
}
