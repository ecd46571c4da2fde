import { kindTitle } from '../../../core/reports/copy.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { incomparableMetrics } from '../../../core/analytics/anomalies.ts'
import { countedDifferently } from '../../../core/reports/copy.ts'
import { leftOutWords, together } from '../../../core/reports/together.ts'
import type { PdfJob } from './document.ts'
import { greys } from './look.ts'
import { writeChangeTo } from './marks.ts'
import type { Sheet } from './sheet.ts'
import { type Column, drawTable, regular, strong } from './table.ts'
import { day, days, type Metric, periodTitle, shown } from './copy.ts'

/** For a title of one line. */
const bandHeight = 158
const lineHeight = 27
const mostLogo = { width: 150, height: 36 }

/** The report's owner, subject and days. */
export function drawCover(sheet: Sheet, job: PdfJob): void {
  const { doc, pen, look } = sheet
  const title = { size: 22, weight: 600, color: look.onAccent } as const
  const lines = pen.wrap(propertyName(job.title), sheet.width, title, 2)
  const more = Math.max(0, lines.length - 1) * lineHeight
  doc.rect(0, 0, sheet.pageWidth, bandHeight + more).fill(look.accent)
  if (job.brand) drawBrand(sheet, job.brand)
  else drawOurs(sheet)
  pen.write(`${kindTitle(job.kind)} · Google Search performance`, sheet.right, 53, { size: 9, color: look.onAccent }, 'right')
  sheet.say('H1', () => {
    for (const [index, line] of lines.entries()) pen.write(line, sheet.left, 112 + index * lineHeight, title)
  })
  sheet.say('P', () => pen.write(periodTitle(job.kind, job.period), sheet.left, 140 + more, { size: 11, color: look.onAccent }))
  sheet.y = bandHeight + more + 10
}

function drawBrand(sheet: Sheet, { name, logo }: NonNullable<PdfJob['brand']>): void {
  const { doc, pen, look, left } = sheet
  if (logo !== null) {
    // Any logo is on white, whatever color surrounds it.
    const image = Buffer.from(logo.png)
    const scale = Math.min(mostLogo.width / logo.width, mostLogo.height / logo.height)
    const [width, height] = [logo.width * scale, logo.height * scale]
    doc.roundedRect(left, 50 - height / 2 - 6, width + 16, height + 12, 5).fill('#ffffff')
    sheet.say('Figure', () => doc.image(image, left + 8, 50 - height / 2, { width, height }), `${name} logo`)
    return
  }
  const style = { size: 15, weight: 600, color: look.onAccent } as const
  sheet.say('P', () => pen.write(pen.fit(name, sheet.width - 160, style), left, 54, style))
}

/** Draws the app's logo. */
function drawOurs(sheet: Sheet): void {
  const { doc, pen, left } = sheet
  sheet.say('P', () => {
    doc.save().translate(left, 34).scale(0.94)
    doc.roundedRect(0, 0, 32, 32, 7).fillColor('#ffffff', 0.12).fill().fillOpacity(1)
    doc.path('M5 26.5 11.5 22l5.5 2.5L27 17').lineWidth(2.6).lineCap('round').lineJoin('round').stroke('#f0a93b')
    doc
      .path(
        'M4.5 7.5c4.5 0 7.8 1.5 9.8 4.3 1-2.3 2.7-3.5 5-3.5 2 0 3.5.9 4.3 2.5l3.4 1.2-3.3 1.3c-.6 3.3-3.3 5.4-7.2 5.4-3 0-5.4-.9-7.2-2.7l-4.3.5 2.6-2.4C6 12.3 4.9 10.1 4.5 7.5Z',
      )
      .fill('#ffffff')
    doc.restore()
    pen.write('Ranklark', left + 39, 54.5, { size: 15, weight: 600, color: '#ffffff' })
  })
}

