import { expect, test } from 'vitest'
import { patternSize } from './pattern-size.ts'

test.each([
  ['', 0],
  ['lamp', 4],
  ['^(who|what|where) ', 14],
  ['([^ ]*\\s){4,}', 10],
  ['\\d{4}-\\d{2}', 7],
  ['.{0,900}|.{1,901}', 1_801],
  ['((a{10}){10}){10}', 1_000],
  ['(?:ab){3}c', 7],
  ['(?P<name>ab){2,}', 6],
  ['(?i)lamp', 4],
  // A brace without a count is a literal.
  ['a{b}', 4],
  ['a{0}', 1],
  ['a{,5}', 5],
])('%s has %i places', (pattern, size) => {
  expect(patternSize(pattern)).toBe(size)
})

test.each([
  ['in a class', '(a{100}[(]){10}'],
  ['first in a class', '(a{100}[](]){10}'],
  ['in a class that leaves letters out', '(a{100}[^](]){10}'],
  ['after a class within a class', '(a{100}[[:alpha:](]){10}'],
  ['escaped', '(a{100}\\(){10}'],
  ['quoted', '(a{100}\\Q(\\E){10}'],
])('a bracket that opens nothing hides no repetition: %s', (_where, pattern) => {
  expect(patternSize(pattern)).toBeGreaterThanOrEqual(1_000)
})

test('a name or a code in braces is one place', () => {
  expect(patternSize('\\p{Greek}{3}\\x{10FFFF}')).toBe(4)
})
