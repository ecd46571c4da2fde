import { describe, expect, test } from 'vitest'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { addDays, eachDay } from '../../../core/analytics/days.ts'
import { reportChart } from './report-chart.ts'

const days = (start: string, end: string) => eachDay(start, end).map((date) => ({ date, value: 10, complete: true }))
const report: AlertReport = {
  id: '1',
  severity: 'critical',
  type: 'clicks',
  title: 'Clicks dropped',
  description: '',
  currentValue: 140,
  previousValue: 1_700,
  timestamp: '2026-03-18T20:00:00.000Z',
  target: 'https://a.example/',
  data: [],
  viewed: true,
  state: 'recovered',
  snoozedUntil: null,
  entity: { kind: 'site', name: 'https://a.example/' },
  change: -91.8,
  current: { start: '2026-03-09', end: '2026-03-15' },
  previous: { start: '2026-03-02', end: '2026-03-08' },
  findings: [],
  rules: [],
  conditionId: '1',
  verdict: null,
  action: null,
  series: days('2026-01-19', '2026-03-25'),
  previousSeries: [],
  viewedAt: null,
  contributors: [],
  // Shortly after midnight UTC it is still the previous day at Google.
  timeline: [
    { at: '2026-03-18T20:00:00.000Z', from: null, to: 'firing', reason: 'condition_met', by: null },
    { at: '2026-03-19T20:00:00.000Z', from: 'firing', to: 'acknowledged', reason: 'acknowledged', by: 'Ursula' },
    { at: '2026-03-25T02:00:00.000Z', from: 'acknowledged', to: 'recovered', reason: 'rule_off', by: 'Ursula' },
  ],
  deliveries: [],
}

describe("a report's chart", () => {
  test('shades both periods, and marks when the alert was opened and ended', () => {
    const chart = reportChart(report)
    expect(chart?.bands).toEqual([
      { start: '2026-03-02', end: '2026-03-08', label: '2–8 Mar', tone: 'previous' },
      { start: '2026-03-09', end: '2026-03-15', label: '9–15 Mar', tone: 'current' },
    ])
    expect(chart?.marks.map(({ date, label, kind }) => [date, label, kind])).toEqual([
      ['2026-03-18', 'Opened', 'Alert opened'],
      ['2026-03-24', 'Ended', 'Alert ended'],
    ])
    expect(chart?.series.map(({ label }) => label)).toEqual(['Clicks'])
  })

  test('shades the earlier period beside the expected range, unless it was compared with what was expected', () => {
    const expectation = { firstDay: '2026-03-10', days: [{ date: '2026-03-10', expected: 240, low: 200, high: 280 }] }
    const tones = (change: Partial<AlertReport>) => reportChart({ ...report, expectation, ...change })?.bands.map(({ tone }) => tone)
    expect(reportChart({ ...report, expectation })?.range?.days).toEqual(expectation.days)
    expect(tones({})).toEqual(['previous', 'current'])
    expect(tones({ unusual: { months: 14 } })).toEqual(['current'])
  })

  test('describes itself in a sentence', () => {
    expect(reportChart(report)?.summary).toBe('Clicks by day, 19 Jan–25 Mar 2026: 140 for 9–15 Mar 2026 vs 1,700 for 2–8 Mar 2026.')
  })

  test('places last year under this one, with both periods at the same place', () => {
    const previous = { start: addDays('2026-03-09', -364), end: addDays('2026-03-15', -364) }
    const chart = reportChart({ ...report, previous, previousSeries: days('2025-01-20', '2025-03-26') })
    expect(chart?.series.map(({ label, muted, shift }) => [label, muted, shift])).toEqual([
      ['Current', undefined, undefined],
      ['A year earlier', true, 364],
    ])
    expect(chart?.bands).toEqual([
      { start: '2026-03-09', end: '2026-03-15', label: '10–16 Mar 2025', tone: 'previous' },
      { start: '2026-03-09', end: '2026-03-15', label: '9–15 Mar 2026', tone: 'current' },
    ])
  })

  test.each<[Partial<AlertReport>, string]>([
    [{}, 'Clicks by day'],
    [{ type: 'ctr' }, 'CTR by day'],
    [{ type: 'position', change: null, previousValue: null }, 'Position by day'],
  ])('is titled with its metric: %j', (part, title) => {
    expect(reportChart({ ...report, ...part })?.title).toBe(title)
  })

  test("doesn't exist for an alert about the connection", () => {
    expect(reportChart({ ...report, current: null, previous: null, series: [] })).toBeNull()
  })
})
