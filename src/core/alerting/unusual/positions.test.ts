import { describe, expect, test } from 'vitest'
import { addDays } from '../../analytics/days.ts'
import { defaultOf } from '../defaults.ts'
import { noSums, type Sums } from '../figures.ts'
import { type OpenAlert, transitions } from '../lifecycle.ts'
import { ruleOf } from '../options.ts'
import { evaluatePositions } from './many.ts'
import { directionOfChange } from './verdict.ts'

// What people are told about the position of a chosen query whose impressions fall with it, evening by evening.

// After the days that Google counted otherwise (analytics/anomalies.ts): an alert from before those says nothing about its position.
const start = '2026-05-01'
const quietDays = 100
const rule = ruleOf('1', { ...defaultOf('position', 'unusual'), monitor: 'queries', targets: ['lamp'] })

/** A query at position 4 with 14 impressions a day, which falls to 13 with `shown` of them; after `gone` days, it has none. */
function daysOf(seed: number, shown: number, days: number, gone = days): Sums[] {
  let state = seed * 7919 + 13
  const random = () => (state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296
  for (let i = 0; i < 10; i++) random()
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())
  return Array.from({ length: quietDays + days }, (_, i) => {
    const hasFallen = i >= quietDays
    const mean = hasFallen ? shown : 14
    const impressions = i >= quietDays + gone ? 0 : Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
    const position = (hasFallen ? 13 : 4) + 0.6 * normal()
    return { clicks: 0, impressions, positionSum: position * impressions, rankedImpressions: impressions }
  })
}

function stepsOf(days: readonly Sums[], levels: unknown[] = []): string[] {
  const sum = (from: number): Sums =>
    days.slice(from, from + 7).reduce(
      (all, day) => ({
        clicks: all.clicks + day.clicks,
        impressions: all.impressions + day.impressions,
        positionSum: all.positionSum + day.positionSum,
        rankedImpressions: all.rankedImpressions + day.rankedImpressions,
      }),
      noSums,
    )
  const weekTo = (day: number) => ({
    now: sum(day - 6),
    before: Array.from({ length: 12 }, (_, i) => sum(day - 6 - 7 * (i + 1))),
  })
  const steps: string[] = []
  let open = null as OpenAlert | null
  for (let day = quietDays - 3; day < days.length; day++) {
    const through = addDays(start, day)
    const alert = open
    const lasting = new Map(
      alert ? [['lamp', { direction: 'fall' as const, severity: alert.finding.severity, opening: alert.finding }]] : [],
    )
    const verdicts = evaluatePositions(rule, [{ name: 'lamp', today: weekTo(day), dayBefore: weekTo(day - 1) }], null, lasting, through)
    for (const step of transitions(alert ? [alert] : [], verdicts, through)) {
      if (step.to === 'firing') {
        const { finding } = step
        open = { id: 'a', ruleId: '1', entity: finding.entity, state: 'firing', finding, latest: finding, evaluatedThrough: through }
        steps.push('opened')
      } else if (step.to === 'same' && alert) open = { ...alert, latest: step.finding, evaluatedThrough: through }
      else if (step.to === 'recovered') {
        steps.push(step.reason)
        levels.push(step.level)
        open = null
      }
    }
  }
  return steps
}

test.each([
  [2.05, 1, []],
  [4, 1.5, ['rise']],
])('a query at %d that rises to %d is found only if that is far from how it varies, at the top as elsewhere', (usual, now, expected) => {
  const shown = (place: number): Sums => ({ clicks: 0, impressions: 300, positionSum: 300 * place, rankedImpressions: 300 })
  const week = { now: shown(now), before: Array.from({ length: 12 }, (_, i) => shown(usual + (i % 2 === 0 ? 0.6 : -0.6))) }
  const found = evaluatePositions({ ...rule, direction: 'both' }, [{ name: 'lamp', today: week, dayBefore: week }], null, new Map(), start)
  expect(found.flatMap(({ finding }) => (finding ? [directionOfChange('position', finding.change ?? 0)] : []))).toEqual(expected)
})

const seeds = Array.from({ length: 30 }, (_, i) => i + 1)

describe('a query that falls and is shown about 50 times a week from then on', () => {
  test.each([6, 7, 8, 10])('is one alert, with %i impressions a day', (shown) => {
    const steps = seeds.map((seed) => stepsOf(daysOf(seed, shown, 45)))
    expect(steps.filter((each) => each.length > 0).length).toBeGreaterThan(seeds.length / 3)
    for (const each of steps) expect(['', 'opened', 'opened,new_level']).toContain(each.join())
  })

  test('is no longer reported after some weeks, when it would be compared with its own low weeks', () => {
    const steps = seeds.map((seed) => stepsOf(daysOf(seed, 4, 70)).join())
    for (const each of steps) expect(['', 'opened,new_level']).toContain(each)
    expect(steps).toContain('opened,new_level')
  })

  test('has ended on the evening on which it has no impressions anymore', () => {
    const steps = seeds.map((seed) => stepsOf(daysOf(seed, 10, 30, 20)).join())
    expect(steps).toContain('opened,new_level')
    expect(steps).not.toContain('opened')
    const levels: unknown[] = []
    for (const seed of seeds) stepsOf(daysOf(seed, 10, 30, 20), levels)
    expect(levels).toContain(null)
    // After weeks with too few impressions to tell, it still has a position.
    const still: unknown[] = []
    for (const seed of seeds) stepsOf(daysOf(seed, 4, 70), still)
    for (const level of still) expect(Math.round(Number(level))).toBe(13)
  })
})
