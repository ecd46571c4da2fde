import { describe, expect, test } from 'vitest'
import type { Keyword, Opportunity } from '../../../contract/keywords.ts'
import type { Page } from '../../../contract/pages.ts'
import { averageScore, highImpact, insightFigures, lowCtr, positionBuckets } from './insight-figures.ts'

const keyword = (query: string, position: number, figures: Partial<Keyword> = {}): Keyword => ({
  query,
  position,
  clicks: 1,
  impressions: 10,
  ctr: 0.1,
  page: 'https://shop.example/',
  pages: 1,
  brand: false,
  opportunityScore: 0,
  previous: null,
  ...figures,
})
const opportunity = (opportunityScore: number): Opportunity => ({ ...keyword(`worth ${opportunityScore}`, 8), opportunityScore })
const page = (name: string, impressions: number, ctr: string): Page => ({
  page: `https://shop.example/${name}`,
  clicks: 1,
  impressions,
  ctr,
  position: '8.0',
  previous: null,
})

describe('the four cards', () => {
  const opportunities = [opportunity(14.9), opportunity(15), opportunity(22.3), opportunity(0.4)]
  const pages = [page('a', 101, '1.99'), page('b', 100, '0.50'), page('c', 900, '2.00'), page('d', 40, '5.00'), page('e', 4_000, '12.30')]

  test('count keywords with a score of at least 15, pages that need optimization, and high performers, and sum the scores', () => {
    expect(insightFigures({ opportunities, pages })).toEqual({
      opportunities: 2,
      needingOptimization: 1,
      highPerforming: 2,
      potentialImpact: 52.6,
    })
  })

  test('are all zero without data', () => {
    expect(insightFigures({ opportunities: [], pages: [] })).toEqual({
      opportunities: 0,
      needingOptimization: 0,
      highPerforming: 0,
      potentialImpact: 0,
    })
  })

  test('lists start with what matters most', () => {
    expect(highImpact(opportunities).map(({ opportunityScore }) => opportunityScore)).toEqual([22.3, 15])
    expect(lowCtr([...pages, page('f', 7_000, '0.10')]).map(({ impressions }) => impressions)).toEqual([7_000, 101])
  })
})

test("the average score has one decimal, and is '0' if there is none", () => {
  expect(averageScore([opportunity(10), opportunity(5.3)])).toBe('7.7')
  expect(averageScore([])).toBe('0')
})

describe('Position Distribution', () => {
  const counts = (keywords: Keyword[]) => positionBuckets(keywords).map(({ label, keywords: count }) => [label, count])

  test('has the buckets 1-3, 4-10, 11-20 and 21+, each with its last position', () => {
    const positions = [1, 3, 3.01, 10, 10.4, 20, 20.1, 95]
    expect(counts(positions.map((position) => keyword(`at ${position}`, position)))).toEqual([
      ['1-3', 2],
      ['4-10', 2],
      ['11-20', 2],
      ['21+', 2],
    ])
  })

  test('omits keywords without a known position', () => {
    expect(counts([keyword('unknown', 0)]).every(([, count]) => count === 0)).toBe(true)
  })

  test('knows the clicks and impressions of each bucket', () => {
    const [first] = positionBuckets([
      keyword('a', 1, { clicks: 5, impressions: 20 }),
      keyword('b', 2, { clicks: 1, impressions: 30 }),
      keyword('c', 8, { clicks: 9, impressions: 90 }),
    ])
    expect(first).toMatchObject({ clicks: 6, impressions: 50 })
  })
})
