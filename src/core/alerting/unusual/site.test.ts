import { describe, expect, test } from 'vitest'
import { inFull } from '../../../../test/support/in-full.ts'
import { addDays, dayNumber } from '../../analytics/days.ts'
import { detect, detectInParts } from '../../detection/smart.ts'
import { defaultOf } from '../defaults.ts'
import { ruleOf } from '../options.ts'
import type { Rule } from '../rule.ts'
import { advance, backtestSite, evaluateSite, type SiteHistory } from './site.ts'

const start = '2025-01-06'
const rule = (change: Partial<Rule> = {}): Rule => ({ ...ruleOf('1', defaultOf('clicks', 'unusual')), ...change })

/** No random variation, only a rhythm: weekends are at half, and every third day differs a little. */
const usual = (day: number, level = 1000): number => Math.round(level * (day % 7 >= 5 ? 0.5 : 1) * (1 + ((day * 7919) % 13) / 200))
const history = (days: number, change: (day: number) => number | null = () => 1, level = 1000): SiteHistory => ({
  name: 'lamps.example',
  counts: {
    start,
    counts: Array.from({ length: days }, (_, day) => {
      const factor = change(day)
      return factor === null ? null : Math.round(usual(day, level) * factor)
    }),
  },
  isHoliday: () => false,
})
const from = (first: number, factor: number) => (day: number) => (day >= first ? factor : 1)
const pause = async () => undefined
const evaluated = async (of: SiteHistory, open: Parameters<typeof evaluateSite>[3] = null, by = rule()) =>
  evaluateSite(by, of, await advance(of, null, pause), open)!
const backtested = async (of: SiteHistory) => (await backtestSite(rule(), of, pause)).days

describe('a drop of the whole site', () => {
  test('is reported against the expected value, with its rarity', async () => {
    const { finding, current } = await evaluated(history(307, from(300, 0.7)))
    expect(finding).toMatchObject({ metric: 'clicks', entity: { kind: 'site', name: 'lamps.example' }, ruleId: '1' })
    expect(finding?.change).toBeGreaterThan(-33)
    expect(finding?.change).toBeLessThan(-27)
    expect(finding?.windows.current.end).toBe(addDays(start, 306))
    expect(finding?.months).toBeGreaterThan(12)
    expect(current).toBe(finding?.current)
  })

  test('is not found by a rule that looks for rises', async () => {
    expect((await evaluated(history(307, from(300, 0.7)), null, rule({ direction: 'rises' }))).finding).toBeNull()
    expect((await evaluated(history(307, from(300, 1.6)), null, rule({ direction: 'rises' }))).finding).toMatchObject({
      severity: 'positive',
    })
  })

  test('never becomes milder than reported, and ends before a rise begins', async () => {
    expect((await evaluated(history(307, from(300, 0.8)))).finding?.severity).toBe('warning')
    expect((await evaluated(history(307, from(300, 0.8)), { direction: 'fall', severity: 'critical' })).finding?.severity).toBe('critical')
    expect((await evaluated(history(307, from(300, 1.6)), { direction: 'fall', severity: 'critical' })).finding).toBeNull()
  })
})

test.each([1000, ...inFull([5])])('what a rule says it expects of a week is what it does, with %i clicks a day', async (level) => {
  const lastWeek = (factor: number): SiteHistory => history(307, from(300, factor), level)
  const { expected } = await backtestSite(rule(), lastWeek(1), pause)
  const { value, low, high } = expected!
  const usualWeek = lastWeek(1)
    .counts.counts.slice(-7)
    .reduce<number>((sum, count) => sum + (count ?? 0), 0)
  expect(Math.abs(value / usualWeek - 1)).toBeLessThan(0.15)
  const alerted = async (sum: number, by = rule()) => {
    const { days } = await backtestSite(by, lastWeek(sum / value), pause)
    return days.some(({ date }) => date >= addDays(start, 300))
  }
  // Days are whole clicks, so just beyond the limits it may be either.
  expect([await alerted(low! * 0.9), await alerted(low! * 1.15), await alerted(high! * 0.85), await alerted(high! * 1.15)]).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect((await backtestSite(rule({ direction: 'falls' }), lastWeek(1), pause)).expected).toMatchObject({ low, high: null })
  expect((await backtestSite(rule(), history(20), pause)).expected).toBeNull()
})

test('an ordinary site, one without a click for a year and a new one raise no alarm', async () => {
  expect((await evaluated(history(400))).finding).toBeNull()
  expect(await backtested(history(400, () => 0))).toEqual([])
  expect(await backtested(history(20))).toEqual([])
})

