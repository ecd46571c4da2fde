import { kindTitle } from '../../../core/reports/copy.ts'
import Pdf from 'pdfkit'
import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { drawChart } from './chart.ts'
import { drawCover, drawDates, drawOverview, type PageNumber } from './cover.ts'
import type { PdfJob } from './document.ts'
import { createFontSet } from './fonts/font-set.ts'
import { drawAlerts, drawEvents, eventsOf } from './events.ts'
import { drawMoved, drawOpportunities, drawTop } from './lists.ts'
import { greys, lookOf, margin, papers } from './look.ts'
import { createPen } from './pen.ts'
import { createSheet, type Sheet } from './sheet.ts'
import { regular } from './table.ts'
import { drawTotals } from './totals.ts'
import { day, days, periodTitle } from './copy.ts'

/** Draws the whole report; calls `onProgress` after each property with the number done. */
export async function drawReport(job: PdfJob, onProgress: (done: number) => void): Promise<Uint8Array> {
  const { width, height } = papers[job.paper]
  const maker = job.brand?.name ?? 'Ranklark'
  const title = `${propertyName(job.title)}: ${periodTitle(job.kind, job.period)}`
  const doc = new Pdf({
    size: [width, height],
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    // The library's maker is irrelevant to the report's readers.
    info: { Title: title, Subject: `${kindTitle(job.kind)} · Google Search performance`, Author: maker, Creator: maker, Producer: maker },
  })
  const parts: Uint8Array[] = []
  const finished = new Promise<Uint8Array>((resolve, reject) => {
    doc.on('data', (part: Uint8Array) => parts.push(part))
    doc.on('end', () => resolve(Buffer.concat(parts)))
    doc.on('error', reject)
  })
  const sheet = createSheet(doc, createPen(doc, createFontSet()), lookOf(job.brand))
  const starts = new Map<string, number>()
  drawCover(sheet, job)
  drawDates(sheet, job)
  const several = job.reports.length > 1
  const rows = job.reports.map((report, index) => ({ name: propertyName(report.property), report, destination: `property-${index + 1}` }))
  const numbers = several ? drawOverview(sheet, rows) : []
  for (const [index, { name, report, destination }] of rows.entries()) {
    if (several) sheet.newPage()
    starts.set(destination, doc.bufferedPageRange().count)
    doc.addNamedDestination(destination)
    sheet.section(name, () => {
      if (several) drawPropertyHead(sheet, name, report)
      drawProperty(sheet, report, job.brand === null)
    })
    onProgress(index + 1)
  }
  writePageNumbers(sheet, numbers, starts)
  writeFeet(sheet, title, maker)
  sheet.end()
  doc.end()
  return finished
}

function drawPropertyHead(sheet: Sheet, name: string, { period, completeThrough }: PeriodicReport): void {
  const { doc, pen, look } = sheet
  doc.rect(0, 0, sheet.pageWidth, 6).fill(look.accent)
  const style = { size: 17, weight: 600, color: greys.text } as const
  sheet.y += 10
  sheet.say('H1', () => pen.write(pen.fit(name, sheet.width, style), sheet.left, sheet.y, style))
  sheet.paragraph(`${days(period)}. Data is complete through ${day(completeThrough)}.`, { after: 10 })
}

function drawProperty(sheet: Sheet, report: PeriodicReport, isOurs: boolean): void {
  const events = eventsOf(report)
  drawTotals(sheet, report)
  sheet.y += 18
  drawChart(sheet, report, 'clicks', 130, events)
  drawEvents(sheet, events)
  sheet.y += 12
  drawChart(sheet, report, 'impressions', 84, [])
  const { advanced, advancedLocked } = report
  drawTop(sheet, report, 'pages')
  if (advanced) drawMoved(sheet, report, 'pages', advanced.pages)
  drawTop(sheet, report, 'keywords')
  if (advanced) {
    drawMoved(sheet, report, 'keywords', advanced.keywords)
    drawOpportunities(sheet, report, advanced.opportunities)
    drawAlerts(sheet, advanced)
  } else if (advancedLocked !== null && isOurs) {
    sheet.y += 12
    sheet.paragraph(advancedLocked)
  }
}

function writePageNumbers({ doc, pen, right }: Sheet, numbers: readonly PageNumber[], starts: ReadonlyMap<string, number>): void {
  for (const { page, y, destination } of numbers) {
    doc.switchToPage(page)
    pen.write(`${starts.get(destination) ?? ''}`, right, y, regular, 'right')
  }
}

/** The footer of every page; screen readers skip it. */
function writeFeet(sheet: Sheet, title: string, maker: string): void {
  const { doc, pen } = sheet
  const style = { size: 7.5, color: greys.muted }
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    const y = doc.page.height - margin + 8
    doc.markContent('Artifact', { type: 'Pagination' })
    sheet.line(y - 14)
    const number = `Page ${page + 1} of ${count}`
    const left = pen.fit(`${maker}  ·  ${title}`, sheet.width - pen.widthOf(number, style) - 24, style)
    pen.write(left, sheet.left, y, style)
    pen.write(number, sheet.right, y, style, 'right')
    doc.endMarkedContent()
  }
}
