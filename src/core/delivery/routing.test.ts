import { describe, expect, test } from 'vitest'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { type News, routeOf, timeFor } from './routing.ts'

const settings: DeliverySettings = {
  id: '1',
  emailEnabled: true,
  criticalAlerts: true,
  warningAlerts: true,
  positiveAlerts: false,
  slackEnabled: false,
  smsEnabled: false,
  webhookEnabled: false,
  frequency: 'instant',
  timeZone: 'UTC',
  digestHour: 8,
  digestWeekday: 1,
  digestWhenQuiet: true,
  quietHours: null,
}
const news = (severity: News['severity'], event: News['event'] = 'opened'): News => ({
  event,
  severity,
  interrupts: severity === 'critical',
  isConnection: false,
})
const tells = (channel: 'email' | 'slack' | 'sms' | 'webhook', what: News, more: Partial<DeliverySettings> = {}) =>
  routeOf(channel, what, { ...settings, ...more }, 'told')

describe('what is told through a channel', () => {
  test('nothing while it is off', () => {
    expect(tells('slack', news('critical'))).toBeNull()
    expect(tells('email', news('critical'), { emailEnabled: false })).toBeNull()
  })

  test('what its switch allows (SPEC §9: critical and warning on, positive off)', () => {
    expect(tells('email', news('critical'))).toEqual({ tell: true })
    expect(tells('email', news('warning'))).toEqual({ tell: true })
    expect(tells('email', news('info'))).toEqual({ tell: true })
    expect(tells('email', news('positive'))).toMatchObject({ tell: false, reason: expect.stringContaining('turned off') })
    expect(tells('email', news('critical'), { criticalAlerts: false })).toEqual({
      tell: false,
      reason: 'Critical alerts are turned off.',
    })
    expect(tells('email', news('info'), { warningAlerts: false })).toMatchObject({ tell: false })
  })

  test('a recovery is good news, for whoever was told of the fall', () => {
    expect(tells('email', news('critical', 'recovered'), { positiveAlerts: true })).toEqual({ tell: true })
    expect(tells('email', news('critical', 'recovered'))).toMatchObject({ tell: false })
    const on = { ...settings, positiveAlerts: true }
    expect(routeOf('email', news('critical', 'recovered'), on, null)).toBeNull()
    // The message to come says that it is over by then.
    expect(routeOf('email', news('critical', 'recovered'), on, 'waiting')).toBeNull()
  })

  test('by SMS critical alerts alone', () => {
    const on = { smsEnabled: true, positiveAlerts: true }
    expect(tells('sms', news('critical'), on)).toEqual({ tell: true })
    expect(tells('sms', news('critical', 'woken'), on)).toEqual({ tell: true })
    for (const other of [news('warning'), news('info'), news('positive'), news('critical', 'recovered')])
      expect(tells('sms', other, on)).toBeNull()
    // A critical fall that may be chance, or follows a good week, is told everywhere else.
    expect(tells('sms', { ...news('critical'), interrupts: false }, on)).toBeNull()
  })

  test('to a webhook everything', () => {
    const on = { webhookEnabled: true, warningAlerts: false }
    for (const severity of ['critical', 'warning', 'info', 'positive'] as const)
      expect(tells('webhook', news(severity), on)).toEqual({ tell: true })
    expect(tells('webhook', news('warning', 'recovered'), on)).toEqual({ tell: true })
  })
})

describe('when it is told', () => {
  const night = new Date('2026-11-21T23:10:00Z')
  const quiet = { from: 22, until: 7 }
  const time = (more: Partial<DeliverySettings>, channel: 'email' | 'webhook' = 'email', isConnection = false) =>
    timeFor(channel, { isConnection }, { ...settings, ...more }, night)?.toISOString() ?? null

  test('instant alerts at once, but not in quiet hours', () => {
    expect(time({})).toBe('2026-11-21T23:10:00.000Z')
    expect(time({ quietHours: quiet })).toBe('2026-11-22T07:00:00.000Z')
  })

  test('daily and weekly ones with the next digest', () => {
    expect(time({ frequency: 'daily' })).toBeNull()
    expect(time({ frequency: 'weekly' })).toBeNull()
  })

  test('a connection that broke does not wait for the digest', () => {
    expect(time({ frequency: 'weekly' }, 'email', true)).toBe('2026-11-21T23:10:00.000Z')
    expect(time({ frequency: 'weekly', quietHours: quiet }, 'email', true)).toBe('2026-11-22T07:00:00.000Z')
  })

  test('a webhook at any hour', () => {
    expect(time({ frequency: 'weekly', quietHours: quiet }, 'webhook')).toBe('2026-11-21T23:10:00.000Z')
  })
})