test('a site that dies is one alert while it is down, and its return is another one', async () => {
  const days = await backtested(history(420, (day) => (day >= 300 && day < 330 ? 0 : 1)))
  expect(days[0]?.date).toBe(addDays(start, 300))
  expect(days[0]?.finding).toMatchObject({ severity: 'critical' })
  expect(days.filter(({ finding }) => (finding.change ?? 0) < 0)).toHaveLength(1)
  // Whatever was expected while it was down, the return begins no later than the site does.
  const returns = days.filter(({ finding }) => finding.severity === 'positive')
  expect(returns).toHaveLength(1)
  expect(returns[0]?.date && returns[0].date >= addDays(start, 330) && returns[0].date <= addDays(start, 336)).toBe(true)
  // The alert about the fall is over by then, so that the return can open its own.
  const back = history(336, (day) => (day >= 300 && day < 330 ? 0 : 1))
  expect((await evaluated(back, { direction: 'fall', severity: 'critical' })).finding).toBeNull()
  expect((await evaluated(back)).finding).toMatchObject({ severity: 'positive' })
})

describe('a site that dies again some days after an outage', () => {
  /** Down for `length` days, back for `gap` days, and down again. */
  const twice = (length: number, gap: number) => (day: number) =>
    (day >= 300 && day < 300 + length) || day >= 300 + length + gap ? 0.01 : 1

  test.each([
    [4, 4],
    [4, 7],
    [10, 3],
    [10, 7],
    [20, 5],
    [30, 7],
    [30, 14],
  ])('after %i days down and %i days back, it is another critical alert on its first days', async (length, gap) => {
    const again = 300 + length + gap
    const falls = (await backtested(history(again + 10, twice(length, gap)))).filter(({ finding }) => (finding.change ?? 0) < 0)
    expect(falls).toHaveLength(2)
    expect(falls[0]?.date).toBe(addDays(start, 300))
    expect(falls[1]!.date >= addDays(start, again) && falls[1]!.date <= addDays(start, again + 2)).toBe(true)
    expect(falls[1]?.finding).toMatchObject({ severity: 'critical' })
  })

  test('the first alert ends as soon as the site has been back for three days, and nothing is reported about those', async () => {
    const site = (days: number) => history(days, (day) => (day >= 300 && day < 310 ? 0.01 : 1))
    expect((await evaluated(site(312), { direction: 'fall', severity: 'critical' })).finding).not.toBeNull()
    for (const days of [313, 316, 320, 330]) {
      expect((await evaluated(site(days), { direction: 'fall', severity: 'critical' })).finding).toBeNull()
      expect((await evaluated(site(days))).finding).toBeNull()
    }
  })

  test('a site that comes back at a lower level has fallen', async () => {
    const site = history(318, (day) => (day < 300 ? 1 : day < 310 ? 0.01 : 0.6))
    expect((await evaluated(site, { direction: 'fall', severity: 'critical' })).finding).toMatchObject({ metric: 'clicks' })
  })

  test("an outage doesn't count against the site: an ordinary drop months later is found as if it had never been", async () => {
    const drop = (outage: boolean) => history(407, (day) => (outage && day >= 200 && day < 220 ? 0 : day >= 400 ? 0.7 : 1))
    const { finding } = await evaluated(drop(true))
    const undisturbed = (await evaluated(drop(false))).finding
    expect(finding).toMatchObject({ severity: undisturbed?.severity })
    expect(finding?.months).toBeCloseTo(undisturbed?.months ?? 0, 0)
  })

  test('what lasts for most of three months is the new level', async () => {
    expect((await evaluated(history(370, from(300, 0.01)))).finding).toBeNull()
    for (const left of [0.01, 0]) expect(await backtested(history(460, (day) => (day < 200 ? 1 : left)))).toHaveLength(1)
    // With nothing left there is nothing to fall.
    for (const days of [335, 350, 365])
      expect((await evaluated(history(days, from(300, 0)), { direction: 'fall', severity: 'critical' })).finding).toBeNull()
  })
})

test('figures without holidays and unknown days say of how many days of the window they are', async () => {
  const holidays = [298, 299, 300, 303].map((day) => dayNumber(addDays(start, day)))
  const site = { ...history(307, from(298, 0.5)), isHoliday: (day: number) => holidays.includes(day) }
  const { finding } = await evaluated(site)
  const { start: first, end } = finding!.windows.current
  const [one, last] = [dayNumber(first), dayNumber(end)].map((day) => day - dayNumber(start)) as [number, number]
  const compared = site.counts.counts.map((count, day) => ({ count, day })).filter(({ day }) => day >= one && day <= last)
  const ordinary = compared.filter(({ day }) => !holidays.includes(day + dayNumber(start)))
  expect(ordinary.length).toBeLessThan(compared.length)
  expect(finding).toMatchObject({ days: ordinary.length, current: ordinary.reduce((sum, { count }) => sum + (count ?? 0), 0) })
  expect((await evaluated(history(307, from(300, 0.7)))).finding?.days).toBeUndefined()
})

