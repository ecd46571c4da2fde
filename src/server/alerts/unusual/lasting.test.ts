import { expect, test } from 'vitest'
import { endedOf, isOwnOver } from './lasting.ts'

test.each([
  // Its own change still lasts.
  [null, false, 1],
  ['back', true, 1],
  ['new_level', true, 1],
  // There was no change: it keeps no other one silent, and nothing is a return from it.
  ['revised', true, 0],
  ['rule_changed', false, 1],
] as const)('an alert that is kept only for its parts, since its own change ended as %s', (ownEnd, isOver, ended) => {
  const day = { start: '2026-03-01', end: '2026-03-07' }
  const opening = { previous: 100, current: 50, change: -50, windows: { current: day, base: day, scale: 1 } }
  expect(isOwnOver({ ownEnd })).toBe(isOver)
  expect(endedOf({ opening, figures: opening, judgedThrough: day.end, ownEnd })).toHaveLength(ended)
})
