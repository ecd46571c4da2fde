import { expect, test } from 'vitest'
import { daysLater, morningOf, snoozeDays } from './snooze.ts'

const now = new Date(2026, 2, 28, 14, 5)

test('a day and a week later it is the same time of day, even across a clock change', () => {
  expect(daysLater(now, 1)).toEqual(new Date(2026, 2, 29, 14, 5))
  expect(daysLater(now, 7)).toEqual(new Date(2026, 3, 4, 14, 5))
  expect(now).toEqual(new Date(2026, 2, 28, 14, 5))
})

test('a date means its morning, from tomorrow up to a year ahead', () => {
  expect(morningOf('2026-04-01')).toEqual(new Date(2026, 3, 1, 8))
  expect(snoozeDays(now)).toEqual({ start: '2026-03-29', end: '2027-03-28' })
})
