import { expect, test } from 'vitest'
import {
  advancedReportingRefusal,
  apiRefusal,
  channelAvailability,
  frequencyRefusal,
  recipientsRefusal,
  slackRefusal,
  smsRefusal,
  webhookRefusal,
  whiteLabelRefusal,
} from './entitlements.ts'

test.each([
  ['free', 'weekly', null],
  ['free', 'daily', "Your Free plan doesn't include daily alerts. Available on Pro and Agency plans."],
  ['free', 'instant', "Your Free plan doesn't include real-time alerts. Available on the Agency plan."],
  ['pro', 'weekly', null],
  ['pro', 'daily', null],
  ['pro', 'instant', "Your Pro plan doesn't include real-time alerts. Available on the Agency plan."],
  ['agency', 'instant', null],
  ['agency', 'daily', null],
  ['agency', 'weekly', null],
] as const)('%s with %s alerts: %s', (plan, frequency, refusal) => {
  expect(frequencyRefusal(plan, frequency)).toBe(refusal)
})

test('Slack and SMS are for Pro and Agency', () => {
  expect(slackRefusal('free')).toBe("Your Free plan doesn't include Slack alerts. Available on Pro and Agency plans.")
  expect(smsRefusal('free')).toBe("Your Free plan doesn't include SMS alerts. Available on Pro and Agency plans.")
  for (const plan of ['pro', 'agency'] as const) {
    expect(slackRefusal(plan)).toBeNull()
    expect(smsRefusal(plan)).toBeNull()
  }
})

test('a webhook is for Agency', () => {
  expect(webhookRefusal('free')).toBe("Your Free plan doesn't include webhook alerts. Available on the Agency plan.")
  expect(webhookRefusal('pro')).toBe("Your Pro plan doesn't include webhook alerts. Available on the Agency plan.")
  expect(webhookRefusal('agency')).toBeNull()
})

test('the plans with a channel are named in the words of SPEC §2', () => {
  expect(channelAvailability('slack')).toBe('Available on Pro and Agency plans')
  expect(channelAvailability('sms')).toBe('Available on Pro and Agency plans')
  expect(channelAvailability('webhook')).toBe('Available on the Agency plan')
})

test('the API is readable on Pro, writable on Agency, and not available on Free', () => {
  expect(apiRefusal('free', 'read')).toBe("Your Free plan doesn't include API access. Available on Pro and Agency plans.")
  expect(apiRefusal('free', 'full')).toBe("Your Free plan doesn't include write access to the API. Available on the Agency plan.")
  expect(apiRefusal('pro', 'read')).toBeNull()
  expect(apiRefusal('pro', 'full')).toBe("Your Pro plan doesn't include write access to the API. Available on the Agency plan.")
  expect(apiRefusal('agency', 'read')).toBeNull()
  expect(apiRefusal('agency', 'full')).toBeNull()
})

test('full reports are for Pro and Agency', () => {
  const refusal = 'Your Free plan includes the monthly summary only. Full reports are available on Pro and Agency plans.'
  expect(advancedReportingRefusal('free')).toBe(refusal)
  expect(advancedReportingRefusal('pro')).toBeNull()
  expect(advancedReportingRefusal('agency')).toBeNull()
})

test('custom branding is for Agency', () => {
  expect(whiteLabelRefusal('free')).toBe("Your Free plan doesn't include white-label reports. Available on the Agency plan.")
  expect(whiteLabelRefusal('pro')).toBe("Your Pro plan doesn't include white-label reports. Available on the Agency plan.")
  expect(whiteLabelRefusal('agency')).toBeNull()
})

test.each([
  ['free', 1, 'Your Free plan includes the monthly summary only. Full reports are available on Pro and Agency plans.'],
  ['pro', 5, null],
  ['pro', 6, 'Your Pro plan allows up to 5 recipients per report.'],
  ['agency', 100, null],
] as const)('%s with %i recipients of a report: %s', (plan, recipients, refusal) => {
  expect(recipientsRefusal(plan, recipients)).toBe(refusal)
})
