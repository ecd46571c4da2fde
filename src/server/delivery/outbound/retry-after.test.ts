import { expect, test } from 'vitest'
import { later, retryAfterMs } from './retry-after.ts'

const now = new Date('2025-11-12T10:00:00Z')
const dayMs = 24 * 3_600_000

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Wed, 12 Nov 2025 10:05:00 GMT', 300_000],
  ['Wed, 12 Nov 2025 09:00:00 GMT', 0],
  ['86401', dayMs],
  ['99999999999999999999999', dayMs],
  ['Sat, 12 Nov 2050 10:00:00 GMT', dayMs],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('Retry-After: %s', (header, pause) => {
  expect(retryAfterMs(header, now)).toBe(pause)
})

test('without Retry-After there is no delay', () => {
  expect(later('Busy.', '3', now)).toEqual({ outcome: 'later', reason: 'Busy.', retryAfterMs: 3000 })
  expect(later('Busy.', null, now)).toEqual({ outcome: 'later', reason: 'Busy.' })
})
