import { expect, test } from 'vitest'
import { dayOf, daysFrom, formatDay, formatInstant, formatMoment, formatPeriod, formatUntil } from './dates.ts'

test('days', () => {
  expect(formatDay('2026-11-09')).toBe('9 Nov')
  expect(formatDay('2026-11-09', true)).toBe('9 Nov 2026')
  expect(daysFrom('2026-03-07', '2026-03-09')).toBe(2)
  expect(daysFrom('2026-11-02', '2026-10-27')).toBe(-6)
})

test("periods don't repeat month or year", () => {
  expect(formatPeriod({ start: '2026-11-03', end: '2026-11-09' })).toBe('3–9 Nov')
  expect(formatPeriod({ start: '2026-11-03', end: '2026-11-09' }, true)).toBe('3–9 Nov 2026')
  expect(formatPeriod({ start: '2026-10-27', end: '2026-11-02' })).toBe('27 Oct–2 Nov')
  expect(formatPeriod({ start: '2025-12-29', end: '2026-01-04' })).toBe('29 Dec 2025–4 Jan 2026')
  expect(formatPeriod({ start: '2026-11-09', end: '2026-11-09' })).toBe('9 Nov')
})

test('times are relative to now', () => {
  const now = new Date(2026, 10, 21, 12, 0)
  expect(formatMoment(new Date(2026, 10, 21, 0, 5), now)).toBe('Today, 00:05')
  expect(formatMoment(new Date(2026, 10, 20, 23, 59), now)).toBe('Yesterday, 23:59')
  expect(formatMoment(new Date(2026, 10, 19, 23, 59), now)).toBe('Thursday')
  expect(formatMoment(new Date(2026, 10, 15, 12, 0), now)).toBe('Sunday')
  expect(formatMoment(new Date(2026, 10, 14, 12, 0), now)).toBe('14 Nov')
  expect(formatMoment(new Date(2025, 10, 21, 12, 0), now)).toBe('21 Nov 2025')
})

test('a time is given to the minute however long ago', () => {
  const now = new Date(2026, 10, 21, 12, 0)
  expect(formatInstant(new Date(2026, 10, 21, 8, 15), now)).toBe('Today, 08:15')
  expect(formatInstant(new Date(2026, 10, 20, 23, 59), now)).toBe('Yesterday, 23:59')
  expect(formatInstant(new Date(2026, 10, 16, 9, 5), now)).toBe('16 Nov, 09:05')
  expect(formatInstant(new Date(2025, 10, 21, 9, 5), now)).toBe('21 Nov 2025, 09:05')
})

test('future times fit within a sentence', () => {
  const now = new Date(2026, 10, 21, 12, 0)
  expect(formatUntil(new Date(2026, 10, 21, 20, 15), now)).toBe('today at 20:15')
  expect(formatUntil(new Date(2026, 10, 22, 0, 5), now)).toBe('tomorrow at 00:05')
  expect(formatUntil(new Date(2026, 10, 25, 8, 0), now)).toBe('25 Nov at 08:00')
  expect(formatUntil(new Date(2027, 0, 2, 8, 0), now)).toBe('2 Jan 2027 at 08:00')
})

test("a time belongs to the day in the user's time zone", () => {
  expect(dayOf(new Date(2026, 10, 21, 0, 1))).toBe('2026-11-21')
  expect(dayOf(new Date(2026, 10, 21, 23, 59))).toBe('2026-11-21')
})
