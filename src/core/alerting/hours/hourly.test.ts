import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { samples } from '../../../../test/support/in-full.ts'
import { addDays, dayNumber } from '../../analytics/days.ts'
import { defaultOf } from '../defaults.ts'
import { ruleOf } from '../options.ts'
import type { Rule } from '../rule.ts'
import { expectedDayOf, type FinalDays } from './expected-day.ts'
import { farBeyond, type HoursOfDay, isHourly, evaluateFinalDay, evaluateHours, oneOfEach, settleDay } from './hourly.ts'
import { hoursOfDay } from './hours-of-day.ts'

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
const smart = (changes: Partial<Rule> = {}): Rule => ({ ...ruleOf('5', defaultOf('clicks', 'unusual')), ...changes })

/** A Wednesday, so far or whole. */
const today = '2026-03-18'
/** A day with this many clicks in each hour, and ten times the impressions. */
const flat = (clicks: number, hours = 24, date = today): HoursOfDay => ({
  date,
  hours: Array.from({ length: hours }, (_, hour) => ({ hour, clicks, impressions: clicks * 10 })),
})
const weeks = (...clicks: number[]): HoursOfDay[] => clicks.map((each, i) => flat(each, 24, addDays(today, -7 * (i + 1))))

/** Days up to three days before `date`, by how many days before it they are; every day differs a little. */
const finalDays = (ofDay: (ago: number) => number, { date = today, length = 120, holidays = [] as string[] } = {}): FinalDays => {
  const numbers = new Set(holidays.map(dayNumber))
  return {
    counts: {
      start: addDays(date, -length),
      counts: Array.from({ length: length - 2 }, (_, i) => Math.round(ofDay(length - i) * (1 + (((i * 7919) % 13) - 6) / 200))),
    },
    isHoliday: (day) => numbers.has(day),
  }
}
/** What is expected of a day with 40 clicks in each hour. */
const usually = (clicks = 40) =>
  expectedDayOf(
    finalDays(() => 24 * clicks),
    today,
  )
const severity = (...asked: Parameters<typeof evaluateHours>) => evaluateHours(...asked)?.severity ?? null

