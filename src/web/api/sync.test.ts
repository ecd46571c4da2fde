import { expect, test } from 'vitest'
import type { SyncStatus } from '../../contract/sync.ts'
import { isUnderWay, lookAgainMillis } from './sync.ts'

const idle: SyncStatus = {
  property: 'sc-domain:shop.example',
  state: 'ok',
  message: null,
  action: null,
  running: false,
  daysLeft: 0,
  daysTotal: 0,
  lastSyncedAt: '2026-11-21T08:00:00.000Z',
  retryAt: null,
  completeThrough: '2026-11-19',
  firstDate: '2025-07-21',
  lastDate: '2026-11-21',
}

test('nothing is looked at again while nothing happens', () => {
  expect(isUnderWay(idle)).toBe(false)
  expect(lookAgainMillis(idle)).toBe(false)
})

test('a running sync is looked at each second, also between its slices', () => {
  expect(lookAgainMillis({ ...idle, running: true })).toBe(1_000)
  expect(lookAgainMillis({ ...idle, daysLeft: 30, daysTotal: 489 })).toBe(1_000)
})

test('one that waits for Google is looked at now and then', () => {
  const waiting: SyncStatus = { ...idle, state: 'quota', daysLeft: 30, daysTotal: 489, retryAt: '2026-11-21T08:15:00.000Z' }
  expect(isUnderWay(waiting)).toBe(false)
  expect(lookAgainMillis(waiting)).toBe(10_000)
})

test('one that waits for its owner is left alone', () => {
  const stuck: SyncStatus = { ...idle, state: 'token_revoked', daysLeft: 30, daysTotal: 489 }
  expect(isUnderWay(stuck)).toBe(false)
  expect(lookAgainMillis(stuck)).toBe(false)
})
