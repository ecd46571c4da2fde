import { describe, expect, test } from 'vitest'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { alertChange, alertFigures, alertSeries, alertSubject, alertValues, alsoFound } from './alert-view.ts'

const alert: Alert = {
  id: '1',
  severity: 'critical',
  type: 'clicks',
  title: 'Clicks dropped across the site',
  description: '',
  currentValue: 983,
  previousValue: 12_040,
  timestamp: '2026-11-10T08:00:00Z',
  target: 'sc-domain:shop.example',
  data: [],
  viewed: false,
  state: 'firing',
  snoozedUntil: null,
  entity: { kind: 'site', name: 'sc-domain:shop.example' },
  change: -91.84,
  current: { start: '2026-11-03', end: '2026-11-09' },
  previous: { start: '2026-10-27', end: '2026-11-02' },
  findings: [],
  conditionId: '1',
  verdict: null,
  action: null,
}

describe('the change of an alert (SPEC §4, §9)', () => {
  test('is a percentage, colored by its metric', () => {
    expect(alertChange(alert, 'figure')).toEqual({ text: '91.8%', word: 'Down', direction: 'down', color: 'green', base: 'vs last week' })
    expect(alertChange({ ...alert, type: 'ctr' }, 'figure')).toMatchObject({ direction: 'down', color: 'red' })
    expect(alertChange({ ...alert, type: 'impressions', change: 50 }, 'figure')).toMatchObject({
      text: '50.0%',
      word: 'Up',
      color: 'green',
    })
  })

  test("is shown only if both figures exist and the first isn't 0", () => {
    expect(alertChange({ ...alert, previousValue: null }, 'figure')).toBeNull()
    expect(alertChange({ ...alert, currentValue: null }, 'figure')).toBeNull()
    expect(alertChange({ ...alert, previousValue: 0 }, 'figure')).toBeNull()
    // Computed if missing.
    expect(alertChange({ ...alert, change: null }, 'figure')).toEqual(alertChange(alert, 'figure'))
  })

  test('of a position is in positions: a larger number is a drop, a smaller one an improvement', () => {
    const position = { ...alert, type: 'position' as const, previousValue: 5 }
    expect(alertChange({ ...position, currentValue: 8.2, change: 3.2 }, 'figure')).toMatchObject({
      text: '3.2 positions',
      word: 'Dropped',
      direction: 'down',
      color: 'red',
    })
    expect(alertChange({ ...position, currentValue: 3, change: -2 }, 'figure')).toMatchObject({
      text: '2.0 positions',
      word: 'Improved',
      direction: 'up',
      color: 'green',
    })
  })

  test('says what it is relative to', () => {
    const against = (start: string, end: string) => alertChange({ ...alert, previous: { start, end } }, 'figure')?.base
    expect(against('2025-11-04', '2025-11-10')).toBe('vs 4–10 Nov 2025')
    expect(against('2026-10-04', '2026-11-02')).toBe('vs the weekly average for 4 Oct–2 Nov')
    expect(alertChange({ ...alert, previous: null }, 'figure')?.base).toBe('vs last week')
  })
})

test('figures are in compact thousands, CTR with two decimals, positions with one', () => {
  expect(alertFigures(alert)).toBe('Clicks 12K → 983')
  expect(alertFigures({ ...alert, type: 'impressions', currentValue: 1_234_567, previousValue: 1_250 })).toBe('Impressions 1.3K → 1.2M')
  expect(alertFigures({ ...alert, type: 'ctr', currentValue: 0.0345, previousValue: 0.05 })).toBe('CTR 5.00% → 3.45%')
  expect(alertFigures({ ...alert, type: 'position', currentValue: null, previousValue: 8.14 })).toBe('Position 8.1 → –')
  expect(alertFigures({ ...alert, type: 'position', currentValue: 4.2, previousValue: null })).toBe('Position 4.2')
  expect(alertFigures({ ...alert, currentValue: null, previousValue: null })).toBeNull()
})

test('the current figure is separate from the previous one', () => {
  expect(alertValues(alert)).toEqual({ current: '983', previous: '12K' })
  expect(alertValues({ ...alert, previousValue: null })).toEqual({ current: '983', previous: null })
  expect(alertValues({ ...alert, currentValue: null, previousValue: null })).toBeNull()
})

test('an alert is about its figure, or about the connection', () => {
  expect(alertSubject({ ...alert, type: 'ctr' })).toBe('CTR')
  expect(alertSubject({ ...alert, entity: { kind: 'connection', name: 'token_revoked' } })).toBe('Connection')
})

describe('the days of an alert', () => {
  test('count back from the last evaluated day', () => {
    const series = alertSeries({ ...alert, data: Array.from({ length: 28 }, (_, day) => day) })
    expect(series).toMatchObject({ until: '2026-11-09', dated: true })
    expect(series?.points[0]).toEqual({ date: '2026-10-13', value: 0 })
    expect(series?.points.at(-1)).toEqual({ date: '2026-11-09', value: 27 })
  })

  test('are unknown if some have no figure', () => {
    expect(alertSeries({ ...alert, type: 'position', data: [3, 4, 5] })).toMatchObject({ until: '2026-11-09', dated: false })
  })

  test("are unknown if they weren't given", () => {
    expect(alertSeries({ ...alert, current: null, data: [3, 4] })).toMatchObject({ until: null, dated: false })
  })

  test("don't exist for an alert that isn't about figures", () => {
    expect(alertSeries(alert)).toBeNull()
  })
})

test('other findings with the same cause are in a line, without its own', () => {
  const { id, type, title, entity, state, currentValue, previousValue, change } = alert
  const own = { id, severity: 'critical' as const, type, title, entity, state, currentValue, previousValue, change }
  expect(alsoFound(alert)).toBeNull()
  expect(alsoFound({ ...alert, findings: [own] })).toBeNull()
  const others = ['CTR dropped', 'Clicks dropped: /a'].map((name, at) => ({ ...own, id: `9${at}`, title: name }))
  expect(alsoFound({ ...alert, findings: [own, ...others.slice(0, 1)] })).toBe('Same cause: CTR dropped')
  expect(alsoFound({ ...alert, findings: [own, ...others], moreFindings: 2 })).toBe('Same cause: CTR dropped and 3 more')
})
