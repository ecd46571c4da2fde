import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextDigest, quietUntil } from './times.ts'

const at = (text: string) => new Date(text)
const berlin = { timeZone: 'Europe/Berlin', digestHour: 8, digestWeekday: 1 }
const next = (frequency: 'daily' | 'weekly', after: string, more: object = {}) =>
  nextDigest({ ...berlin, frequency, ...more }, at(after)).toISOString()

describe("the next digest, in its reader's time zone", () => {
  test.each([
    ['2026-11-21T06:59:00Z', '2026-11-21T07:00:00.000Z'],
    ['2026-11-21T07:00:00Z', '2026-11-22T07:00:00.000Z'],
    // Late evening in Berlin is the same day in UTC; early morning is not.
    ['2026-11-21T23:30:00Z', '2026-11-22T07:00:00.000Z'],
    // Daylight saving time: 8:00 is 6:00 in UTC.
    ['2026-07-01T05:00:00Z', '2026-07-01T06:00:00.000Z'],
  ])('daily, after %s: %s', (after, due) => {
    expect(next('daily', after)).toBe(due)
  })

  test('weekly comes on the chosen weekday', () => {
    expect(next('weekly', '2026-11-21T10:00:00Z')).toBe('2026-11-23T07:00:00.000Z')
    expect(next('weekly', '2026-11-23T07:00:00Z')).toBe('2026-11-30T07:00:00.000Z')
    expect(next('weekly', '2026-11-21T10:00:00Z', { digestWeekday: 7 })).toBe('2026-11-22T07:00:00.000Z')
  })

  test('on the day of a clock change it comes at its hour by the new clock, even at a skipped hour', () => {
    expect(next('daily', '2026-03-28T07:00:00Z')).toBe('2026-03-29T06:00:00.000Z')
    expect(next('daily', '2026-03-28T12:00:00Z', { digestHour: 2 })).toBe('2026-03-29T01:00:00.000Z')
    expect(next('daily', '2026-10-24T12:00:00Z', { digestHour: 2 })).toBe('2026-10-25T00:00:00.000Z')
    expect(next('daily', '2026-10-25T00:00:00Z', { digestHour: 2 })).toBe('2026-10-26T01:00:00.000Z')
  })

  const nextAfter = (frequency: 'daily' | 'weekly', after: string, last: string, more: object = {}) =>
    nextDigest({ ...berlin, frequency, ...more }, at(after), at(last)).toISOString()

  test('a weekly one keeps its weekday, and comes no sooner than five days after the last', () => {
    // Monday's digest was written, then another weekday is chosen.
    const onTuesday = (digestWeekday: number) => nextAfter('weekly', '2026-11-24T10:00:00Z', '2026-11-23T07:00:00Z', { digestWeekday })
    expect(onTuesday(1)).toBe('2026-11-30T07:00:00.000Z')
    expect(onTuesday(5)).toBe('2026-12-04T07:00:00.000Z')
    expect(onTuesday(6)).toBe('2026-11-28T07:00:00.000Z')
    expect(onTuesday(7)).toBe('2026-11-29T07:00:00.000Z')
    // An hour earlier or later makes no difference.
    expect(nextAfter('weekly', '2026-11-24T10:00:00Z', '2026-11-23T07:00:00Z', { digestHour: 0 })).toBe('2026-11-29T23:00:00.000Z')
  })

  test("a weekly one comes on its reader's weekday, wherever they received the last one", () => {
    // Monday in Los Angeles was Tuesday in Auckland.
    const inAuckland = { timeZone: 'Pacific/Auckland' }
    expect(nextAfter('weekly', '2026-11-24T10:00:00Z', '2026-11-23T16:00:00Z', inAuckland)).toBe('2026-11-29T19:00:00.000Z')
  })

  test("a weekday chosen on the eve of a weekly one doesn't cancel it", () => {
    // On Sunday evening, Sundays are chosen: Monday's comes, then the one on the Sunday after it.
    expect(nextAfter('weekly', '2026-11-29T20:00:00Z', '2026-11-23T07:00:00Z', { digestWeekday: 7 })).toBe('2026-11-30T07:00:00.000Z')
    expect(nextAfter('weekly', '2026-11-30T07:00:00Z', '2026-11-30T07:00:00Z', { digestWeekday: 7 })).toBe('2026-12-06T07:00:00.000Z')
  })

  test('there is one per day, whichever hour has been chosen since', () => {
    const last = '2026-11-23T07:00:00Z'
    expect(nextAfter('daily', '2026-11-23T07:01:00Z', last, { digestHour: 20 })).toBe('2026-11-24T19:00:00.000Z')
    expect(nextAfter('daily', '2026-11-23T07:01:00Z', last, { digestHour: 6 })).toBe('2026-11-24T05:00:00.000Z')
  })

  test('switching to daily moves the next one to another day, switching to weekly not within five', () => {
    expect(nextAfter('daily', '2026-11-23T10:00:00Z', '2026-11-23T07:00:00Z')).toBe('2026-11-24T07:00:00.000Z')
    expect(nextAfter('weekly', '2026-11-28T10:00:00Z', '2026-11-28T07:00:00Z')).toBe('2026-12-07T07:00:00.000Z')
    expect(nextAfter('weekly', '2026-11-25T10:00:00Z', '2026-11-25T07:00:00Z')).toBe('2026-11-30T07:00:00.000Z')
  })

  test('a last one in the future was written by a wrong clock', () => {
    expect(nextAfter('weekly', '2026-11-21T10:00:00Z', '2027-11-23T07:00:00Z')).toBe('2026-11-23T07:00:00.000Z')
  })

  test('weekly ones are never five days apart or less, nor 13 or more, whatever is chosen in between', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Auckland')
    const choice = fc.record({
      hoursLater: fc.integer({ min: 0, max: 13 * 24 }),
      timeZone: zones,
      digestHour: fc.integer({ min: 0, max: 23 }),
      digestWeekday: fc.integer({ min: 1, max: 7 }),
    })
    const starts = fc.date({ min: at('2024-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(starts, fc.array(choice, { minLength: 1, maxLength: 6 }), (last, choices) => {
        let due = nextDigest({ ...berlin, frequency: 'weekly' }, last, last)
        for (const { hoursLater, ...chosen } of choices) {
          const now = new Date(last.getTime() + hoursLater * 3_600_000)
          // Anything due by now has been sent.
          if (now >= due) break
          due = nextDigest({ ...chosen, frequency: 'weekly' }, now, last)
        }
        const days = (due.getTime() - last.getTime()) / (24 * 3_600_000)
        // The clocks may change in between.
        expect(days).toBeGreaterThanOrEqual(5 - 1 / 24)
        expect(days).toBeLessThan(13 + 1 / 24)
      }),
    )
  })

  test('is always in the future: within 25 hours or 8 days, at the chosen hour', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe')
    const times = fc.record({ timeZone: zones, digestHour: fc.integer({ min: 0, max: 23 }), digestWeekday: fc.integer({ min: 1, max: 7 }) })
    const moments = fc.date({ min: at('2024-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(times, fc.constantFrom('daily' as const, 'weekly' as const), moments, (chosen, frequency, after) => {
        const due = nextDigest({ ...chosen, frequency }, after)
        const hours = (due.getTime() - after.getTime()) / 3_600_000
        expect(hours).toBeGreaterThan(0)
        expect(hours).toBeLessThanOrEqual(frequency === 'daily' ? 25 : 7 * 24 + 1)
      }),
    )
  })
})

