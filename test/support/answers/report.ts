import { type Alert, alertIds, type AlertReport, newVerdict, snooze } from '../../../src/contract/alerts/alerts.ts'
import { addDays, eachDay } from '../../../src/core/analytics/days.ts'
import { shownAlert } from './alerts.ts'
import type { Desk } from './desk.ts'
import { completeThrough, now, today } from './usual.ts'

/** A day's deviation from its week's mean, so that no two consecutive days look the same; the week's sum is unaffected. */
const waver = [-3, -2, -1, 0, 1, 2, 3]

/** Day by day from seven weeks before the current period: the last two days are incomplete, and nothing is known about today. */
export function seriesOf({ type, previousValue, currentValue, current }: Alert): AlertReport['series'] {
  if (current === null) return []
  const isSum = type === 'clicks' || type === 'impressions'
  return eachDay(addDays(current.start, -49), today).map((date, index) => {
    const figure = date < current.start ? previousValue : currentValue
    const value = figure === null || !isSum ? figure : Math.max(0, figure / 7 + (figure === 0 ? 0 : (waver[index % 7] ?? 0)))
    return { date, value: date === today ? null : value, complete: date <= completeThrough }
  })
}

/** The full report of an alert found an hour ago and viewed by nobody; about a page that lost 60% of 14,000 clicks. */
export function reportOf(change: Partial<AlertReport> = {}): AlertReport {
  const alert = shownAlert(change)
  return {
    ...alert,
    rules: [],
    series: seriesOf(alert),
    previousSeries: [],
    viewedAt: null,
    contributors: [],
    timeline: [{ at: alert.timestamp, from: null, to: 'firing', reason: 'condition_met', by: null }],
    deliveries: [],
    ...change,
  }
}

/** The current state of a report. */
export type KeptReport = { report: AlertReport }

/** Answers all requests about one report, and stores Ann's actions on its alert. */
export function keepReport(desk: Desk, report: AlertReport): KeptReport {
  const kept: KeptReport = { report }
  const enter = (to: AlertReport['state'], reason: string, snoozedUntil: string | null = null): Alert => {
    const { state: from, timeline } = kept.report
    const event = { at: now.toISOString(), from, to, reason, by: 'ann' }
    kept.report = { ...kept.report, state: to, snoozedUntil, timeline: [...timeline, event] }
    return kept.report
  }
  desk.answer('GET /api/alerts/:id', () => kept.report)
  desk.answer('POST /api/alerts/viewed', ({ body }) => {
    alertIds.parse(body)
    kept.report = { ...kept.report, viewed: true, viewedAt: now.toISOString() }
    return [kept.report]
  })
  desk.answer('POST /api/alerts/acknowledge', ({ body }) => {
    alertIds.parse(body)
    return [enter('acknowledged', 'acknowledged')]
  })
  desk.answer('POST /api/alerts/:id/snooze', ({ body }) => enter('snoozed', 'snoozed', snooze.parse(body).until))
  desk.answer('POST /api/alerts/:id/unsnooze', () => enter('firing', 'unsnoozed'))
  desk.answer('POST /api/alerts/:id/verdict', ({ body }) => {
    const { verdict } = newVerdict.parse(body)
    kept.report = { ...kept.report, verdict }
    return enter(kept.report.state, `verdict_${verdict ?? 'cleared'}`, kept.report.snoozedUntil)
  })
  return kept
}
