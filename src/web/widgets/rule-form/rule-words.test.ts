import { expect, test } from 'vitest'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { type Condition, defaultOf, fourConditions } from '../../../core/alerting/defaults.ts'
import { ruleSummary, thresholdLabel, thresholdUnit, watchesNothing } from './rule-words.ts'

test('the threshold says what is looked for: a drop, an increase or either (SPEC §5)', () => {
  const label = (rule: Condition) => `${thresholdLabel(rule)} ${rule.threshold} ${thresholdUnit(rule)}`
  expect(fourConditions.map(label)).toEqual([
    'Alert when drops by 15 % or more',
    'Alert when drops by 10 % or more',
    'Alert when increases by 50 % or more',
    'Alert when drops by 3 positions or more',
  ])
  expect(label({ ...defaultOf('clicks', 'change'), direction: 'both' })).toBe('Alert when changes by 15 % or more')
})

test('of what is new or gone the threshold is the last position that counts', () => {
  const label = (kind: 'new_query' | 'lost_query' | 'new_page') => {
    const rule = defaultOf('position', kind)
    return `${thresholdLabel(rule)} ${rule.threshold} ${thresholdUnit(rule)}`
  }
  expect([label('new_query'), label('lost_query'), label('new_page')]).toEqual([
    'Alert when new in the top 10 positions',
    'Alert when out of the top 10 positions',
    'Alert when new in the top 20 positions',
  ])
})

test('chosen pages or queries without any chosen are nothing to watch', () => {
  expect(watchesNothing('queries', [])).toBe('No queries added yet, so this rule watches nothing yet.')
  expect(watchesNothing('pages', ['/a'])).toBeNull()
  expect(watchesNothing('site', [])).toBeNull()
})

test('a rule without a card is told in a line', () => {
  const rule: AlertCondition = {
    id: '1',
    property: 'sc-domain:example.com',
    type: 'clicks',
    kind: 'change',
    title: 'Traffic spike',
    icon: 'ads_click',
    isEnabled: true,
    direction: 'rises',
    onlyUnusual: false,
    monitor: 'site',
    monitorOptions: [{ value: 'site', label: 'Whole site' }],
    targets: [],
    threshold: 40,
    thresholdUnit: '%',
    problem: null,
    leftOut: 0,
  }
  expect(ruleSummary(rule)).toBe('Clicks · Whole site · increases by 40% or more')
  expect(ruleSummary({ ...rule, comparison: 'previous_30_days' })).toBe(
    'Clicks · Whole site · increases by 40% or more vs previous 30 days',
  )
  expect(ruleSummary({ ...rule, type: 'position', direction: 'falls', threshold: 3, thresholdUnit: 'positions' })).toBe(
    'Position · Whole site · drops by 3 positions or more',
  )
  expect(ruleSummary({ ...rule, onlyUnusual: true })).toBe('Clicks · Whole site · increases by 40% or more · only when unusual')
  const ranking = { ...rule, type: 'position', threshold: 10, thresholdUnit: 'positions' } as const
  expect(ruleSummary({ ...ranking, kind: 'new_query' })).toBe('Whole site · new in the top 10')
  expect(ruleSummary({ ...ranking, kind: 'lost_query' })).toBe('Whole site · out of the top 10')
})
