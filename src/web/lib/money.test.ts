import { expect, test } from 'vitest'
import { formatDollars } from './money.ts'

test.each([
  [0, '$0'],
  [9, '$9'],
  [17.4, '$17.40'],
  [1234.5, '$1,234.50'],
  [-3.25, '−$3.25'],
])('%d dollars read %s', (amount, text) => {
  expect(formatDollars(amount)).toBe(text)
})
