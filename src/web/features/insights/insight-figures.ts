import type { Keyword, Opportunity } from '../../../contract/keywords.ts'
import type { Page } from '../../../contract/pages.ts'
import { needsOptimization, performsWell } from '../../../core/analytics/page-groups.ts'

/** Minimum score of a high-impact keyword (SPEC §9). */
export const highImpactScore = 15

/** Rows requested by the screen (SPEC §7). */
export const listLimits = { opportunities: 20, keywords: 200, pages: 50 } as const

export type InsightLists = { opportunities: readonly Opportunity[]; keywords: readonly Keyword[]; pages: readonly Page[] }

const numbersOf = ({ impressions, ctr }: Page) => ({ impressions, ctr: Number(ctr) })

/** Many impressions, few clicks: most impressions first. */
export const lowCtr = (pages: readonly Page[]): Page[] =>
  pages.filter((page) => needsOptimization(numbersOf(page))).toSorted((a, b) => b.impressions - a.impressions)

/** Those with the most to gain first. */
export const highImpact = (opportunities: readonly Opportunity[]): Opportunity[] =>
  opportunities
    .filter(({ opportunityScore }) => opportunityScore >= highImpactScore)
    .toSorted((a, b) => b.opportunityScore - a.opportunityScore)

/** The figures of the four cards (SPEC §2). */
export function insightFigures({ opportunities, pages }: Pick<InsightLists, 'opportunities' | 'pages'>) {
  return {
    opportunities: highImpact(opportunities).length,
    needingOptimization: lowCtr(pages).length,
    highPerforming: pages.filter((page) => performsWell(numbersOf(page))).length,
    potentialImpact: sumOf(opportunities),
  }
}

/** With one decimal; '0' if there is none (SPEC §2). */
export const averageScore = (opportunities: readonly Opportunity[]): string =>
  opportunities.length === 0 ? '0' : (sumOf(opportunities) / opportunities.length).toFixed(1)

const sumOf = (opportunities: readonly Opportunity[]): number =>
  opportunities.reduce((sum, { opportunityScore }) => sum + opportunityScore, 0)

/** Buckets of 'Position Distribution' (SPEC §2) by the last position in them. */
const buckets = [
  { label: '1-3', last: 3 },
  { label: '4-10', last: 10 },
  { label: '11-20', last: 20 },
  { label: '21+', last: Infinity },
] as const

type Bucket = { label: (typeof buckets)[number]['label']; keywords: number; clicks: number; impressions: number }

/** Keywords by their mean position; leaves out those without one. */
export function positionBuckets(keywords: readonly Keyword[]): Bucket[] {
  return buckets.map(({ label, last }, index) => {
    const before = buckets[index - 1]?.last ?? 0
    const within = keywords.filter(({ position }) => position > before && position <= last)
    return {
      label,
      keywords: within.length,
      clicks: within.reduce((sum, { clicks }) => sum + clicks, 0),
      impressions: within.reduce((sum, { impressions }) => sum + impressions, 0),
    }
  })
}
