import { describe, expect, test } from 'vitest'
import { addDays } from '../../analytics/days.ts'
import { defaultOf } from '../defaults.ts'
import { ruleOf } from '../options.ts'
import type { Rule } from '../rule.ts'
import { expectedDayOf } from './expected-day.ts'
import { type HoursOfDay, evaluateHours } from './hourly.ts'

const drops: Rule = { ...ruleOf('1', defaultOf('clicks', 'change')), monitor: 'site', threshold: 15 }
const smart = ruleOf('5', defaultOf('clicks', 'unusual'))
const severity = (...asked: Parameters<typeof evaluateHours>) => evaluateHours(...asked)?.severity ?? null

describe('months in which nothing happens', { tags: ['full'] }, () => {
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

  /** Alarms of a site within 30 days, looked at after each hour by rules about drops and rises, and by the smart rule. */
  function alarms(site: readonly HoursOfDay[], known: number): number {
    let raised = 0
    for (let day = 56; day < 86; day++) {
      const before = Array.from({ length: known }, (_, week) => site[day - 7 * (week + 1)]!)
      const expected = expectedAt(site, day)
      const sofar = (hours: number): HoursOfDay => ({ ...site[day]!, hours: site[day]!.hours.slice(0, hours) })
      for (const each of [drops, { ...drops, direction: 'rises' as const }, smart])
        if (ofDay.some((_, hour) => severity(each, sofar(hour + 1), before, expected) !== null)) raised += 1
    }
    return raised
  }

  /** As known from the days up to three days before. */
  const expectedAt = (site: readonly HoursOfDay[], day: number) => {
    const counts = site.slice(0, day - 2).map(({ hours }) => hours.reduce((sum, { clicks }) => sum + clicks, 0))
    return expectedDayOf({ counts: { start: site[0]!.date, counts }, isHoliday: () => false }, site[day]!.date)
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
    const severities = [50, 200, 400, 1500].map((perDay) => {
      const site = days(random, 64, perDay, { day: 0.08, hour: 0.15 })
      const day = site[60]!
      const lost = { ...day, hours: day.hours.slice(0, 15).map((each) => ({ ...each, clicks: Math.round(each.clicks / 5) })) }
      const before = [1, 2, 3, 4].map((week) => site[60 - 7 * week]!)
      return [drops, smart].map((each) => severity(each, lost, before, expectedAt(site, 60)))
    })
    expect(severities).toEqual([[null, null], ...Array.from({ length: 3 }, () => ['critical', 'critical'])])
  })
})
