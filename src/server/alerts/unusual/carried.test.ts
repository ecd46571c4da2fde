import { expect, test } from 'vitest'
import { carried } from './baselines.ts'

test('evaluating years of history leaves room for other requests', { tags: ['full'] }, async () => {
  const days = 4_000
  const history = {
    name: 'https://years.example/',
    counts: { start: '2015-01-01', counts: Array.from({ length: days }, () => 100) },
    isHoliday: () => false,
  }
  let [turns, isEvaluated] = [0, false]
  const takeTurns = () => {
    turns += 1
    if (!isEvaluated) setImmediate(takeTurns)
  }
  setImmediate(takeTurns)
  const { state } = await carried({ propertyId: 1, searchType: 'web', metric: 'clicks', country: null }, history, undefined)
  isEvaluated = true
  expect(state?.days).toBe(days - 1)
  // Others get their turn after at most 200 days.
  expect(turns).toBeGreaterThanOrEqual(Math.ceil((days - 1) / 200) - 1)
})