describe('today so far compared with what is expected of the day by that hour', () => {
  test('a day that has lost most of its clicks by noon is reported, by how much', () => {
    const verdict = evaluateHours(rule(), flat(10, 12), weeks(40, 42, 38, 40), usually())
    expect(verdict).toMatchObject({ current: 120, weeks: 4, severity: 'critical' })
    expect(verdict?.usual).toBeCloseTo(480, -1)
    expect(verdict?.change).toBeCloseTo(-75, 0)
  })

  test('after all hours, the expectation is that of the day', () => {
    const expected = usually()!
    expect(evaluateHours(rule(), flat(10), weeks(40, 42, 38, 40), expected)?.usual).toBe(expected.count.fall)
    expect(evaluateFinalDay(rule(), today, 240, expected)?.usual).toBe(expected.count.fall)
  })

  test('by each hour, the same share of the day is expected as in the weeks before', () => {
    // Their mornings are quiet: a quarter of the day by noon.
    const quiet = weeks(40, 42, 38, 40).map((day) => ({
      ...day,
      hours: day.hours.map((each) => ({ ...each, clicks: each.hour < 12 ? each.clicks / 2 : each.clicks * 1.5 })),
    }))
    expect(evaluateHours(rule(), flat(10, 12), quiet, usually())?.usual).toBeCloseTo(240, -1)
  })

  test('a level that fell last week is what the day is compared with', () => {
    const fell = expectedDayOf(
      finalDays((ago) => (ago <= 10 ? 480 : 960)),
      today,
    )
    expect(severity(rule(), flat(20, 12), weeks(20, 40, 40, 40), fell)).toBeNull()
    // A fifth of that is a drop, although the weeks before were twice as high.
    const verdict = evaluateHours(rule(), flat(4, 12), weeks(20, 40, 40, 40), fell)
    expect(verdict?.usual).toBeLessThan(300)
    expect(verdict?.severity).toBe('critical')
  })

  test('weekdays differ: a Sunday is expected to be a Sunday', () => {
    const sunday = '2026-03-22'
    const expected = expectedDayOf(
      finalDays((ago) => (ago % 7 === 0 ? 240 : 960), { date: sunday }),
      sunday,
    )
    const before = [1, 2, 3, 4].map((week) => flat(10, 24, addDays(sunday, -7 * week)))
    expect(evaluateHours(rule(), flat(10, 12, sunday), before, expected)).toMatchObject({ severity: null })
    expect(severity(rule(), flat(2, 12, sunday), before, expected)).toBe('critical')
  })

  test("last year's season is expected again", () => {
    // At the end of term, the site falls to a third within a few days, every year.
    const term = (ago: number) => (ago <= 2 || (ago > 362 - 60 && ago <= 366) ? 320 : 960)
    const before = weeks(40, 40, 40, 40)
    const twoYears = finalDays(term, { length: 480 })
    expect(severity(rule(), flat(14, 12), before, expectedDayOf(twoYears, today))).toBeNull()
    expect(severity(rule(), flat(2, 12), before, expectedDayOf(twoYears, today))).toBe('critical')
    expect(severity(rule(), flat(14, 12), before, usually())).toBe('critical')
  })

  test.for([5, 7, 10, 14])('an outage is no season: after one of %i days last year the same is expected as without', (days) => {
    for (const first of [0, 3, days - 1]) {
      const outage = finalDays((ago) => (ago > 364 + first - days && ago <= 364 + first ? 20 : 960), { length: 480 })
      const [expected, without] = [outage, finalDays(() => 960, { length: 480 })].map((each) => expectedDayOf(each, today)!)
      expect(expected!.count.fall / without!.count.fall).toBeCloseTo(1, 1)
      expect(expected!.count.rise / without!.count.rise).toBeCloseTo(1, 1)
      expect(severity(rule(), flat(4, 12), weeks(40, 40, 40, 40), expected!)).toBe('critical')
    }
  })

  test('on a holiday there is no alert, and earlier holidays are no reference', () => {
    const before = weeks(40, 42, 38, 40)
    const holiday = expectedDayOf(
      finalDays(() => 960, { holidays: [today] }),
      today,
    )
    for (const each of [rule(), smart()]) expect(evaluateHours(each, flat(4, 12), before, holiday)).toMatchObject({ severity: null })
    // A holiday a week ago, with all of its clicks in the morning.
    const lastWeek = addDays(today, -7)
    const odd = { ...flat(0, 24, lastWeek), hours: flat(40).hours.map((each) => ({ ...each, clicks: each.hour < 12 ? 40 : 0 })) }
    const after = expectedDayOf(
      finalDays((ago) => (ago === 7 ? 200 : 960), { holidays: [lastWeek] }),
      today,
    )
    expect(evaluateHours(rule(), flat(40, 12), [odd, ...before.slice(1)], after)).toMatchObject({ weeks: 3, severity: null })
    expect(severity(rule(), flat(10, 12), [odd, ...before.slice(1)], after)).toBe('critical')
  })

  test('one previous week of hours is enough, if the final days are known', () => {
    expect(severity(rule(), flat(8, 12), weeks(40), usually())).toBe('critical')
    expect(severity(rule(), flat(8, 12), [], usually())).toBeNull()
    expect(severity(rule(), flat(8, 12), weeks(40), null)).toBeNull()
    expect(
      expectedDayOf(
        finalDays(() => 960, { length: 20 }),
        today,
      ),
    ).toBeNull()
    // Nothing has been final for a month.
    const old = finalDays(() => 960)
    expect(expectedDayOf({ ...old, counts: { ...old.counts, counts: old.counts.counts.slice(0, -30) } }, today)).toBeNull()
  })

  test('only hours available today are compared, and a week that lacks an hour is left out', () => {
    const short = { ...flat(40, 20), date: addDays(today, -7) }
    expect(evaluateHours(rule(), flat(40, 6), [short, ...weeks(40, 44, 36).slice(1)], usually())).toMatchObject({ current: 240, weeks: 2 })
    expect(evaluateHours(rule(), flat(40, 6), [short], usually())).toBeNull()
    expect(evaluateHours(rule(), flat(40, 0), weeks(40), usually())).toBeNull()
  })

  test('a rule that watches drops ignores rises, and vice versa', () => {
    const before = weeks(40, 42, 38, 40)
    expect([severity(rule(), flat(120, 12), before, usually()), severity(rises, flat(120, 12), before, usually())]).toEqual([
      null,
      'positive',
    ])
    expect([severity(rule(), flat(10, 12), before, usually()), severity(rises, flat(10, 12), before, usually())]).toEqual([
      'critical',
      null,
    ])
  })

  test("the rule's own threshold applies, however certain the change is", () => {
    const before = weeks(4000, 4000, 4000, 4000)
    expect(severity(rule({ threshold: 60 }), flat(2000, 12), before, usually(4000))).toBeNull()
    expect(severity(rule({ threshold: 45 }), flat(2000, 12), before, usually(4000))).toBe('critical')
  })

  test("impressions are evaluated as well, above the rule's minimum", () => {
    const impressions = rule({ metric: 'impressions' })
    expect(evaluateHours(impressions, flat(10, 12), weeks(40, 42, 38, 40), usually(400))).toMatchObject({
      current: 1200,
      severity: 'critical',
    })
    expect(severity({ ...impressions, minimumImpressions: 5000 }, flat(10, 12), weeks(40, 42, 38, 40), usually(400))).toBeNull()
  })

  test('three hours of a day are too few', () => {
    expect(severity(rule(), flat(100, 3), weeks(400, 400, 400, 400), usually(400))).toBeNull()
    expect(severity(rule(), flat(100, 4), weeks(400, 400, 400, 400), usually(400))).toBe('critical')
  })

  test('only rules on counts of the whole site, compared with recent days or with what is expected, are evaluated by the hour', () => {
    expect(isHourly(rule())).toBe(true)
    expect(isHourly(smart())).toBe(true)
    expect(isHourly(rule({ metric: 'impressions', comparison: 'previous_30_days' }))).toBe(true)
    for (const other of [{ metric: 'ctr' }, { metric: 'position' }, { monitor: 'top_pages' }, { kind: 'new_query' }] as const)
      expect(isHourly(rule(other))).toBe(false)
    for (const other of [{ monitor: 'all_pages' }, { searchType: 'image' }, { segment: '1' }] as const)
      expect(isHourly(smart(other))).toBe(false)
    expect(isHourly(rule({ comparison: 'same_period_last_year' }))).toBe(false)
    expect(evaluateHours(rule({ metric: 'ctr' }), flat(10), weeks(40), usually())).toBeNull()
  })
})

