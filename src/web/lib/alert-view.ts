import type { Alert } from '../../contract/alerts.ts'
import { changeColour, changeDirection, type ChangeColour, type Direction } from './change-colour.ts'
import { daysBetween, formatPeriod } from './dates.ts'
import { formatChange, formatMetric } from './format.ts'
import { metricLabels, type MetricName } from './metric.ts'

export type AlertChange = {
  /** `80.0%`, `3.2 positions`; the arrow and the word say which way. */
  text: string
  word: string
  /** Of the arrow: down is a drop, also of a position, whose number grows with it. */
  direction: Direction
  colour: ChangeColour
  /** `vs last week`, or the days; null when they are not told. */
  base: string | null
}

/** How much it changed; null unless both figures are there and the first is not 0 (SPEC §9). */
export function alertChange(alert: Alert): AlertChange | null {
  const { type, change, currentValue, previousValue } = alert
  if (change === null || currentValue === null || previousValue === null || previousValue === 0) return null
  const raw = changeDirection(change)
  const shown = { colour: changeColour(type, raw), base: baseOf(alert) }
  if (type !== 'position') return { text: formatChange(change), word: words[raw], direction: raw, ...shown }
  const size = Math.abs(change).toFixed(1)
  return { text: `${size} positions`, word: positionWords[raw], direction: opposite[raw], ...shown }
}

const words: Record<Direction, string> = { up: 'Up', down: 'Down', level: 'Unchanged,' }
const positionWords: Record<Direction, string> = { up: 'Dropped', down: 'Improved', level: 'Unchanged,' }
const opposite: Record<Direction, Direction> = { up: 'down', down: 'up', level: 'level' }

function baseOf({ current, previous }: Alert): string | null {
  if (current === null || previous === null) return null
  if (daysBetween(previous.start, current.start) === 7) return 'vs last week'
  // Longer periods are compared by their weekly share.
  const share = daysBetween(previous.start, previous.end) > daysBetween(current.start, current.end) ? 'an average week of ' : ''
  return `vs ${share}${formatPeriod(previous, previous.start.slice(0, 4) !== current.end.slice(0, 4))}`
}

/** `Clicks 1.2K → 140`; null for an alert that is not about figures. */
export function alertFigures({ type, currentValue, previousValue }: Alert): string | null {
  if (currentValue === null && previousValue === null) return null
  const current = figure(type, currentValue)
  return `${metricLabels[type]} ${previousValue === null ? current : `${figure(type, previousValue)} → ${current}`}`
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Clicks and impressions in thousands (SPEC §9). */
function figure(metric: MetricName, value: number | null): string {
  if (value === null) return '–'
  if (metric === 'ctr' || metric === 'position') return formatMetric(metric, value)
  return Math.abs(value) < 1_000 ? formatMetric(metric, value) : compact.format(value)
}

export const searchConsoleAddress = (target: string): string =>
  `https://search.google.com/search-console?resource_id=${encodeURIComponent(target)}`
