import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createKeySet, keyOf } from './key-set.ts'

const text = (index: number): string => `2026-07-01\n${index % 7}:/page/${index}`

it('contains every key once, however many there are', () => {
  const keys = createKeySet()
  for (let index = 0; index < 100_000; index++) expect(keys.add(text(index))).toBe(true)
  for (let index = 0; index < 100_000; index++) expect(keys.add(text(index))).toBe(false)
})

it('distinguishes keys whose values are split differently', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (a, b) => {
      expect(keyOf('2026-07-01', a) === keyOf('2026-07-01', b)).toBe(JSON.stringify(a) === JSON.stringify(b))
    }),
  )
})
