import { describe, expect, test } from 'vitest'
import {
  calibrate,
  calibrateSmall,
  type Calibration,
  comparableTo,
  monthsBetween,
  smallLimitOf,
  smallMonthsBetween,
  thresholdOf,
  uncalibrated,
  withoutConfirmed,
  withoutExtremes,
  withOutages,
} from './calibration.ts'

/** A year of days with a score every so often, and none in between. */
const year = (score: number, every: number): Calibration =>
  Array.from({ length: 365 }, (_, day) => (day % every === 0 ? score : 0)).reduce(
    (past, each, day) => calibrate(past, day, each),
    uncalibrated,
  )

describe('the threshold of a series', () => {
  test('is higher the lower the sensitivity', () => {
    const past = year(2.6, 30)
    const [low, normal, high] = (['low', 'normal', 'high'] as const).map((each) => thresholdOf(past, 'fall', each))
    expect(low).toBeGreaterThan(normal!)
    expect(normal).toBeGreaterThan(high!)
  })

  test('is higher the more often its past deviated, and the further', () => {
    const [calm, often, far] = [year(0, 30), year(2.6, 20), year(4, 20)].map((past) => thresholdOf(past, 'fall', 'normal'))
    expect(calm).toBe(2.5)
    expect(often).toBeGreaterThan(calm!)
    expect(far).toBeGreaterThan(often!)
  })

  test('would have let through about as many of its past peaks as chosen', () => {
    // Peaks of all heights, twelve a year for three years.
    const past = Array.from({ length: 3 * 365 }, (_, day) => (day % 30 === 0 ? 1.6 + ((day / 30) % 12) / 6 : 0)).reduce(
      (all, score, day) => calibrate(all, day, score),
      uncalibrated,
    )
    const passed = past.peaks.filter(({ highest }) => highest >= thresholdOf(past, 'fall', 'normal')).length
    expect(passed / 3).toBeLessThanOrEqual(1)
    expect(past.peaks.length / 3).toBeGreaterThan(10)
  })

  test('is higher while the past is short, and for rises, which get the smaller part of the alarms', () => {
    expect(thresholdOf(uncalibrated, 'fall', 'normal')).toBeGreaterThan(thresholdOf(year(0, 30), 'fall', 'normal'))
    const restless = year(3, 20)
    expect(thresholdOf(restless, 'rise', 'normal')).toBeGreaterThan(thresholdOf(restless, 'fall', 'normal'))
  })
})

test('outages are no false alarms, unless there were more than two a year', () => {
  const downOn = (days: readonly number[]) =>
    Array.from({ length: 365 }, (_, day) => day).reduce(
      (past, day) => calibrate(past, day, days.includes(day) ? 12 : 0, { isOutage: true }),
      uncalibrated,
    )
  const threshold = (...days: number[]) => thresholdOf(downOn(days), 'fall', 'normal')
  expect(threshold(40, 120)).toBe(threshold())
  expect(threshold(40, 120, 200)).toBeGreaterThan(2 * threshold())
})

describe('outages that are over', () => {
  const over = [40, 120, 200].map((from) => ({ from, days: 3 }))
  const past = Array.from({ length: 365 }, (_, day) => day).reduce(
    (all, day) =>
      withOutages(
        calibrate(all, day, over.some(({ from }) => from === day) ? 12 : 0),
        over.filter(({ from }) => from + 5 < day),
      ),
    uncalibrated,
  )
  const threshold = (gone: number) => thresholdOf(comparableTo(past, gone), 'fall', 'normal')

  test('say nothing about a fall that leaves more than an outage does', () => {
    expect(threshold(0)).toBe(thresholdOf(year(0, 30), 'fall', 'normal'))
  })

  test('show how usual another one is, if it takes no longer', () => {
    expect(threshold(1)).toBeGreaterThan(2 * threshold(0))
    expect(threshold(3)).toBe(threshold(1))
    expect(threshold(4)).toBe(threshold(0))
  })

  test('are no false alarms, unless there were more than two a year', () => {
    const two = { ...past, peaks: past.peaks.slice(1) }
    expect(thresholdOf(two, 'fall', 'normal')).toBe(threshold(0))
  })
})