describe('quiet hours', () => {
  const until = (quietHours: { from: number; until: number } | null, moment: string, timeZone = 'Europe/Berlin') =>
    quietUntil({ timeZone, quietHours }, at(moment))?.toISOString() ?? null

  test('are off by default', () => {
    expect(until(null, '2026-11-21T02:00:00Z')).toBeNull()
  })

  test.each([
    // 22 to 7 in Berlin, which is an hour ahead of UTC.
    ['2026-11-21T20:59:59Z', null],
    ['2026-11-21T21:00:00Z', '2026-11-22T06:00:00.000Z'],
    ['2026-11-22T05:59:59Z', '2026-11-22T06:00:00.000Z'],
    ['2026-11-22T06:00:00Z', null],
  ])('over midnight, at %s: %s', (moment, end) => {
    expect(until({ from: 22, until: 7 }, moment)).toBe(end)
  })

  test('within a day', () => {
    expect(until({ from: 12, until: 14 }, '2026-11-21T12:30:00Z')).toBe('2026-11-21T13:00:00.000Z')
    expect(until({ from: 12, until: 14 }, '2026-11-21T13:00:00Z')).toBeNull()
  })

  test('end in the future and within a day, at any time', () => {
    const hour = fc.integer({ min: 0, max: 23 })
    const moments = fc.date({ min: at('2024-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(hour, hour, moments, (from, end, moment) => {
        const over = quietUntil({ timeZone: 'Europe/Berlin', quietHours: { from, until: end } }, moment)
        if (over === null) return
        expect(over.getTime()).toBeGreaterThan(moment.getTime())
        expect(over.getTime() - moment.getTime()).toBeLessThanOrEqual(25 * 3_600_000)
        expect(quietUntil({ timeZone: 'Europe/Berlin', quietHours: { from, until: end } }, over)).toBeNull()
      }),
    )
  })
})
