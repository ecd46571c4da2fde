import { changeColor, changeDirection, type ChangeColor, type ColorBy, type Direction } from '../../../core/analytics/change-color.ts'
import { formatChange } from '../format.ts'
import type { MetricName } from '../metric.ts'

export { changeOf } from '../../../core/analytics/shown-change.ts'

/** A change, worded for tables. */
export type ChangeWords = {
  /** `80.0%`, `3.2 positions`; the arrow and the word give the direction. */
  text: string
  word: string
  /** The arrow's: down is a drop, even for a position, whose number grows. */
  direction: Direction
  color: ChangeColor
}

const words: Record<Direction, string> = { up: 'Up', down: 'Down', level: 'Unchanged,' }
const positionWords: Record<Direction, string> = { up: 'Dropped', down: 'Improved', level: 'Unchanged,' }
const opposite: Record<Direction, Direction> = { up: 'down', down: 'up', level: 'level' }

/**
 * @param change percent, or places for positions; positive if the figure rose
 * @param placesNamed false if the text around it says that these are places
 */
export function describeChange(metric: MetricName, change: number, by: ColorBy, placesNamed = true): ChangeWords {
  const raw = changeDirection(change)
  const color = changeColor(metric, raw, by)
  if (metric !== 'position') return { text: formatChange(change), word: words[raw], direction: raw, color }
  const size = Math.abs(change).toFixed(1)
  return { text: placesNamed ? `${size} positions` : size, word: positionWords[raw], direction: opposite[raw], color }
}
