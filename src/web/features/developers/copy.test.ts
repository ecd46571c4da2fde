import { expect, test } from 'vitest'
import { answerWords, isExpired, keyWords } from './copy.ts'

const now = new Date(2026, 2, 18, 12)
const at = (day: number, hour = 9) => new Date(2026, 2, day, hour).toISOString()

test("a key that was never used and doesn't expire", () => {
  expect(keyWords({ createdAt: at(1), lastUsedAt: null, expiresAt: null }, now)).toEqual(['Created 1 Mar', 'Never used', 'Never expires'])
})

test('a used key, and until when it works', () => {
  expect(keyWords({ createdAt: at(1), lastUsedAt: at(18), expiresAt: at(20) }, now)).toEqual([
    'Created 1 Mar',
    'Last used today, 09:00',
    'Expires 20 Mar',
  ])
})

test('a key that has expired, from that very moment', () => {
  expect(keyWords({ createdAt: at(1), lastUsedAt: at(9), expiresAt: at(10) }, now)[2]).toBe('Expired 10 Mar')
  expect(isExpired({ expiresAt: now.toISOString() }, now)).toBe(true)
  expect(isExpired({ expiresAt: at(18, 13) }, now)).toBe(false)
})

test('a response is described by its status and duration, a missing one by what happened', () => {
  const attempt = { at: '2026-03-18T20:00:00.000Z', answer: null }
  expect(answerWords({ ...attempt, status: 200, ms: 1_085, detail: null })).toBe('200 in 1,085 ms')
  expect(answerWords({ ...attempt, status: null, ms: 12, detail: 'Your server refused the connection.' })).toBe(
    'Your server refused the connection',
  )
})
