import { alertSeriesDays, type Alert, otherFindings } from '../../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { addDays } from '../../../core/analytics/days.ts'
import type { ColorBy } from '../../../core/analytics/change-color.ts'
import { daysFrom, formatPeriod } from '../dates.ts'
import { changeOf, type ChangeWords, describeChange } from './describe-change.ts'
import { formatMetric } from '../format.ts'
import { metricLabels, type MetricName } from '../metric.ts'

/** `base`: `vs last week`, or the days. */
export type AlertChangeWords = ChangeWords & { base: string }

/** The change, colored as the person chose; null unless both figures exist and the first isn't 0 (SPEC §9). */
export function alertChange(alert: Alert, by: ColorBy): AlertChangeWords | null {
  const { type, currentValue, previousValue } = alert
  if (currentValue === null || previousValue === null || previousValue === 0) return null
  const change = alert.change ?? changeOf(type, currentValue, previousValue)
  return change === null ? null : { ...describeChange(type, change, by), base: baseOf(alert) }
}

function baseOf({ current, previous, hours, unusual }: Alert): string {
  if (unusual !== undefined) return 'vs expected'
  // Without its days an alert is compared with last week (SPEC §9).
  if (current === null || previous === null) return 'vs last week'
  if (hours !== undefined && current.start === current.end) return 'vs usual'
  if (daysFrom(previous.start, current.start) === 7) return 'vs last week'
  // Longer periods are compared by their weekly average.
  const share = daysFrom(previous.start, previous.end) > daysFrom(current.start, current.end) ? 'the weekly average for ' : ''
  return `vs ${share}${formatPeriod(previous, previous.start.slice(0, 4) !== current.end.slice(0, 4))}`
}

/** An alert's current and previous figure; null if it isn't about figures. */
export function alertValues({
  type,
  currentValue,
  previousValue,
}: Pick<Alert, 'type' | 'currentValue' | 'previousValue'>): { current: string; previous: string | null } | null {
  if (currentValue === null && previousValue === null) return null
  return { current: figure(type, currentValue), previous: previousValue === null ? null : figure(type, previousValue) }
}

/** `Clicks 1.2K → 140`; null for an alert that isn't about figures. */
export function alertFigures(alert: Alert): string | null {
  const values = alertValues(alert)
  if (values === null) return null
  const { current, previous } = values
  return `${metricLabels[alert.type]} ${previous === null ? current : `${previous} → ${current}`}`
}

/** Other findings with the same cause, in a line: "Same cause: CTR dropped: “desk lamp” and 3 more"; null without any. */
export function alsoFound(alert: Pick<Alert, 'id' | 'findings' | 'moreFindings'>): string | null {
  const [first, ...others] = otherFindings(alert)
  if (first === undefined) return null
  const more = others.length + (alert.moreFindings ?? 0)
  return `Same cause: ${first.title}${more > 0 ? ` and ${more} more` : ''}`
}

/** An alert's subject in a word. */
export const alertSubject = ({ type, entity }: Alert): string => (entity.kind === 'connection' ? 'Connection' : metricLabels[type])

export type AlertSeries = {
  points: { date: IsoDate; value: number }[]
  /** The last day it was evaluated on; null if unknown. */
  until: IsoDate | null
  /** Whether the days are known: the answer leaves out those without a figure. */
  dated: boolean
}

/** The daily figures, counted back from the last evaluated day; null without any. */
export function alertSeries({ data, current, timestamp }: Alert): AlertSeries | null {
  if (data.length === 0) return null
  const until = current?.end ?? null
  const last = until ?? timestamp.slice(0, 10)
  const points = data.map((value, index) => ({ date: addDays(last, index + 1 - data.length), value }))
  return { points, until, dated: until !== null && data.length === alertSeriesDays }
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Clicks and impressions in thousands (SPEC §9). */
function figure(metric: MetricName, value: number | null): string {
  if (value === null) return '–'
  if (metric === 'ctr' || metric === 'position') return formatMetric(metric, value)
  return Math.abs(value) < 1_000 ? formatMetric(metric, value) : compact.format(value)
}
