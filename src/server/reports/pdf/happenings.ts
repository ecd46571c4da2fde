import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { later } from '../../../core/analytics/days.ts'
import { badge, type Mark } from './chart.ts'
import { greys } from './look.ts'
import type { Sheet } from './sheet.ts'
import { count, day, days, outcome } from './words.ts'

export type Happening = Mark & { text: string }

/** What happened within the days of the report, the earliest first, numbered as on the chart. */
export function happeningsOf({ annotations, period }: PeriodicReport): Happening[] {
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
  // The same note on one property and on all of them is one.
  const all = new Map([...incidents, ...anomalies, ...notes].map((each) => [each.text, each]))
  return [...all.values()]
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .map((each, index) => ({ ...each, number: index + 1 }))
}

/** What the numbers on the chart stand for. */
export function drawHappenings(sheet: Sheet, all: readonly Happening[]): void {
  const style = { size: 8, colour: greys.text }
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

const severities = {
  critical: { word: 'Critical', colour: '#b3261e' },
  warning: { word: 'Warning', colour: '#8a5a00' },
  info: { word: 'Info', colour: '#15753a' },
  positive: { word: 'Positive', colour: '#15753a' },
} as const

/** What stood out in the period, and what became of it until now. */
export function drawAlerts(sheet: Sheet, { alerts, alertCount }: Pick<Advanced, 'alerts' | 'alertCount'>): void {
  if (alerts.length === 0) return sheet.heading('Alerts', 'No alerts were open in this period.', 0)
  const remark =
    alerts.length < alertCount
      ? `The latest ${count(alerts.length)} of ${count(alertCount)}, and how they ended.`
      : 'What triggered alerts, and how they ended.'
  sheet.heading('Alerts', remark, 46)
  for (const alert of alerts) drawAlert(sheet, alert)
}

function drawAlert(sheet: Sheet, { severity, title, openedAt, ...ended }: Advanced['alerts'][number]): void {
  const { doc, pen } = sheet
  const style = { size: 8.5, colour: greys.text }
  const quiet = { size: 7.5, colour: greys.muted }
  const { word, colour } = severities[severity]
  const told = 150
  const lines = pen.wrap(title, sheet.width - 66 - told - 12, style, 2)
  const height = lines.length * 11.5 + 7
  sheet.room(height)
  const y = sheet.y + 10
  sheet.say('P', () => {
    doc.circle(sheet.left + 3, y - 2.8, 2.6).fill(colour)
    pen.write(word, sheet.left + 10, y, { size: 8, weight: 600, colour })
    for (const [index, line] of lines.entries()) pen.write(line, sheet.left + 66, y + index * 11.5, style)
    pen.write(`${day(openedAt.slice(0, 10))} · ${outcome(ended)}`, sheet.right, y, quiet, 'right')
  })
  sheet.y += height
  sheet.line(sheet.y - 1.5)
}
