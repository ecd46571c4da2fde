import type { DayOfFigures, RowFigures } from '../../src/contract/figures.ts'
import type { PeriodicReport, ReportRow } from '../../src/contract/reports/periodic.ts'
import { dayNumber, eachDay } from '../../src/core/analytics/days.ts'

// A handmade report for tests of rendering: every figure derives from the number of its row or day.

const period = { start: '2026-10-01', end: '2026-10-31' }
const previous = { start: '2026-09-01', end: '2026-09-30' }
const lastYear = { start: '2025-10-01', end: '2025-10-31' }

const pages = [
  '/',
  '/collections/trail-running',
  '/products/alpine-2-waterproof-jacket',
  '/journal/how-to-choose-running-shoes',
  '/sale',
  '/stores/vienna',
  '/products/merino-base-layer',
  '/size-guide',
  '/journal/layering-explained',
  '/gift-cards',
]
const keywords = [
  'trail running shoes',
  'waterproof jacket women',
  'how to choose running shoes',
  'merino base layer',
  'lumen and loom',
  'running vest',
  'hiking socks wool',
  'best jacket for rain',
  'running shoes vienna',
  'gift card outdoor',
]

const figures = (clicks: number, impressions: number, position: number): RowFigures => ({
  clicks,
  impressions,
  ctr: clicks / impressions,
  position,
})

function daysOf({ start, end }: { start: string; end: string }, scale: number): DayOfFigures[] {
  return eachDay(start, end).map((date, index) => {
    const weekday = dayNumber(date) % 7
    const clicks = Math.round(scale * (260 + 5 * index + 45 * Math.sin(weekday * 0.9) + 18 * Math.sin(index * 1.7)))
    return { date, ...figures(clicks, clicks * 31 + 17 * index, 11.2 - index / 20) }
  })
}

const summed = (days: readonly DayOfFigures[]): RowFigures => {
  const [clicks, impressions] = [days.reduce((sum, each) => sum + each.clicks, 0), days.reduce((sum, each) => sum + each.impressions, 0)]
  return figures(clicks, impressions, 10.43)
}

const rowsOf = (names: readonly string[], direction: 1 | -1 = 1): ReportRow[] =>
  names.map((name, index) => {
    const clicks = 1_893 - index * 171
    const before =
      index % 4 === 3 ? figures(clicks, clicks * 24, 9) : figures(clicks - direction * (140 - index * 9), (clicks - 40) * 26, 9.4)
    return {
      name,
      ...figures(clicks, clicks * 27, 3.2 + index),
      previous: index === 5 ? { clicks: 0, impressions: 0, ctr: 0, position: 0 } : before,
    }
  })

type Names = { pages?: readonly string[]; keywords?: readonly string[] }

/** A shop's October 2026; its names can be any. */
export function sampleReport(property: string, names: Names = {}, change: Partial<PeriodicReport> = {}): PeriodicReport {
  const shownPages = names.pages ?? pages.map((path) => `https://lumenandloom.example${path}`)
  const shownKeywords = names.keywords ?? keywords
  const [days, previousDays] = [daysOf(period, 1), daysOf(previous, 0.86)]
  return {
    property,
    kind: 'month',
    period,
    previous,
    lastYear,
    completeThrough: '2026-11-19',
    totals: summed(days),
    previousTotals: summed(previousDays),
    lastYearTotals: figures(8_031, 266_540, 12.1),
    days,
    previousDays,
    annotations: {
      notes: [{ id: '1', date: '2026-10-08', text: 'New product pages went live', property, inReports: true }],
      anomalies: [],
      incidents: [
        {
          id: 'core',
          title: 'October 2026 core update',
          start: '2026-10-14',
          end: '2026-10-22',
          url: 'https://status.search.google.com/incidents/core',
        },
      ],
    },
    pages: { count: 412, top: rowsOf(shownPages), stored: true, compared: true },
    keywords: { count: 3_870, top: rowsOf(shownKeywords), stored: true, compared: true },
    advanced: {
      pages: { rising: rowsOf(shownPages.slice(0, 5)), falling: rowsOf(shownPages.slice(5, 9), -1) },
      keywords: { rising: rowsOf(shownKeywords.slice(0, 5)), falling: rowsOf(shownKeywords.slice(5, 9), -1) },
      opportunities: shownKeywords
        .slice(0, 6)
        .map((query, index) => ({ query, page: shownPages[index] ?? '', position: 6.3 + index * 1.4, opportunityScore: 148 - index * 21 })),
      alerts: [
        {
          id: 'a',
          severity: 'critical',
          title: 'Clicks dropped: https://lumenandloom.example/collections/trail-running',
          entity: { kind: 'page', name: 'https://lumenandloom.example/collections/trail-running' },
          change: -41.2,
          openedAt: '2026-10-16T07:10:00.000Z',
          state: 'recovered',
          endedAt: '2026-10-24T07:10:00.000Z',
          endedAs: 'recovered',
          why: '188 of the 213 lost clicks were from trail running shoes. Mainly lower positions (−171), then fewer impressions at the same positions (−31).',
        },
        {
          id: 'b',
          severity: 'warning',
          title: 'Position dropped: “waterproof jacket women”',
          entity: { kind: 'query', name: 'waterproof jacket women' },
          change: 3.4,
          openedAt: '2026-10-15T07:10:00.000Z',
          state: 'acknowledged',
          endedAt: null,
          endedAs: null,
          why: null,
        },
        {
          id: 'c',
          severity: 'positive',
          title: 'New keyword: “merino base layer sale”',
          entity: { kind: 'query', name: 'merino base layer sale' },
          change: null,
          openedAt: '2026-10-05T07:10:00.000Z',
          state: 'firing',
          endedAt: null,
          endedAs: null,
          why: null,
        },
      ],
      alertCount: 3,
    },
    advancedLocked: null,
    ...change,
  }
}
