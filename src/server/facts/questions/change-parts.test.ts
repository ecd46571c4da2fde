import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { factsTest } from '../../../../test/support/facts.ts'
import { namedParts, type RankedFigures } from '../../../../test/support/formulas.ts'
import { ctrAt, publishedCurve } from '../../../core/analytics/ctr-curve.ts'
import { storedLoads } from '../stored-loads.ts'
import { clicksParts } from './change-parts.ts'

const parts = (before: RankedFigures, now: RankedFigures) => namedParts(before, now, publishedCurve)

describe('the parts of a change in clicks', () => {
  const figures = fc
    .record({
      impressions: fc.integer({ min: 0, max: 100_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      position: fc.option(fc.double({ min: 1, max: 60, noNaN: true })),
    })
    .map(({ impressions, share, position }) => ({ impressions, clicks: Math.round(impressions * share), position }))

  test('add up to it, whatever the figures', () => {
    fc.assert(
      fc.property(figures, figures, (before, now) => {
        const { demand, position, ctr, shown } = parts(before, now)
        expect(demand + position + ctr + shown).toBeCloseTo(now.clicks - before.clicks, 4)
      }),
    )
  })

  test('are the same with the opposite sign when time runs backwards', () => {
    fc.assert(
      fc.property(figures, figures, (a, b) => {
        const [there, back] = [parts(a, b), parts(b, a)]
        for (const name of ['demand', 'position', 'ctr', 'shown'] as const) expect(there[name]).toBeCloseTo(-back[name], 4)
      }),
    )
  })

  test('are only demand if a query is searched less and all else stays the same', () => {
    const { demand, position, ctr, shown } = parts(
      { clicks: 200, impressions: 2_000, position: 3 },
      { clicks: 100, impressions: 1_000, position: 3 },
    )
    expect(demand).toBeCloseTo(-100)
    expect([position, ctr, shown].map(Math.abs).every((size) => size < 1e-9)).toBe(true)
  })

  test("are only the position if it falls and gets that position's usual clicks", () => {
    const clicksAt = (place: number) => 1_000 * ctrAt(publishedCurve, place)
    const { demand, position, ctr } = parts(
      { clicks: clicksAt(3), impressions: 1_000, position: 3 },
      { clicks: clicksAt(9), impressions: 1_000, position: 9 },
    )
    expect(position).toBeCloseTo(clicksAt(9) - clicksAt(3))
    expect(Math.abs(demand) + Math.abs(ctr)).toBeLessThan(1e-9)
  })

  test('are only the CTR if the result is clicked less at the same position', () => {
    const { demand, position, ctr } = parts(
      { clicks: 100, impressions: 1_000, position: 3 },
      { clicks: 60, impressions: 1_000, position: 3 },
    )
    expect(ctr).toBeCloseTo(-40)
    expect(Math.abs(demand) + Math.abs(position)).toBeLessThan(1e-9)
  })

  test('name a query that no longer appears, or appears for the first time, as such', () => {
    expect(parts({ clicks: 40, impressions: 500, position: 2 }, { clicks: 0, impressions: 0, position: null }).shown).toBe(-40)
    expect(parts({ clicks: 0, impressions: 0, position: null }, { clicks: 7, impressions: 90, position: 8 }).shown).toBe(7)
  })

  test('attribute nothing to an unknown position', () => {
    const { position, demand, ctr } = parts({ clicks: 10, impressions: 100, position: null }, { clicks: 30, impressions: 200, position: 4 })
    expect(position).toBe(0)
    expect(demand + ctr).toBeCloseTo(20)
  })
})

factsTest('the store and the formula agree on the parts of a change', async ({ facts }) => {
  const [current, previous] = [
    { start: '2026-03-09', end: '2026-03-15' },
    { start: '2026-03-02', end: '2026-03-08' },
  ]
  // Some queries appear, some disappear, and some have no position.
  const figuresOf = (i: number): RankedFigures => {
    const impressions = i % 7 === 0 ? 0 : (i * 37) % 900
    return { impressions, clicks: Math.floor(impressions * ((i % 11) / 20)), position: i % 13 === 0 ? null : 1 + ((i * 0.731) % 55) }
  }
  const queries = Array.from({ length: 400 }, (_, i) => ({ name: `query ${i}`, before: figuresOf(i + 3), now: figuresOf(2 * i + 1) }))
  const load = await facts.beginLoad(1, 'web')
  const rowsOf = (date: string, of: 'before' | 'now') =>
    queries
      .filter((query) => query[of].impressions > 0)
      .map(({ name, [of]: { position, ...counts } }) => ({ date, keys: [name], ...counts, position: position ?? 0 }))
  await load.write('query', [...rowsOf(previous.end, 'before'), ...rowsOf(current.end, 'now')])
  await load.publish(new Map([['query', [previous.end, current.end]]]))
  const loads = await facts.ask(storedLoads, { property: 1, grains: ['query'], spans: [current, previous] })

  for (const scale of [1, 0.5]) {
    const asked = { property: 1, of: { kind: 'site' } as const, current, previous, scale, loads, curve: publishedCurve }
    const found = await facts.ask(clicksParts, asked)
    const expected = queries.map(({ before: { clicks, impressions, position }, now }) =>
      parts({ clicks: clicks * scale, impressions: impressions * scale, position }, now),
    )
    for (const name of ['demand', 'position', 'ctr', 'shown'] as const) {
      const sum = expected.reduce((total, each) => total + each[name], 0)
      expect(Math.abs(sum)).toBeGreaterThan(1)
      expect(found[name]).toBeCloseTo(sum, 6)
    }
  }
})
