import type { PeriodicReport, ReportRow } from '../../../contract/reports/periodic.ts'
import { incomparableMetrics } from '../../../core/analytics/anomalies.ts'
import { nouns } from '../../../core/alerting/copy.ts'
import { changeColor, changeDirection } from '../../../core/analytics/change-color.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import {
  countedDifferently,
  coverageWords,
  extraClicks,
  type ListOf,
  notComparedWords,
  notStoredWords,
} from '../../../core/reports/copy.ts'
import { greys, tones } from './look.ts'
import { writeChangeTo } from './marks.ts'
import type { Sheet } from './sheet.ts'
import { type Column, drawTable, drawTables, regular, strong, tableStart, textSize } from './table.ts'
import { count, type Metric, shown } from './copy.ts'

type Advanced = NonNullable<PeriodicReport['advanced']>
type Opportunity = Advanced['opportunities'][number]

const one = { pages: 'Page', keywords: 'Keyword' } as const
const topTitles = { pages: 'Top pages', keywords: 'Top keywords' } as const

const nameOf = (what: ListOf, name: string): string => (what === 'pages' ? pagePath(name) : name)

const nameColumn = (sheet: Sheet, what: ListOf): Column<ReportRow> => ({
  label: one[what],
  draw: ({ name }, { left, right, y }) => sheet.pen.write(sheet.pen.fit(nameOf(what, name), right - left, regular), left, y, regular),
})

/** Pages or keywords with the most clicks, each figure with its change. */
export function drawTop(sheet: Sheet, report: PeriodicReport, what: ListOf): void {
  const { top } = report[what]
  const incomparable = incomparableMetrics(report.period, report.previous)
  const otherwise = countedDifferently(incomparable)
  const words = [coverageWords(what, report[what]), otherwise].filter((each) => each !== null).join(' ')
  sheet.heading(topTitles[what], words, top.length === 0 ? 0 : tableStart)
  const figure = (metric: Metric, width: number, changeWidth: number): Column<ReportRow>[] => [
    {
      label: nouns[metric],
      width,
      align: 'right',
      draw: (row, { right, y }) => sheet.pen.write(shown(metric, row[metric]), right, y, metric === 'clicks' ? strong : regular, 'right'),
    },
    ...(changeWidth === 0
      ? []
      : [
          {
            label: '',
            width: changeWidth,
            align: 'right' as const,
            draw: (row: ReportRow, { right, y }: { right: number; y: number }) =>
              writeChangeTo(sheet, metric, row[metric], incomparable.includes(metric) ? null : before(row, metric), right, y, 7.5),
          },
        ]),
  ]
  drawTable(
    sheet,
    [
      nameColumn(sheet, what),
      ...figure('clicks', 42, 38),
      ...figure('impressions', 54, 38),
      ...figure('ctr', 36, 0),
      ...figure('position', 36, 26),
    ],
    top,
  )
}

/** Null without a comparison; `new` if the row wasn't shown before, which its clicks tell. */
function before({ previous }: ReportRow, metric: Metric): number | 'new' | null {
  if (previous === null) return null
  if (previous.impressions > 0) return previous[metric]
  return metric === 'clicks' ? 'new' : null
}

/** The largest gains and losses in clicks, side by side. */
export function drawMoved(sheet: Sheet, report: PeriodicReport, what: ListOf, { rising, falling }: Advanced['pages']): void {
  const title = `Rising and falling ${what}`
  const notCompared = notComparedWords(what, report)
  if (notCompared !== null) return sheet.heading(title, notCompared, 0)
  if (rising.length + falling.length === 0) return sheet.heading(title, `No ${what} gained or lost clicks.`, 0)
  sheet.heading(title, `By clicks gained and lost compared with the previous ${report.kind}.`, tableStart)
  const columns = (label: string): Column<ReportRow>[] => [
    { ...nameColumn(sheet, what), label },
    {
      label: 'Clicks',
      width: 62,
      align: 'right',
      draw: ({ clicks, previous }, { right, y }) =>
        sheet.pen.write(`${count(previous?.clicks ?? 0)} → ${count(clicks)}`, right, y, { size: 7.5, color: greys.muted }, 'right'),
    },
    { label: 'Change', width: 38, align: 'right', draw: (row, { right, y }) => moved(sheet, row, right, y) },
  ]
  const noun = what === 'pages' ? 'pages' : 'keywords'
  drawTables(sheet, [
    { columns: columns(`Rising ${noun}`), rows: rising },
    { columns: columns(`Falling ${noun}`), rows: falling },
  ])
}

/** For movers, the number of clicks says more than the percentage. */
function moved({ pen }: Sheet, { clicks, previous }: ReportRow, right: number, y: number): void {
  const change = clicks - (previous?.clicks ?? 0)
  const color = tones[changeColor('clicks', changeDirection(change))]
  pen.write(
    `${change > 0 ? '+' : change < 0 ? '−' : ''}${count(Math.abs(change))}`,
    right,
    y,
    { size: textSize, weight: 600, color },
    'right',
  )
}

/** Keywords with room to improve. */
export function drawOpportunities(sheet: Sheet, { keywords }: PeriodicReport, opportunities: readonly Opportunity[]): void {
  const none = notStoredWords('keywords', keywords) ?? 'No keywords with estimated gains.'
  if (opportunities.length === 0) return sheet.heading('Opportunities', none, 0)
  sheet.heading('Opportunities', 'Keywords that could gain clicks by reaching position 3 (estimated).', tableStart)
  const text = (value: string, left: number, right: number, y: number, color: string = greys.text): void => {
    const style = { size: textSize, color }
    sheet.pen.write(sheet.pen.fit(value, right - left, style), left, y, style)
  }
  drawTable<Opportunity>(
    sheet,
    [
      { label: 'Keyword', width: sheet.width * 0.36, draw: ({ query }, { left, right, y }) => text(query, left, right, y) },
      { label: 'Page', draw: ({ page }, { left, right, y }) => text(pagePath(page), left, right, y, greys.muted) },
      {
        label: 'Position',
        width: 40,
        align: 'right',
        draw: ({ position }, { right, y }) => sheet.pen.write(shown('position', position), right, y, regular, 'right'),
      },
      {
        label: 'Extra clicks per week',
        width: 72,
        align: 'right',
        draw: ({ opportunityScore }, { right, y }) => sheet.pen.write(extraClicks(opportunityScore), right, y, strong, 'right'),
      },
    ],
    opportunities,
  )
}
