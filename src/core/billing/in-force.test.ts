import { expect, test } from 'vitest'
import { bestPlan, isEnded, isLive, planInForce } from './in-force.ts'

test.each([
  ['active', true, false],
  ['trialing', true, false],
  ['past_due', true, false],
  ['incomplete', false, false],
  ['unpaid', false, false],
  ['paused', false, false],
  ['incomplete_expired', false, true],
  ['canceled', false, true],
])('a subscription that is %s grants its plan: %s; is over: %s', (status, live, ended) => {
  expect(isLive({ status })).toBe(live)
  expect(isEnded({ status })).toBe(ended)
})

test('of several subscriptions the best paid plan counts, in any order', () => {
  const pro = { plan: 'pro', status: 'past_due' } as const
  const agency = { plan: 'agency', status: 'active' } as const
  expect(bestPlan([pro, agency])).toBe('agency')
  expect(bestPlan([agency, pro])).toBe('agency')
  expect(bestPlan([pro, { ...agency, status: 'canceled' }])).toBe('pro')
  expect(bestPlan([{ ...agency, status: 'incomplete' }])).toBeNull()
  expect(bestPlan([])).toBeNull()
})

test('users who no longer pay are on Free; a granted plan is kept, below a better paid one', () => {
  const paid = [{ plan: 'pro', status: 'active' }] as const
  const ended = [{ plan: 'pro', status: 'canceled' }] as const
  const unfinished = [{ plan: 'agency', status: 'incomplete' }] as const
  expect(planInForce(null, ended)).toBe('free')
  expect(planInForce(null, paid)).toBe('pro')
  expect(planInForce(null, unfinished)).toBe('free')
  expect(planInForce('pro', unfinished)).toBe('pro')
  expect(planInForce('agency', paid)).toBe('agency')
  expect(planInForce('agency', ended)).toBe('agency')
  expect(planInForce('pro', [{ plan: 'agency', status: 'past_due' }])).toBe('agency')
})
