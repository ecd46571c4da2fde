import { expect, test } from 'vitest'
import { outcomeOf } from './outcome.ts'

test.each([
  ['firing', null, null, 'still open'],
  ['acknowledged', null, null, 'acknowledged, still open'],
  ['snoozed', null, null, 'snoozed, still open'],
  ['recovered', null, null, 'recovered'],
  ['recovered', '2026-03-14T23:30:00.000Z', null, 'ended 14 Mar 2026'],
  ['recovered', '2026-03-14T23:30:00.000Z', 'ended', 'ended 14 Mar 2026'],
  ['recovered', '2026-03-14T23:30:00.000Z', 'settled', 'settled 14 Mar 2026'],
  ['recovered', '2026-03-14T23:30:00.000Z', 'recovered', 'recovered 14 Mar 2026'],
] as const)('an alert that is %s and ended %s as %s: %s', (state, endedAt, endedAs, words) => {
  expect(outcomeOf({ state, endedAt, endedAs })).toBe(words)
})
