import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createKeySet, hash, keyOf } from './key-set.ts'

const text = (index: number): string => `2026-07-01\n${index % 7}:/page/${index}`

it('contains every key once, however many there are', { tags: ['full'] }, () => {
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

it('takes no more keys once too many share a slot, instead of probing further and further', () => {
  const keys = createKeySet()
  // In one of the many tables, and within a few slots of it: about one text in four thousand.
  const isChosen = ([high, low]: readonly [number, number]): boolean => high % 64 === 0 && (low & 2_047) < 32
  let chosen = 0
  for (let index = 0; chosen < 600 && !keys.full; index++) {
    if (!isChosen(hash(text(index)))) continue
    keys.add(text(index))
    chosen++
  }
  expect(keys.full).toBe(true)
  expect(chosen).toBeGreaterThan(250)
})
