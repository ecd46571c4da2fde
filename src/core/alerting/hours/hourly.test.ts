import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '../../analytics/days.ts'
import { type HoursOfDay, isHourly, judgeFinalDay, judgeHours } from './hourly.ts'
import { hoursOfDay } from './hours-of-day.ts'
import type { Rule } from '../rule.ts'

const rule = (changes: Partial<Rule> = {}): Rule => ({
  id: '1',
  kind: 'change',
  metric: 'clicks',
  direction: 'falls',
  onlyUnusual: true,
  monitor: 'site',
  targets: [],
  searchType: 'web',
  segment: null,
  threshold: 15,
  comparison: 'previous_7_days',
  minimumImpressions: 0,
  sensitivity: 'normal',
  ...changes,
})
const rises = rule({ direction: 'rises', threshold: 50 })

/** A Wednesday, so far or whole. */
const today = '2026-03-18'
/** A day with this many clicks in each hour, and ten times the impressions. */
const flat = (clicks: number, hours = 24, date = today): HoursOfDay => ({
  date,
  hours: Array.from({ length: hours }, (_, hour) => ({ hour, clicks, impressions: clicks * 10 })),
})
const weeks = (...clicks: number[]): HoursOfDay[] => clicks.map((each, i) => flat(each, 24, addDays(today, -7 * (i + 1))))
const severity = (...asked: Parameters<typeof judgeHours>) => judgeHours(...asked)?.severity ?? null

describe('today so far compared with the same hours on the weeks before', () => {
  test('a day that has lost most of its clicks by noon is reported, by how much and compared with how many weeks', () => {
    expect(judgeHours(rule(), flat(10, 12), weeks(40, 42, 38, 40), [])).toEqual({
      current: 120,
      usual: 480,
      change: -75,
      weeks: 4,
      severity: 'critical',
    })
  })

  test('one previous week is enough, if the final days show how much days differ', () => {
    const finals = [960, 940, 980, 955, 970, 945, 965, 950]
    expect(severity(rule(), flat(10, 12), weeks(40), finals)).toBe('critical')
    expect(severity(rule(), flat(10, 12), [], finals)).toBeNull()
  })

  test('only hours available today are compared, and a week that lacks one of them is left out', () => {
    const short = { ...flat(40, 5), date: addDays(today, -7) }
    expect(judgeHours(rule(), flat(40, 6), [short, ...weeks(40, 44, 36).slice(1)], [])).toMatchObject({
      current: 240,
      usual: 240,
      weeks: 2,
    })
    expect(judgeHours(rule(), flat(40, 6), [short], [])).toBeNull()
    expect(judgeHours(rule(), flat(40, 0), weeks(40), [])).toBeNull()
  })

  test('a rule that watches drops ignores rises, and vice versa', () => {
    const before = weeks(40, 42, 38, 40)
    expect([severity(rule(), flat(120, 12), before, []), severity(rises, flat(120, 12), before, [])]).toEqual([null, 'positive'])
    expect([severity(rule(), flat(10, 12), before, []), severity(rises, flat(10, 12), before, [])]).toEqual(['critical', null])
  })

  test("the rule's own threshold applies, however certain the change is", () => {
    const before = weeks(4000, 4000, 4000, 4000)
    const finals = before.map(() => 96_000)
    expect(severity(rule({ threshold: 60 }), flat(2000, 12), before, finals)).toBeNull()
    expect(severity(rule({ threshold: 45 }), flat(2000, 12), before, finals)).toBe('critical')
  })

  test("impressions are evaluated as well, above the rule's minimum", () => {
    const impressions = rule({ metric: 'impressions' })
    expect(judgeHours(impressions, flat(10, 12), weeks(40, 42, 38, 40), [])).toMatchObject({ current: 1200, severity: 'critical' })
    expect(severity({ ...impressions, minimumImpressions: 5000 }, flat(10, 12), weeks(40, 42, 38, 40), [])).toBeNull()
  })

  test('three hours of a day are too few', () => {
    expect(severity(rule(), flat(100, 3), weeks(400, 400, 400, 400), [])).toBeNull()
    expect(severity(rule(), flat(100, 4), weeks(400, 400, 400, 400), [])).toBe('critical')
  })

  test('only rules on counts of the whole site, compared with recent days, are evaluated by the hour', () => {
    expect(isHourly(rule())).toBe(true)
    expect(isHourly(rule({ metric: 'impressions', comparison: 'previous_30_days' }))).toBe(true)
    for (const other of [{ metric: 'ctr' }, { metric: 'position' }, { monitor: 'top_pages' }, { kind: 'new_query' }] as const)
      expect(isHourly(rule(other))).toBe(false)
    expect(isHourly(rule({ comparison: 'same_period_last_year' }))).toBe(false)
    expect(judgeHours(rule({ metric: 'ctr' }), flat(10), weeks(40), [])).toBeNull()
  })
})

