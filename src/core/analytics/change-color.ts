import type { ConditionType as Metric } from '../../contract/alerts/conditions.ts'

export type ChangeColor = 'red' | 'green' | 'gray'
export type Direction = 'up' | 'down' | 'level'
/** What a change's color expresses: whether things got better (OPEN-POINTS 15), or the figure itself ("Colors as specified", SPEC §4). */
export type ColorBy = 'outcome' | 'figure'

/** The color of a rise; a fall has the other one. The only place that defines it, for screens, reports and PDFs. */
const rises: Record<ColorBy, Record<Metric, 'red' | 'green'>> = {
  // A larger position means further down the results.
  outcome: { clicks: 'green', impressions: 'green', ctr: 'green', position: 'red' },
  figure: { clicks: 'red', impressions: 'green', ctr: 'green', position: 'red' },
}

/** `direction` is that of the figure itself. `by` is the person's choice (web/lib/color-by.ts); what others read uses the outcome. */
export function changeColor(metric: Metric, direction: Direction, by: ColorBy = 'outcome'): ChangeColor {
  if (direction === 'level') return 'gray'
  const rise = rises[by][metric]
  if (direction === 'up') return rise
  return rise === 'green' ? 'red' : 'green'
}

/** `change` in percent or places; level if it displays as 0.0. */
export function changeDirection(change: number): Direction {
  const shown = Math.round(change * 10)
  if (shown === 0) return 'level'
  return shown > 0 ? 'up' : 'down'
}
