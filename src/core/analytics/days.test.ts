import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayNumber, daysBetween, eachDay, fromDayNumber, monthsBefore, pacificDay } from './days.ts'
import { lastDays, previousPeriod } from './periods.ts'

/** Any day from 1990 to 2060. */
const day = fc.integer({ min: dayNumber('1990-01-01'), max: dayNumber('2060-12-31') }).map(fromDayNumber)

describe('the day in Los Angeles', () => {
  test.each([
    ['2026-03-08T07:59:59.999Z', '2026-03-07'],
    ['2026-03-08T08:00:00Z', '2026-03-08'],
    ['2026-03-08T09:59:59Z', '2026-03-08'],
    ['2026-03-08T10:00:00Z', '2026-03-08'],
    ['2026-03-09T06:59:59Z', '2026-03-08'],
    ['2026-03-09T07:00:00Z', '2026-03-09'],
    ['2026-11-01T06:59:59Z', '2026-10-31'],
    ['2026-11-01T07:00:00Z', '2026-11-01'],
    ['2026-11-01T08:30:00Z', '2026-11-01'],
    ['2026-11-01T09:30:00Z', '2026-11-01'],
    ['2026-11-02T07:59:59Z', '2026-11-01'],
    ['2026-11-02T08:00:00Z', '2026-11-02'],
    ['2027-01-01T07:59:59Z', '2026-12-31'],
  ])('%s is still, or already, %s', (instant, expected) => {
    expect(pacificDay(new Date(instant))).toBe(expected)
  })

  test('lasts 23, 24 or 25 hours and is followed by the next one', () => {
    fc.assert(
      fc.property(day, (date) => {
        const hours = Array.from({ length: 50 }, (_, hour) => pacificDay(new Date(Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000)))
        const length = hours.filter((each) => each === date).length
        expect([23, 24, 25]).toContain(length)
        expect(hours[hours.lastIndexOf(date) + 1]).toBe(addDays(date, 1))
      }),
    )
  })
})

describe('counting days', () => {
  test('there and back again', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -4000, max: 4000 }), (date, days) => {
        expect(addDays(addDays(date, days), -days)).toBe(date)
      }),
    )
  })

  test('from one day to another, both included', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 800 }), (start, days) => {
        const all = eachDay(start, addDays(start, days))
        expect(all).toHaveLength(days + 1)
        expect(all).toHaveLength(daysBetween(start, addDays(start, days)))
        expect(new Set(all).size).toBe(all.length)
        expect(all.toSorted()).toEqual(all)
      }),
    )
    expect(eachDay('2026-03-02', '2026-03-01')).toEqual([])
    expect(daysBetween('2026-03-02', '2026-03-01')).toBe(0)
  })
})

describe('months earlier', () => {
  test.each([
    ['2026-03-18', 16, '2024-11-18'],
    ['2026-07-31', 16, '2025-03-31'],
    ['2026-06-30', 16, '2025-02-28'],
    ['2025-06-30', 16, '2024-02-29'],
    ['2026-03-31', 1, '2026-02-28'],
    ['2024-02-29', 12, '2023-02-28'],
    ['2026-01-15', 1, '2025-12-15'],
  ])('%s, %i months', (date, months, expected) => {
    expect(monthsBefore(date, months)).toBe(expected)
  })

  test('keep the day of the month, or use the last one of a shorter month', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 48 }), (date, months) => {
        const before = monthsBefore(date, months)
        const monthOf = (each: string) => Number(each.slice(0, 4)) * 12 + Number(each.slice(5, 7))
        expect(monthOf(date) - monthOf(before)).toBe(months)
        const sameDay = before.slice(8) === date.slice(8)
        const lastOfMonth = addDays(before, 1).slice(8) === '01'
        expect(sameDay || (lastOfMonth && before.slice(8) < date.slice(8))).toBe(true)
      }),
    )
  })
})

test("a period and the previous one are adjacent, equally long and don't overlap", () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 400 }), (end, days) => {
      const current = lastDays(end, days)
      const previous = previousPeriod(current, days)
      expect(current.end).toBe(end)
      expect(daysBetween(current.start, current.end)).toBe(days)
      expect(daysBetween(previous.start, previous.end)).toBe(days)
      expect(addDays(previous.end, 1)).toBe(current.start)
    }),
  )
})
