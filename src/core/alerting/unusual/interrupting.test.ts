import { expect, test } from 'vitest'
import { noSums, type Sums } from '../figures.ts'
import { defaultOf } from '../defaults.ts'
import { ruleOf } from '../options.ts'
import { interrupts } from './interrupting.ts'
import { evaluatePositions } from './many.ts'
import { verdictOf } from './verdict.ts'

const clicks = (count: number): Sums => ({ ...noSums, clicks: count, impressions: 10_000 })
const steady = Array.from({ length: 8 }, () => clicks(1_000))
const week = { start: '2026-03-02', end: '2026-03-08' }

test("a week with half of every previous week's clicks interrupts", () => {
  expect(interrupts('clicks', { current: clicks(500), before: clicks(1_000), weeks: steady, week })).toBe(true)
  expect(interrupts('ctr', { current: clicks(500), before: clicks(1_000), weeks: steady, week })).toBe(true)
})

test("a week that is back to normal after a good one doesn't, nor does a drop that may be due to chance", () => {
  expect(interrupts('clicks', { current: clicks(1_000), before: clicks(1_600), weeks: [clicks(1_600), ...steady.slice(1)], week })).toBe(
    false,
  )
  const few = Array.from({ length: 8 }, () => clicks(4))
  expect(interrupts('clicks', { current: clicks(1), before: clicks(4), weeks: few, week })).toBe(false)
})

test('a few lost clicks a week interrupt nobody, whatever fell', () => {
  const lost = (metric: 'clicks' | 'impressions' | 'ctr', [from, to]: [Sums, Sums]) =>
    interrupts(metric, { current: to, before: from, weeks: Array.from({ length: 8 }, () => from), week })
  const few: [Sums, Sums] = [clicks(21), clicks(2)]
  expect([lost('clicks', few), lost('ctr', few)]).toEqual([false, false])
  const more: [Sums, Sums] = [clicks(23), clicks(2)]
  expect([lost('clicks', more), lost('ctr', more)]).toEqual([true, true])
  const shown = (sums: Sums, impressions: number): Sums => ({ ...sums, impressions })
  expect(lost('impressions', [shown(clicks(30), 10_000), shown(clicks(27), 100)])).toBe(false)
  expect(lost('impressions', [shown(clicks(30), 10_000), shown(clicks(3), 100)])).toBe(true)
  // More clicks than before, but far fewer than the same CTR would have brought.
  expect(lost('ctr', [shown(clicks(100), 1_000), shown(clicks(110), 4_000)])).toBe(true)
})

test('nor does an unusual fall of a page with a few clicks a week', () => {
  const rule = ruleOf('r', { ...defaultOf('clicks', 'unusual'), monitor: 'all_pages' })
  const fall = (expected: number, days: number) => {
    const found = {
      direction: 'fall' as const,
      length: days,
      actual: 0,
      expected,
      days,
      ratio: 2,
      isAlarm: true,
      months: 12,
      isCertain: true,
    }
    const deviations = { fall: { ...found, lastDay: null }, rise: null }
    const { finding } = verdictOf(rule, { kind: 'page', name: '/lamp' }, deviations, week.end, null)
    return [finding?.severity, finding?.interrupts]
  }
  expect([fall(19, 7), fall(38, 14)]).toEqual([
    ['critical', false],
    ['critical', false],
  ])
  expect([fall(20, 7), fall(6, 2)]).toEqual([
    ['critical', undefined],
    ['critical', undefined],
  ])
})

test("a week around New Year doesn't", () => {
  const fallen = { current: clicks(400), before: clicks(1_000), weeks: steady }
  expect(interrupts('clicks', { ...fallen, week: { start: '2025-12-22', end: '2025-12-28' } })).toBe(false)
  expect(interrupts('clicks', { ...fallen, week: { start: '2026-01-03', end: '2026-01-09' } })).toBe(true)
})

test('lost positions interrupt only if the clicks lost with them are worth it', () => {
  const lost = (from: number, to: number) =>
    interrupts('position', { current: clicks(to), before: clicks(from), weeks: Array.from({ length: 8 }, () => clicks(from)), week })
  // A query that falls from position 4 to 10 with hardly any clicks, and one that keeps its clicks.
  expect([lost(5, 0), lost(19, 0), lost(1_000, 900)]).toEqual([false, false, false])
  expect([lost(40, 10), lost(1_000, 300)]).toEqual([true, true])
  // A good week that is over isn't a loss.
  expect(interrupts('position', { current: clicks(100), before: clicks(300), weeks: steady.map(() => clicks(100)), week })).toBe(false)
})

test('neither does an unusual position of a chosen query, unless its clicks are worth it', () => {
  const rule = ruleOf('r', { ...defaultOf('position', 'unusual'), monitor: 'queries', targets: ['lamp'] })
  const ranked = (position: number, count: number): Sums => ({
    clicks: count,
    impressions: 1_000,
    positionSum: position * 1_000,
    rankedImpressions: 1_000,
  })
  const found = (before: number, now: number) => {
    const weeks = { now: ranked(14, now), before: Array.from({ length: 8 }, (_, i) => ranked(4 + (i % 2) / 10, before)) }
    const [verdict] = evaluatePositions(rule, [{ name: 'lamp', today: weeks, dayBefore: weeks }], null, new Map(), week.end)
    return [verdict?.finding?.severity, verdict?.finding?.interrupts]
  }
  expect(found(8, 1)).toEqual(['critical', false])
  expect(found(80, 10)).toEqual(['critical', true])
})
