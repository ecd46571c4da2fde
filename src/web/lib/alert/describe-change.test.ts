import { expect, test } from 'vitest'
import { changeOf, describeChange } from './describe-change.ts'

test('counts change in percent, positions in places as displayed', () => {
  expect(changeOf('clicks', 70, 140)).toBe(-50)
  expect(changeOf('position', 4.4, 3.2)).toBeCloseTo(1.2, 12)
  // Both display as 2.3.
  expect(changeOf('position', 2.26, 2.34)).toBe(0)
})

test('a zero, and an unknown position, have no change', () => {
  expect(changeOf('clicks', 70, 0)).toBeNull()
  expect(changeOf('position', 0, 3)).toBeNull()
})

test('a larger position is a drop, with its arrow down', () => {
  expect(describeChange('position', 1.2, 'figure')).toEqual({ text: '1.2 positions', word: 'Dropped', direction: 'down', color: 'red' })
  expect(describeChange('clicks', -50, 'outcome')).toEqual({ text: '50.0%', word: 'Down', direction: 'down', color: 'red' })
})
