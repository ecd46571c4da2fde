import { describe, expect, test } from 'vitest'
import { addDays } from '../analytics/days.ts'
import { defaultOf } from './defaults.ts'
import { ruleOf } from './options.ts'
import type { Rule } from './rule.ts'
import { advance, backtestSite, judgeSite, type SiteHistory } from './unusual-site.ts'

const start = '2025-01-06'
const rule = (change: Partial<Rule> = {}): Rule => ({ ...ruleOf('1', defaultOf('clicks', 'unusual')), ...change })

/** Without chance but with its rhythm: weekends are at half, and every third day differs a little. */
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
const judged = (of: SiteHistory, open: Parameters<typeof judgeSite>[3] = null, by = rule()) => judgeSite(by, of, advance(of, null), open)

describe('a fall of the whole site', () => {
  test('is told against what was expected, with how rare it is', () => {
    const { finding, current } = judged(history(307, from(300, 0.7)))
    expect(finding).toMatchObject({ metric: 'clicks', entity: { kind: 'site', name: 'lamps.example' }, ruleId: '1' })
    expect(finding?.change).toBeGreaterThan(-33)
    expect(finding?.change).toBeLessThan(-27)
    expect(finding?.windows.current.end).toBe(addDays(start, 306))
    expect(finding?.months).toBeGreaterThan(12)
    expect(current).toBe(finding?.current)
  })

  test('is none of a rule that looks for rises', () => {
    expect(judged(history(307, from(300, 0.7)), null, rule({ direction: 'rises' })).finding).toBeNull()
    expect(judged(history(307, from(300, 1.6)), null, rule({ direction: 'rises' })).finding).toMatchObject({ severity: 'positive' })
  })

  test('is never milder than it was told, and ends before a rise begins', () => {
    expect(judged(history(307, from(300, 0.8))).finding?.severity).toBe('warning')
    expect(judged(history(307, from(300, 0.8)), { direction: 'fall', severity: 'critical' }).finding?.severity).toBe('critical')
    expect(judged(history(307, from(300, 1.6)), { direction: 'fall', severity: 'critical' }).finding).toBeNull()
  })
})

test('a site as usual, one without a click for a year and one that has just begun raise no alarm', () => {
  expect(judged(history(400)).finding).toBeNull()
  expect(
    backtestSite(
      rule(),
      history(400, () => 0),
    ).days,
  ).toEqual([])
  expect(backtestSite(rule(), history(20)).days).toEqual([])
})

test('a site that dies is one alert while it is away, and that it is back is another one', () => {
  const { days } = backtestSite(
    rule(),
    history(420, (day) => (day >= 300 && day < 330 ? 0 : 1)),
  )
  expect(days[0]?.date).toBe(addDays(start, 300))
  expect(days[0]?.finding).toMatchObject({ severity: 'critical' })
  expect(days.filter(({ finding }) => (finding.change ?? 0) < 0)).toHaveLength(1)
})

test('days that are not known are no zeros', () => {
  expect(
    backtestSite(
      rule(),
      history(400, (day) => (day % 50 < 3 ? null : 1)),
    ).days,
  ).toEqual([])
})

test('what has been kept gives what a look at everything gives, and the future changes no verdict', () => {
  const whole = history(340, from(310, 0.75))
  const upTo = (days: number): SiteHistory => ({ ...whole, counts: { ...whole.counts, counts: whole.counts.counts.slice(0, days) } })
  let kept: ReturnType<typeof advance> = null
  for (let days = 1; days <= 340; days++) {
    kept = JSON.parse(JSON.stringify(advance(upTo(days), kept))) as ReturnType<typeof advance>
    if (days < 300) continue
    expect(judgeSite(rule(), upTo(days), kept, null)).toEqual(judged(upTo(days)))
  }
  const other: SiteHistory = history(340, from(320, 5))
  const till = (site: SiteHistory) => backtestSite(rule(), site).days.filter(({ date }) => date < addDays(start, 310))
  expect(till(other)).toEqual(till(whole))
})
