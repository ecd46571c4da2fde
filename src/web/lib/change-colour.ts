import type { MetricName } from './metric.ts'

export type ChangeColour = 'red' | 'green' | 'grey'
export type Direction = 'up' | 'down' | 'level'

/** What a change is coloured, by the direction of the figure itself. The one place that says so. */
const colours: Record<MetricName, Record<Direction, ChangeColour>> = {
  clicks: { up: 'red', down: 'green', level: 'grey' },
  position: { up: 'red', down: 'green', level: 'grey' },
  impressions: { up: 'green', down: 'red', level: 'grey' },
  ctr: { up: 'green', down: 'red', level: 'grey' },
}

export function changeColour(metric: MetricName, direction: Direction): ChangeColour {
  return colours[metric][direction]
}

/** `percent` counts as level when it would be shown as 0.0%. */
export function changeDirection(percent: number): Direction {
  const shown = Math.round(percent * 10)
  if (shown === 0) return 'level'
  return shown > 0 ? 'up' : 'down'
}
