import { expect, test } from 'vitest'
import { readingAt, spokenReading } from './reading.ts'

const now = {
  label: 'This year',
  points: [
    { date: '2026-03-09', value: 1_204, complete: true },
    { date: '2026-03-10', value: null, complete: false },
    { date: '2026-03-11', value: 40, complete: false },
  ],
}
const before = { label: 'A year earlier', points: [{ date: '2025-03-10', value: 1_500, complete: true }], muted: true, shift: 364 }

test('a day is read with its weekday and figure', () => {
  expect(spokenReading('clicks', readingAt('clicks', [now], '2026-03-09'))).toBe('Mon 9 Mar 2026: Clicks 1,204')
})

test("what Google may still change is preliminary, and what is unknown isn't a zero", () => {
  expect(spokenReading('clicks', readingAt('clicks', [now], '2026-03-11'))).toBe('Wed 11 Mar 2026: Clicks 40 (preliminary)')
  expect(spokenReading('clicks', readingAt('clicks', [now], '2026-03-10'))).toBe('Tue 10 Mar 2026: Clicks no data')
  expect(spokenReading('clicks', readingAt('clicks', [now], '2026-03-20'))).toBe('Fri 20 Mar 2026: Clicks no data')
})

test('a chart of several metrics reads each by name and marks a partial week as incomplete', () => {
  const week = { date: '2026-03-09', end: '2026-03-11', complete: false }
  const series = [
    { label: '9–11 Mar 2026', isDays: true, metric: 'clicks' as const, points: [{ ...week, value: 40 }] },
    {
      label: '9–11 Feb 2026',
      isDays: true,
      metric: 'ctr' as const,
      points: [{ ...week, of: { start: '2026-02-09', end: '2026-02-11' }, value: 0.05 }],
      muted: true,
    },
  ]
  const reading = readingAt('clicks', series, '2026-03-10')
  expect(reading).toMatchObject({ date: '2026-03-09', end: '2026-03-11' })
  expect(spokenReading('clicks', reading)).toBe('9–11 Mar 2026: Clicks 40 (incomplete); CTR 9–11 Feb 2026: 5.00% (incomplete)')
})

test('a day without impressions has no CTR and no position', () => {
  const points = [{ date: '2026-03-09', value: null, complete: true }]
  expect(readingAt('position', [{ label: 'Position', points }], '2026-03-09').lines[0]).toMatchObject({
    text: 'no impressions',
    value: null,
  })
})

test('the comparison is read with its own day', () => {
  const reading = readingAt('clicks', [now, before], '2026-03-09')
  expect(reading.lines[1]).toEqual({ label: 'A year earlier', day: '10 Mar 2025', text: '1,500', value: 1_500, muted: true })
  expect(spokenReading('clicks', reading)).toBe('Mon 9 Mar 2026: Clicks 1,204; A year earlier 10 Mar 2025: 1,500')
})

test('a line labeled by its days is read by its own day alone', () => {
  const reading = readingAt('clicks', [now, { ...before, label: '10–16 Mar 2025', isDays: true }], '2026-03-09')
  expect(spokenReading('clicks', reading)).toBe('Mon 9 Mar 2026: Clicks 1,204; 10 Mar 2025: 1,500')
})
