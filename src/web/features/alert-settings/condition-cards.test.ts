import { expect, test } from 'vitest'
import type { AlertCondition, ConditionType } from '../../../contract/alerts/conditions.ts'
import { monitorOptions } from '../../../core/alerting/options.ts'
import { cardsOf, otherRules } from './condition-cards.ts'

const rule = (id: string, type: ConditionType, more: Partial<AlertCondition> = {}): AlertCondition => ({
  id,
  property: 'sc-domain:example.com',
  type,
  kind: 'change',
  title: `Rule ${id}`,
  icon: 'percent',
  isEnabled: true,
  direction: 'falls',
  onlyUnusual: true,
  monitor: 'site',
  monitorOptions: [...monitorOptions({ kind: 'change', type: 'clicks' })],
  searchType: 'web',
  targets: [],
  threshold: 7,
  thresholdUnit: type === 'position' ? 'positions' : '%',
  problem: null,
  leftOut: 0,
  ...more,
})

test('without rules the four cards show the defaults of SPEC §9', () => {
  expect(cardsOf([]).map(({ rule: none, condition }) => [none, condition])).toMatchObject([
    [null, { type: 'clicks', isEnabled: true, monitor: 'top_pages', threshold: 15, comparison: 'previous_7_days' }],
    [null, { type: 'ctr', isEnabled: true, monitor: 'top_queries', threshold: 10, minimumImpressions: 100 }],
    [null, { type: 'impressions', isEnabled: false, monitor: 'new_content', threshold: 50, minimumImpressions: 50 }],
    [null, { type: 'position', isEnabled: true, monitor: 'queries', threshold: 3, minimumImpressions: 50 }],
  ])
  expect(otherRules([])).toEqual([])
})

test('a card shows the rule of its type, or else the default', () => {
  const [clicks, ctr, ...rest] = cardsOf([rule('1', 'ctr', { minimumImpressions: 20, isEnabled: false })])
  expect(clicks).toMatchObject({ rule: null, condition: { title: 'Clicks drop' } })
  expect(ctr).toMatchObject({ rule: { id: '1' }, condition: { title: 'Rule 1', isEnabled: false, threshold: 7, minimumImpressions: 20 } })
  expect(rest.map((card) => card.rule)).toEqual([null, null])
})

test('the first rule of a type gets the card; all others, including new and lost rankings, are listed below', () => {
  const rules = [
    rule('1', 'position', { kind: 'new_query' }),
    rule('2', 'clicks'),
    rule('3', 'clicks'),
    rule('4', 'position'),
    rule('5', 'position', { kind: 'lost_query' }),
  ]
  expect(cardsOf(rules).map((card) => card.rule?.id)).toEqual(['2', undefined, undefined, '4'])
  expect(otherRules(rules).map(({ id }) => id)).toEqual(['1', '3', '5'])
})
