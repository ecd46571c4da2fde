import { expect, test } from 'vitest'
import { outcomeOf } from './outcome.ts'

test.each([
  ['firing', null, 'still open'],
  ['acknowledged', null, 'acknowledged, still open'],
  ['snoozed', null, 'snoozed, still open'],
  ['recovered', null, 'recovered'],
  ['recovered', '2026-03-14T23:30:00.000Z', 'ended 14 Mar 2026'],
] as const)('an alert that is %s and ended %s: %s', (state, endedAt, words) => {
  expect(outcomeOf({ state, endedAt })).toBe(words)
})
