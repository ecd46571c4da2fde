import { expect, test } from 'vitest'
import { comparedDays } from './period-words.ts'

const compared = {
  current: { start: '2026-03-09', end: '2026-03-15' },
  previous: { start: '2026-03-02', end: '2026-03-08' },
  previousFrom: '2026-03-02',
  completeThrough: '2026-03-15',
  isCompared: true,
}

test('the days that are compared, and through which they are complete', () => {
  expect(comparedDays(compared)).toBe('9–15 Mar vs 2–8 Mar, complete through 15 Mar.')
})

test('another year is named', () => {
  const year = { ...compared, previous: { start: '2025-03-10', end: '2025-03-16' }, previousFrom: '2025-03-10' }
  expect(comparedDays(year)).toBe('9–15 Mar 2026 vs 10–16 Mar 2025, complete through 15 Mar.')
})

test('what is missing of the days before is said', () => {
  expect(comparedDays({ ...compared, previousFrom: '2026-03-05' })).toBe('9–15 Mar, complete through 15 Mar. Comparison data starts 5 Mar.')
  expect(comparedDays({ ...compared, isCompared: false })).toBe(
    '9–15 Mar, complete through 15 Mar. Some days in 9–15 Mar or 2–8 Mar are missing, so there’s no comparison.',
  )
  const nothing = { ...compared, previousFrom: null }
  expect(comparedDays(nothing)).toBe('9–15 Mar, complete through 15 Mar. No comparison data for 2–8 Mar.')
})

test('without a comparison there are only the days', () => {
  expect(comparedDays({ ...compared, previous: null, previousFrom: null })).toBe('9–15 Mar, complete through 15 Mar.')
})
