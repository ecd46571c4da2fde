import { expect, test } from 'vitest'
import { clampDay, dayAfterKey, dayTitle, hasMonth, monthTitle, periodOf, weeksOf, within } from './calendar.ts'

test('a month is shown in weeks from Monday, and only with its own days', () => {
  const weeks = weeksOf('2026-03-18')
  expect(weeks).toHaveLength(6)
  expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-03-01'])
  expect(weeks[5]).toEqual(['2026-03-30', '2026-03-31', null, null, null, null, null])
  expect(weeksOf('2027-02-01')).toHaveLength(4)
  expect(weeksOf('2025-12-31').flat().filter(Boolean)).toHaveLength(31)
})

test('keys move by days, weeks and months, and to the ends of the week', () => {
  const after = (key: string) => dayAfterKey('2026-03-31', key)
  expect(after('ArrowLeft')).toBe('2026-03-30')
  expect(after('ArrowRight')).toBe('2026-04-01')
  expect(after('ArrowUp')).toBe('2026-03-24')
  expect(after('ArrowDown')).toBe('2026-04-07')
  expect(after('Home')).toBe('2026-03-30')
  expect(after('End')).toBe('2026-04-05')
  expect(after('PageUp')).toBe('2026-02-28')
  expect(after('PageDown')).toBe('2026-04-30')
  expect(after('a')).toBeNull()
})

test("days stay within the limits, and months without any aren't offered", () => {
  const span = { start: '2026-02-15', end: '2026-03-17' }
  expect(clampDay('2026-01-01', span)).toBe('2026-02-15')
  expect(clampDay('2026-03-18', span)).toBe('2026-03-17')
  expect(clampDay('2026-03-01', span)).toBe('2026-03-01')
  expect([within('2026-02-15', span), within('2026-03-17', span), within('2026-03-18', span)]).toEqual([true, true, false])
  expect([hasMonth('2026-03-10', -1, span), hasMonth('2026-03-10', 1, span)]).toEqual([true, false])
  expect([hasMonth('2026-02-20', -1, span), hasMonth('2026-02-20', 1, span)]).toEqual([false, true])
})

test('the days of a range can be selected in either order', () => {
  expect(periodOf('2026-03-10', '2026-03-02')).toEqual({ start: '2026-03-02', end: '2026-03-10' })
})

test('days and months have names for screen readers', () => {
  expect(monthTitle('2026-03-18')).toBe('March 2026')
  expect(dayTitle('2026-03-16')).toBe('Monday, 16 March 2026')
})
