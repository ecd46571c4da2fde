import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { isComparable } from '../../../core/analytics/anomalies.ts'
import { nouns } from '../../../core/alerting/copy.ts'
import { greys } from './look.ts'
import { writeChange } from './marks.ts'
import type { Sheet } from './sheet.ts'
import { changed, type Metric, metrics, shown } from './copy.ts'

const gap = 10
const height = 106
const inside = 12

/** The four figures next to those of the previous period and of last year. */
export function drawTotals(sheet: Sheet, report: PeriodicReport): void {
  const { doc, pen } = sheet
  sheet.room(height)
  const top = sheet.y
  const width = (sheet.width - gap * (metrics.length - 1)) / metrics.length
  for (const [index, metric] of metrics.entries()) {
    const left = sheet.left + index * (width + gap)
    doc.roundedRect(left, top, width, height, 6).fill(greys.soft)
    doc.rect(left + inside, top, 22, 2).fill(sheet.look.ink)
    sheet.say('P', () => {
      const x = left + inside
      pen.write(nouns[metric], x, top + 20, { size: 8.5, color: greys.muted })
      const figure = shown(metric, report.totals[metric])
      const size = Math.min(20, 20 * ((width - 2 * inside) / pen.widthOf(figure, { size: 20, weight: 600, color: '' })))
      pen.write(figure, x, top + 44, { size, weight: 600, color: greys.text })
      const before = report.kind === 'month' ? 'previous month' : 'previous week'
      const { period, previous, lastYear } = report
      const days = (span: typeof period) => isComparable(metric, period, span)
      compared(
        sheet,
        { metric, now: report.totals, before: report.previousTotals, isAlike: days(previous), words: before },
        x,
        top + 62,
        width - 2 * inside,
      )
      compared(
        sheet,
        { metric, now: report.totals, before: report.lastYearTotals, isAlike: days(lastYear), words: 'a year earlier' },
        x,
        top + 86,
        width - 2 * inside,
      )
    })
  }
  sheet.y = top + height
}

type Figures = PeriodicReport['totals']

/** `isAlike`: Google counted the figure the same way on the days of both. */
type Compared = { metric: Metric; now: Figures; before: Figures | null; isAlike: boolean; words: string }

function compared(sheet: Sheet, { metric, now, before, isAlike, words }: Compared, x: number, y: number, width: number): void {
  const { pen } = sheet
  const quiet = { size: 7, color: greys.muted }
  const change = before && isAlike && changed(metric, now[metric], before[metric])
  if (change) writeChange(sheet, change, x, y, 8)
  else pen.write(before ? (isAlike ? '–' : 'not comparable') : 'no data', x, y, { ...quiet, size: 8 })
  const what = before ? `vs ${shown(metric, before[metric])} (${words})` : words
  pen.write(pen.fit(what, width, quiet), x, y + 10, quiet)
}
