export type PagePerformance = 'Excellent' | 'Good' | 'Average' | 'Needs Work'

/** Minimum CTR in percent for each label (SPEC §4). */
const levels: readonly { from: number; performance: PagePerformance }[] = [
  { from: 5, performance: 'Excellent' },
  { from: 2, performance: 'Good' },
  { from: 1, performance: 'Average' },
]

/** A page's performance by its exact clicks over impressions, not by a rounded CTR; without impressions it counts as 0%. */
export function pagePerformance(clicks: number, impressions: number): PagePerformance {
  if (impressions === 0) return 'Needs Work'
  return levels.find(({ from }) => clicks * 100 >= from * impressions)?.performance ?? 'Needs Work'
}
