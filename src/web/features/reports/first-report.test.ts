import { expect, test } from 'vitest'
import type { SyncStatus } from '../../../contract/sync.ts'
import { firstReport } from './first-report.ts'

const now = new Date('2026-03-18T20:00:00Z')
const status: SyncStatus = {
  property: 'https://site.example/',
  state: 'ok',
  message: null,
  action: null,
  running: false,
  daysLeft: 0,
  daysTotal: 0,
  secondsLeft: null,
  lastSyncedAt: null,
  retryAt: null,
  completeThrough: '2026-03-15',
  firstDate: '2026-03-10',
  lastDate: '2026-03-17',
}

test('the first report covers the first month or week that is stored from its first day on', () => {
  expect(firstReport('month', status, now)).toMatch(/^Your first report covers April 2026 and will be ready around 3 May 2026:/)
  expect(firstReport('week', status, now)).toMatch(/^Your first report covers 16–22 Mar 2026 and will be ready around 25 Mar 2026:/)
  expect(firstReport('month', { ...status, firstDate: '2026-03-01' }, now)).toMatch(/^Your first report covers March 2026 .* 3 Apr 2026:/)
  expect(firstReport('week', { ...status, firstDate: '2026-03-09', completeThrough: '2026-03-14' }, now)).toMatch(
    /^Your first report covers 9–15 Mar 2026/,
  )
})

test("a day in the past isn't promised", () => {
  expect(firstReport('month', { ...status, firstDate: '2025-12-01', completeThrough: '2026-02-10' }, now)).toBe(
    'Your first report covers February 2026 and will be ready once all of its data is in.',
  )
})

test("for a property younger than its stored history, it covers the month or week that isn't complete yet", () => {
  const young = { ...status, firstDate: '2024-11-18' }
  expect(firstReport('month', young, now)).toMatch(/^Your first report covers March 2026 .* 3 Apr 2026:/)
  expect(firstReport('week', young, now)).toMatch(/^Your first report covers 16–22 Mar 2026 .* 25 Mar 2026:/)
})

test('while the history is being fetched, it says how much of it is left', () => {
  expect(firstReport('month', { ...status, daysLeft: 40 }, now)).toMatch(/: 40 days left\./)
  expect(firstReport('month', { ...status, daysLeft: 1 }, now)).toMatch(/: 1 day left\./)
  expect(firstReport('week', { ...status, running: true }, now)).toMatch(/^Importing history\..* full week of data is in\.$/)
})

test('imported files without a complete week or month need more data', () => {
  expect(firstReport('month', { ...status, state: 'imported' }, now)).toBe(
    "Your imported files don't cover a full month. Import one that covers a month from its first day to its last.",
  )
})

test('for a property without any days, the next one is promised', () => {
  expect(firstReport('month', null, now)).toMatch(/April 2026/)
})
