import { expect, test } from 'vitest'
import { endedOutages } from './outages.ts'

/** Logarithms of shares of the usual level. */
const levels = (...shares: number[]) => Float64Array.from([...Array.from({ length: 40 }, () => 1), ...shares], Math.log)

test('an outage is over after three days in a row that are clearly above it', () => {
  expect(endedOutages(levels(0.1, 0.1, 0.1, 1, 1))).toEqual([])
  expect(endedOutages(levels(0.1, 0.1, 0.1, 1, 1, 1))).toEqual([{ start: 40, end: 43 }])
  expect(endedOutages(levels(0.1, 0.1, 0.1, 0.6, 0.6, 0.6))).toEqual([{ start: 40, end: 43 }])
  expect(endedOutages(levels(0.1, 1, 1, 1))).toEqual([{ start: 40, end: 41 }])
})

test("days that are only by chance a little above the limit don't end it: a second outage would be reported", () => {
  expect(endedOutages(levels(0.15, 0.15, 0.15, 0.22, 0.25, 0.21, 0.15, 0.15))).toEqual([])
})
