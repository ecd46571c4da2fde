import { expect, test } from 'vitest'
import { patternSize, patternWork } from './pattern-size.ts'

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

test.each([
  ['lamp', 4],
  ['é', 4],
  ['(?i)lamp', 8],
  ['(?:ab){3}c', 7],
  ['(ab){3}c', 10],
  ['a?b*|c', 6],
  ['a{0,10}', 10],
  ['.{10}', 40],
  ['[a-z0-9]', 3],
  ['[abc]', 3],
  ['[^a]', 8],
  ['\\d{4}-\\d{2}', 19],
  ['\\S+', 8],
  ['\\pL', 40],
  ['\\p{Han}{2,30}', 1_200],
  ['[\\pN_]', 40],
  ['[^\\pL]', 40],
])('%s takes the engine as long as %i letters', (pattern, work) => {
  expect(patternWork(pattern)).toBe(work)
})

test.each([
  ['a class of many ranges', `[${'acegikmoqsuwy'.repeat(10)}]{100}`, 40 * 100],
  ['groups without content', `(?:${'()'.repeat(400)}a?){0,300}`, 400 * 300],
  ['groups within groups', `${'('.repeat(100)}a?${')'.repeat(100)}{0,300}`, 100 * 300],
  ['every letter, upper or lower case', '(?i)é{100}', 8 * 100],
  ['every letter, upper or lower case, from a later place', 'é{100}(?si)', 8 * 100],
  ['negated ASCII in a class', '[[:^alpha:]]{100}', 7 * 100],
])('what looks short but takes a long time is counted: %s', (_what, pattern, least) => {
  expect(patternWork(pattern)).toBeGreaterThanOrEqual(least)
})
