import { expect, test } from 'vitest'
import { priorityOf } from './priority.ts'

test('20 or more is High, from 10 to under 20 Medium, below 10 Low', () => {
  expect([1_000, 20].map(priorityOf)).toEqual(['High', 'High'])
  expect([19.999, 10].map(priorityOf)).toEqual(['Medium', 'Medium'])
  expect([9.999, 0].map(priorityOf)).toEqual(['Low', 'Low'])
})
