import { hashKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { alertCondition } from '../../../contract/alerts/conditions.ts'
import { proposalQuery } from '../../api/alert-conditions.ts'

const rule = alertCondition.parse({
  id: '7',
  title: 'Clicks drop',
  icon: 'trending-down',
  isEnabled: true,
  monitor: 'top_pages',
  targets: ['/a'],
  threshold: 20,
  thresholdUnit: '%',
  comparison: 'previous_7_days',
  rated: { useful: 3, of: 8 },
})
const keyWith = (change: Partial<typeof rule>): string => hashKey(proposalQuery({ ...rule, ...change }).queryKey)

test.each<Partial<typeof rule>>([
  { monitor: 'site' },
  { targets: ['/b'] },
  { direction: 'both' },
  { searchType: 'discover' },
  { segment: '3' },
  { comparison: 'previous_30_days' },
  { minimumImpressions: 100 },
  { threshold: 25 },
  { rated: { useful: 3, of: 9 } },
])('a suggestion for a rule is asked for again with %j', (change) => {
  expect(keyWith(change)).not.toBe(keyWith({}))
})

test('a suggestion for a rule stays when only its title changes, or it is turned off', () => {
  expect(keyWith({ title: 'Falls', isEnabled: false, problem: 'It took too long.', leftOut: 2 })).toBe(keyWith({}))
})
