import { describe, expect, test } from 'vitest'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { type ReaderState, isMuchLarger, type Announcement, replacedBy, routeOf, timeFor } from './routing.ts'

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
const announcement = (severity: Announcement['severity'], event: Announcement['event'] = 'opened'): Announcement => ({
  event,
  severity,
  interrupts: severity === 'critical',
  isConnection: false,
})
const [notNotified, waits, notified] = [
  { isNotified: false, isWaiting: false },
  { isNotified: false, isWaiting: true },
  { isNotified: true, isWaiting: false },
]
const route = (channel: 'email' | 'slack' | 'sms' | 'webhook', what: Announcement, more: Partial<DeliverySettings> = {}) =>
  routeOf(channel, what, { ...settings, ...more }, notified)

describe('what is sent through a channel', () => {
  test('nothing while it is off', () => {
    expect(route('slack', announcement('critical'))).toBeNull()
    expect(route('email', announcement('critical'), { emailEnabled: false })).toBeNull()
  })

  test('what its switch allows (SPEC §9: critical and warning on, positive off)', () => {
    expect(route('email', announcement('critical'))).toEqual({ send: true })
    expect(route('email', announcement('warning'))).toEqual({ send: true })
    expect(route('email', announcement('info'))).toEqual({ send: true })
    expect(route('email', announcement('positive'))).toEqual({
      send: false,
      reason: 'Notifications about positive and ended alerts are turned off.',
    })
    expect(route('email', announcement('critical'), { criticalAlerts: false })).toEqual({
      send: false,
      reason: 'Critical alerts are turned off.',
    })
    expect(route('email', announcement('info'), { warningAlerts: false })).toMatchObject({ send: false })
  })

  test('a recovery is good news, for anyone who was notified of the drop', () => {
    expect(route('email', announcement('critical', 'recovered'), { positiveAlerts: true })).toEqual({ send: true })
    expect(route('email', announcement('critical', 'recovered'))).toMatchObject({ send: false })
    const on = { ...settings, positiveAlerts: true }
    expect(routeOf('email', announcement('critical', 'recovered'), on, notNotified)).toBeNull()
    // The pending message will already say that it is over.
    expect(routeOf('email', announcement('critical', 'recovered'), on, waits)).toBeNull()
    // It replaces what waits about an alert that was already sent.
    expect(routeOf('email', announcement('critical', 'recovered'), on, { isNotified: true, isWaiting: true })).toEqual({ send: true })
    expect([replacedBy('email', 'recovered'), replacedBy('webhook', 'recovered')]).toEqual([
      'The alert ended before this was due.',
      undefined,
    ])
  })

  test('the end of an improvement is not announced to people, unless there was none', () => {
    const on = { positiveAlerts: true, slackEnabled: true, webhookEnabled: true }
    for (const channel of ['email', 'slack'] as const) {
      expect(route(channel, announcement('positive', 'recovered'), on)).toBeNull()
      expect(route(channel, { ...announcement('positive', 'recovered'), isWithdrawn: true }, on)).toEqual({ send: true })
    }
    expect(route('webhook', announcement('positive', 'recovered'), on)).toEqual({ send: true })
  })

  test('that an open alert became critical, for those who have not been told of it', () => {
    const only = { ...settings, warningAlerts: false }
    const of = (channel: 'email' | 'slack' | 'sms' | 'webhook', state: ReaderState, more: Partial<DeliverySettings> = {}) =>
      routeOf(
        channel,
        announcement('critical', 'worsened'),
        { ...only, slackEnabled: true, smsEnabled: true, webhookEnabled: true, ...more },
        state,
      )
    for (const channel of ['email', 'slack', 'sms', 'webhook'] as const) {
      expect(of(channel, notNotified)).toEqual({ send: true })
      // The pending message will already say so.
      expect(of(channel, waits)).toBeNull()
    }
    for (const channel of ['email', 'slack', 'sms'] as const) expect(of(channel, notified)).toBeNull()
    expect(of('webhook', notified)).toEqual({ send: true })
    expect(of('email', notNotified, { criticalAlerts: false })).toMatchObject({ send: false, reason: 'Critical alerts are turned off.' })
    expect(of('email', notNotified, { emailEnabled: false })).toBeNull()
    expect(
      routeOf('sms', { ...announcement('critical', 'worsened'), interrupts: false }, { ...only, smsEnabled: true }, notNotified),
    ).toBeNull()
  })

  test('a change that became at least twice as large goes to everybody, instead of the earlier message if that still waits', () => {
    const everywhere = { ...settings, slackEnabled: true, smsEnabled: true, webhookEnabled: true }
    const larger = { ...announcement('critical', 'worsened'), isMuchLarger: true }
    for (const channel of ['email', 'slack', 'sms', 'webhook'] as const) {
      expect(routeOf(channel, larger, everywhere, notified)).toEqual({ send: true })
      expect(routeOf(channel, larger, everywhere, waits)).toEqual({ send: true })
      expect(replacedBy(channel, 'worsened') === undefined).toBe(channel === 'webhook')
    }
    expect(routeOf('sms', { ...larger, interrupts: false }, everywhere, notified)).toBeNull()
    expect([isMuchLarger(-24, -12), isMuchLarger(-23, -12), isMuchLarger(60, -12), isMuchLarger(-60, null), isMuchLarger(-60, 0)]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })

  test('that a snooze is over is left to a message that is yet to be written, except to webhooks', () => {
    const all = { ...settings, webhookEnabled: true }
    expect(routeOf('email', announcement('critical', 'woken'), all, waits)).toBeNull()
    expect(routeOf('email', announcement('critical', 'woken'), all, notified)).toEqual({ send: true })
    expect(routeOf('webhook', announcement('critical', 'woken'), all, waits)).toEqual({ send: true })
  })

  test('by SMS only critical alerts', () => {
    const on = { smsEnabled: true, positiveAlerts: true }
    expect(route('sms', announcement('critical'), on)).toEqual({ send: true })
    expect(route('sms', announcement('critical', 'woken'), on)).toEqual({ send: true })
    for (const other of [announcement('warning'), announcement('info'), announcement('positive'), announcement('critical', 'recovered')])
      expect(route('sms', other, on)).toBeNull()
    // A critical drop that may be chance, or follows a good week, goes to all other channels.
    expect(route('sms', { ...announcement('critical'), interrupts: false }, on)).toBeNull()
  })

  test('to a webhook everything', () => {
    const on = { webhookEnabled: true, warningAlerts: false }
    for (const severity of ['critical', 'warning', 'info', 'positive'] as const)
      expect(route('webhook', announcement(severity), on)).toEqual({ send: true })
    expect(route('webhook', announcement('warning', 'recovered'), on)).toEqual({ send: true })
  })
})

describe('when it is sent', () => {
  const night = new Date('2026-11-21T23:10:00Z')
  const quiet = { from: 22, until: 7 }
  const time = (more: Partial<DeliverySettings>, channel: 'email' | 'webhook' = 'email', isConnection = false) =>
    timeFor(channel, { isConnection }, { ...settings, ...more }, night)?.toISOString() ?? null

  test('instant alerts immediately, but not in quiet hours', () => {
    expect(time({})).toBe('2026-11-21T23:10:00.000Z')
    expect(time({ quietHours: quiet })).toBe('2026-11-22T07:00:00.000Z')
  })

  test('daily and weekly ones with the next digest', () => {
    expect(time({ frequency: 'daily' })).toBeNull()
    expect(time({ frequency: 'weekly' })).toBeNull()
  })

  test("a broken connection doesn't wait for the digest", () => {
    expect(time({ frequency: 'weekly' }, 'email', true)).toBe('2026-11-21T23:10:00.000Z')
    expect(time({ frequency: 'weekly', quietHours: quiet }, 'email', true)).toBe('2026-11-22T07:00:00.000Z')
  })

  test('a webhook at any hour', () => {
    expect(time({ frequency: 'weekly', quietHours: quiet }, 'webhook')).toBe('2026-11-21T23:10:00.000Z')
  })
})
