import { expect, test } from 'vitest'
import { catalog, isUpgrade, plans } from './plans.ts'

test('plans cost and allow what the specification says', () => {
  expect(plans.free).toMatchObject({ price: 0, siteLimit: 1, alertFrequency: ['weekly'], slack: false, sms: false, apiAccess: 'none' })
  expect(plans.pro).toMatchObject({ price: 9, siteLimit: 5, alertFrequency: ['daily', 'weekly'], slack: true, popular: true })
  expect(plans.agency).toMatchObject({ price: 29, siteLimit: 25, alertFrequency: ['real-time', 'daily', 'weekly'], slack: true })
})

test('the catalog shows every plan once, cheapest first', () => {
  expect(catalog.map((plan) => plan.id)).toEqual(['free', 'pro', 'agency'])
  expect(catalog.map((plan) => plan.price)).toEqual([0, 9, 29])
})

test.each([
  ['free', 'pro', true],
  ['pro', 'agency', true],
  ['agency', 'pro', false],
  ['pro', 'free', false],
  ['pro', 'pro', false],
] as const)('from %s to %s is an upgrade: %s', (from, to, upgrade) => {
  expect(isUpgrade(from, to)).toBe(upgrade)
})