describe('the smart rule', () => {
  const before = weeks(40, 42, 38, 40)

  test('finds a dead afternoon before the day is over', () => {
    const dies = { ...flat(40, 20), hours: flat(40, 20).hours.map((each) => ({ ...each, clicks: each.hour < 9 ? each.clicks : 0 })) }
    expect(evaluateHours(smart(), dies, before, usually())).toMatchObject({ current: 360, severity: 'critical' })
    expect(severity(smart({ direction: 'rises' }), dies, before, usually())).toBeNull()
  })

  test('finds rises, and a change that is far from certain is a warning', () => {
    expect(severity(smart(), flat(140, 12), before, usually())).toBe('positive')
    const limits = (['low', 'normal', 'high'] as const).map((sensitivity) => {
      const found = Array.from({ length: 40 }, (_, clicks) => severity(smart({ sensitivity }), flat(clicks, 24), before, usually()))
      expect(found[0]).toBe('critical')
      return found.lastIndexOf('warning')
    })
    // The more sensitive, the smaller the drop that is found.
    expect(limits[0]).toBeGreaterThan(0)
    expect(limits).toEqual(limits.toSorted((a, b) => a - b))
    expect(new Set(limits).size).toBe(3)
  })

  test('and a rule with a threshold that finds the same make one alert', () => {
    const found = (of: Rule, change = -70) => ({ rule: of, severity: change < 0 ? ('critical' as const) : ('positive' as const), change })
    const ids = (...asked: Parameters<typeof oneOfEach>) => oneOfEach(...asked).map(({ rule: { id } }) => id)
    expect(ids([found(rule()), found(smart())], [])).toEqual(['5'])
    expect(ids([found(rule()), found(smart())], [{ ruleId: '1', metric: 'clicks', change: -60 }])).toEqual(['1'])
    expect(ids([found(rule()), found(smart())], [{ ruleId: '9', metric: 'clicks', change: -60 }])).toEqual([])
    // Another metric, or the other direction, is a different matter.
    expect(ids([found(rule({ metric: 'impressions' })), found(smart())], [{ ruleId: '9', metric: 'clicks', change: 80 }])).toEqual([
      '5',
      '1',
    ])
  })

  test('a site that dies while an alert about a mild drop is open makes that one critical', () => {
    const found = { rule: smart(), severity: 'critical' as const, change: -90 }
    const open = { alertId: 7, ruleId: '1', metric: 'clicks' as const, change: -12, isPart: false, day: null }
    const beyond = (...asked: Parameters<typeof farBeyond>) => farBeyond(...asked).map(({ alertId, finding }) => [alertId, finding.change])
    expect(beyond([found, { ...found, change: -80 }], [open], today)).toEqual([[7, -90]])
    // The open alert is already about as bad, about something else, part of another alert, or opened by the same hours.
    for (const other of [{ change: -60 }, { change: 12 }, { metric: 'impressions' as const }, { isPart: true }, { day: today }])
      expect(beyond([found], [{ ...open, ...other }], today)).toEqual([])
    expect(farBeyond([{ ...found, severity: 'warning' as const }], [open], today)).toEqual([])
  })
})

