import { expect, test } from 'vitest'
import { returnPath, returnState, webAddress } from './addresses.ts'

test('back to the intended destination, including the query', () => {
  const state = returnState({ pathname: '/account', search: '?connected=true' })
  expect(returnPath(state, '/dashboard')).toBe('/account?connected=true')
})

test.each([null, undefined, {}, { from: 'https://elsewhere.example/' }, { from: '//elsewhere.example' }, { from: '/\\elsewhere.example' }])(
  'anything else leads to the fallback (%j)',
  (state) => {
    expect(returnPath(state, '/dashboard')).toBe('/dashboard')
  },
)

test('web pages can be opened', () => {
  expect(webAddress('https://site.example/a?b=c#d')).toBe('https://site.example/a?b=c#d')
  expect(webAddress('http://site.example')).toBe('http://site.example/')
})

test.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x', 'lamp', '//x', ''])(
  "%j can't",
  (text) => {
    expect(webAddress(text)).toBeNull()
  },
)
