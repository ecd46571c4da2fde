import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namedParts, type RankedFigures } from './change-parts.ts'
import { ctrAt, publishedCurve } from './ctr-curve.ts'

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
