import { expect, test } from 'vitest'
import type { Finding } from './evaluate.ts'
import type { Verdict } from './lifecycle.ts'
import type { RuleVerdicts } from './run.ts'
import { type Lasting, mergeSameThing } from './same-thing.ts'

const entity = { kind: 'site', name: 'lamps.example' } as const
const windows = { current: { start: '2026-03-09', end: '2026-03-15' }, base: { start: '2026-03-02', end: '2026-03-08' }, scale: 1 }
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
const alert = (ruleId: string, change = -20): Lasting => ({ ruleId, entity, metric: 'clicks', change })
const told = (runs: readonly RuleVerdicts[]): (readonly [string, number | null])[] =>
  runs
    .flatMap((run): readonly Verdict[] => ('verdicts' in run ? run.verdicts : []))
    .map((verdict) => [verdict.ruleId, verdict.finding && verdict.finding.change])

test('two rules that find the same thing make one alert, of the one that knows what was expected', () => {
  expect(told(mergeSameThing([found('1'), found('2', { months: 9, change: -24 })], []))).toEqual([['2', -24]])
})

test('else of the one that finds it most severe, else of the first', () => {
  expect(told(mergeSameThing([found('1'), found('2', { severity: 'critical' })], []))).toEqual([['2', -20]])
  expect(told(mergeSameThing([found('1'), found('2')], []))).toEqual([['1', -20]])
})

test.each([
  ['another direction', { change: 20 }],
  ['another figure', { metric: 'ctr' as const }],
  ['another entity', { entity: { kind: 'page' as const, name: '/a' } }],
])('%s is another thing', (_, other) => {
  expect(mergeSameThing([found('1'), found('2', other)], [])).toHaveLength(2)
  expect(told(mergeSameThing([found('1'), found('2', other)], [])).map(([rule]) => rule)).toEqual(['1', '2'])
})

test('an alert that lasts stays that of its rule, whoever finds it now', () => {
  expect(told(mergeSameThing([found('1'), found('2', { months: 9 })], [alert('1')]))).toEqual([['1', -20]])
})

test('it lasts while any rule finds it, with the figures of that rule', () => {
  expect(told(mergeSameThing([nothing('1'), found('2', { months: 9, change: -24 })], [alert('1')]))).toEqual([['1', -24]])
  expect(told(mergeSameThing([nothing('1'), found('2', { change: 30 })], [alert('1')]))).toEqual([
    ['1', null],
    ['2', 30],
  ])
  expect(told(mergeSameThing([nothing('1'), nothing('2')], [alert('1')]))).toEqual([
    ['1', null],
    ['2', null],
  ])
})

test('two alerts that were there before both go on', () => {
  expect(told(mergeSameThing([found('1'), found('2')], [alert('1'), alert('2')]))).toEqual([
    ['1', -20],
    ['2', -20],
  ])
})

test('a rule that waits says nothing, and its alert is not told twice', () => {
  expect(mergeSameThing([{ ruleId: '1', waiting: true }, found('2')], [alert('1')])).toEqual([
    { ruleId: '1', waiting: true },
    { ruleId: '2', verdicts: [] },
  ])
})
