import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { severityLabels } from '../../../core/alerting/copy.ts'
import { later } from '../../../core/analytics/days.ts'
import { badge, type Mark } from './chart.ts'
import { greys } from './look.ts'
import type { Sheet } from './sheet.ts'
import { count, day, days, outcome } from './copy.ts'

export type ChartEvent = Mark & { text: string }

/** What happened within the report's days, earliest first, numbered as on the chart. */
export function eventsOf({ annotations, period }: PeriodicReport): ChartEvent[] {
  const notes = annotations.notes
    .filter(({ date }) => period.start <= date && date <= period.end)
    .map(({ date, text }) => ({ date, end: null, text: `${day(date)}: ${text}` }))
  const incidents = annotations.incidents
    .filter(({ start, end }) => start <= period.end && (end === null || period.start <= end))
    .map(({ start, end, title }) => ({
      date: later(start, period.start),
      end: end ?? period.end,
      text: `${end === null ? `Since ${day(start)}` : start === end ? day(start) : days({ start, end })}: Google: ${title}`,
    }))
  const isIn = (date: IsoDate | null) => date !== null && period.start <= date && date <= period.end
  const anomalies = annotations.anomalies
    .filter(({ start, end }) => isIn(start) || isIn(end))
    .map(({ start, end, title }) => ({
      date: later(start, period.start),
      end: end ?? start,
      text: `${end === null ? `Since ${day(start)}` : start === end ? day(start) : days({ start, end })}: Measurement: ${title}`,
    }))
  // The same note on one property and on all of them counts once.
  const all = new Map([...incidents, ...anomalies, ...notes].map((each) => [each.text, each]))
  return [...all.values()]
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .map((each, index) => ({ ...each, number: index + 1 }))
}

/** The legend for the chart's numbers. */
export function drawEvents(sheet: Sheet, all: readonly ChartEvent[]): void {
  const style = { size: 8, color: greys.text }
  for (const { number, text } of all) {
    const lines = sheet.pen.wrap(text, sheet.width - 16, style, 3)
    sheet.room(lines.length * 11 + 3)
    sheet.say('P', () => {
      badge(sheet.doc, sheet.pen, number, sheet.left + 5, sheet.y + 6)
      for (const line of lines) {
        sheet.y += 11
        sheet.pen.write(line, sheet.left + 16, sheet.y - 2, style)
      }
    })
    sheet.y += 3
  }
}

type Advanced = NonNullable<PeriodicReport['advanced']>

const severityColors = { critical: '#b3261e', warning: '#8a5a00', info: '#15753a', positive: '#15753a' } as const

/** Alerts in the period, and their state now. */
export function drawAlerts(sheet: Sheet, { alerts, alertCount }: Pick<Advanced, 'alerts' | 'alertCount'>): void {
  if (alerts.length === 0) return sheet.heading('Alerts', 'No alerts for this period.', 0)
  const remark =
    alerts.length < alertCount
      ? `The latest ${count(alerts.length)} of ${count(alertCount)}, and how they ended.`
      : 'What triggered alerts, and how they ended.'
  sheet.heading('Alerts', remark, 46)
  for (const alert of alerts) drawAlert(sheet, alert)
}

function drawAlert(sheet: Sheet, { severity, title, why, openedAt, day: found, ...ended }: Advanced['alerts'][number]): void {
  const { doc, pen } = sheet
  const style = { size: 8.5, color: greys.text }
  const quiet = { size: 7.5, color: greys.muted }
  const color = severityColors[severity]
  const endWidth = 150
  const lines = pen.wrap(title, sheet.width - 66 - endWidth - 12, style, 2)
  const reasons = why === null ? [] : pen.wrap(why, sheet.width - 66 - endWidth - 12, quiet, 3)
  const height = lines.length * 11.5 + reasons.length * 10 + 7
  sheet.room(height)
  const y = sheet.y + 10
  sheet.say('P', () => {
    doc.circle(sheet.left + 3, y - 2.8, 2.6).fill(color)
    pen.write(severityLabels[severity], sheet.left + 10, y, { size: 8, weight: 600, color })
    for (const [index, line] of lines.entries()) pen.write(line, sheet.left + 66, y + index * 11.5, style)
    for (const [index, line] of reasons.entries()) pen.write(line, sheet.left + 66, y + lines.length * 11.5 - 1 + index * 10, quiet)
    pen.write(`${day(found ?? openedAt.slice(0, 10))} · ${outcome(ended)}`, sheet.right, y, quiet, 'right')
  })
  sheet.y += height
  sheet.line(sheet.y - 1.5)
}