describe("what doesn't alert", () => {
  const count = fc.integer({ min: 0, max: 60 })

  test('small counts, whatever happens to them', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 12 }), (before, hours) => {
        // Twelve hours with at most four clicks each don't add up to sixty.
        expect(severity(rule(), flat(0, hours), weeks(...before), [])).toBeNull()
        expect(severity(rises, flat(400, hours), weeks(...before), [])).toBeNull()
      }),
    )
  })

  test('a day like one of the weeks before, or better', () => {
    fc.assert(
      fc.property(fc.array(count, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 24 }), (before, hours) => {
        for (const like of before) {
          expect(severity(rule(), flat(like, hours), weeks(...before), [])).toBeNull()
          expect(severity(rises, flat(like, hours), weeks(...before), [])).toBeNull()
        }
      }),
    )
  })

  test("a smaller drop never alerts if a larger one doesn't: alerts persist as more is lost", () => {
    fc.assert(
      fc.property(fc.array(count, { minLength: 1, maxLength: 4 }), count, count, fc.integer({ min: 4, max: 24 }), (before, a, b, hours) => {
        const [less, more] = [Math.max(a, b), Math.min(a, b)]
        const [ofLess, ofMore] = [less, more].map((clicks) => severity(rule(), flat(clicks, hours), weeks(...before), []) !== null)
        expect(ofLess && !ofMore).toBe(false)
      }),
    )
  })

  test('the week after a holiday, and a site whose days differ widely', () => {
    expect(severity(rule(), flat(22, 12), weeks(20, 40, 41, 39), [])).toBeNull()
    expect(severity(rule(), flat(24, 12), weeks(25, 60, 38, 90), [])).toBeNull()
    // The same drop on a steady site, whose final days confirm or refute it.
    expect(severity(rule(), flat(18, 12), weeks(40, 40, 41, 39), [960, 950, 970, 955, 965, 960])).toBe('critical')
    expect(severity(rule(), flat(18, 12), weeks(40, 40, 41, 39), [960, 400, 1500, 700, 1900, 500])).toBeNull()
  })

  test('a level that has already lasted a week', () => {
    expect(severity(rule(), flat(10, 12), weeks(10, 40, 40, 40), [])).toBeNull()
  })
})

describe('when the clocks change', () => {
  // 8 March 2026 has no 02:00, 1 November 2026 has 01:00 twice.
  const steady = (date: string, through = 24): HoursOfDay => {
    let left = through
    return hoursOfDay(date, () => (left-- > 0 ? { clicks: 30, impressions: 300 } : null))
  }

  test.each([
    ['the day that loses an hour', '2026-03-08', 23, 690],
    ['the day that gains one', '2026-11-01', 25, 750],
    ['a week after the lost hour', '2026-03-15', 24, 720],
    ['a week after the second 01:00', '2026-11-08', 24, 720],
  ])('%s is compared with as many hours', (_name, date, hours, clicks) => {
    const before = [1, 2, 3, 4].map((week) => steady(addDays(date, -7 * week), 25))
    expect(steady(date, 25).hours).toHaveLength(hours)
    expect(judgeHours(rule(), steady(date, 25), before, [])).toMatchObject({ current: clicks, usual: clicks, change: 0, weeks: 4 })
  })

  test('hours count as far as they are known without a gap', () => {
    const hours = hoursOfDay('2026-03-08', (at) => (at.toISOString() < '2026-03-08T12:00' ? { clicks: 1, impressions: 2 } : null))
    expect(hours.hours.map(({ hour }) => hour)).toEqual([0, 1, 3, 4])
  })
})

