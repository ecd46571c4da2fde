import { expect, test } from 'vitest'
import { compactTerms, suggestedTerms } from './brand.ts'

test('terms are compared without case, spaces and hyphens; those with nothing else match nothing', () => {
  expect(compactTerms(['A b', 'ab', 'a-B', '--', '- -'])).toEqual(['ab'])
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
