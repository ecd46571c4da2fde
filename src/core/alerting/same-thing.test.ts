import { expect, test } from 'vitest'
import type { Finding } from './evaluate.ts'
import type { Verdict } from './lifecycle.ts'
import type { RuleVerdicts } from './run.ts'
import { type Lasting, mergeSameThing, othersFinding } from './same-thing.ts'

const entity = { kind: 'site', name: 'lamps.example' } as const
const windows = { current: { start: '2026-03-09', end: '2026-03-15' }, base: { start: '2026-03-02', end: '2026-03-08' }, scale: 1 }
const lastYear = { ...windows, base: { start: '2025-03-10', end: '2025-03-16' } }
const finding = (ruleId: string, more: Partial<Finding> = {}): Finding => ({
  ruleId,
  entity,
  metric: 'clicks',
  severity: 'warning',
  current: 80,
  previous: 100,
  change: -20,
  windows,
  ...more,
})
const found = (ruleId: string, more: Partial<Finding> = {}): RuleVerdicts => {
  const each = finding(ruleId, more)
  return { ruleId, verdicts: [{ ruleId, entity: each.entity, finding: each, current: each.current }] }
}
const nothing = (ruleId: string): RuleVerdicts => ({ ruleId, verdicts: [{ ruleId, entity, finding: null, current: 80 }] })
const alert = (ruleId: string, change: number | null = -20): Lasting => ({ ruleId, entity, metric: 'clicks', change, windows })
const outcomes = (runs: readonly RuleVerdicts[]): (readonly [string, number | null])[] =>
  runs
    .flatMap((run): readonly Verdict[] => ('verdicts' in run ? run.verdicts : []))
    .map((verdict) => [verdict.ruleId, verdict.finding && verdict.finding.change])

test('two rules that find the same thing make one alert, of the one with an expected value', () => {
  expect(outcomes(mergeSameThing([found('1'), found('2', { months: 9, change: -24 })], []))).toEqual([['2', -24]])
})

test('a rise from zero, which has no percentage, is the same thing as any other rise', () => {
  const rise = { previous: 0, current: 80, change: null, severity: 'positive' } as const
  expect(outcomes(mergeSameThing([found('1', rise), found('2', { ...rise, previous: 1, change: 7_900 })], []))).toEqual([['1', null]])
  // A week later there is something to compare with.
  expect(outcomes(mergeSameThing([found('1', { change: 50 }), found('2', { change: 60 })], [alert('2', null)]))).toEqual([['2', 60]])
  expect(outcomes(mergeSameThing([found('1'), nothing('2')], [alert('2', null)]))).toEqual([
    ['1', -20],
    ['2', null],
  ])
})

test('or else of the one with the highest severity, or else of the first', () => {
  expect(outcomes(mergeSameThing([found('1'), found('2', { severity: 'critical' })], []))).toEqual([['2', -20]])
  expect(outcomes(mergeSameThing([found('1'), found('2')], []))).toEqual([['1', -20]])
})

test.each([
  ['another direction', { change: 20 }],
  ['another figure', { metric: 'ctr' as const }],
  ['another entity', { entity: { kind: 'page' as const, name: '/a' } }],
  ['the same week last year', { windows: lastYear }],
])('%s is something else', (_, other) => {
  expect(mergeSameThing([found('1'), found('2', other)], [])).toHaveLength(2)
  expect(outcomes(mergeSameThing([found('1'), found('2', other)], [])).map(([rule]) => rule)).toEqual(['1', '2'])
})

test('an ongoing alert stays with its rule, whoever finds it now', () => {
  expect(outcomes(mergeSameThing([found('1'), found('2', { months: 9 })], [alert('1')]))).toEqual([['1', -20]])
})

test('an alert about last year keeps no other rule from opening its own', () => {
  const runs = [found('1', { windows: lastYear }), found('2', { months: 9, change: -85 })]
  expect(outcomes(mergeSameThing(runs, [{ ...alert('1'), windows: lastYear }]))).toEqual([
    ['1', -20],
    ['2', -85],
  ])
})

test("it lasts while any rule finds it, with that rule's figures", () => {
  expect(outcomes(mergeSameThing([nothing('1'), found('2', { months: 9, change: -24 })], [alert('1')]))).toEqual([['1', -24]])
  expect(outcomes(mergeSameThing([nothing('1'), found('2', { change: 30 })], [alert('1')]))).toEqual([
    ['1', null],
    ['2', 30],
  ])
  expect(outcomes(mergeSameThing([nothing('1'), nothing('2')], [alert('1')]))).toEqual([
    ['1', null],
    ['2', null],
  ])
})

test('two existing alerts both continue', () => {
  expect(outcomes(mergeSameThing([found('1'), found('2')], [alert('1'), alert('2')]))).toEqual([
    ['1', -20],
    ['2', -20],
  ])
})

test("a waiting rule says nothing, and its alert isn't sent twice", () => {
  expect(mergeSameThing([{ ruleId: '1', waiting: true }, found('2')], [alert('1')])).toEqual([
    { ruleId: '1', waiting: true },
    { ruleId: '2', verdicts: [] },
  ])
})

test('the other rules that find the same thing do so in the same direction, for the same part of the site', () => {
  const runs = [found('1'), found('2'), found('3', { change: 20 }), found('4', { metric: 'impressions' }), found('5'), nothing('6')]
  const othersOf = othersFinding(runs, new Map([['5', 'discover']]))
  expect(othersOf(finding('1'))).toEqual(['2'])
  expect(othersOf(alert('2'))).toEqual(['1'])
  expect(othersOf(alert('6'))).toEqual(['1', '2'])
  expect(othersOf(finding('3', { change: 20 }))).toEqual([])
  expect(othersOf(alert('5'))).toEqual([])
})
