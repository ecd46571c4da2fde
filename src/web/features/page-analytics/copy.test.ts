import { expect, test } from 'vitest'
import { barHeights, decayQuestion, lossOf, tooLittleHistory } from './copy.ts'

test('losses count from the first period to the last', () => {
  expect(lossOf([200, 150, 120, 50])).toEqual({ lost: 150, share: 0.75 })
  expect(lossOf([])).toEqual({ lost: 0, share: 0 })
})

test('bars are relative to the longest one', () => {
  expect(barHeights([200, 150, 100, 0])).toEqual([1, 0.75, 0.5, 0])
  expect(barHeights([0, 0])).toEqual([0, 0])
})

test('the list says what it contains, and which days are missing', () => {
  expect(decayQuestion([{ start: '2026-02-16', end: '2026-03-15' }])).toMatch(/three straight 28-day periods of falling clicks/)
  expect(
    tooLittleHistory([
      { start: '2026-02-16', end: '2026-02-22' },
      { start: '2026-03-09', end: '2026-03-15' },
    ]),
  ).toMatch(/^Content decay compares four 7-day periods \(16 Feb–15 Mar 2026\)\. Not all/)
})
