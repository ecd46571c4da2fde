import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Series } from './series.ts'
import { topOf } from './entities-to-evaluate.ts'

const week = { start: '2026-03-09', end: '2026-03-15' }
const seriesOf = (name: string, clicks: number, impressions: number): Series => ({
  name,
  firstSeen: null,
  sums: () => ({ clicks, impressions, positionSum: 0, rankedImpressions: 0 }),
})

test('the top are those with the most clicks, then impressions, then the first by bytes, as in the store', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\uE000', '\uFFFD', '😀', '語'), maxLength: 5 })
  const entity = fc.record({ name, clicks: fc.nat(3), impressions: fc.nat(2) })
  fc.assert(
    fc.property(
      fc.uniqueArray(entity, { selector: (each) => each.name, maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      (entities, count) => {
        const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
        const expected = entities
          .filter(({ clicks }) => clicks > 0)
          .toSorted((a, b) => b.clicks - a.clicks || b.impressions - a.impressions || byBytes(a.name, b.name))
          .slice(0, count)
        const series = entities.map((each) => seriesOf(each.name, each.clicks, each.impressions))
        expect(topOf(series, week, count)).toEqual(expected.map((each) => each.name))
      },
    ),
  )
})

test('of thousands that are alike, the first by name', () => {
  const start = 'a'.repeat(2_000)
  const series = Array.from({ length: 5_000 }, (_, at) => seriesOf(`${start}${9_999 - at}`, 1, 1))
  expect(topOf(series, week, 20)).toEqual(Array.from({ length: 20 }, (_, at) => `${start}${5_000 + at}`))
})
