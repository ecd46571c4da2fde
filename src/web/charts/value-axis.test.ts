import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metricNames } from '../lib/metric.ts'
import { formatTick, valueAxis, withEqualSteps } from './value-axis.ts'

describe('the value axis', () => {
  test('counts start at zero and end at a round number', () => {
    expect(valueAxis('clicks', [320, 415, 388])).toEqual({ bottom: 0, top: 600, ticks: [0, 200, 400, 600] })
    expect(valueAxis('impressions', [400])).toEqual({ bottom: 0, top: 400, ticks: [0, 100, 200, 300, 400] })
    expect(valueAxis('clicks', [3])).toEqual({ bottom: 0, top: 3, ticks: [0, 1, 2, 3] })
  })

  test('two axes share their grid lines, except for positions', () => {
    const [clicks, impressions, position] = [valueAxis('clicks', [320]), valueAxis('impressions', [5]), valueAxis('position', [3])]
    expect(clicks.ticks).toEqual([0, 100, 200, 300, 400])
    expect(impressions.ticks).toEqual([0, 2, 4, 6])
    expect(withEqualSteps([clicks, impressions, position])).toEqual([clicks, { bottom: 0, top: 8, ticks: [0, 2, 4, 6, 8] }, position])
  })

  test('without data there is still an axis', () => {
    expect(valueAxis('clicks', [0, 0])).toEqual({ bottom: 0, top: 1, ticks: [0, 1] })
    expect(valueAxis('clicks', [])).toEqual({ bottom: 0, top: 1, ticks: [0, 1] })
    expect(valueAxis('ctr', [])).toEqual({ bottom: 0, top: 0.001, ticks: [0, 0.001] })
    expect(valueAxis('position', [])).toEqual({ bottom: 5, top: 1, ticks: [1, 2, 3, 4, 5] })
  })

  test('positions run downwards from 1', () => {
    expect(valueAxis('position', [3.2, 4.4])).toEqual({ bottom: 5, top: 1, ticks: [1, 2, 3, 4, 5] })
    expect(valueAxis('position', [3.2, 7.6])).toEqual({ bottom: 9, top: 1, ticks: [1, 3, 5, 7, 9] })
    expect(valueAxis('position', [12, 18])).toEqual({ bottom: 20, top: 1, ticks: [1, 5, 10, 15, 20] })
    expect(valueAxis('position', [3.2, 38])).toEqual({ bottom: 40, top: 1, ticks: [1, 10, 20, 30, 40] })
    expect(valueAxis('position', [1])).toEqual({ bottom: 5, top: 1, ticks: [1, 2, 3, 4, 5] })
  })

  test('every value is within, and ticks are few and in order', () => {
    const value = fc.oneof(fc.double({ min: 0, max: 1e7, noNaN: true }), fc.integer({ min: 0, max: 20 }))
    fc.assert(
      fc.property(fc.constantFrom(...metricNames), fc.array(value, { minLength: 1 }), (metric, raw) => {
        const values = metric === 'position' ? raw.map((each) => each + 1) : raw
        const { bottom, top, ticks } = valueAxis(metric, values)
        const [low, high] = [Math.min(bottom, top), Math.max(bottom, top)]
        expect(values.every((each) => each >= low && each <= high * (1 + 1e-9))).toBe(true)
        expect(ticks.length).toBeGreaterThanOrEqual(2)
        expect(ticks.length).toBeLessThanOrEqual(6)
        expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
      }),
    )
  })

  test('ticks are as short as possible', () => {
    expect([0, 500, 1_500, 2_000_000].map((tick) => formatTick('clicks', tick))).toEqual(['0', '500', '1.5K', '2M'])
    expect([0, 0.02, 0.025, 0.001].map((tick) => formatTick('ctr', tick))).toEqual(['0%', '2%', '2.5%', '0.1%'])
    expect(formatTick('position', 10)).toBe('10')
  })
})
