import { expect, test } from 'vitest'
import { isCompared } from './is-compared.ts'

const previous = { start: '2026-03-02', end: '2026-03-08' }

test('figures are compared only with a period every day of which is stored', () => {
  expect(isCompared({ previous, previousFrom: '2026-03-02' })).toBe(true)
  expect(isCompared({ previous, previousFrom: '2026-03-05' })).toBe(false)
  expect(isCompared({ previous, previousFrom: null })).toBe(false)
  expect(isCompared({ previous: null, previousFrom: null })).toBe(false)
  expect(isCompared(undefined)).toBe(false)
})