test("unknown days aren't zeros", async () => {
  expect(await backtested(history(400, (day) => (day % 50 < 3 ? null : 1)))).toEqual([])
})

test('a lower level after a gap of more than four weeks is one alert, and a drop from there is another', async () => {
  const site = history(350, (day) => (day < 200 ? 1 : day < 232 ? null : day < 330 ? 0.6 : 0.35))
  const falls = (await backtested(site)).filter(({ finding }) => (finding.change ?? 0) < 0)
  expect(falls).toHaveLength(2)
  expect(falls[1]!.date >= addDays(start, 330)).toBe(true)
})

test('cached state gives the same result as evaluating everything, and the future changes no verdict', { tags: ['full'] }, async () => {
  const whole = history(340, from(310, 0.75))
  const upTo = (days: number): SiteHistory => ({ ...whole, counts: { ...whole.counts, counts: whole.counts.counts.slice(0, days) } })
  let kept: Awaited<ReturnType<typeof advance>> = null
  for (let days = 1; days <= 340; days++) {
    kept = JSON.parse(JSON.stringify(await advance(upTo(days), kept, pause))) as typeof kept
    if (days < 300) continue
    expect(evaluateSite(rule(), upTo(days), kept, null)).toEqual(await evaluated(upTo(days)))
  }
  const other: SiteHistory = history(340, from(320, 5))
  const till = async (site: SiteHistory) => (await backtested(site)).filter(({ date }) => date < addDays(start, 310))
  expect(await till(other)).toEqual(await till(whole))
})

test('a history of decades is evaluated in parts, which let others run, with the same result as at once', { tags: ['full'] }, async () => {
  const long = history(3_000, from(2_950, 0.6))
  let turns = 0
  const { days, evaluatedDays: count } = await backtestSite(rule(), long, async () => void (turns += 1))
  expect(turns).toBe(3_000 / 200 - 1)
  expect(count).toBeGreaterThan(2_900)
  const { verdicts } = detect(long.counts, { isHoliday: long.isHoliday, sensitivity: 'normal' }, null)
  expect(days.map(({ date }) => date)).toContain(
    addDays(
      start,
      verdicts.findIndex(({ fall }, day) => day >= 2_950 && fall?.isAlarm),
    ),
  )
  expect((await detectInParts(long.counts, { isHoliday: long.isHoliday, sensitivity: 'normal' }, null, pause)).verdicts).toEqual(verdicts)
})

test('a small site with a day of any size has risen, and is evaluated as fast as ever', async () => {
  for (const clicks of [5_000, 1_000_000_000, Number.MAX_SAFE_INTEGER / 2]) {
    const spike = history(100, from(99, clicks), 1)
    expect((await evaluated(spike)).finding).toMatchObject({ severity: 'positive' })
  }
  const young = history(60, from(55, 0.5), 1_000_000_000_000)
  expect((await evaluated(young)).finding).toMatchObject({ metric: 'clicks' })
})

describe('a change that somebody rated as real', () => {
  // Two falls of two weeks each, which calibration would take for normal variation.
  const restless = (day: number) => ((day >= 200 && day < 214) || (day >= 280 && day < 294) ? 0.6 : day >= 410 ? 0.75 : 1)
  const site = history(420, restless)
  const confirmed = ([200, 280] as const).map((day) => {
    const opened = dayNumber(addDays(start, day + 2))
    return { direction: 'fall', from: opened, to: opened + 12 } as const
  })

  test("doesn't count against the site", () => {
    const limits = (of: SiteHistory) => detect(of.counts, { ...of, sensitivity: 'normal' }, null).verdicts.at(-1)?.fall?.ratio ?? 0
    const against = limits(site)
    expect(limits({ ...site, confirmed })).toBeGreaterThan(against)
    expect(limits({ ...site, confirmed: confirmed.map((each) => ({ ...each, direction: 'rise' as const })) })).toBe(against)
  })

  test(
    "doesn't change the cached state: it gives the same result as evaluating everything, whenever it was rated",
    { tags: ['full'] },
    async () => {
      const upTo = (days: number, more: Partial<SiteHistory> = {}): SiteHistory => ({
        ...site,
        counts: { ...site.counts, counts: site.counts.counts.slice(0, days) },
        ...more,
      })
      // Stored before anybody rated anything.
      let kept = await advance(upTo(300), null, pause)
      for (let days = 301; days <= 420; days += 17) {
        kept = JSON.parse(JSON.stringify(await advance(upTo(days, { confirmed }), kept, pause))) as typeof kept
        expect(evaluateSite(rule(), upTo(days, { confirmed }), kept, null)).toEqual(await evaluated(upTo(days, { confirmed })))
      }
    },
  )
})
