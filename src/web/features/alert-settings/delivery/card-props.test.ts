import { describe, expect, test } from 'vitest'
import { smsRefusal, webhookRefusal } from '../../../../core/billing/entitlements.ts'
import { noSmsProvider } from '../../../../server/delivery/service.ts'
import { hasSms, lockOf } from './card-props.ts'

describe('SMS (OPEN-POINTS 12)', () => {
  test.each([
    ['free', smsRefusal('free'), true],
    ['pro', null, true],
    ['free', noSmsProvider, false],
    ['pro', noSmsProvider, false],
  ] as const)('on %s, locked because of %j: shown %s', (plan, locked, shown) => expect(hasSms(plan, locked)).toBe(shown))
})

describe('an unavailable channel', () => {
  test('names the plans that have it in the words of SPEC §2', () => {
    expect(lockOf('free', 'slack', "Your Free plan doesn't include Slack alerts.")).toEqual({
      reason: 'Available on Pro and Agency plans',
      byPlan: true,
    })
    expect(lockOf('pro', 'webhook', webhookRefusal('pro'))).toEqual({ reason: 'Available on the Agency plan', byPlan: true })
  })

  test('for another reason shows that one', () => {
    expect(lockOf('pro', 'sms', noSmsProvider)).toEqual({ reason: noSmsProvider, byPlan: false })
    expect(lockOf('agency', 'webhook', null)).toBeNull()
  })
})
