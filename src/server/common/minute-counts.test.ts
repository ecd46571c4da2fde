import { expect, test } from 'vitest'
import { createMinuteCounts } from './minute-counts.ts'

test('counts each name on its own, up to its limit, and from zero again in the next minute', () => {
  let now = 90_000
  const counts = createMinuteCounts(() => now)
  const among = (name: string) => Array.from({ length: 4 }, () => counts.isWithin(name, 3))
  expect(among('one')).toEqual([true, true, true, false])
  expect(among('other')).toEqual([true, true, true, false])
  now = 119_999
  expect(counts.isWithin('one', 3)).toBe(false)
  now = 120_000
  expect(among('one')).toEqual([true, true, true, false])
})
