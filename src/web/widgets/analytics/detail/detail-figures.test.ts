import { expect, test } from 'vitest'
import { figuresOf } from './detail-figures.ts'

const day = (date: string, clicks: number, impressions: number, position: number) => ({
  date,
  clicks,
  impressions,
  ctr: impressions === 0 ? 0 : clicks / impressions,
  position,
})

test('days are one by sums, and positions by the impressions they were measured with', () => {
  expect(figuresOf([day('2026-03-09', 10, 100, 2), day('2026-03-10', 5, 300, 6)])).toEqual({
    clicks: 15,
    impressions: 400,
    ctr: 0.0375,
    position: 5,
  })
})

test('a day of which no position is known does not count for the position', () => {
  expect(figuresOf([day('2026-03-09', 1, 100, 4), day('2026-03-10', 1, 900, 0)])?.position).toBe(4)
})

test('no days are no figures, not zeros', () => {
  expect(figuresOf([])).toBeNull()
})
