import { expect, test } from 'vitest'
import { endedOutages } from './outages.ts'
import { scan } from './scan.ts'
import { prepare } from './series.ts'

/** Logarithms of shares of the usual level. */
const levels = (...shares: number[]) => Float64Array.from([...Array.from({ length: 40 }, () => 1), ...shares], Math.log)

test('an outage is over after three days in a row that are clearly above it', () => {
  expect(endedOutages(levels(0.1, 0.1, 0.1, 1, 1))).toEqual([])
  expect(endedOutages(levels(0.1, 0.1, 0.1, 1, 1, 1))).toEqual([{ start: 40, end: 43, over: 45 }])
  expect(endedOutages(levels(0.1, 0.1, 0.1, 0.6, 0.6, 0.6))).toEqual([{ start: 40, end: 43, over: 45 }])
  expect(endedOutages(levels(0.1, 1, 1, 1))).toEqual([{ start: 40, end: 41, over: 43 }])
})

test("days that are only by chance a little above the limit don't end it: a second outage would be reported", () => {
  expect(endedOutages(levels(0.15, 0.15, 0.15, 0.22, 0.25, 0.21, 0.15, 0.15))).toEqual([])
})

test('how far a site varies is not learned from an outage, however little of the usual is back on the day of its repair', () => {
  for (const repaired of [1, 0.3]) {
    const shares = [...Array.from({ length: 120 }, () => 1), 0.02, 0.02, 0.02, repaired, 1, 1, 1]
    const series = prepare({ start: '2025-01-06', counts: shares.map((share) => 1000 * share) }, () => false)
    const { residuals } = scan(series, null).state
    // Up to the evening that shows that it is over.
    const evenings = repaired === 1 ? 5 : 6
    expect(residuals[14].slice(120, 120 + evenings)).toEqual(Array.from({ length: evenings }, () => null))
    expect(residuals[14].filter((each) => each !== null && each < -1_000)).toEqual([])
  }
})
