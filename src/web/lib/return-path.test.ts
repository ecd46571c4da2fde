import { expect, test } from 'vitest'
import { returnPath, returnState } from './return-path.ts'

test('back to where one wanted to go, query included', () => {
  const state = returnState({ pathname: '/account', search: '?connected=true' })
  expect(returnPath(state, '/dashboard')).toBe('/account?connected=true')
})

test.each([null, undefined, {}, { from: 'https://elsewhere.example/' }, { from: '//elsewhere.example' }, { from: '/\\elsewhere.example' }])(
  'anything else leads to the fallback (%j)',
  (state) => {
    expect(returnPath(state, '/dashboard')).toBe('/dashboard')
  },
)
