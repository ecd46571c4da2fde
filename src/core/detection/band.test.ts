import { describe, expect, test } from 'vitest'
import { addDays, dayNumber, eachDay } from '../analytics/days.ts'
import { bandOf, firstDayOf, weeklyBandOf } from './band.ts'

const start = '2026-01-01'
const last = '2026-06-30'
const noHolidays = () => false

/** Weekdays of 100 clicks and weekends of 40, give or take some; `of` changes days. */
function countsOf(of: (date: string, usual: number) => number | null = (_, usual) => usual, through = last) {
  const counts = eachDay(start, through).map((date) => {
    const weekend = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())
    const wobble = 1 + 0.06 * Math.sin(dayNumber(date) * 2.4)
    return of(date, Math.round((weekend ? 40 : 100) * wobble))
  })
  return { start, counts }
}
const window = { start: '2026-06-03', end: '2026-06-09' }
const fallen = (date: string, usual: number) => (date >= window.start ? Math.round(usual * 0.5) : usual)
const asked = (counts: ReturnType<typeof countsOf>, change = {}) => ({
  counts,
  isHoliday: noHolidays,
  direction: 'fall' as const,
  window,
  total: 580,
  from: '2026-04-20',
  ...change,
})

describe('the expected band', () => {
  test('contains ordinary days, including weekends, and not those of a drop', () => {
    const counts = countsOf(fallen)
    const band = bandOf(asked(counts))
    const isWithin = ({ date, low, high }: (typeof band)[number]) => {
      const count = counts.counts[dayNumber(date) - dayNumber(start)] ?? -1
      return low <= count && count <= high
    }
    const before = band.filter(({ date }) => date < window.start)
    expect(before).toHaveLength(44)
    expect(before.filter(isWithin).length).toBeGreaterThanOrEqual(42)
    const within = band.filter(({ date }) => window.start <= date && date <= window.end)
    expect(within.filter(isWithin)).toEqual([])
    // What was expected of its days is the figure the alert compares with.
    expect(within.reduce((sum, { expected }) => sum + expected, 0)).toBeCloseTo(580, 6)
  })

  test("doesn't use later days: new data changes no existing band", () => {
    const through = window.end
    const asOf = (counts: ReturnType<typeof countsOf>) => bandOf(asked(counts)).filter(({ date }) => date <= through)
    const then = asOf(countsOf(fallen, through))
    expect(asOf(countsOf((date, usual) => (date > through ? usual * 9 : fallen(date, usual))))).toEqual(then)
    // Nor do the window's days change the window's own expectation.
    const expectedOf = (share: number) =>
      asOf(countsOf((date, usual) => (date >= window.start ? usual * share : usual), through)).map(({ expected }) => expected)
    expect(expectedOf(0.1)).toEqual(expectedOf(3))
  })

  test('is wider the fewer counts there are, and never below zero', () => {
    const narrow = bandOf(
      asked(
        countsOf((_, usual) => usual * 100),
        { total: 58_000 },
      ),
    ).at(-1)
    const wide = bandOf(
      asked(
        countsOf((_, usual) => Math.round(usual / 20)),
        { total: 29 },
      ),
    ).at(-1)
    const ratio = (day: typeof narrow) => (day ? day.high / day.low : Number.NaN)
    expect(ratio(wide)).toBeGreaterThan(2 * ratio(narrow))
    expect(wide?.low).toBeGreaterThan(0)
  })

  test("begins where the history is long enough, and unknown days don't end it", () => {
    expect(bandOf(asked(countsOf(fallen), { from: start }))[0]?.date).toBe(addDays(window.start, -7 * 17))
    const gaps = bandOf(asked(countsOf((date, usual) => (date.endsWith('-05') ? null : fallen(date, usual)))))
    expect(gaps.map(({ date }) => date)).toEqual(eachDay('2026-04-20', last))
    expect(gaps.every(({ expected, low, high }) => low < expected && expected < high)).toBe(true)
  })
})

describe('the first day of a change', () => {
  const firstDay = (counts: ReturnType<typeof countsOf>, direction: 'fall' | 'rise' = 'fall') => firstDayOf({ ...asked(counts), direction })

  test.each(['2026-06-03', '2026-06-06', '2026-05-28'])('is %s if it began then', (day) => {
    expect(firstDay(countsOf((date, usual) => (date >= day ? Math.round(usual * 0.6) : usual)))).toBe(day)
    expect(
      firstDay(
        countsOf((date, usual) => (date >= day ? Math.round(usual * 1.8) : usual)),
        'rise',
      ),
    ).toBe(day)
  })

  test('is the first of the window if the history is too short to tell', () => {
    expect(firstDayOf({ ...asked({ start: '2026-06-01', counts: [3, 4, 5, 6, 7, 8, 1, 1, 1] }) })).toBe(window.start)
  })
})

test('week by week, a drop stands out while it is new and is expected later, and the past is never redrawn within a week', () => {
  const counts = countsOf(fallen)
  const band = new Map(weeklyBandOf(counts, noHolidays, start).map((day) => [day.date, day]))
  const of = (date: string) => ({ count: counts.counts[dayNumber(date) - dayNumber(start)] ?? -1, ...band.get(date)! })
  const ordinary = of('2026-05-27')
  expect(ordinary.count).toBeGreaterThan(ordinary.low)
  expect(ordinary.count).toBeLessThan(ordinary.high)
  const fresh = of('2026-06-05')
  expect(fresh.count).toBeLessThan(fresh.low)
  const settled = of('2026-06-29')
  expect(settled.count).toBeGreaterThan(settled.low)
  expect(settled.count).toBeLessThan(settled.high)
  const weekEarlier = weeklyBandOf(countsOf(fallen, addDays(last, -7)), noHolidays, start)
  expect(weekEarlier).toEqual([...band.values()].filter(({ date }) => date <= addDays(last, -7)))
  expect(weeklyBandOf({ start, counts: counts.counts.slice(0, 20) }, noHolidays, start)).toEqual([])
})
