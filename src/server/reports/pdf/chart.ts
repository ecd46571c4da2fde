import type { IsoDate } from '../../../contract/common.ts'
import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { dayNumber, eachDay } from '../../../core/analytics/days.ts'
import { greys } from './look.ts'
import type { Sheet } from './sheet.ts'
import { count, day, days } from './copy.ts'

export type Mark = { date: IsoDate; end: IsoDate | null; number: number }
type Counted = 'clicks' | 'impressions'
type Plot = { left: number; right: number; top: number; bottom: number; most: number; count: number }

const titles: Record<Counted, string> = { clicks: 'Clicks by day', impressions: 'Impressions by day' }
const axisWidth = 34
const small = { size: 7, color: greys.muted }
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** A figure's days over those of the previous period, drawn as vectors. */
export function drawChart(sheet: Sheet, report: PeriodicReport, figure: Counted, height: number, marks: readonly Mark[]): void {
  sheet.room(height + 52)
  const isCompared = report.previousTotals !== null
  const now = valuesOf(report.days, figure, report.period.start)
  const before = isCompared ? valuesOf(report.previousDays, figure, report.previous.start) : new Map<number, number>()
  sheet.say('Figure', () => drawn(sheet, report, figure, height, marks, now, before), summary(report, figure))
}

/** Each day with figures, as days after the first. */
function valuesOf(all: PeriodicReport['days'], figure: Counted, start: IsoDate): Map<number, number> {
  return new Map(all.map((each) => [dayNumber(each.date) - dayNumber(start), each[figure]]))
}

function drawn(
  sheet: Sheet,
  report: PeriodicReport,
  figure: Counted,
  height: number,
  marks: readonly Mark[],
  now: ReadonlyMap<number, number>,
  before: ReadonlyMap<number, number>,
): void {
  const { doc, pen, look } = sheet
  const dates = eachDay(report.period.start, report.period.end)
  const most = Math.max(...now.values(), ...[...before].filter(([at]) => at < dates.length).map(([, value]) => value), 0)
  const step = niceStep(most / 4)
  const steps = Math.max(1, Math.ceil(most / step - 1e-9))
  legend(sheet, report, titles[figure], before.size > 0)
  const top = sheet.y + 20
  const plot: Plot = {
    left: sheet.left + axisWidth,
    right: sheet.right - 4,
    top,
    bottom: top + height,
    most: step * steps,
    count: dates.length,
  }
  for (let tick = 0; tick <= steps; tick++) {
    const y = yOf(plot, tick * step)
    sheet.line(y, plot.left, plot.right, tick === 0 ? greys.faint : greys.line)
    pen.write(compact.format(tick * step), plot.left - 6, y + 2.4, small, 'right')
  }
  dateLabels(sheet, plot, dates)
  spans(sheet, plot, marks, report.period.start)
  doc.save()
  line(sheet, plot, before, dates.length)
  doc.lineWidth(1).dash(3, { space: 2 }).strokeColor(greys.faint).stroke()
  doc.restore()
  area(sheet, plot, now)
  line(sheet, plot, now, dates.length)
  doc.lineWidth(1.6).lineJoin('round').lineCap('round').strokeColor(look.ink).stroke()
  // A day between two days without figures has no line.
  for (const [at, value] of now) if (!now.has(at - 1) && !now.has(at + 1)) doc.circle(xOf(plot, at), yOf(plot, value), 1.4).fill(look.ink)
  sheet.y = plot.bottom + 16
}

const xOf = ({ left, right, count: all }: Plot, at: number): number => left + ((right - left) * (at + 0.5)) / all
const yOf = ({ top, bottom, most }: Plot, value: number): number => bottom - ((bottom - top) * value) / most

function line({ doc }: Sheet, plot: Plot, values: ReadonlyMap<number, number>, all: number): void {
  for (let at = 0; at < all; at++) {
    const value = values.get(at)
    if (value === undefined) continue
    const [x, y] = [xOf(plot, at), yOf(plot, value)]
    if (values.has(at - 1)) doc.lineTo(x, y)
    else doc.moveTo(x, y)
  }
}

