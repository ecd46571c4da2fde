import { expect, test } from 'vitest'
import { readableOn } from './readable-on.ts'

test.each([
  ['#ffffff', '#000000'],
  ['#ffd400', '#000000'],
  ['#00a878', '#000000'],
  ['#1a73e8', '#000000'],
  ['#1557b0', '#ffffff'],
  ['#7a1f5c', '#ffffff'],
  ['#000000', '#ffffff'],
])('text on %s is %s', (color, readable) => {
  expect(readableOn(color)).toBe(readable)
})
