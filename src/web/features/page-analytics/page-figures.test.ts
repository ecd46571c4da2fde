import { expect, test } from 'vitest'
import type { Page } from '../../../contract/pages.ts'
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

test('no pages give zeros', () => {
  expect(cardFigures([])).toEqual({ pages: 0, clicks: 0, ctr: 0, position: 0 })
})

test('numbers match the text', () => {
  expect(numbersOf(page('a', 1, 29, '3.45', '7.1'))).toEqual({ clicks: 1, impressions: 29, ctr: 0.0345, position: 7.1 })
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
