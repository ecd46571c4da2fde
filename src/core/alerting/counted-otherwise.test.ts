import { describe, expect, test } from 'vitest'
import { defaultOf } from './defaults.ts'
import { comparable, evaluate } from './evaluate.ts'
import { ruleOf } from './options.ts'
import type { AlertMetric, Rule } from './rule.ts'
import { windowsOf } from './windows.ts'

const rule: Rule = { ...ruleOf('1', defaultOf('clicks', 'change')), monitor: 'site', direction: 'both', threshold: 3, onlyUnusual: false }

describe('days on which Google counted differently', () => {
  const edge = windowsOf('previous_7_days', '2026-05-02')
  const site = { entity: { kind: 'site', name: 'example.com' }, firstSeen: null, past: { weeks: [], yearAgo: [] } } as const
  const before = { clicks: 700, impressions: 70_000, positionSum: 700_000, rankedImpressions: 70_000 }
  const after = { clicks: 350, impressions: 60_000, positionSum: 300_000, rankedImpressions: 60_000 }
  const evaluated = (metric: AlertMetric, windows = edge) =>
    evaluate({ ...rule, metric }, { ...site, base: before, current: after }, windows)

  test('rules on the affected metrics stay silent across them, and a drop in clicks in that week is found', () => {
    expect((['impressions', 'ctr', 'position'] as const).map((metric) => evaluated(metric))).toEqual([null, null, null])
    expect(evaluated('clicks')).toMatchObject({ change: -50 })
    const later = windowsOf('previous_7_days', '2026-05-20')
    expect((['impressions', 'ctr', 'position'] as const).map((metric) => evaluated(metric, later)?.metric)).toEqual([
      'impressions',
      'ctr',
      'position',
    ])
  })

  test('weeks before them say nothing about what is usual after them', () => {
    const past = { weeks: Array.from({ length: 12 }, () => before), yearAgo: [before, before, before, before, before] }
    const of = (metric: AlertMetric) =>
      comparable({ metric, searchType: 'web' }, { ...site, base: before, current: after, past }, windowsOf('previous_7_days', '2026-05-18'))
        .past
    expect([of('impressions').weeks.length, of('impressions').yearAgo.length]).toEqual([2, 0])
    expect([of('clicks').weeks.length, of('clicks').yearAgo.length]).toEqual([12, 5])
  })

  test("two weeks later, an ordinary query's variation decides what is unusual", () => {
    const strict: Rule = { ...rule, metric: 'ctr', onlyUnusual: true }
    const week = { clicks: 1_000, impressions: 20_000, positionSum: 60_000, rankedImpressions: 20_000 }
    const past = { weeks: Array.from({ length: 12 }, () => week), yearAgo: [] }
    const fallen = (clicks: number) =>
      evaluate(strict, { ...site, base: week, current: { ...week, clicks }, past }, windowsOf('previous_7_days', '2026-05-12'))
    // Beyond the threshold, and more than counts of that size vary by themselves.
    expect(
      evaluate(
        { ...strict, onlyUnusual: false },
        { ...site, base: week, current: { ...week, clicks: 850 }, past },
        windowsOf('previous_7_days', '2026-05-12'),
      ),
    ).toMatchObject({ change: -15 })
    expect(fallen(850)).toBeNull()
    expect(fallen(300)).toMatchObject({ change: -70 })
  })
})