describe("what doesn't alert", () => {
  const count = fc.integer({ min: 0, max: 60 })
  const levels = fc.array(count, { minLength: 4, maxLength: 4 })
  /** The Wednesdays of the latest weeks had these clicks by the hour, and other days 40. */
  const wednesdays = (before: readonly number[]) =>
    expectedDayOf(
      finalDays((ago) => 24 * (ago % 7 === 0 ? (before[ago / 7 - 1] ?? 40) : 40)),
      today,
    )

  test('small counts, whatever happens to them', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 12 }), (before, hours) => {
        // Twelve hours with at most four clicks each don't add up to sixty.
        expect(severity(rule(), flat(0, hours), weeks(...before), usually(4))).toBeNull()
        expect(severity(rises, flat(400, hours), weeks(...before), usually(4))).toBeNull()
      }),
      { numRuns: samples(25, 200) },
    )
  })

  test('a day like one of the weeks before', () => {
    fc.assert(
      fc.property(levels, fc.integer({ min: 1, max: 24 }), (before, hours) => {
        const expected = wednesdays(before)
        for (const like of before) {
          // Days differ a little, so a little nearer to what is usual.
          const [higher, lower] = [Math.ceil(like * 1.1 + (40 - like) / 5), Math.floor(like * 0.9 - (like - 40) / 5)]
          const [by, clicks] = like < 40 ? [rule(), higher] : [rises, lower]
          expect(severity(by, flat(clicks, hours), weeks(40, 40, 40, 40), expected)).toBeNull()
        }
      }),
      { numRuns: samples(25, 200) },
    )
  })

  test("a smaller drop never alerts if a larger one doesn't: alerts persist as more is lost", () => {
    fc.assert(
      fc.property(levels, count, count, fc.integer({ min: 4, max: 24 }), (before, a, b, hours) => {
        const [less, more] = [Math.max(a, b), Math.min(a, b)]
        const expected = wednesdays(before)
        const [ofLess, ofMore] = [less, more].map((clicks) => severity(rule(), flat(clicks, hours), weeks(...before), expected) !== null)
        expect(ofLess && !ofMore).toBe(false)
      }),
      { numRuns: samples(25, 200) },
    )
  })

  test('a site whose days differ widely', () => {
    const restless = expectedDayOf(
      finalDays((ago) => 960 * (ago % 3 === 0 ? 0.5 : ago % 5 === 0 ? 1.9 : 1)),
      today,
    )
    expect(severity(rule(), flat(16, 12), weeks(40, 40, 41, 39), restless)).toBeNull()
    // The same drop on a steady site.
    expect(severity(rule(), flat(16, 12), weeks(40, 40, 41, 39), usually())).toBe('critical')
  })

  test('whatever comes later', () => {
    const days = finalDays(() => 960)
    const later = { ...days, counts: { ...days.counts, counts: [...days.counts.counts, 10, 20, 30, 5] } }
    expect(expectedDayOf(later, today, addDays(today, -2))).toEqual(expectedDayOf(days, today))
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
    const expected = expectedDayOf(
      finalDays(() => 720, { date }),
      date,
    )!
    const verdict = evaluateHours(rule(), steady(date, 25), before, { ...expected, count: { fall: 720, rise: 720, latest: 720 } })
    expect(verdict).toMatchObject({ current: clicks, usual: clicks, change: 0, weeks: 4 })
  })

  test('hours count as far as they are known without a gap', () => {
    const hours = hoursOfDay('2026-03-08', (at) => (at.toISOString() < '2026-03-08T12:00' ? { clicks: 1, impressions: 2 } : null))
    expect(hours.hours.map(({ hour }) => hour)).toEqual([0, 1, 3, 4])
  })
})

