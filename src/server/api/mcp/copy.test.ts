import { expect, test } from 'vitest'
import { comparedText, notComparable } from './copy.ts'

const row = {
  clicks: 50,
  impressions: 700,
  ctr: 50 / 700,
  position: 3,
  previous: { clicks: 100, impressions: 1_000, ctr: 0.1, position: 5 },
}
const days = (start: string, end: string, from: string, to: string) => ({ period: { start, end }, comparedWith: { start: from, end: to } })

test('across a day on which Google started to count differently, only clicks are compared', () => {
  const across = days('2026-04-28', '2026-05-04', '2026-04-21', '2026-04-27')
  expect(notComparable(across)).toEqual(['impressions', 'ctr', 'position'])
  expect(comparedText(row, across)).toBe(
    '50 clicks (was 100, −50.0%), 700 impressions (was 1,000, not comparable), CTR 7.14% (was 10.00%, not comparable), position 3.0 (was 5.0, not comparable)',
  )
})

test('between days that Google counted the same way, every figure is compared', () => {
  const alike = days('2026-05-12', '2026-05-18', '2026-05-05', '2026-05-11')
  expect(notComparable(alike)).toEqual([])
  expect(comparedText(row, alike)).toBe(
    '50 clicks (was 100, −50.0%), 700 impressions (was 1,000, −30.0%), CTR 7.14% (was 10.00%), position 3.0 (was 5.0)',
  )
  expect(notComparable({ ...alike, comparedWith: null })).toEqual([])
})