describe('the final day', () => {
  test("confirms what its hours showed, or doesn't", () => {
    expect(judgeFinalDay(rule(), 300, [960, 940, 980, 955])).toMatchObject({ usual: 958.75, weeks: 4, severity: 'critical' })
    expect(judgeFinalDay(rule(), 930, [960, 940, 980, 955])).toMatchObject({ current: 930, severity: null })
    expect(judgeFinalDay(rule(), 930, [])).toBeNull()
  })
})

describe('months in which nothing happens', () => {
  /** Reproducible numbers between 0 and 1 (mulberry32). */
  function numbersFrom(seed: number): () => number {
    let state = seed
    return () => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
    }
  }

  /** How busy the hours of a day and the days of a week are. */
  const ofDay = [1, 1, 1, 1, 1, 2, 3, 4, 6, 7, 7, 7, 7, 7, 6, 6, 6, 6, 6, 5, 4, 3, 2, 1]
  const busy = ofDay.reduce((sum, each) => sum + each)
  const ofWeek = [1, 1.05, 1.02, 1, 0.95, 0.6, 0.55]

  /** Days of a site whose days and hours each vary in strength, in addition to chance; the deviations are given as shares. */
  function days(random: () => number, count: number, perDay: number, deviation: { day: number; hour: number }): HoursOfDay[] {
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const strength = (share: number) => Math.exp(share * normal() - share ** 2 / 2)
    const chance = (mean: number): number => {
      if (mean > 40) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
      let clicks = 0
      for (let left = Math.exp(mean) * random(); left > 1 && clicks < 400; left *= random()) clicks += 1
      return clicks
    }
    return Array.from({ length: count }, (_, day) => {
      const expected = perDay * (ofWeek[day % 7] ?? 1) * strength(deviation.day)
      const hours = ofDay.map((share, hour) => {
        const clicks = chance(((expected * share) / busy) * strength(deviation.hour))
        return { hour, clicks, impressions: clicks * 15 }
      })
      return { date: addDays('2026-01-01', day), hours }
    })
  }

  /** Alarms of a site within 30 days, looked at after each hour by rules about drops and rises. */
  function alarms(site: readonly HoursOfDay[], known: number): number {
    let raised = 0
    for (let day = 56; day < 86; day++) {
      const before = (count: number) => Array.from({ length: count }, (_, week) => site[day - 7 * (week + 1)]!)
      const finals = before(8).map(({ hours }) => hours.reduce((sum, { clicks }) => sum + clicks, 0))
      const sofar = (hours: number): HoursOfDay => ({ ...site[day]!, hours: site[day]!.hours.slice(0, hours) })
      for (const each of [rule(), rule({ direction: 'rises' })])
        if (ofDay.some((_, hour) => severity(each, sofar(hour + 1), before(known), finals) !== null)) raised += 1
    }
    return raised
  }

  const sizes = [100, 400, 1500, 20_000]
  test.each([
    ['steady', { day: 0.08, hour: 0.15 }, 0],
    ['lively', { day: 0.15, hour: 0.25 }, 1],
  ])('%s sites hardly ever alert', (_name, deviation, most) => {
    const random = numbersFrom(20_260_318)
    let raised = 0
    // 40 months of sites of every size, half of them with one week of hours and half with four.
    for (let run = 0; run < 10; run++) for (const perDay of sizes) raised += alarms(days(random, 86, perDay, deviation), run % 2 ? 4 : 1)
    expect(raised).toBeLessThanOrEqual(most)
  })

  test('a day that loses most of its clicks is reported by the afternoon, on all but the smallest sites', () => {
    const random = numbersFrom(7)
    const told = [50, 200, 400, 1500].map((perDay) => {
      const site = days(random, 64, perDay, { day: 0.08, hour: 0.15 })
      const day = site[60]!
      const lost = { ...day, hours: day.hours.slice(0, 15).map((each) => ({ ...each, clicks: Math.round(each.clicks / 5) })) }
      const before = [1, 2, 3, 4].map((week) => site[60 - 7 * week]!)
      const finals = before.map(({ hours }) => hours.reduce((sum, { clicks }) => sum + clicks, 0))
      return severity(rule(), lost, before, finals)
    })
    expect(told).toEqual([null, 'critical', 'critical', 'critical'])
  })
})
