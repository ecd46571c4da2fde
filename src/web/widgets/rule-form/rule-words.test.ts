import { expect, test } from 'vitest'
import type { AlertCondition } from '../../../contract/alert-conditions.ts'
import { cardsOf } from './condition-cards.ts'
import { ruleSummary, thresholdLabel, thresholdUnit } from './rule-words.ts'

test('a rule with "spike" in its title asks for an increase, every other one for a drop (SPEC §5)', () => {
  expect(cardsOf([]).map(({ condition }) => `${thresholdLabel(condition)} ${condition.threshold} ${thresholdUnit(condition)}`)).toEqual([
    'Alert when drops by 15 % or more',
    'Alert when drops by 10 % or more',
    'Alert when increases by 50 % or more',
    'Alert when drops by 3 positions or more',
  ])
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
    monitor: 'site',
    monitorOptions: [{ value: 'site', label: 'Whole site' }],
    targets: [],
    threshold: 40,
    thresholdUnit: '%',
    problem: null,
  }
  expect(ruleSummary(rule)).toBe('Whole site · increases by 40% or more')
  expect(ruleSummary({ ...rule, type: 'position', title: 'Down', threshold: 3, thresholdUnit: 'positions' })).toBe(
    'Whole site · drops by 3 positions or more',
  )
  const ranking = { ...rule, type: 'position', threshold: 10, thresholdUnit: 'positions' } as const
  expect(ruleSummary({ ...ranking, kind: 'new_query' })).toBe('Whole site · new among the first 10 positions')
  expect(ruleSummary({ ...ranking, kind: 'lost_query' })).toBe('Whole site · no longer among the first 10 positions')
})
