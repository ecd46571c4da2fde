import { describe, expect, test } from 'vitest'
import { domainOf } from '../accounts/property-name.ts'
import { leftOutWords, together, withoutParts } from './together.ts'

const figures = (clicks: number, impressions: number, position: number) => ({ clicks, impressions, ctr: clicks / impressions, position })
const report = (property: string, clicks = 10, days = 7) => ({
  property,
  days: Array.from({ length: days }),
  totals: figures(clicks, clicks * 10, 4),
  previousTotals: figures(clicks / 2, clicks * 10, 6),
})
const withinOf = (...properties: string[]) => together(properties.map((property) => report(property))).within

/** By definition: everything Google counts for one also counts for the other, a part of a domain or of a URL. */
function liesWithin(inner: string, outer: string): boolean {
  const [of, there] = [inner, outer].map((name) => domainOf(name)?.toLowerCase() ?? null)
  const [url, outerUrl] = [inner, outer].map((name) => (/^https?:/.test(name) && URL.canParse(name) ? new URL(name) : null))
  if (there === null) return !!url && !!outerUrl && url.href.startsWith(outerUrl.href)
  const host = of ?? url?.hostname
  return host !== undefined && (host.endsWith(`.${there}`) || host === there)
}

describe('properties of one client together', () => {
  test('count each click once: one within another is left out', () => {
    const { totals, previousTotals, counted, ...leftOut } = together([
      report('https://a.example/shop/', 40),
      report('sc-domain:a.example', 100),
      report('https://b.example/', 20),
    ])
    expect(totals).toEqual({ clicks: 120, impressions: 1200, ctr: 0.1, position: 4 })
    expect(previousTotals).toMatchObject({ clicks: 60, position: 6 })
    expect(counted.map(({ property }) => property)).toEqual(['sc-domain:a.example', 'https://b.example/'])
    expect(leftOutWords(leftOut, (name) => name)).toBe('Counted once, as part of another property listed here: https://a.example/shop/.')
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
    ['a host that begins with another one, typed without a slash', 'https://a.example.company/', 'https://a.example', false],
    ['a part of a URL typed without a slash', 'https://a.example/shop/', 'https://a.example', true],
    ['a free name that begins with another one', 'shop-de', 'shop', false],
    ['a free name that begins like a URL', 'shop:de', 'shop:', false],
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
      // Of two names for the same, the first counts.
      const whole = names.filter(
        (inner, at) => !names.some((outer, other) => other !== at && liesWithin(inner, outer) && (other < at || !liesWithin(outer, inner))),
      )
      expect(withoutParts(names, (each) => each).counted).toEqual(whole)
    }
  })

  test('leave out what lies within another one, among as many as an account can have', () => {
    const parts = Array.from({ length: 5_000 }, (_, at) => `https://${'a'.repeat(41)}.com/${String(at).padStart(5, '0')}/`)
    const domain = `sc-domain:${'a'.repeat(41)}.com`
    expect(withoutParts([...parts, domain], (each) => each).counted).toEqual([domain])
    expect(withoutParts(parts, (each) => each).counted).toEqual(parts)
  })

  test('count what lies within a property that has just begun, until it has as many days', () => {
    const [domain, site, shop, blog] = ['sc-domain:a.example', 'https://a.example/', 'https://a.example/shop/', 'https://blog.a.example/']
    const begun = together([report(domain!, 100, 1), report(site!, 700), report(shop!, 300), report(blog!, 50, 3)])
    expect(begun).toMatchObject({ totals: { clicks: 750 }, within: [shop], partial: [domain] })
    expect(leftOutWords(begun, (name) => name)).toBe(
      `Counted once, as part of another property listed here: ${shop}. Not added, because the properties within it have data for more days: ${domain}.`,
    )
    // Both the domain and the site have just begun.
    expect(together([report(domain!, 100, 1), report(site!, 90, 1), report(shop!, 300)])).toMatchObject({
      totals: { clicks: 300 },
      within: [],
      partial: [domain, site],
    })
    expect(together([report(domain!, 800), report(site!, 700), report(blog!, 50, 3)])).toMatchObject({
      totals: { clicks: 800 },
      within: [site, blog],
      partial: [],
    })
  })

  test('count a property with fewer days than a small part of it if it has more clicks nevertheless', () => {
    const both = together([report('sc-domain:a.example', 900, 5), report('https://a.example/blog/', 20)])
    expect(both).toMatchObject({ totals: { clicks: 900 }, within: ['https://a.example/blog/'], partial: [] })
  })

  test('are compared if every counted one has the previous period', () => {
    const all = [{ ...report('https://a.example/shop/'), previousTotals: null }, report('sc-domain:a.example')]
    expect(together(all).previousTotals).toMatchObject({ clicks: 5 })
    expect(together([...all, { ...report('https://b.example/'), previousTotals: null }]).previousTotals).toBeNull()
  })
})
