import { describe, expect, test } from 'vitest'
import type { ChangeBreakdown } from '../../contract/alerts/change-breakdown.ts'
import { shortWhy, whySentence } from './why.ts'
import { markupOf, plainText } from './copy.ts'

const site = { kind: 'site', name: 'sc-domain:example.com' } as const
const page = (name: string, previous: number, current: number) => ({ name, previous, current })
const made = (change: Partial<ChangeBreakdown>): ChangeBreakdown => ({ previous: 1_000, current: 588, parts: null, by: [], ...change })
const pages = (...items: ChangeBreakdown['by'][number]['items']): Pick<ChangeBreakdown, 'by'> => ({ by: [{ dimension: 'page', items }] })
const parts = { demand: 0, position: 0, ctr: 0, shown: 0, anonymized: 0 }

function said(change: Partial<ChangeBreakdown>, about: Partial<Parameters<typeof whySentence>[0]> = {}): string | null {
  const sentence = whySentence({ entity: site, metric: 'clicks', days: null, ...about }, made(change))
  return sentence && plainText(sentence)
}

describe('where a change occurred', () => {
  test('is the page that took most of it', () => {
    expect(said(pages(page('/lamp', 420, 40)))).toBe('380 of the 412 lost clicks were on /lamp.')
  })

  test.each([
    ['query', 'oak lamp', 'from oak lamp.'],
    ['device', 'MOBILE', 'on mobile.'],
    ['country', 'deu', 'from Germany.'],
    ['country', 'usa', 'from the United States.'],
    ['brand', 'brand', 'from brand keywords.'],
    ['brand', 'other', 'from non-brand keywords.'],
  ] as const)('%s %s', (dimension, name, end) => {
    expect(said({ by: [{ dimension, items: [page(name, 420, 40)] }] })).toBe(`380 of the 412 lost clicks were ${end}`)
  })

  test("isn't the largest page if it lost no more than its share", () => {
    expect(said({ by: [{ dimension: 'country', items: [page('deu', 900, 530)] }] })).toBeNull()
  })

  test('is several pages if no single one stands out', () => {
    expect(said(pages(page('/a', 300, 200), page('/b', 290, 200)))).toBe('The lost clicks were spread across several pages.')
    expect(
      said({ by: [{ dimension: 'query', items: [page('a', 300, 200), page('b', 290, 200)] }] }, { entity: { kind: 'page', name: '/' } }),
    ).toBe('The lost clicks were spread across several keywords.')
  })

  test('may be more than all of it, if others went the other way', () => {
    expect(said(pages(page('/lamp', 700, 100)))).toBe('600 clicks were lost on /lamp.')
    expect(said({ previous: 588, current: 1_000, ...pages(page('/lamp', 100, 700)) })).toBe('600 clicks were gained on /lamp.')
  })
})

describe('what a change consists of', () => {
  test('names the largest parts first, and the largest that goes the other way', () => {
    expect(said({ parts: { ...parts, position: -390, demand: -80, ctr: 58 } })).toBe(
      'Mainly lower positions (−390), then fewer impressions at the same positions (−80), partly offset by a higher CTR at the same positions (+58).',
    )
  })

  test('leaves small parts out', () => {
    expect(said({ parts: { ...parts, position: -380, demand: -20, anonymized: -12 } })).toBe('Mainly lower positions (−380).')
  })

  test('names the compared days if the alert compares with an expected value', () => {
    expect(said({ parts: { ...parts, shown: -412 } }, { days: { start: '2026-03-02', end: '2026-03-08' } })).toBe(
      'Compared with 2–8 Mar, mainly lost keywords (−412).',
    )
  })
})

test('where there is little room, what drove a change is only its first sentence', () => {
  const sentence = whySentence(
    { entity: site, metric: 'clicks', days: null },
    made({ parts: { ...parts, position: -380 }, ...pages(page('/lamp', 420, 40)) }),
  )
  const long = '380 of the 412 lost clicks were on /lamp. Mainly lower positions (−380).'
  expect(plainText(shortWhy(sentence ?? [], long.length))).toBe(long)
  expect(plainText(shortWhy(sentence ?? [], long.length - 1))).toBe('380 of the 412 lost clicks were on /lamp.')
  const only = whySentence({ entity: site, metric: 'clicks', days: null }, made({ parts: { ...parts, position: -380 } })) ?? []
  expect(shortWhy(only, 5)).toEqual(only)
})

test.each<[Partial<ChangeBreakdown>, string]>([
  [{}, 'nothing known of it'],
  [{ previous: 10, current: 7, ...pages(page('/a', 4, 1)) }, 'a change of a few clicks'],
  [{ previous: 500, current: 500, ...pages(page('/a', 400, 100)) }, 'no change at all'],
])('there is nothing to say about %j: %s', (change, _what) => {
  expect(said(change)).toBeNull()
})

test.each(['<img src=x onerror=alert(1)>', '</code><script>', '&lt;b&gt;', `"'`, '<code>'])('a name stays text: %s', (name) => {
  const sentence = whySentence({ entity: site, metric: 'clicks', days: null }, made(pages(page(name, 420, 40))))
  const markup = markupOf(sentence ?? [])
  expect(markup).toMatch(/^380 of the 412 lost clicks were on <code>[^<>]*<\/code>\.$/)
  // None of our code would read it as anything but the name.
  expect(plainText(sentence ?? [])).toBe(`380 of the 412 lost clicks were on ${name}.`)
})
