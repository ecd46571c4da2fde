import { expect, test } from 'vitest'
import { deliverySettings } from '../../contract/delivery/delivery.ts'
import { defaultDelivery } from './defaults.ts'

test('email, critical and warning are on, positive and Slack off (SPEC §9), and so is everything else that needs a choice', () => {
  expect(defaultDelivery('pro')).toMatchObject({
    emailEnabled: true,
    criticalAlerts: true,
    warningAlerts: true,
    positiveAlerts: false,
    slackEnabled: false,
    smsEnabled: false,
    webhookEnabled: false,
    quietHours: null,
  })
})

test.each([
  ['free', 'weekly'],
  ['pro', 'daily'],
  ['agency', 'daily'],
] as const)('%s gets a digest that the plan has: %s', (plan, frequency) => {
  const settings = defaultDelivery(plan)
  expect(settings.frequency).toBe(frequency)
  expect(deliverySettings.omit({ id: true }).parse(settings)).toEqual(settings)
})
