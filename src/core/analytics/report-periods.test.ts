import { describe, expect, test } from 'vitest'
import { eachDay } from './days.ts'
import { completePeriods, isWhole, periodBefore, periodLastYear, reportPeriodOf } from './report-periods.ts'

describe('a week', () => {
  test.each(['2026-02-16', '2026-02-18', '2026-02-22'])('that includes %s goes from Monday to Sunday', (day) => {
    expect(reportPeriodOf('week', day)).toEqual({ start: '2026-02-16', end: '2026-02-22' })
  })
  test('may span two years', () => {
    expect(reportPeriodOf('week', '2026-01-01')).toEqual({ start: '2025-12-29', end: '2026-01-04' })
  })
  test('is compared with the one before, and with the one 52 weeks earlier, which also starts on a Monday', () => {
    const week = reportPeriodOf('week', '2026-03-02')
    expect(periodBefore('week', week)).toEqual({ start: '2026-02-23', end: '2026-03-01' })
    expect(periodLastYear('week', week)).toEqual({ start: '2025-03-03', end: '2025-03-09' })
    expect(reportPeriodOf('week', '2025-03-03').start).toBe('2025-03-03')
  })
  test('before 1970 also starts on a Monday', () => {
    expect(reportPeriodOf('week', '1969-12-31')).toEqual({ start: '1969-12-29', end: '1970-01-04' })
    expect(reportPeriodOf('week', '1969-12-25')).toEqual({ start: '1969-12-22', end: '1969-12-28' })
  })
})

describe('a month', () => {
  test.each([
    ['2026-02-28', '2026-02-01', '2026-02-28'],
    ['2024-02-10', '2024-02-01', '2024-02-29'],
    ['2025-12-31', '2025-12-01', '2025-12-31'],
    ['2026-04-01', '2026-04-01', '2026-04-30'],
  ])('that includes %s is the calendar month', (day, start, end) => {
    expect(reportPeriodOf('month', day)).toEqual({ start, end })
  })
  test('is compared with the one before, and with the same one of the year before, however long they are', () => {
    const march = reportPeriodOf('month', '2026-03-15')
    expect(periodBefore('month', march)).toEqual({ start: '2026-02-01', end: '2026-02-28' })
    expect(periodBefore('month', reportPeriodOf('month', '2026-01-15'))).toEqual({ start: '2025-12-01', end: '2025-12-31' })
    expect(periodLastYear('month', march)).toEqual({ start: '2025-03-01', end: '2025-03-31' })
    expect(periodLastYear('month', reportPeriodOf('month', '2025-02-15'))).toEqual({ start: '2024-02-01', end: '2024-02-29' })
  })
})

describe('complete periods', () => {
  test('are those with all days stored and complete, latest first', () => {
    const stored = eachDay('2026-01-07', '2026-02-03')
    expect(completePeriods('week', stored, '2026-02-01')).toEqual([
      { start: '2026-01-26', end: '2026-02-01' },
      { start: '2026-01-19', end: '2026-01-25' },
      { start: '2026-01-12', end: '2026-01-18' },
    ])
    expect(completePeriods('month', stored, '2026-02-01')).toEqual([])
    expect(completePeriods('month', eachDay('2025-12-31', '2026-02-28'), '2026-02-28').map(({ start }) => start)).toEqual([
      '2026-02-01',
      '2026-01-01',
    ])
  })
  test('end with the last complete day: its week counts only once Sunday is complete', () => {
    const stored = eachDay('2026-01-12', '2026-01-20')
    expect(completePeriods('week', stored, '2026-01-17')).toEqual([])
    expect(completePeriods('week', stored, '2026-01-18')).toHaveLength(1)
  })
  test('have no missing days in between', () => {
    const stored = eachDay('2026-01-01', '2026-02-28').filter((day) => day !== '2026-01-14')
    expect(completePeriods('month', stored, '2026-02-28')).toEqual([{ start: '2026-02-01', end: '2026-02-28' }])
    expect(completePeriods('week', stored, '2026-01-25')).toEqual([
      { start: '2026-01-19', end: '2026-01-25' },
      { start: '2026-01-05', end: '2026-01-11' },
    ])
  })
  test("don't exist if nothing is stored", () => {
    expect(completePeriods('week', [], '2026-02-28')).toEqual([])
  })
})

test('a period is whole with its first and its last day', () => {
  const week = { start: '2026-02-16', end: '2026-02-22' }
  expect(isWhole(week, new Set(eachDay('2026-02-16', '2026-02-22')))).toBe(true)
  expect(isWhole(week, new Set(eachDay('2026-02-17', '2026-02-28')))).toBe(false)
  expect(isWhole(week, new Set(eachDay('2026-02-01', '2026-02-21')))).toBe(false)
})
