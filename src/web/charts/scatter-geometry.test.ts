import { expect, test } from 'vitest'
import { nearestPoint, scatterLayout } from './scatter-geometry.ts'

const metrics = { x: 'ctr', y: 'position' } as const
const keywords = [
  { name: 'first', x: 0.3, y: 1 },
  { name: 'tenth', x: 0.02, y: 10 },
  { name: 'also tenth', x: 0.01, y: 10 },
]
const layout = scatterLayout(keywords, metrics, 600)!
const placed = (name: string) => layout.points.find((point) => point.name === name)!

test('positions run downwards from 1 at the top, and CTR to the right from 0', () => {
  expect(layout.yTicks[0]).toMatchObject({ value: 1, label: '1' })
  expect(layout.xTicks[0]).toMatchObject({ value: 0, label: '0%' })
  expect(placed('first').top).toBe(layout.yTicks[0]!.at)
  expect(placed('first').top).toBeLessThan(placed('tenth').top)
  expect(placed('tenth').left).toBeLessThan(placed('first').left)
})

test('every point is within the box', () => {
  const { left, top, width, height } = layout.box
  for (const point of layout.points) {
    expect(point.left).toBeGreaterThanOrEqual(left)
    expect(point.left).toBeLessThanOrEqual(left + width)
    expect(point.top).toBeGreaterThanOrEqual(top)
    expect(point.top).toBeLessThanOrEqual(top + height)
  }
})

test('the keyboard moves upwards, and to the right at the same height', () => {
  expect(layout.points.map(({ name }) => name)).toEqual(['also tenth', 'tenth', 'first'])
})

test('the pointer selects the nearest point within reach', () => {
  const { left, top } = placed('first')
  expect(nearestPoint(layout.points, left - 3, top + 3, 24)).toBe(2)
  expect(nearestPoint(layout.points, left, top + 60, 24)).toBeNull()
})

test('without any CTR there is still an axis', () => {
  const flat = scatterLayout([{ name: 'unclicked', x: 0, y: 40 }], metrics, 320)!
  expect(flat.points[0]!.left).toBe(flat.xTicks[0]!.at)
  expect(flat.xTicks.length).toBeGreaterThan(1)
})

test('nothing is laid out before the width is known', () => {
  expect(scatterLayout(keywords, metrics, 0)).toBeNull()
})
