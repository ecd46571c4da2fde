import { expect, test } from 'vitest'
import { counted, listed } from './words.ts'

test('what is counted is in the singular only for one', () => {
  expect([0, 1, 2, 1_204].map((count) => counted(count, 'click'))).toEqual(['0 clicks', '1 click', '2 clicks', '1,204 clicks'])
  expect(counted(2, 'query', 'queries')).toBe('2 queries')
})

test('a list has no comma before its last word', () => {
  expect([[], ['A'], ['A', 'B'], ['A', 'B', 'C']].map((items) => listed(items))).toEqual(['', 'A', 'A and B', 'A, B and C'])
  expect(listed(['+1', '+44', '+49'], 'or')).toBe('+1, +44 or +49')
})
