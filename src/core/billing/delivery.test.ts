import { describe, expect, test } from 'vitest'
import { defaultFrequency, frequencyInForce, slackInForce, smsInForce, webhookInForce } from './delivery.ts'

describe('how often alerts are sent', () => {
  test.each([
    ['free', 'weekly'],
    ['pro', 'daily'],
    ['agency', 'daily'],
  ] as const)('%s, before any choice: %s', (plan, frequency) => {
    expect(defaultFrequency(plan)).toBe(frequency)
  })

  test.each([
    ['free', 'instant', 'weekly'],
    ['free', 'daily', 'weekly'],
    ['free', 'weekly', 'weekly'],
    ['pro', 'instant', 'daily'],
    ['pro', 'daily', 'daily'],
    ['pro', 'weekly', 'weekly'],
    ['agency', 'instant', 'instant'],
    ['agency', 'daily', 'daily'],
    ['agency', 'weekly', 'weekly'],
  ] as const)('%s makes %s %s', (plan, chosen, inForce) => {
    expect(frequencyInForce(plan, chosen)).toBe(inForce)
  })
})

test.each([
  ['free', true, false],
  ['pro', true, true],
  ['agency', true, true],
  ['agency', false, false],
] as const)('Slack and SMS on %s, with the choice %s: %s', (plan, chosen, inForce) => {
  expect(slackInForce(plan, chosen)).toBe(inForce)
  expect(smsInForce(plan, chosen)).toBe(inForce)
})

test.each([
  ['free', true, false],
  ['pro', true, false],
  ['agency', true, true],
  ['agency', false, false],
] as const)('a webhook on %s, with the choice %s: %s', (plan, chosen, inForce) => {
  expect(webhookInForce(plan, chosen)).toBe(inForce)
})
