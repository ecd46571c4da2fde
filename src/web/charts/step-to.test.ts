import { expect, test } from 'vitest'
import { stepTo } from './step-to.ts'

test('the arrow keys move to the next and stop at the ends', () => {
  expect(stepTo('ArrowDown', 0, 9)).toBe(1)
  expect(stepTo('ArrowRight', 9, 9)).toBe(9)
  expect(stepTo('ArrowUp', 3, 9)).toBe(2)
  expect(stepTo('ArrowLeft', 0, 9)).toBe(0)
  expect(stepTo('Home', 5, 9)).toBe(0)
  expect(stepTo('End', 5, 9)).toBe(9)
})

test('other keys do nothing', () => {
  expect(stepTo('Tab', 5, 9)).toBeNull()
  expect(stepTo('Enter', 5, 9)).toBeNull()
})
