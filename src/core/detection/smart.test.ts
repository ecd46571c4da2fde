import { describe, expect, test } from 'vitest'
import { inFull } from '../../../test/support/in-full.ts'
import { addDays, dayNumber, daysBetween } from '../analytics/days.ts'
import { type Sensitivity, thresholdOf } from './calibration.ts'
import { holidaysOf } from './holidays.ts'
import { detect } from './smart.ts'

// What the scan knows besides level and weekday: holidays, last year's season, the series' own volatility, and a chosen sensitivity.

const start = '2024-01-01'
/** Weekends at six tenths, and every day a little different. */
const usual = (day: number): number => 1_000 * (day % 7 >= 5 ? 0.6 : 1) * (1 + (((day * 7_919) % 13) - 6) / 200)
const counts = (days: number, factor: (day: number) => number) =>
  Array.from({ length: days }, (_, day) => Math.round(usual(day) * factor(day)))
const at = (date: string): number => daysBetween(start, date) - 1

type Look = { country?: string | null; sensitivity?: Sensitivity }
const falls = (of: readonly number[], { country = null, sensitivity = 'normal' }: Look = {}): string[] =>
  detect({ start, counts: of }, { isHoliday: holidaysOf(country), sensitivity }, null).verdicts.flatMap(({ fall }, day) =>
    fall?.isAlarm ? [addDays(start, day)] : [],
  )

describe('holidays', () => {
  /** Days at less than half. */
  const quietOn = (...dates: string[]) => counts(at(dates.at(-1)!) + 10, (day) => (dates.includes(addDays(start, day)) ? 0.45 : 1))

  test('a known holiday is no alarm, nor are the days after it', () => {
    expect(falls(quietOn('2025-04-18', '2025-04-21'), { country: 'deu' })).toEqual([])
  })

  test('the same drop on the same days alerts where they are no holidays, and on other days everywhere', () => {
    expect(falls(quietOn('2025-04-18', '2025-04-21'), { country: 'jpn' })).not.toEqual([])
    expect(falls(quietOn('2025-04-18', '2025-04-21'))).not.toEqual([])
    expect(falls(quietOn('2025-03-14', '2025-03-17'), { country: 'deu' })).not.toEqual([])
  })

  test('a site that is gone over a holiday and stays gone is found', () => {
    const gone = counts(at('2025-04-26'), (day) => (day >= at('2025-04-18') ? 0.02 : 1))
    expect(falls(gone, { country: 'deu' })[0]).toMatch(/^2025-04-(18|19|2)/)
  })
})

describe('last year', () => {
  /** Falls to six tenths within two weeks each June, and returns in September. */
  const season = (day: number): number => {
    const of = day % 364
    const [june, september] = [160, 244]
    if (of < june || of >= september + 14) return 1
    if (of < june + 14) return 1 - (0.4 * (of - june)) / 14
    return of < september ? 0.6 : 0.6 + (0.4 * (of - september)) / 14
  }
  const inJune = (year: number) => (date: string) => date.startsWith(`${year}-06`) || date.startsWith(`${year}-07`)

  test("a season's decline alerts the first time, and not in the second year", () => {
    const found = falls(counts(600, season))
    expect(found.filter(inJune(2024))).not.toEqual([])
    expect(found.filter(inJune(2025))).toEqual([])
  })

  test('a third less than the season explains is found within it', () => {
    const more = counts(600, (day) => season(day) * (day >= 364 + 168 ? 0.67 : 1))
    expect(falls(more).filter(inJune(2025))).not.toEqual([])
  })

  describe("an outage is no season: a week at four tenths is found on the same evenings as without last year's outage", () => {
    const week = 500
    const outage = (day: number, from: number, days: number) => (day >= week - 364 + from && day < week - 364 + from + days ? 0.02 : 1)
    const drop = (day: number) => (day >= week && day < week + 7 ? 0.4 : 1)
    const without = falls(counts(week + 7, drop))

    test.for([
      [0, 5],
      [0, 7],
      [-3, 10],
      [-7, 14],
      [-2, 3],
    ] as const)('begun %i days from it, %i days long', ([from, days]) => {
      expect(without[0]).toBe(addDays(start, week))
      expect(falls(counts(week + 7, (day) => outage(day, from, days) * drop(day))).filter((date) => date >= without[0]!)).toEqual(without)
    })

    test('nor is the return from it', () => {
      const quiet = counts(week + 30, (day) => outage(day, 0, 14))
      expect(falls(quiet).filter((date) => date > addDays(start, week - 60))).toEqual([])
    })
  })
})

