import { expect, test } from 'vitest'
import {
  anomalies,
  anomaliesWithin,
  countedAlike,
  countedAlikeSince,
  incomparableMetrics,
  isComparable,
  whyIncomparable,
} from './anomalies.ts'
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

test('Discover has edges of its own: clicks across them are not comparable, impressions across those of web search are', () => {
  // 28 April: web search only. 13 August: Discover only.
  expect(whyIncomparable('impressions', week('2026-05-04'), week('2026-04-27'), 'discover')).toBeNull()
  expect(whyIncomparable('impressions', week('2026-05-04'), week('2026-04-27'))).toMatch('counted this differently')
  expect(whyIncomparable('clicks', week('2026-08-17'), week('2026-08-10'), 'discover')).toMatch('counted this differently')
  expect(whyIncomparable('clicks', week('2026-08-17'), week('2026-08-10'))).toBeNull()
})

test('an entry about a search appearance touches only figures by that appearance, and no chart', () => {
  const [after, before] = [week('2026-05-04'), week('2026-04-27')]
  expect(isComparable('clicks', after, before, 'web', 'JOB_LISTING')).toBe(false)
  expect(isComparable('clicks', after, before, 'web', 'VIDEO')).toBe(true)
  expect(isComparable('clicks', after, before)).toBe(true)
  // What is counted differently for all of web search is so for each appearance.
  expect(isComparable('impressions', after, before, 'web', 'VIDEO')).toBe(false)
  expect(isComparable('clicks', week('2024-05-28'), week('2024-05-14'), 'web', 'PRODUCT_SNIPPETS')).toBe(false)
  expect(anomaliesWithin('web', '2026-04-16', '2026-04-20').map(({ id }) => id)).not.toContain('job-listings-2026-04-16')
  expect(countedAlikeSince('clicks', '2026-05-04')).toBe('2021-08-25')
})

test('days that Google did not fully log are left out of the past, which goes on before them, unless they are many', () => {
  const discover = countedAlike('clicks', '2026-09-01', 'discover')
  expect(discover.since).toBeNull()
  expect(['2026-08-12', '2026-08-13', '2026-08-14', '2026-05-07', '2026-05-08'].map(discover.isAlike)).toEqual([
    true,
    false,
    true,
    false,
    false,
  ])
  const web = countedAlike('impressions', '2026-05-04', 'web')
  expect(web.since).toBe('2026-04-28')
  expect(['2026-08-13', '2021-08-23'].map(web.isAlike)).toEqual([true, false])
})

test('images lack Web Stories for seven months', () => {
  expect(isComparable('clicks', week('2023-09-03'), week('2023-08-27'), 'image')).toBe(false)
  expect(isComparable('clicks', week('2023-10-09'), week('2023-10-02'), 'image')).toBe(true)
})

test('each has its own id, and its days in order', () => {
  expect(new Set(anomalies.map(({ id }) => id)).size).toBe(anomalies.length)
  for (const { start, end } of anomalies) expect(end === null || start <= end).toBe(true)
})
