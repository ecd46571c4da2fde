import { describe, expect, test } from 'vitest'
import { domainOf } from '../accounts/property-name.ts'
import { together, withinWords, withoutParts } from './together.ts'

const figures = (clicks: number, impressions: number, position: number) => ({ clicks, impressions, ctr: clicks / impressions, position })
const report = (property: string, clicks = 10) => ({
  property,
  totals: figures(clicks, clicks * 10, 4),
  previousTotals: figures(clicks / 2, clicks * 10, 6),
})
const withinOf = (...properties: string[]) => together(properties.map((property) => report(property))).within

/** By definition: everything Google counts for one also counts for the other, a part of a domain or of a URL. */
function liesWithin(inner: string, outer: string): boolean {
  const [of, there] = [inner, outer].map((name) => domainOf(name)?.toLowerCase() ?? null)
  if (there === null) return of === null && inner !== outer && inner.startsWith(outer)
  const host = of ?? (URL.canParse(inner) ? new URL(inner).hostname : '')
  return host.endsWith(`.${there}`) || (of === null && host === there)
}

describe('properties of one client together', () => {
  test('count each click once: one within another is left out', () => {
    const { totals, previousTotals, counted, within } = together([
      report('https://a.example/shop/', 40),
      report('sc-domain:a.example', 100),
      report('https://b.example/', 20),
    ])
    expect(totals).toEqual({ clicks: 120, impressions: 1200, ctr: 0.1, position: 4 })
    expect(previousTotals).toMatchObject({ clicks: 60, position: 6 })
    expect(counted.map(({ property }) => property)).toEqual(['sc-domain:a.example', 'https://b.example/'])
    expect(within).toEqual(['https://a.example/shop/'])
    expect(withinWords(within, (name) => name)).toBe('Counted once, as part of another property listed here: https://a.example/shop/.')
  })

  test.each([
    ['a URL of a domain', 'https://a.example/', 'sc-domain:a.example', true],
    ['one of a host below a domain', 'http://www.a.example/x/', 'sc-domain:a.example', true],
    ['a domain below a domain', 'sc-domain:shop.a.example', 'sc-domain:A.example', true],
    ['a part of a URL', 'https://a.example/shop/', 'https://a.example/', true],
    ['a host with the same ending', 'https://nota.example/', 'sc-domain:a.example', false],
    ['the same without encryption', 'http://a.example/', 'https://a.example/', false],
    ['a host beside it', 'https://www.a.example/', 'https://a.example/', false],
    ['a domain and one of its URLs', 'sc-domain:a.example', 'https://a.example/', false],
  ])('%s', (_what, inner, outer, isWithin) => {
    expect(withinOf(inner, outer).includes(inner)).toBe(isWithin)
  })

  test('leave out exactly what comparing every pair would, whatever their names', () => {
    let seed = 20261126
    const pick = <T>(list: readonly T[]): T => list[((seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) % 9_973) % list.length]!
    const host = () => pick(['', 'a.', 'b.', 'a.b.', 'ab.']) + pick(['example', 'a.example', 'A.example', 'b.test'])
    const name = () =>
      pick([
        () => `sc-domain:${host()}`,
        () => `${pick(['http', 'https'])}://${host()}/${pick(['', 'a/', 'a/b/', 'ab/', 'a'])}`,
        () => pick(['', 'My shop', 'My', 'https://', 'sc-domain:']),
      ])()
    for (let round = 0; round < 300; round += 1) {
      const names = [...new Set(Array.from({ length: 12 }, name))]
      const whole = names.filter((inner) => !names.some((outer) => liesWithin(inner, outer)))
      expect(withoutParts(names, (each) => each)).toEqual(whole)
    }
  })

  test('leave out what lies within another one, among as many as an account can have', () => {
    const parts = Array.from({ length: 5_000 }, (_, at) => `https://${'a'.repeat(41)}.com/${String(at).padStart(5, '0')}/`)
    const domain = `sc-domain:${'a'.repeat(41)}.com`
    expect(withoutParts([...parts, domain], (each) => each)).toEqual([domain])
    expect(withoutParts(parts, (each) => each)).toEqual(parts)
  })

  test('are compared if every counted one has the previous period', () => {
    const all = [{ ...report('https://a.example/shop/'), previousTotals: null }, report('sc-domain:a.example')]
    expect(together(all).previousTotals).toMatchObject({ clicks: 5 })
    expect(together([...all, { ...report('https://b.example/'), previousTotals: null }]).previousTotals).toBeNull()
  })
})
