import { expect, test } from 'vitest'
import { isGivenUp, nextAttempt, patienceMs } from './retries.ts'

const now = new Date('2026-11-21T12:00:00Z')
const pause = (attempts: number, retryAfterMs?: number, random = 1) =>
  (nextAttempt(now, attempts, retryAfterMs, random).getTime() - now.getTime()) / 1000

test('the pauses grow from half a minute to an hour', () => {
  expect([1, 2, 3, 7, 8, 9, 100].map((attempts) => pause(attempts))).toEqual([30, 60, 120, 1920, 3600, 3600, 3600])
})

test("they are randomized, so that messages that failed together don't return together", () => {
  expect(pause(1, undefined, 0)).toBe(22.5)
})

test('a pause requested by the other side is respected', () => {
  expect(pause(1, 600_000)).toBe(600)
  expect(pause(9, 1_000)).toBe(3600)
})

test('a message is abandoned after a day, but not because the clock jumped', () => {
  const giveUpAt = new Date(now.getTime() - 1)
  expect(isGivenUp(now, 8, giveUpAt)).toBe(true)
  expect(isGivenUp(now, 1, giveUpAt)).toBe(false)
  expect(isGivenUp(now, 50, new Date(now.getTime() + patienceMs))).toBe(false)
})
