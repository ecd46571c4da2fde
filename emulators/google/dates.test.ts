import { expect, test } from 'vitest'
import { createClock } from './clock.ts'
import { formatDay, hoursOfDay, losAngelesDay, monthsBefore, parseDay } from './dates.ts'

const day = (text: string): number => parseDay(text) ?? Number.NaN

test('only dates that exist are dates', () => {
  expect(formatDay(day('2024-02-29'))).toBe('2024-02-29')
  for (const wrong of ['2025-02-29', '2025-13-01', '2025-1-1', '20250101', 'yesterday', '']) expect(parseDay(wrong)).toBeUndefined()
})

test('days are those of Los Angeles, through both clock changes', () => {
  expect(formatDay(losAngelesDay(Date.parse('2026-07-15T06:59:59Z')))).toBe('2026-07-14')
  expect(formatDay(losAngelesDay(Date.parse('2026-07-15T07:00:00Z')))).toBe('2026-07-15')
  expect(formatDay(losAngelesDay(Date.parse('2026-01-15T07:59:59Z')))).toBe('2026-01-14')
  expect(formatDay(losAngelesDay(Date.parse('2026-01-15T08:00:00Z')))).toBe('2026-01-15')
})

test('a day has 23 hours in spring, 25 in fall, 24 otherwise', () => {
  expect(hoursOfDay(day('2026-03-08')).map((hour) => hour.key)).toHaveLength(23)
  expect(hoursOfDay(day('2026-03-08'))[2]?.key).toBe('2026-03-08T03:00:00-07:00')
  const autumn = hoursOfDay(day('2026-11-01')).map((hour) => hour.key)
  expect(autumn).toHaveLength(25)
  expect(autumn.slice(1, 3)).toEqual(['2026-11-01T01:00:00-07:00', '2026-11-01T01:00:00-08:00'])
  expect(hoursOfDay(day('2025-04-07'))[0]?.key).toBe('2025-04-07T00:00:00-07:00')
})

test('months are counted on the calendar', () => {
  expect(formatDay(monthsBefore(day('2026-07-15'), 16))).toBe('2025-03-15')
  expect(formatDay(monthsBefore(day('2026-06-30'), 16))).toBe('2025-02-28')
})

test('the clock can be frozen at a date or a time, and released', () => {
  const clock = createClock('2026-03-08')
  expect(formatDay(clock.today())).toBe('2026-03-08')
  expect(clock.set('2026-03-08T06:30:00Z')).toBe(true)
  expect(formatDay(clock.today())).toBe('2026-03-07')
  expect(clock.set('soon')).toBe(false)
  clock.set(null)
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000)
})
