import { describe, expect, test } from 'vitest'
import { brandRule, compactTerms, suggestedTerms } from './brand.ts'

describe('a query is one of the brand when it holds one of the terms', () => {
  const isBrand = brandRule(['Lumen and Loom', 'l&l'])
  test.each(['lumen and loom', 'LUMEN AND LOOM lamps', 'lumenandloom', 'buy lumen-and-loom', 'l & l shop'])('%s is', (query) => {
    expect(isBrand(query)).toBe(true)
  })
  test.each(['lumen', 'loom and lumen', 'lamp', ''])('%s is not', (query) => expect(isBrand(query)).toBe(false))

  test('without terms none is, and a term of blanks and hyphens holds for nothing', () => {
    expect(brandRule([])('lumen')).toBe(false)
    expect(brandRule(['- -'])('lumen')).toBe(false)
    expect(compactTerms(['A b', 'ab', 'a-B', '--'])).toEqual(['ab'])
  })
})

test.each([
  ['sc-domain:lumenandloom.example', ['lumenandloom']],
  ['https://www.harbour-lane.example/', ['harbour-lane', 'harbour lane']],
  ['https://shop.acme.co.uk/', ['acme']],
  ['sc-domain:acme.com.au', ['acme']],
  ['https://co.uk/', ['co']],
  ['https://blog.acme.example/en/', ['acme']],
  ['http://localhost/', ['localhost']],
  ['https://192.168.0.1/', []],
  ['sc-domain:x.example', []],
  ['a name given to an import', []],
])('%s suggests %j', (property, terms) => {
  expect(suggestedTerms(property)).toEqual(terms)
})
