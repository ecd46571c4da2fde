import { expect, test } from 'vitest'
import { holidaysOf } from './holidays.ts'
import { detect, detectInParts } from './smart.ts'

const counts = { start: '2023-04-01', counts: Array.from({ length: 900 }, (_, day) => 100 + (day % 7)) }
const options = { isHoliday: holidaysOf(null), sensitivity: 'normal' } as const

test('years of history are evaluated in parts of at most 200 days, with the same result as at once', async () => {
  let pauses = 0
  const inParts = await detectInParts(counts, options, null, async () => void (pauses += 1))
  expect(pauses).toBe(Math.ceil(900 / 200) - 1)
  expect(inParts).toEqual(detect(counts, options, null))
})
