export type PagePerformance = 'Excellent' | 'Good' | 'Average' | 'Needs Work'

/** From how many clicks in a hundred impressions on a page is called so (SPEC §4). */
const levels: readonly { from: number; performance: PagePerformance }[] = [
  { from: 5, performance: 'Excellent' },
  { from: 2, performance: 'Good' },
  { from: 1, performance: 'Average' },
]

/** How a page performs, by clicks over impressions as they are, not by a rounded CTR; without impressions as by 0 per cent. */
export function pagePerformance(clicks: number, impressions: number): PagePerformance {
  if (impressions === 0) return 'Needs Work'
  return levels.find(({ from }) => clicks * 100 >= from * impressions)?.performance ?? 'Needs Work'
}
