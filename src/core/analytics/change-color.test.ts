import { describe, expect, test } from 'vitest'
import { changeColor, changeDirection } from './change-color.ts'

const metrics = ['clicks', 'impressions', 'ctr', 'position'] as const

describe('the color of a change', () => {
  test.each([
    ['clicks', 'green'],
    ['impressions', 'green'],
    ['ctr', 'green'],
    ['position', 'red'],
  ] as const)('better is green and worse is red, by default (OPEN-POINTS 15): a rise of %s is %s', (metric, rise) => {
    expect(changeColor(metric, 'up')).toBe(rise)
    expect(changeColor(metric, 'down')).toBe(rise === 'green' ? 'red' : 'green')
  })

  test.each([
    ['clicks', 'red'],
    ['impressions', 'green'],
    ['ctr', 'green'],
    ['position', 'red'],
  ] as const)('"Colors as specified" (SPEC §4): a rise of %s is %s', (metric, rise) => {
    expect(changeColor(metric, 'up', 'figure')).toBe(rise)
    expect(changeColor(metric, 'down', 'figure')).toBe(rise === 'green' ? 'red' : 'green')
  })

  test.each(metrics)('an unchanged %s is gray either way', (metric) => {
    expect(changeColor(metric, 'level', 'figure')).toBe('gray')
    expect(changeColor(metric, 'level', 'outcome')).toBe('gray')
  })
})

test('a change too small to be displayed is level', () => {
  expect(changeDirection(0.04)).toBe('level')
  expect(changeDirection(-0.04)).toBe('level')
  expect(changeDirection(0.05)).toBe('up')
  expect(changeDirection(-0.06)).toBe('down')
})
