import type { MetricName } from './metric.ts'

export type ChangeColour = 'red' | 'green' | 'grey'
export type Direction = 'up' | 'down' | 'level'
/** What gives a change its colour: the figure itself (SPEC §4), or whether it is an improvement (OPEN-POINTS 15). */
export type ColourBy = 'figure' | 'outcome'

/** What a change is coloured, by the direction of the figure itself. The one place that says so. */
const colours: Record<ColourBy, Record<MetricName, Record<Direction, ChangeColour>>> = {
  figure: {
    clicks: { up: 'red', down: 'green', level: 'grey' },
    position: { up: 'red', down: 'green', level: 'grey' },
    impressions: { up: 'green', down: 'red', level: 'grey' },
    ctr: { up: 'green', down: 'red', level: 'grey' },
  },
  outcome: {
    clicks: { up: 'green', down: 'red', level: 'grey' },
    // A larger number is further down the results.
    position: { up: 'red', down: 'green', level: 'grey' },
    impressions: { up: 'green', down: 'red', level: 'grey' },
    ctr: { up: 'green', down: 'red', level: 'grey' },
  },
}

/** `by`: what the person chose, from `useColourBy` of colour-by.ts. */
export function changeColour(metric: MetricName, direction: Direction, by: ColourBy): ChangeColour {
  return colours[by][metric][direction]
}

/** `percent` counts as level when it would be shown as 0.0%. */
export function changeDirection(percent: number): Direction {
  const shown = Math.round(percent * 10)
  if (shown === 0) return 'level'
  return shown > 0 ? 'up' : 'down'
}
