import { expect, test } from 'vitest'
import { drawnSlice, sliceAt, slicesOf } from './donut-geometry.ts'

test('parts follow each other clockwise, each as long as its share', () => {
  expect(slicesOf([1, 2, 0, 1])).toEqual([
    { start: 0, share: 0.25 },
    { start: 0.25, share: 0.5 },
    { start: 0.75, share: 0 },
    { start: 0.75, share: 0.25 },
  ])
})

test('the pointer finds the part it is on, never an empty one', () => {
  const slices = slicesOf([1, 2, 0, 1])
  expect(sliceAt(slices, 0.9, 0.1)).toBe(0)
  expect(sliceAt(slices, 0.5, 1)).toBe(1)
  expect(sliceAt(slices, 0.1, 0.1)).toBe(3)
})

test('an empty total has no parts', () => {
  expect(sliceAt(slicesOf([0, 0]), 0.5, 0)).toBeNull()
})

test('there are gaps between parts, a single one is the whole ring, and the smallest is visible', () => {
  expect(drawnSlice({ start: 0, share: 1 })).toEqual({ start: 0, share: 1 })
  expect(drawnSlice({ start: 0, share: 0.5 }).share).toBeLessThan(0.5)
  expect(drawnSlice({ start: 0.999, share: 0.001 }).share).toBeGreaterThan(0)
})
