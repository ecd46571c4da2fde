import { formatCount, formatCtr } from '../../lib/format.ts'
import { listLimits, type InsightLists, type positionBuckets } from './insight-figures.ts'

type Buckets = ReturnType<typeof positionBuckets>

/** Which rows the cards count, as the lists end somewhere (SPEC §7). */
export function countedAmong({ opportunities, pages }: Pick<InsightLists, 'opportunities' | 'pages'>): string {
  const keywords = among(opportunities.length, listLimits.opportunities, 'keyword', 'with a score above 0', 'with the highest scores')
  return `Based on ${keywords} and ${among(pages.length, listLimits.pages, 'page', 'Google reports', 'with the most clicks')}.`
}

function among(rows: number, limit: number, noun: string, whenAll: string, whenCut: string): string {
  if (rows === 0) return `no ${noun}s ${whenAll}`
  if (rows >= limit) return `the ${limit} ${noun}s ${whenCut}`
  return rows === 1 ? `the only ${noun} ${whenAll}` : `all ${formatCount(rows)} ${noun}s ${whenAll}`
}

/** How many keywords stand where, in a sentence. */
export function distributionSummary(buckets: Buckets): string {
  const parts = buckets.map(({ label, keywords }) => `${formatCount(keywords)} in ${label}`)
  return `Keywords by their average position: ${parts.join(', ')}.`
}

/** Which CTR goes with which positions, in a sentence. */
export function ctrSummary(buckets: Buckets): string {
  const known = buckets.filter(({ impressions }) => impressions > 0)
  const parts = known.map(({ label, clicks, impressions }) => `${formatCtr(clicks / impressions)} in ${label}`)
  return `CTR by average position: ${parts.join(', ')}.`
}
