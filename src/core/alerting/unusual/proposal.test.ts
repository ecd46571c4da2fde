import { describe, expect, test } from 'vitest'
import { addDays } from '../../analytics/days.ts'
import { defaultOf } from '../defaults.ts'
import type { Finding } from '../evaluate.ts'
import { ruleOf } from '../options.ts'
import { type RatedAlert, settingsToTry, stillOpened, supportOf, type Backtested } from './proposal.ts'
import type { Rule } from '../rule.ts'

const first = '2026-01-05'
const threshold = (change: Partial<Rule> = {}): Rule => ({ ...ruleOf('1', defaultOf('clicks', 'change')), threshold: 15, ...change })
const smart = (sensitivity: Rule['sensitivity']): Rule => ({ ...ruleOf('1', defaultOf('clicks', 'unusual')), sensitivity })

const rated = (verdict: RatedAlert['verdict'], change: number | null, day: number): RatedAlert => ({
  verdict,
  findings: [{ entity: 'lamps', change, day: addDays(first, day) }],
})
/** This many useful and noisy alerts, three weeks apart. */
const alerts = (useful: readonly (number | null)[], noise: readonly number[]): RatedAlert[] => [
  ...useful.map((change, at) => rated('useful', change, 21 * at)),
  ...noise.map((change, at) => rated('noise', change, 21 * (at + useful.length))),
]
const backtestedOf = (opened: readonly RatedAlert[], shift = 0): Backtested => ({
  from: first,
  days: opened.flatMap(({ findings }) =>
    findings.map(({ entity, change, day }) => ({
      date: addDays(day, shift),
      findings: [{ entity: { kind: 'page', name: entity }, change } as Finding],
    })),
  ),
})

test('thousands of ratings and decades of days are compared without keeping others waiting', () => {
  const decades: Backtested = {
    from: first,
    days: Array.from({ length: 10_000 }, (_, day) => ({
      date: addDays(first, day),
      findings: [{ entity: { kind: 'page', name: 'chairs' }, change: -20 } as Finding],
    })),
  }
  const many = Array.from({ length: 5_000 }, (_, at) => rated('noise', -20, 9_000 + (at % 900)))
  const begun = performance.now()
  expect(stillOpened(many, decades)).toEqual({ known: many, opened: [] })
  // Comparing pair by pair took ten seconds.
  expect(performance.now() - begun).toBeLessThan(2_000)
})

describe('nothing is proposed', () => {
  test('for a few ratings', () => {
    expect(settingsToTry(threshold(), alerts([], [-16, -17, -18, -19]))).toEqual([])
    expect(settingsToTry(smart('normal'), alerts([-30, -30, -30, -30], []))).toEqual([])
  })

  test('for a threshold rule whose alerts were useful every other time', () => {
    expect(settingsToTry(threshold({ onlyUnusual: false }), alerts([-40, -41, -42], [-16, -17, -18]))).toEqual([])
  })

  test('for a rule about new keywords', () => {
    expect(settingsToTry(threshold({ kind: 'new_query' }), alerts([], [1, 2, 3, 4, 5, 6]))).toEqual([])
  })
})

describe('a smart rule', () => {
  const noisy = alerts([-40], [-16, -17, -18, -19, -20])

  test('is made quieter if most was noise, and more sensitive if nearly all was useful', () => {
    expect(settingsToTry(smart('high'), noisy)).toEqual([{ sensitivity: 'normal' }])
    expect(settingsToTry(smart('low'), noisy)).toEqual([])
    expect(settingsToTry(smart('normal'), alerts([-40, -41, -42, -43, -44], []))).toEqual([{ sensitivity: 'high' }])
    expect(settingsToTry(smart('high'), alerts([-40, -41, -42, -43, -44], []))).toEqual([])
    expect(settingsToTry(smart('normal'), alerts([-40, -41, -42], [-16, -17]))).toEqual([])
  })

  test('only if its history supports it', () => {
    const now = backtestedOf(noisy)
    const quieter = (kept: readonly RatedAlert[]) =>
      supportOf(smart('normal'), { sensitivity: 'low' }, noisy, { now, proposed: backtestedOf(kept, 5) })
    expect(quieter(noisy.slice(0, 3))).toEqual({ useful: { kept: 1, of: 1 }, noise: { kept: 2, of: 5 } })
    // It would lose useful alerts, or remove hardly any noise.
    expect(quieter(noisy.slice(1, 3))).toBeNull()
    expect(quieter(noisy.slice(0, 5))).toBeNull()
    const useful = alerts([-40, -41, -42, -43, -44], [])
    const louder = (proposed: Backtested) =>
      supportOf(smart('normal'), { sensitivity: 'high' }, useful, { now: backtestedOf(useful), proposed })
    expect(louder(backtestedOf([...useful, rated('useful', -20, 200)]))).toEqual({ useful: { kept: 5, of: 5 }, noise: { kept: 0, of: 0 } })
    expect(louder(backtestedOf(useful))).toBeNull()
  })
})

describe('a rule with a threshold', () => {
  test('is limited to anomalies, or gets a threshold above the noise and up to what was useful', () => {
    const noisy = alerts([-40], [-16.4, -17, -18, -19, -22.5])
    expect(settingsToTry(threshold({ onlyUnusual: false }), noisy)).toEqual([{ onlyUnusual: true }, { threshold: 23 }])
    expect(settingsToTry(threshold({ onlyUnusual: true }), noisy)).toEqual([{ threshold: 23 }])
  })

  test('keeps a useful alert amid the noise', () => {
    expect(settingsToTry(threshold({ onlyUnusual: true }), alerts([-20.5], [-16, -17, -18, -35]))).toEqual([{ threshold: 19 }])
    expect(settingsToTry(threshold({ onlyUnusual: true }), alerts([-15.5], [-16, -17, -18, -35]))).toEqual([])
  })

  test("isn't raised beyond any real drop; what vanished exceeds every threshold", () => {
    expect(settingsToTry(threshold({ onlyUnusual: true }), alerts([], [-16, -17, -18, -19, -95]))).toEqual([])
    expect(settingsToTry(threshold({ onlyUnusual: true }), alerts([null], [-16, -17, -18, -19]))).toEqual([{ threshold: 20 }])
  })
})

test('only alerts that the rule would still open count, and only those of known days', () => {
  const [a, b, c] = alerts([-40], [-16, -17])
  const { known, opened } = stillOpened([a!, b!, c!, rated('noise', -20, -30)], backtestedOf([a!, c!], -6))
  expect(known).toEqual([a, b, c])
  expect(opened).toEqual([a, c])
  expect(stillOpened([a!], backtestedOf([a!], 15)).opened).toEqual([])
  expect(stillOpened([a!], backtestedOf([{ ...a!, findings: [{ entity: 'lamps', change: 40, day: first }] }])).opened).toEqual([])
})
