import type { IsoDate } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import type { PeriodicReport, ReportKind } from '../../../contract/reports/periodic.ts'
import { daysOf, figure } from '../../../core/alerting/copy.ts'
import { endingWords } from '../../../core/alerting/ending.ts'
import { changeColor, type ChangeColor, changeDirection, type Direction } from '../../../core/analytics/change-color.ts'
import { changeOf } from '../../../core/analytics/shown-change.ts'

// Same words and formats as on the screens.

export const metrics = ['clicks', 'impressions', 'ctr', 'position'] as const
export type Metric = (typeof metrics)[number]

const monthTitle = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `October 2026`, or `9–15 Nov 2026`. */
export const periodTitle = (kind: ReportKind, period: Period): string =>
  kind === 'month' ? monthTitle.format(new Date(`${period.start}T00:00:00Z`)) : daysOf(period, true)

export const days = (period: Period): string => daysOf(period, true)

/** `9 Nov 2025`, `9 Nov` */
export const day = (date: IsoDate, year = true): string => {
  const text = daysOf({ start: date, end: date }, year)
  return text.slice(text.indexOf('–') + 1)
}

/** No real position is 0, so 0 means unknown. */
export const shown = (metric: Metric, value: number): string => (metric === 'position' && value === 0 ? '–' : figure(metric, value))

export const count = (value: number): string => figure('clicks', value)

const oneDigit = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

export type Change = { text: string; direction: Direction; color: ChangeColor }

const opposite: Record<Direction, Direction> = { up: 'down', down: 'up', level: 'level' }

/** A figure's change; the arrow points up for better or more. Null without a base. */
export function changed(metric: Metric, now: number, before: number): Change | null {
  const change = changeOf(metric, now, before)
  if (change === null) return null
  const size = oneDigit.format(Math.abs(change))
  const text = metric === 'position' ? size : `${size}%`
  const of = changeDirection(change)
  return { text, direction: metric === 'position' ? opposite[of] : of, color: changeColor(metric, of) }
}

type Alert = NonNullable<PeriodicReport['advanced']>['alerts'][number]

/** An alert's outcome. Days in UTC, so that every reader sees the same. */
export function outcome({ state, endedAt, endedAs }: Pick<Alert, 'state' | 'endedAt' | 'endedAs'>): string {
  if (endedAt !== null) return `${endingWords[endedAs ?? 'ended']} ${day(endedAt.slice(0, 10))}`
  switch (state) {
    case 'firing':
      return 'Still open'
    case 'acknowledged':
      return 'Acknowledged, still open'
    case 'snoozed':
      return 'Snoozed, still open'
    case 'recovered':
      return 'Recovered'
  }
}
