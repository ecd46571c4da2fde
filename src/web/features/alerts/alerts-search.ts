import { z } from 'zod'
import { isoDate } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { type AlertsFilter, mostAlerts } from '../../api/alerts.ts'
import { clampDay } from '../../lib/calendar.ts'

export const views = ['cards', 'table'] as const
export type AlertsView = (typeof views)[number]

const ranges = ['7', '30', 'custom'] as const
type Range = (typeof ranges)[number]

/** The URL's view state. */
export type AlertsSearch = {
  view: AlertsView
  range: Range
  /** The days of a custom range, if any. */
  custom: Period | null
  openOnly: boolean
  /** Number of alerts shown. */
  show: number
}

/** Number of alerts shown at first, and added with each press of the button. */
export const step = 50

/** Ignores invalid values. */
export function readAlertsSearch(params: URLSearchParams): AlertsSearch {
  const show = Number(params.get('show'))
  return {
    view: oneOf(views, params.get('view')),
    range: oneOf(ranges, params.get('range')),
    custom: readPeriod(params.get('from'), params.get('to')),
    openOnly: params.get('open') === 'only',
    show: Number.isInteger(show) && show % step === 0 ? Math.min(Math.max(show, step), mostAlerts) : step,
  }
}

/** A view's URL, without default values. */
export function writeAlertsSearch({ view, range, custom, openOnly, show }: AlertsSearch): URLSearchParams {
  return new URLSearchParams([
    ...(view === views[0] ? [] : [['view', view]]),
    ...(range === ranges[0] ? [] : [['range', range]]),
    ...(range === 'custom' && custom !== null
      ? [
          ['from', custom.start],
          ['to', custom.end],
        ]
      : []),
    ...(openOnly ? [['open', 'only']] : []),
    ...(show === step ? [] : [['show', String(show)]]),
  ])
}

/** The days of a custom range: the chosen ones, limited to the days with data; by default the last seven of these. */
export function customPeriod(chosen: Period | null, data: Period): Period {
  const last = { start: clampDay(addDays(data.end, -6), data), end: data.end }
  if (chosen === null || chosen.end < data.start || chosen.start > data.end) return last
  return { start: clampDay(chosen.start, data), end: clampDay(chosen.end, data) }
}

/** Which alerts to request; `data`: the days with data, null while unknown or without any. */
export function alertsFilterOf({ range, custom, openOnly }: AlertsSearch, now: Date, data: Period | null): AlertsFilter {
  return { ...daysOf(range, custom, now, data), ...(openOnly ? { state: 'open' } : {}) }
}

function daysOf(range: Range, custom: Period | null, now: Date, data: Period | null): Pick<AlertsFilter, 'from' | 'to'> {
  if (range === 'custom') {
    const period = data === null ? custom : customPeriod(custom, data)
    if (period !== null) {
      // An alert comes some days after its own days: those about the newest data must not be cut off.
      return data !== null && period.end === data.end ? { from: period.start } : { from: period.start, to: period.end }
    }
  }
  return { from: addDays(now.toISOString().slice(0, 10), range === '30' ? -29 : -6) }
}

function oneOf<const T extends string>(choices: readonly [T, ...T[]], given: string | null): T {
  return choices.find((choice) => choice === given) ?? choices[0]
}

function readPeriod(from: string | null, to: string | null): Period | null {
  const parsed = z.object({ start: isoDate, end: isoDate }).safeParse({ start: from, end: to })
  return parsed.success && parsed.data.start <= parsed.data.end ? parsed.data : null
}
