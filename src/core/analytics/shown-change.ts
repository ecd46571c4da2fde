/** A figure's change as displayed: in percent, or places for positions; null without a base (SPEC §9). */
export function changeOf(metric: 'clicks' | 'impressions' | 'ctr' | 'position', now: number, before: number): number | null {
  // No real position is 0.
  if (before === 0 || (metric === 'position' && now === 0)) return null
  // Uses displayed positions; otherwise two equal figures could have a change between them.
  return metric === 'position' ? shown(now) - shown(before) : ((now - before) / before) * 100
}

const shown = (position: number): number => Number(position.toFixed(1))