describe('a series is calibrated on its own past', () => {
  /** Falls to two thirds for some days, every few weeks. */
  const bursts = (day: number): number => (day % 37 < 4 ? 0.62 : 1)
  const thresholds = (of: readonly number[]) => {
    const { state } = detect({ start, counts: of }, { isHoliday: () => false, sensitivity: 'normal' }, null)
    return thresholdOf(state.thresholds.fall, 'fall', 'normal')
  }

  test('what a volatile series always does raises its threshold, and that of a steady one is the lowest there is', () => {
    const [steady, restless] = [thresholds(counts(500, () => 1)), thresholds(counts(500, bursts))]
    expect(steady).toBeCloseTo(2.5)
    expect(restless).toBeGreaterThan(steady + 0.1)
  })

  test('so after a year of them it alerts no more often than it should', () => {
    const of = falls(counts(730, bursts))
    expect(of.filter((date) => date < '2024-07-01')).not.toEqual([])
    expect(of.filter((date) => date >= '2025-06-01')).toEqual([])
  })
})

describe('a site with outages now and then', () => {
  const days = 460
  const within = (found: readonly string[]) => found.filter((date) => date >= addDays(start, days))
  /** @param repaired the share on the day after each outage */
  const site = (outages: number, length: number, then: (day: number) => number, repaired = 1) =>
    counts(days + 7, (day) => {
      const firsts = Array.from({ length: outages }, (_, i) => 130 + Math.floor((i * 290) / outages))
      if (firsts.some((first) => first <= day && day < first + length)) return 0.03
      if (firsts.some((first) => day === first + length)) return repaired
      return day < days ? 1 : then(day - days)
    })

  test.for([
    [3, 3],
    [4, 3, 0.3],
    ...inFull([
      [5, 2],
      [8, 1],
      [3, 8],
    ]),
  ] as const)('after %i outages of %i days within a year, a drop that lasts is found as on any other', ([outages, length, repaired]) => {
    for (const [left, by] of [
      [0.8, 5],
      [0.7, 3],
      [0.5, 2],
      [0.03, 4],
    ] as const) {
      const [first] = within(falls(site(outages, length, () => left, repaired)))
      expect(first && daysBetween(addDays(start, days), first)).toBeLessThanOrEqual(by)
    }
  })

  test('a drop that begins with such an outage is found, too', () => {
    expect(within(falls(site(8, 1, (day) => (day === 0 ? 0.03 : 0.5))))[0]).toBe(addDays(start, days + 2))
  })

  test(
    'a site that is closed every few weeks alerts about that in its first year only, until it is closed for longer',
    { tags: ['full'] },
    () => {
      const closed = (until: number) => (day: number) => ((day > 200 && day % 47 === 20) || (day >= 1_140 && day < until) ? 0.1 : 1)
      const after = (until: number) => falls(counts(1_150, closed(until))).filter((date) => date >= addDays(start, 700))
      expect(falls(counts(400, closed(0)))).not.toEqual([])
      expect(after(0)).toEqual([])
      expect(after(1_144)).not.toEqual([])
    },
  )
})

test('the more sensitive, the smaller the drop that is found', { tags: ['full'] }, () => {
  const least = (sensitivity: Sensitivity): number => {
    const parts = Array.from({ length: 60 }, (_, percent) => percent)
    return parts.find((percent) => {
      const of = counts(320, (day) => (1 + 0.3 * Math.sin(day * day)) * (day >= 310 ? 1 - percent / 100 : 1))
      return falls(of, { sensitivity }).some((date) => dayNumber(date) >= dayNumber(start) + 310)
    })!
  }
  const [low, normal, high] = [least('low'), least('normal'), least('high')]
  expect(low).toBeGreaterThan(normal)
  expect(normal).toBeGreaterThan(high)
})

describe('a site with visitors on weekends only', () => {
  const weekends = (day: number): number => (day % 7 >= 5 ? 500 + ((day * 7_919) % 41) : 0)
  const year = (factor: (day: number) => number) => Array.from({ length: 390 }, (_, day) => Math.round(weekends(day) * factor(day)))

  test('loses nothing on other days', () => {
    expect(falls(year(() => 1))).toEqual([])
  })

  test('loses half of them on the first weekend that shows it', () => {
    expect(falls(year((day) => (day >= 350 ? 0.5 : 1)))[0]).toBe(addDays(start, 355))
  })
})