test('a small site alerts at the limit of its probability, unless its past would have given more alarms than chosen', () => {
  const past = (years: number, every: number) =>
    Array.from({ length: years * 365 }, (_, day) => day).reduce(
      (all, day) => calibrateSmall(all, day, day % every === every - 1 ? 3 : 0),
      uncalibrated,
    )
  expect(smallLimitOf(past(2, Infinity), 'fall', 'normal')).toBe(1)
  expect(smallLimitOf(past(4, 730), 'fall', 'normal')).toBe(1)
  const often = past(2, 40)
  expect(smallLimitOf(often, 'fall', 'normal')).toBeGreaterThan(3)
  expect(smallLimitOf(often, 'fall', 'low')).toBeGreaterThan(smallLimitOf(often, 'fall', 'high'))
  expect(smallMonthsBetween(past(2, Infinity), 'fall', 3)).toBe(Infinity)
  expect(smallMonthsBetween(often, 'fall', 3)).toBeLessThan(12)
})

test('scores within two weeks of each other are one peak', () => {
  const peaks = (...days: number[]) => {
    const last = days.at(-1) ?? 0
    return Array.from({ length: last + 1 }, (_, day) => (days.includes(day) ? 2 + day / 100 : 0)).reduce(
      (past, score, day) => calibrate(past, day, score),
      uncalibrated,
    ).peaks
  }
  expect(peaks(10, 12, 25)).toEqual([{ first: 10, last: 25, highest: 2.25 }])
  expect(peaks(10, 24)).toHaveLength(2)
})

test('a change that somebody confirmed is no false alarm, in its direction', () => {
  const past = year(4, 60)
  const confirmed = past.peaks.map(({ first, last }) => ({ direction: 'fall' as const, from: first, to: last }))
  const of = (direction: 'fall' | 'rise') => thresholdOf(withoutConfirmed(past, direction, confirmed), direction, 'normal')
  expect(of('fall')).toBe(2.5)
  expect(of('rise')).toBe(thresholdOf(past, 'rise', 'normal'))
})

test('what came every month or every year in ten years is said to come about that often', () => {
  const past = (every: number, add: typeof calibrate, score: number) =>
    Array.from({ length: 3650 }, (_, day) => day).reduce((all, day) => add(all, day, day % every === every - 1 ? score : 0), uncalibrated)
  for (const [days, months] of [
    [30, 1],
    [365, 12],
  ] as const) {
    const [normal, small] = [monthsBetween(past(days, calibrate, 1.6), 1.6), smallMonthsBetween(past(days, calibrateSmall, 1), 'fall', 1)]
    for (const often of [normal, small]) expect(often / months).toBeGreaterThan(0.7)
    for (const often of [normal, small]) expect(often / months).toBeLessThan(1.4)
  }
})

test('a score is rarer the higher it is and the calmer the series', () => {
  expect(monthsBetween(year(0, 30), 3)).toBeGreaterThan(monthsBetween(year(0, 30), 2))
  expect(monthsBetween(year(0, 30), 3)).toBeGreaterThan(monthsBetween(year(3, 20), 3))
})

describe('changes far larger than all others that are over', () => {
  const usual = [2, 2.2, 2.5].map((highest, i) => ({ first: 100 * i, last: 100 * i + 3, highest }))
  const withOthers = (...others: { first: number; last: number; highest: number }[]) => ({ judgedDays: 800, peaks: [...usual, ...others] })
  const thresholdOn = (day: number, calibration: ReturnType<typeof withOthers>, isOver = true) =>
    thresholdOf(
      withoutExtremes(calibration, day, () => isOver),
      'fall',
      'normal',
    )

  test('say little about how far a series varies if there are few, and much if there are many', () => {
    const [one, many] = [1, 9].map((count) =>
      withOthers(...Array.from({ length: count }, (_, i) => ({ first: 310 + 40 * i, last: 315 + 40 * i, highest: 20 }))),
    )
    expect(thresholdOn(760, one!)).toBeLessThan(3)
    expect(thresholdOf(one!, 'fall', 'normal')).toBeGreaterThan(3.5)
    expect(thresholdOn(760, many!)).toBeGreaterThan(8)
  })

  test('say as much as before if they were a year ago, as seasons are, or last', () => {
    const season = withOthers({ first: 400, last: 410, highest: 20 })
    expect(thresholdOn(400 + 364, season)).toBe(thresholdOf(season, 'fall', 'normal'))
    expect(thresholdOn(700, season)).toBeLessThan(thresholdOf(season, 'fall', 'normal'))
    expect(thresholdOn(700, season, false)).toBe(thresholdOf(season, 'fall', 'normal'))
  })
})
