import { describe, expect, test } from 'vitest'
import { alertsFilterOf, type AlertsSearch, customPeriod, readAlertsSearch, writeAlertsSearch } from './alerts-search.ts'

const read = (address: string) => readAlertsSearch(new URLSearchParams(address))
const usual: AlertsSearch = { view: 'cards', range: '7', custom: null, openOnly: false, show: 50 }
const data = { start: '2026-02-15', end: '2026-03-16' }
const now = new Date('2026-03-18T19:00:00Z')

describe('the URL', () => {
  test('omits the defaults: cards of the last 7 days', () => {
    expect(read('')).toEqual(usual)
    expect(writeAlertsSearch(usual).toString()).toBe('')
  })

  test.each([
    { ...usual, view: 'table', range: '30' },
    { ...usual, range: 'custom', custom: { start: '2026-03-01', end: '2026-03-10' }, openOnly: true, show: 150 },
  ] satisfies AlertsSearch[])('keeps $view, $range and the rest', (search) => {
    expect(readAlertsSearch(writeAlertsSearch(search))).toEqual(search)
  })

  test('that is invalid is ignored', () => {
    expect(read('view=list&range=31&open=1&show=7')).toEqual(usual)
    expect(read('range=custom&from=2026-03-10&to=2026-03-01').custom).toBeNull()
    expect(read('range=custom&from=2026-02-30&to=2026-03-01').custom).toBeNull()
    expect(read('show=100000').show).toBe(500)
  })
})

describe('which alerts are requested', () => {
  test('the last 7 and 30 days, including today', () => {
    expect(alertsFilterOf(usual, now, data)).toEqual({ from: '2026-03-12' })
    expect(alertsFilterOf({ ...usual, range: '30' }, now, null)).toEqual({ from: '2026-02-17' })
    expect(alertsFilterOf({ ...usual, openOnly: true }, now, data)).toEqual({ from: '2026-03-12', state: 'open' })
  })

  test('for a custom range those of its days', () => {
    const custom = { start: '2026-03-01', end: '2026-03-10' }
    expect(alertsFilterOf({ ...usual, range: 'custom', custom }, now, data)).toEqual({ from: '2026-03-01', to: '2026-03-10' })
  })

  test('a range up to the last data includes what was sent about it since', () => {
    const custom = { start: '2026-03-10', end: '2026-03-16' }
    expect(alertsFilterOf({ ...usual, range: 'custom', custom }, now, data)).toEqual({ from: '2026-03-10' })
  })

  test('a custom range without data becomes the last 7 days', () => {
    expect(alertsFilterOf({ ...usual, range: 'custom' }, now, null)).toEqual({ from: '2026-03-12' })
  })
})

test('a custom range stays within the days with data', () => {
  expect(customPeriod(null, data)).toEqual({ start: '2026-03-10', end: '2026-03-16' })
  expect(customPeriod(null, { start: '2026-03-15', end: '2026-03-16' })).toEqual({ start: '2026-03-15', end: '2026-03-16' })
  expect(customPeriod({ start: '2025-01-01', end: '2026-02-20' }, data)).toEqual({ start: '2026-02-15', end: '2026-02-20' })
  expect(customPeriod({ start: '2026-03-12', end: '2026-04-01' }, data)).toEqual({ start: '2026-03-12', end: '2026-03-16' })
  expect(customPeriod({ start: '2025-01-01', end: '2025-01-31' }, data)).toEqual({ start: '2026-03-10', end: '2026-03-16' })
})
