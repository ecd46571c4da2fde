import { expect, test } from 'vitest'
import type { Page } from '../../../contract/pages.ts'
import { changeOf } from '../../../core/analytics/shown-change.ts'
import { cardFigures, numbersOf, topPerforming } from './page-figures.ts'

const page = (name: string, clicks: number, impressions: number, ctr: string, position: string): Page => ({
  page: `https://a.example/${name}`,
  clicks,
  impressions,
  ctr,
  position,
  previous: null,
})

test('cards count, sum, and average the pages, whatever their size', () => {
  const pages = [page('a', 10, 1_000, '1.00', '2.0'), page('b', 5, 100, '5.00', '4.0'), page('c', 0, 7, '0.00', '12.0')]
  expect(cardFigures(pages)).toEqual({ pages: 3, clicks: 15, ctr: expect.closeTo(0.02, 12), position: 6 })
})

test("a page without a known position doesn't count for the mean position", () => {
  expect(cardFigures([page('a', 1, 10, '10.00', '3.0'), page('b', 1, 10, '10.00', '0.0')]).position).toBe(3)
})

test('no pages have no clicks, and neither a CTR nor a position', () => {
  expect(cardFigures([])).toEqual({ pages: 0, clicks: 0, ctr: null, position: 0 })
})

test('numbers match the text, and a CTR is that of the clicks and impressions, unrounded', () => {
  expect(numbersOf(page('a', 1, 29, '3.45', '7.1'))).toEqual({ clicks: 1, impressions: 29, ctr: 1 / 29, position: 7.1 })
  expect(numbersOf(page('b', 0, 0, '0.00', '0.0')).ctr).toBe(0)
})

test('a CTR that fell from 0.0149% to 0.0051% fell by 65.8%, although both are 0.01% in the text', () => {
  const [before, now] = [numbersOf(page('a', 149, 1_000_000, '0.01', '3.0')), numbersOf(page('a', 51, 1_000_000, '0.01', '3.0'))]
  expect(changeOf('ctr', now.ctr, before.ctr)).toBeCloseTo(-65.77, 2)
})

test('top performers have a CTR of at least 5, best first, at most five', () => {
  const ctrs = ['4.99', '5.00', '60.00', '7.00', '5.01', '8.00', '100.00']
  expect(topPerforming(ctrs.map((ctr) => page(ctr, 1, 10, ctr, '1.0'))).map(({ ctr }) => ctr)).toEqual([
    '100.00',
    '60.00',
    '8.00',
    '7.00',
    '5.01',
  ])
})
