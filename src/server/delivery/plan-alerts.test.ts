import { expect, test } from 'vitest'
import type { MessageAlert } from '../alerts/service.ts'
import type { WaitingAnnouncement } from './pending.ts'
import { overtakenBy } from './plan-alerts.ts'

const announcement = (more: Partial<WaitingAnnouncement> = {}): WaitingAnnouncement => ({
  id: 1,
  alertId: 7,
  propertyId: 1,
  event: 'worsened',
  partOf: null,
  isHandledSince: false,
  change: -98,
  changeBefore: -12,
  soFar: null,
  ...more,
})
const why = (state: MessageAlert['state'], more: Partial<WaitingAnnouncement> = {}) =>
  overtakenBy('email', announcement(more), new Map([['7', { state } as MessageAlert]]))

test('people who handled an alert while it was mild are told that it became far worse; people who handled it as it is now are not', () => {
  expect(why('acknowledged')).toBeUndefined()
  expect(why('snoozed')).toBeUndefined()
  expect(why('acknowledged', { isHandledSince: true })).toBe('The alert was acknowledged before this was due.')
  // It became critical, but not by much.
  expect(why('acknowledged', { changeBefore: null })).toBe('The alert was acknowledged before this was due.')
  expect(why('recovered')).toBe('The alert ended before this was due.')
})