/** Which days the figures cover, what they are compared with, and what is missing. */
export function drawDates(sheet: Sheet, { reports, missing, link }: PdfJob): void {
  const [first] = reports
  if (first) {
    const { period, previous, lastYear } = first
    const complete = reports.map(({ completeThrough }) => completeThrough).toSorted()[0] ?? period.end
    sheet.paragraph(
      `${days(period)}, compared with ${days(previous)} and ${days(lastYear)}. Data is complete through ${day(complete)}. Days end at midnight Pacific time, as in Search Console.`,
      { after: 2 },
    )
  }
  if (missing.length > 0)
    sheet.paragraph(`Not included because data isn't complete for this period: ${missing.map(propertyName).join(', ')}.`, {
      after: 2,
      most: 12,
    })
  if (link) drawLink(sheet, link)
  sheet.y += 16
}

function drawLink(sheet: Sheet, link: string): void {
  const { doc, pen } = sheet
  const quiet = { size: 8.5, color: greys.muted }
  const style = { size: 8.5, color: sheet.look.ink }
  const words = 'View online: '
  sheet.room(14)
  sheet.y += 12
  const left = sheet.left + pen.widthOf(words, quiet)
  const text = pen.fit(link, sheet.right - left, style)
  sheet.say('P', () => {
    pen.write(words, sheet.left, sheet.y, quiet)
    pen.write(text, left, sheet.y, style)
  })
  doc.link(left, sheet.y - 9, pen.widthOf(text, style), 12, link)
}

export type PropertyRow = { name: string; report: PdfJob['reports'][number]; destination: string }
type OverviewRow = { name: string; report: Pick<PropertyRow['report'], 'totals' | 'previousTotals'>; destination: string | null }
/** Page numbers are known once all pages are drawn. */
export type PageNumber = { page: number; y: number; destination: string }

/** All properties at a glance, and their sums. Returns where to write their page numbers. */
export function drawOverview(sheet: Sheet, rows: readonly PropertyRow[]): PageNumber[] {
  const numbers: PageNumber[] = []
  const [first] = rows
  const incomparable = first ? incomparableMetrics(first.report.period, first.report.previous) : []
  const pageOf = (): number => sheet.doc.bufferedPageRange().count - 1
  const figure = (metric: Metric, width: number): Column<OverviewRow>[] => [
    {
      label: metric === 'ctr' ? 'CTR' : `${metric[0]?.toUpperCase()}${metric.slice(1)}`,
      width,
      align: 'right',
      draw: ({ report }, { right, y }) =>
        sheet.pen.write(shown(metric, report.totals[metric]), right, y, metric === 'clicks' ? strong : regular, 'right'),
    },
    {
      label: '',
      width: metric === 'position' ? 26 : 40,
      align: 'right',
      draw: ({ report }, { right, y }) =>
        writeChangeTo(
          sheet,
          metric,
          report.totals[metric],
          incomparable.includes(metric) ? null : (report.previousTotals?.[metric] ?? null),
          right,
          y,
          7.5,
        ),
    },
  ]
  const { counted, ...sum } = together(rows.map(({ report }) => report))
  const inAll: OverviewRow[] = counted.length > 1 ? [{ name: 'Combined', report: sum, destination: null }] : []
  const remarks = [
    'Each property is compared with the previous period. The last column shows its page in this report.',
    countedDifferently(incomparable),
  ]
  sheet.heading(`${rows.length} properties`, remarks.filter((each) => each !== null).join(' '), 60)
  drawTable<OverviewRow>(
    sheet,
    [
      {
        label: 'Property',
        draw: ({ name, destination }, { left, right, y }) => {
          const style = destination === null ? strong : regular
          const text = sheet.pen.fit(name, right - left, style)
          sheet.pen.write(text, left, y, style)
          if (destination !== null) sheet.doc.goTo(left, y - 9, right - left, 12, destination)
        },
      },
      ...figure('clicks', 48),
      ...figure('impressions', 58),
      ...figure('position', 38),
      {
        label: 'Page',
        width: 24,
        align: 'right',
        draw: ({ destination }, { y }) => void (destination === null || numbers.push({ page: pageOf(), y, destination })),
      },
    ],
    [...rows, ...inAll],
  )
  const words = counted.length > 1 ? leftOutWords(sum, propertyName) : null
  if (words !== null) sheet.paragraph(words, { most: 4 })
  return numbers
}
