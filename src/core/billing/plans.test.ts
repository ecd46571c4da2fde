import { expect, test } from 'vitest'
import { plans, siteLimitRefusal } from './plans.ts'

test('plans cost and allow what the specification says', () => {
  expect(plans.free).toMatchObject({ price: 0, siteLimit: 1 })
  expect(plans.pro).toMatchObject({ price: 9, siteLimit: 5 })
  expect(plans.agency).toMatchObject({ price: 29, siteLimit: 25 })
})

test.each([
  ['free', 1, null],
  ['free', 2, 'Your Free plan allows up to 1 site(s).'],
  ['pro', 5, null],
  ['pro', 6, 'Your Pro plan allows up to 5 site(s).'],
  ['agency', 25, null],
  ['agency', 26, 'Your Agency plan allows up to 25 site(s).'],
] as const)('%s with %i sites: %s', (plan, sites, refusal) => {
  expect(siteLimitRefusal(plan, sites)).toBe(refusal)
})