describe('the final day', () => {
  test("confirms what its hours showed, or doesn't", () => {
    expect(evaluateFinalDay(rule(), today, 300, usually())).toMatchObject({ weeks: 4, severity: 'critical' })
    expect(evaluateFinalDay(rule(), today, 930, usually())).toMatchObject({ current: 930, severity: null })
    expect(evaluateFinalDay(rule(), today, 930, null)).toBeNull()
  })

  /** A day with a quiet night on which the site is down between two hours; `late`: the share of the lost clicks that arrives later. */
  const outage = (of: Rule, daily: number, [from, to]: readonly [number, number], late = 0) => {
    const profile = Array.from({ length: 24 }, (_, hour) => 0.4 + Math.max(0, Math.sin(((hour - 4) / 20) * Math.PI)))
    const scale = daily / profile.reduce((sum, each) => sum + each, 0)
    const dayOf = (date: string, isDown = false): HoursOfDay => ({
      date,
      hours: profile.map((share, hour) => {
        const clicks = Math.round(share * scale * (isDown && hour >= from && hour < to ? 0.02 : 1))
        return { hour, clicks, impressions: clicks * 10 }
      }),
    })
    const down = dayOf(today, true)
    const expected = usually(daily / 24)!
    const found = Array.from({ length: 21 }, (_, i) => ({ ...down, hours: down.hours.slice(0, i + 4) })).flatMap((soFar) => {
      const before = [1, 2, 3, 4].map((week) => dayOf(addDays(today, -7 * week)))
      const verdict = evaluateHours(of, soFar, before, expected)
      return verdict && verdict.severity !== null ? [{ ...verdict, severity: verdict.severity }] : []
    })
    const last = found.at(-1)!
    const seen = { severity: last.severity, previous: last.usual, current: last.current, recounted: null }
    const whole = down.hours.reduce((sum, { clicks }) => sum + clicks, 0)
    const arrived = late * (last.usual - last.current)
    const { severity: settled } = settleDay(of, today, whole + arrived, expected, { ...seen, recounted: last.current + arrived })!
    return { seen, settled }
  }

  test.for([
    [0, 8],
    [6, 14],
    [9, 17],
    [8, 20],
  ] as const)('confirms an outage from %i:00 to %i:00 that hours found, though the evening was ordinary', (hours) => {
    for (const of of [smart(), rule({ threshold: 30 })])
      for (const daily of [1_000, 3_000, 20_000]) {
        const { seen, settled } = outage(of, daily, hours)
        expect(settled).toBe(seen.severity)
        // Most of the clicks arrived late.
        expect(outage(of, daily, hours, 0.9).settled).toBeNull()
      }
  })

  test('withdraws what the rest of the day made up for, what was counted up since, and what the rule no longer asks for', () => {
    const expected = usually()
    const seen = { severity: 'critical' as const, previous: 480, current: 120, recounted: 120 }
    const settled = (current: number, changes: Partial<typeof seen> = {}, of = rule()) =>
      settleDay(of, today, current, expected, { ...seen, ...changes })?.severity
    // 360 clicks were missing by noon, of 960 a day.
    expect(settled(700)).toBe('critical')
    expect(settled(820)).toBeNull()
    expect(settled(1_200)).toBeNull()
    expect(settled(760, { recounted: 400 })).toBeNull()
    expect(settled(760, {}, rule({ threshold: 80 }))).toBeNull()
    // A day that ends up as far above the usual was no drop.
    expect(settled(3_000, {}, smart())).toBeNull()
    expect(settled(300, { severity: 'warning' as never })).toBe('critical')
  })
})
