import { expect, test } from 'vitest'
import { anomalies, anomaliesWithin, countedAlikeSince, incomparableMetrics, isComparable } from './anomalies.ts'
import { addDays } from './days.ts'

const week = (end: string) => ({ start: addDays(end, -6), end })

test("weeks on both sides of an edge aren't comparable, and those on one side are", () => {
  const [before, after] = [week('2026-04-27'), week('2026-05-04')]
  for (const metric of ['impressions', 'ctr', 'position'] as const) {
    expect([metric, isComparable(metric, before, after)]).toEqual([metric, false])
    // A week with half its days on each side is like neither.
    expect(isComparable(metric, week('2026-04-30'), after)).toBe(false)
    expect(isComparable(metric, week('2026-05-11'), after)).toBe(true)
    expect(isComparable(metric, week('2025-04-28'), after)).toBe(false)
    expect(isComparable(metric, week('2026-02-02'), week('2026-02-09'))).toBe(true)
  }
})

test("clicks are never affected by an entry that doesn't name them", () => {
  expect(isComparable('clicks', week('2026-04-27'), week('2026-05-04'))).toBe(true)
  expect(isComparable('clicks', week('2025-05-04'), week('2026-05-04'))).toBe(true)
  expect(countedAlikeSince('clicks', '2026-05-04')).toBe('2021-08-25')
})

test("the metrics that can't be compared are named, and none without a comparison", () => {
  expect(incomparableMetrics(week('2026-04-28'), week('2026-04-21'))).toEqual(['impressions', 'ctr', 'position'])
  expect(incomparableMetrics(week('2026-02-09'), week('2026-02-02'))).toEqual([])
  expect(incomparableMetrics(week('2026-04-28'), null)).toEqual([])
})

test('a figure is counted the same way since the last edge before a day', () => {
  expect(countedAlikeSince('impressions', '2026-05-04')).toBe('2026-04-28')
  expect(countedAlikeSince('impressions', '2026-04-27')).toBe('2026-04-03')
  expect(countedAlikeSince('impressions', '2020-01-01')).toBeNull()
})

test("those of another search type don't apply", () => {
  expect(anomaliesWithin('discover', '2026-06-01', undefined).map(({ id }) => id)).toEqual(['discover-2026-08-13', 'discover-2026-06-24'])
  expect(anomaliesWithin('web', '2026-04-28', undefined).map(({ id }) => id)).toEqual(['deep-results-gone', 'ai-mode-counted'])
  expect(anomaliesWithin('web', undefined, '2021-12-31').map(({ id }) => id)).toEqual(['lost-2021-08-23'])
})

test('each has its own id, and its days in order', () => {
  expect(new Set(anomalies.map(({ id }) => id)).size).toBe(anomalies.length)
  for (const { start, end } of anomalies) expect(end === null || start <= end).toBe(true)
})
