import { describe, expect, test } from 'vitest'
import { changeColour, changeDirection } from './change-colour.ts'
import { metricNames } from './metric.ts'

describe('the colour of a change', () => {
  test.each([
    ['clicks', 'up', 'red'],
    ['clicks', 'down', 'green'],
    ['position', 'up', 'red'],
    ['position', 'down', 'green'],
    ['impressions', 'up', 'green'],
    ['impressions', 'down', 'red'],
    ['ctr', 'up', 'green'],
    ['ctr', 'down', 'red'],
  ] as const)('by the figure (SPEC §4): %s going %s is %s', (metric, direction, colour) => {
    expect(changeColour(metric, direction, 'figure')).toBe(colour)
  })

  test.each([
    ['clicks', 'up', 'green'],
    ['clicks', 'down', 'red'],
    ['position', 'up', 'red'],
    ['position', 'down', 'green'],
    ['impressions', 'up', 'green'],
    ['impressions', 'down', 'red'],
    ['ctr', 'up', 'green'],
    ['ctr', 'down', 'red'],
  ] as const)('by outcome (OPEN-POINTS 15) an improvement is green, a loss red: %s going %s is %s', (metric, direction, colour) => {
    expect(changeColour(metric, direction, 'outcome')).toBe(colour)
  })

  test.each(metricNames)('%s that stays is grey either way', (metric) => {
    expect(changeColour(metric, 'level', 'figure')).toBe('grey')
    expect(changeColour(metric, 'level', 'outcome')).toBe('grey')
  })
})

test('a change too small to be shown is level', () => {
  expect(changeDirection(0.04)).toBe('level')
  expect(changeDirection(-0.04)).toBe('level')
  expect(changeDirection(0.05)).toBe('up')
  expect(changeDirection(-0.06)).toBe('down')
})
