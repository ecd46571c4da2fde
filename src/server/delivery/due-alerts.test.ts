import { expect, test } from 'vitest'
import type { MessageAlert } from '../alerts/service.ts'
import type { WaitingAnnouncement } from './pending.ts'
import { dueAlertsOf, knownBy, overtakenBy, untoldOf } from './due-alerts.ts'

const announcement = (more: Partial<WaitingAnnouncement> = {}): WaitingAnnouncement => ({
  id: 1,
  alertId: 7,
  propertyId: 1,
  event: 'worsened',
  partOf: null,
  isHandledSince: false,
  isTold: false,
  at: new Date('2026-03-18T21:00:00Z'),
  change: -98,
  changeBefore: -12,
  soFar: null,
  ...more,
})
const why = (state: MessageAlert['state'], more: Partial<WaitingAnnouncement> = {}) =>
  overtakenBy('email', announcement(more), new Map([['7', { state, change: -98 } as MessageAlert]]))

test('people who handled an alert while it was mild are told that it became far worse; people who handled it as it is now are not', () => {
  expect(why('acknowledged')).toBeUndefined()
  expect(why('snoozed')).toBeUndefined()
  expect(why('acknowledged', { isHandledSince: true })).toBe('The alert was acknowledged before this was due.')
  // It became critical, but not by much.
  expect(why('acknowledged', { changeBefore: null })).toBe('The alert was acknowledged before this was due.')
  expect(why('recovered')).toBe('The alert ended before this was due.')
})

/** What an email says of an alert whose change is this by the time it is written. */
const said = (change: number, more: Partial<WaitingAnnouncement> = {}, end = '2026-03-15') => {
  const alert = { state: 'firing', change, current: { start: '2026-03-09', end } } as MessageAlert
  return dueAlertsOf('email', [announcement({ change: -70, changeBefore: -32, ...more })], new Map([['7', alert]])).map(
    ({ event, worse }) => ({ event, worse }),
  )
}
const plain = [{ event: 'opened', worse: undefined }]

test('a change that became far worse is reported as it is when the message is written, and as any other once it is smaller again', () => {
  expect(said(-72)).toEqual([{ event: 'worsened', worse: { before: -32, now: -72 } }])
  expect(said(-20)).toEqual(plain)
  expect(said(-72, { isHandledSince: true })).toEqual(plain)
  expect(said(-40, { changeBefore: null })).toEqual([{ event: 'worsened', worse: undefined }])
})

test('one that was far worse for a while is nothing new to whoever was told of it before, and its size stays unknown to them', () => {
  const reasonsFor = (change: number, more: Partial<WaitingAnnouncement> = {}, state: MessageAlert['state'] = 'firing') => {
    const news = announcement({ change: -70, changeBefore: -32, isTold: true, ...more })
    const byId = new Map([['7', { state, change, current: { start: '2026-03-09', end: '2026-03-15' } } as MessageAlert]])
    const untold = (['email', 'webhook'] as const).map((channel) => untoldOf(channel, [news], byId).length)
    return [overtakenBy('email', news, byId), knownBy('slack', news, byId), overtakenBy('webhook', news, byId), ...untold]
  }
  const over = 'The alert was no longer much worse when this was due.'
  expect(reasonsFor(-20)).toEqual([over, over, undefined, 1, 0])
  expect(reasonsFor(-20, { isTold: false })).toEqual([undefined, undefined, undefined, 1, 0])
  expect(reasonsFor(-72)).toEqual([undefined, undefined, undefined, 0, 0])
  expect(reasonsFor(-20, { changeBefore: null })).toEqual([undefined, undefined, undefined, 0, 0])
  const handled = 'The alert was acknowledged before this was due.'
  expect(reasonsFor(-72, { isHandledSince: true }, 'acknowledged')).toEqual([handled, handled, undefined, 0, 0])
})

test('what the hours of a day showed counts until the alert includes that day', () => {
  const soFar = 'so far on 18 Mar (through 14:00 Pacific)'
  const hours = { change: -90.4, soFar }
  expect(said(-32, hours)).toEqual([{ event: 'worsened', worse: { before: -32, now: -90.4, soFar } }])
  expect(said(-66, hours, '2026-03-18')).toEqual([{ event: 'worsened', worse: { before: -32, now: -66 } }])
  expect(said(-36, hours, '2026-03-21')).toEqual(plain)
})
