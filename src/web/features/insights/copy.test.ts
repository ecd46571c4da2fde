import { expect, test } from 'vitest'
import { deviceName } from '../../../core/analytics/device-name.ts'
import { clicksSummary, comparedDays, countedAmong, ctrSummary, distributionSummary } from './copy.ts'

const rows = (count: number) => Array.from({ length: count }) as never[]

test('it says which rows are counted, as the lists are limited', () => {
  expect(countedAmong({ opportunities: rows(20), pages: rows(50) }, false)).toBe(
    'Based on the 20 keywords with the highest scores and the 50 pages with the most clicks.',
  )
  expect(countedAmong({ opportunities: rows(1), pages: rows(12) }, false)).toBe(
    'Based on the only keyword with a score above 0 and all 12 pages reported by Google.',
  )
  expect(countedAmong({ opportunities: [], pages: rows(1) }, false)).toBe(
    'Based on no keywords with a score above 0 and the only page reported by Google.',
  )
  expect(countedAmong({ opportunities: rows(1), pages: rows(12) }, true)).toBe(
    'Based on the only keyword with a score above 0 and all 12 pages in this segment.',
  )
})

test('charts are summarized in a sentence', () => {
  const buckets = [
    { label: '1-3' as const, keywords: 4, clicks: 25, impressions: 100 },
    { label: '4-10' as const, keywords: 1_200, clicks: 0, impressions: 0 },
  ]
  expect(distributionSummary(buckets)).toBe('Keywords by their average position: 4 at 1-3, 1,200 at 4-10.')
  expect(ctrSummary(buckets)).toBe('CTR by average position: 25.00% at 1-3.')
})

const compared = {
  current: { start: '2026-03-09', end: '2026-03-15' },
  previous: { start: '2026-03-02', end: '2026-03-08' },
  previousFrom: '2026-03-02',
  completeThrough: '2026-03-15',
  isCompared: true,
}

const words = (days: Parameters<typeof comparedDays>[0]) => comparedDays(days, new Date('2026-03-17T12:00:00Z'))

test('the compared days, and through which they are complete', () => {
  expect(words(compared)).toBe('9–15 Mar vs 2–8 Mar, complete through 15 Mar.')
})

test('a different year is named', () => {
  const year = { ...compared, previous: { start: '2025-03-10', end: '2025-03-16' }, previousFrom: '2025-03-10' }
  expect(words(year)).toBe('9–15 Mar 2026 vs 10–16 Mar 2025, complete through 15 Mar.')
})

test('days of another year than the latest have their year, with or without a comparison', () => {
  const old = { ...compared, current: { start: '2025-03-01', end: '2025-03-31' }, previous: null, previousFrom: null }
  expect(words(old)).toBe('1–31 Mar 2025, complete through 15 Mar 2026.')
  const before = { ...old, previous: { start: '2025-01-29', end: '2025-02-28' }, previousFrom: '2025-01-29' }
  expect(words(before)).toBe('1–31 Mar 2025 vs 29 Jan–28 Feb 2025, complete through 15 Mar 2026.')
})

test('days of a year that is over have it, even if they are the latest', () => {
  expect(comparedDays(compared, new Date('2027-01-02T12:00:00Z'))).toBe('9–15 Mar 2026 vs 2–8 Mar 2026, complete through 15 Mar 2026.')
})

test('missing days of the previous period are mentioned', () => {
  expect(words({ ...compared, previousFrom: '2026-03-05' })).toBe('9–15 Mar, complete through 15 Mar. Comparison data starts 5 Mar.')
  expect(words({ ...compared, isCompared: false })).toBe(
    '9–15 Mar, complete through 15 Mar. Some days in 9–15 Mar or 2–8 Mar are missing, so there’s no comparison.',
  )
  const nothing = { ...compared, previousFrom: null }
  expect(words(nothing)).toBe('9–15 Mar, complete through 15 Mar. No comparison data for 2–8 Mar.')
})

test('without a comparison there are only the days', () => {
  expect(words({ ...compared, previous: null, previousFrom: null })).toBe('9–15 Mar, complete through 15 Mar.')
})

const row = (name: string, clicks: number) => ({ name, clicks, impressions: clicks * 10, ctr: 0.1, position: 5, previous: null })

test('devices have their names, unknown ones as Google calls them', () => {
  expect(['DESKTOP', 'MOBILE', 'TABLET', 'SMART_TV'].map(deviceName)).toEqual(['Desktop', 'Mobile', 'Tablet', 'SMART_TV'])
})

test('the parts of all clicks are summarized, the first three by name', () => {
  const segments = [row('MOBILE', 600), row('DESKTOP', 300), row('TABLET', 90), row('SMART_TV', 10)]
  expect(clicksSummary(segments, deviceName)).toBe('Of 1,000 clicks: Mobile 60%, Desktop 30%, Tablet 9%.')
  expect(clicksSummary([row('MOBILE', 999), row('DESKTOP', 1)], deviceName)).toBe('Of 1,000 clicks: Mobile >99%, Desktop <1%.')
  expect(clicksSummary([row('MOBILE', 0)], deviceName)).toBe('No clicks in this period.')
})