function area({ doc, look }: Sheet, plot: Plot, values: ReadonlyMap<number, number>): void {
  doc.save()
  for (const [at, value] of values) {
    const next = values.get(at + 1)
    if (next === undefined) continue
    doc.moveTo(xOf(plot, at), plot.bottom).lineTo(xOf(plot, at), yOf(plot, value))
    doc
      .lineTo(xOf(plot, at + 1), yOf(plot, next))
      .lineTo(xOf(plot, at + 1), plot.bottom)
      .closePath()
  }
  doc.fillColor(look.ink, 0.08).fill()
  doc.restore()
}

function legend({ doc, pen, look, left, right, y }: Sheet, report: PeriodicReport, title: string, isCompared: boolean): void {
  pen.write(title, left, y + 8, { size: 9, weight: 600, color: greys.text })
  let at = right
  const entry = (text: string, color: string, dashed: boolean): void => {
    pen.write(text, at, y + 8, small, 'right')
    at -= pen.widthOf(text, small) + 20
    doc.save()
    doc
      .moveTo(at, y + 5.6)
      .lineTo(at + 14, y + 5.6)
      .lineWidth(dashed ? 1 : 1.6)
      .strokeColor(color)
    if (dashed) doc.dash(3, { space: 2 })
    doc.stroke().restore()
    at -= 12
  }
  if (isCompared) entry(days(report.previous), greys.faint, true)
  entry(days(report.period), look.ink, false)
}

/** What happened: a number above each day, and a shaded span for longer incidents. */
function spans({ doc, pen }: Sheet, plot: Plot, marks: readonly Mark[], start: IsoDate): void {
  const half = (plot.right - plot.left) / plot.count / 2
  const taken = new Map<number, number>()
  for (const { date, end, number } of marks) {
    const from = Math.max(0, dayNumber(date) - dayNumber(start))
    const to = end === null ? from : Math.min(plot.count - 1, dayNumber(end) - dayNumber(start))
    const x = xOf(plot, from)
    if (to > from)
      doc
        .rect(x - half, plot.top, xOf(plot, to) - x + 2 * half, plot.bottom - plot.top)
        .fillColor('#8a6d1f', 0.09)
        .fill()
    doc
      .fillOpacity(1)
      .moveTo(x, plot.top - 1)
      .lineTo(x, plot.bottom)
      .lineWidth(0.5)
      .strokeColor(greys.faint)
      .stroke()
    // Two on the same day are side by side.
    const beside = taken.get(from) ?? 0
    taken.set(from, beside + 1)
    badge(doc, pen, number, Math.min(x, plot.right - 5) + beside * 10, plot.top - 4)
  }
}

export function badge(doc: Sheet['doc'], pen: Sheet['pen'], number: number, x: number, y: number): void {
  doc.circle(x, y, 4.6).fill(greys.muted)
  pen.write(`${number}`, x, y + 2.1, { size: 6, weight: 600, color: '#ffffff' }, 'centre')
}

function dateLabels({ pen }: Sheet, plot: Plot, dates: readonly IsoDate[]): void {
  const every = dates.length <= 7 ? 1 : 7
  for (const [at, date] of dates.entries())
    if (at % every === 0) pen.write(day(date, false), xOf(plot, at), plot.bottom + 10, small, 'centre')
}

/** 1, 2 or 5 times a power of ten; for counts at least 1. */
function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, wanted)))
  return power * ([1, 2, 5].find((factor) => factor * power >= wanted - 1e-12) ?? 10)
}

/** Alternative text for screen readers. */
function summary(report: PeriodicReport, figure: Counted): string {
  const best = report.days.reduce<PeriodicReport['days'][number] | null>(
    (most, each) => (most && most[figure] >= each[figure] ? most : each),
    null,
  )
  const total = `${titles[figure]}, ${days(report.period)}: ${count(report.totals[figure])} in total`
  return best ? `${total}, highest on ${day(best.date)} with ${count(best[figure])}.` : `${total}.`
}
