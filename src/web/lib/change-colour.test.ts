import { expect, test } from 'vitest'
import { changeColour, changeDirection } from './change-colour.ts'

test.each([
  ['clicks', 'up', 'red'],
  ['clicks', 'down', 'green'],
  ['position', 'up', 'red'],
  ['position', 'down', 'green'],
  ['impressions', 'up', 'green'],
  ['impressions', 'down', 'red'],
  ['ctr', 'up', 'green'],
  ['ctr', 'down', 'red'],
  ['clicks', 'level', 'grey'],
] as const)('%s going %s is %s', (metric, direction, colour) => {
  expect(changeColour(metric, direction)).toBe(colour)
})

test('a change too small to be shown is level', () => {
  expect(changeDirection(0.04)).toBe('level')
  expect(changeDirection(-0.04)).toBe('level')
  expect(changeDirection(0.05)).toBe('up')
  expect(changeDirection(-0.06)).toBe('down')
})
