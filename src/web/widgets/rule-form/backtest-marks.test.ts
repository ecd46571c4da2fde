import { expect, test } from 'vitest'
import { nearestMark, backtestMarksOf } from './backtest-marks.ts'

const unknown = { alertsAYear: null, usual: null, expected: null }
const day = (date: string, alerts: number) => ({
  date,
  alerts,
  silenced: 0,
  entities: Array.from({ length: alerts }, (_, index) => `/${index}`),
})
const backtested = (...days: ReturnType<typeof day>[]) => ({ from: '2026-03-01', through: '2026-03-11', days, ...unknown })

test('marks are at their day, the one with the most alerts highest, and none too low to be visible', () => {
  const marks = backtestMarksOf(backtested(day('2026-03-01', 1), day('2026-03-06', 10), day('2026-03-11', 5)))
  expect(marks.map(({ x }) => x)).toEqual([0, 0.5, 1])
  expect(marks.map(({ height }) => Number(height.toFixed(2)))).toEqual([0.46, 1, 0.7])
  expect(backtestMarksOf(backtested())).toEqual([])
})

test('the only day that could be evaluated is in the middle', () => {
  expect(backtestMarksOf({ from: '2026-03-01', through: '2026-03-01', days: [day('2026-03-01', 1)], ...unknown })).toMatchObject([
    { x: 0.5, height: 1 },
  ])
})

test('the pointer finds the nearest mark', () => {
  const marks = backtestMarksOf(backtested(day('2026-03-01', 1), day('2026-03-06', 1)))
  expect(nearestMark(marks, 0.2)).toBe(0)
  expect(nearestMark(marks, 0.3)).toBe(1)
  expect(nearestMark(marks, 1)).toBe(1)
  expect(nearestMark([], 0.5)).toBeNull()
})
