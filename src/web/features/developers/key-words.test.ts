import { expect, test } from 'vitest'
import { isExpired, keyWords } from './key-words.ts'

const now = new Date(2026, 2, 18, 12)
const at = (day: number, hour = 9) => new Date(2026, 2, day, hour).toISOString()

test('a key that was never used and does not expire', () => {
  expect(keyWords({ createdAt: at(1), lastUsedAt: null, expiresAt: null }, now)).toEqual(['Created 1 Mar', 'Never used', 'Never expires'])
})

test('a key that is used, and until when it works', () => {
  expect(keyWords({ createdAt: at(1), lastUsedAt: at(18), expiresAt: at(20) }, now)).toEqual([
    'Created 1 Mar',
    'Last used today, 09:00',
    'Expires 20 Mar',
  ])
})

test('a key that has expired, from the very moment on', () => {
  expect(keyWords({ createdAt: at(1), lastUsedAt: at(9), expiresAt: at(10) }, now)[2]).toBe('Expired 10 Mar')
  expect(isExpired({ expiresAt: now.toISOString() }, now)).toBe(true)
  expect(isExpired({ expiresAt: at(18, 13) }, now)).toBe(false)
})
