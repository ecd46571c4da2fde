import { expect, test } from 'vitest'
import { nearestIndex, placePoints, splitAtGaps } from './sparkline-geometry.ts'

const points = [
  { date: '2026-11-03', value: 10 },
  { date: '2026-11-04', value: 20 },
  { date: '2026-11-07', value: 15 },
]

test('points are at their date, the highest at the top', () => {
  expect(placePoints(points, false).map(({ x, y }) => [x, y])).toEqual([
    [0, 1],
    [0.25, 0],
    [1, 0.5],
  ])
})

test('positions run downwards: the smallest at the top', () => {
  expect(placePoints(points, true).map(({ y }) => y)).toEqual([0, 1, 0.5])
})

test('a flat line and a single day are in the middle', () => {
  expect(placePoints([{ date: '2026-11-03', value: 4 }], false)).toEqual([{ date: '2026-11-03', value: 4, x: 0.5, y: 0.5 }])
  expect(placePoints([], false)).toEqual([])
})

test('the line breaks where days are missing', () => {
  const runs = splitAtGaps(placePoints(points, false))
  expect(runs.map((run) => run.map(({ date }) => date))).toEqual([['2026-11-03', '2026-11-04'], ['2026-11-07']])
})

test('the pointer finds the nearest day', () => {
  const placed = placePoints(points, false)
  expect(nearestIndex(placed, 0.1)).toBe(0)
  expect(nearestIndex(placed, 0.2)).toBe(1)
  expect(nearestIndex(placed, 0.9)).toBe(2)
  expect(nearestIndex([], 0.5)).toBeNull()
})
