/** The change of a figure as it is shown: per cent, or places for positions; null where there is nothing to count it from (SPEC §9). */
export function changeOf(metric: 'clicks' | 'impressions' | 'ctr' | 'position', now: number, before: number): number | null {
  // No real position is 0.
  if (before === 0 || (metric === 'position' && now === 0)) return null
  // Positions as they are shown, or the same figure twice could stand beside a change.
  return metric === 'position' ? shown(now) - shown(before) : ((now - before) / before) * 100
}

const shown = (position: number): number => Number(position.toFixed(1))
