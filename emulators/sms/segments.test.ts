import { expect, test } from 'vitest'
import { segmentsOf } from './segments.ts'

test.each([
  ['nothing special', 'a'.repeat(160), 1],
  ['one character more', 'a'.repeat(161), 2],
  ['two full parts', 'a'.repeat(306), 2],
  ['a third part', 'a'.repeat(307), 3],
  ['letters of the GSM alphabet', 'éÄ£Ω'.repeat(40), 1],
  ['characters that take two places', '€'.repeat(80), 1],
  ['one of them too many', '€'.repeat(81), 2],
  ['one of them at the edge of a part, not split', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
  ['a character outside the alphabet', `–${'a'.repeat(69)}`, 1],
  ['the same, one more', `–${'a'.repeat(70)}`, 2],
  ['two parts of 67', `–${'a'.repeat(133)}`, 2],
  ['a third of them', `–${'a'.repeat(134)}`, 3],
  ['emoji, which take two places', '📉'.repeat(35), 1],
  ['emoji at the edge of a part, not split', '📉'.repeat(67), 3],
])('%s', (_name, body, segments) => {
  expect(segmentsOf(body)).toBe(segments)
})
