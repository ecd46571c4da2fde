import { expect, test } from 'vitest'
import { figuresOf } from './detail-figures.ts'

const day = (date: string, clicks: number, impressions: number, position: number) => ({
  date,
  clicks,
  impressions,
  ctr: impressions === 0 ? 0 : clicks / impressions,
  position,
})

test('days are combined by sums, and positions weighted by their impressions', () => {
  expect(figuresOf([day('2026-03-09', 10, 100, 2), day('2026-03-10', 5, 300, 6)])).toEqual({
    clicks: 15,
    impressions: 400,
    ctr: 0.0375,
    position: 5,
  })
})

test("a day without a known position doesn't count for the position", () => {
  expect(figuresOf([day('2026-03-09', 1, 100, 4), day('2026-03-10', 1, 900, 0)])?.position).toBe(4)
})

test('without days there are no figures, rather than zeros', () => {
  expect(figuresOf([])).toBeNull()
})
