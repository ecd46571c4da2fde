import { expect, test } from 'vitest'
import { queryAlert } from '../../../../test/support/answers/alerts.ts'
import type { History } from '../../../contract/history.ts'
import { alertMarks, historyChart, historyNotes } from './history-chart.ts'

const figures = (clicks: number, position = 4) => ({ clicks, impressions: 100, ctr: clicks / 100, position })

const weeks: History = {
  property: 'p',
  period: { start: '2026-03-02', end: '2026-03-10' },
  grain: 'week',
  compared: { start: '2026-02-16', end: '2026-02-24' },
  points: [
    { start: '2026-03-02', end: '2026-03-08', figures: figures(70), complete: true },
    { start: '2026-03-09', end: '2026-03-10', figures: figures(20, 0), complete: false },
  ],
  previousPoints: [
    { start: '2026-02-16', end: '2026-02-22', figures: figures(60), complete: true },
    { start: '2026-02-23', end: '2026-02-24', figures: null, complete: false },
  ],
  expectedClicks: [],
  firstDay: '2026-01-01',
  completeThrough: '2026-03-10',
}

test('each metric is a line, and its comparison is a muted line below it that names its own days', () => {
  const { title, summary, series } = historyChart(weeks, ['clicks', 'position'])
  expect(title).toBe('Clicks and Position by week')
  expect(summary).toBe('Clicks and Position by week. 2–10 Mar 2026: Clicks from 20 to 70; Position from 4.0 to 4.0.')
  expect(series.map(({ metric, label, muted = false }) => [metric, label, muted])).toEqual([
    ['clicks', '2–10 Mar 2026', false],
    ['clicks', '16–24 Feb 2026', true],
    ['position', '2–10 Mar 2026', false],
    ['position', '16–24 Feb 2026', true],
  ])
  expect(series[1]?.points[0]).toEqual({
    date: '2026-03-02',
    end: '2026-03-08',
    of: { start: '2026-02-16', end: '2026-02-22' },
    value: 60,
    complete: true,
  })
  // Something not shown, or without a known position, has no figure.
  expect(series[1]?.points[1]?.value).toBeNull()
  expect(series[2]?.points[1]?.value).toBeNull()
})

const now = new Date('2026-03-11T12:00:00Z')

test('notes below the chart name the last complete day, missing comparisons and figures that Google counted differently', () => {
  expect(historyNotes(weeks, { shown: ['clicks'], type: 'web', wantsComparison: true, now })).toEqual(['Complete through 10 Mar.'])
  const later = { shown: ['clicks'], type: 'web', wantsComparison: true, now: new Date('2027-03-11T12:00:00Z') } as const
  expect(historyNotes(weeks, later)).toEqual(['Complete through 10 Mar 2026.'])
  expect(historyNotes({ ...weeks, compared: null }, { shown: ['clicks'], type: 'web', wantsComparison: true, now })).toContain(
    'No comparison: some of the earlier days are missing.',
  )
  expect(historyNotes({ ...weeks, compared: null }, { shown: ['clicks'], type: 'web', wantsComparison: false, now })).not.toContain(
    'No comparison: some of the earlier days are missing.',
  )
  const yearBefore = { ...weeks, compared: { start: '2025-03-03', end: '2025-03-11' } }
  expect(historyNotes(yearBefore, { shown: ['clicks', 'impressions', 'ctr'], type: 'web', wantsComparison: true, now })).toContain(
    'Impressions and CTR: Google counted differently on some of these days.',
  )
})

test('alerts that recovered or ended otherwise are marked as well, apart from the open ones of the same day, each kind with its own icon', () => {
  const ended = { as: 'settled', at: '2026-03-18T19:00:00.000Z', reason: 'new_level' } as const
  const alerts = [
    queryAlert('lamp', 10),
    queryAlert('desk', 9, { state: 'recovered' }),
    queryAlert('oak', 8, { state: 'recovered' }),
    queryAlert('elm', 7, { state: 'recovered', ended }),
  ]
  const marks = alertMarks(alerts, { start: '2026-01-01', end: '2026-12-31' }, ['clicks'])
  expect(marks.map(({ kind, label }) => [kind, label])).toEqual([
    ['Open alert', 'Alert: Clicks dropped: “lamp”'],
    ['Recovered alert', 'Recovered: Clicks dropped: “desk” and 1 more'],
    ['Ended alert', 'Ended: Clicks dropped: “elm”'],
  ])
  expect(new Set(marks.map(({ Icon }) => Icon)).size).toBe(3)
})

test('alerts are marked on the chart of their search type only', () => {
  const year = { start: '2026-01-01', end: '2026-12-31' }
  const alerts = [queryAlert('lamp', 10), queryAlert('desk', 9, { searchType: 'image' })]
  expect(alertMarks(alerts, year, ['clicks']).map(({ label }) => label)).toEqual(['Alert: Clicks dropped: “lamp”'])
  expect(alertMarks(alerts, year, ['clicks'], 'image').map(({ label }) => label)).toEqual(['Alert: Clicks dropped: “desk”'])
})

test('open alerts of one day share a mark; alerts on other metrics or outside the range have none', () => {
  const alerts = [queryAlert('lamp', 10), queryAlert('desk', 9)]
  const end = alerts[0]?.current?.end ?? ''
  const marks = alertMarks(alerts, { start: '2026-01-01', end: '2026-12-31' }, ['clicks'])
  expect(marks).toMatchObject([{ date: end, kind: 'Open alert', label: 'Alert: Clicks dropped: “lamp” and 1 more' }])
  expect(alertMarks(alerts, { start: '2026-01-01', end: '2026-12-31' }, ['ctr'])).toEqual([])
  expect(alertMarks(alerts, { start: '2025-01-01', end: '2025-12-31' }, ['clicks'])).toEqual([])
})

test('an open alert is marked on its first day, or else on the day that opened it, however far its window has moved since', () => {
  const year = { start: '2026-01-01', end: '2026-12-31' }
  const daysOf = (change: Parameters<typeof queryAlert>[2]) =>
    alertMarks([queryAlert('lamp', 10, change)], year, ['clicks']).map(({ date }) => date)
  expect(daysOf({ firstDay: '2026-02-18', openedWith: '2026-02-20' })).toEqual(['2026-02-18'])
  expect(daysOf({ openedWith: '2026-02-20' })).toEqual(['2026-02-20'])
  expect(daysOf({ firstDay: '2026-02-18', openedWith: '2026-02-20', state: 'recovered' })).toEqual([queryAlert('lamp', 10).current?.end])
})
