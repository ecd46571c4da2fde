import { expect, test } from 'vitest'
import { plainSigns, segmentsOf } from './segments.ts'

test.each([
  ['160 characters of GSM 03.38', 'a'.repeat(160), 1],
  ['one more', 'a'.repeat(161), 2],
  ['two parts, whose headers take their share', 'a'.repeat(306), 2],
  ['one more', 'a'.repeat(307), 3],
  ['characters of two septets', '€'.repeat(80), 1],
  ['one more', '€'.repeat(81), 2],
  ['a character of two septets is not split', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
  ['letters of GSM 03.38 with accents', 'äöüßéèñ@Ω'.repeat(17), 1],
  ['70 of any other script', 'я'.repeat(70), 1],
  ['one more', 'я'.repeat(71), 2],
  ['one of them makes all of it long', `${'a'.repeat(134)}я`, 3],
  ['two parts of another script', 'я'.repeat(134), 2],
  ['an emoji counts as two and is not split', `${'a'.repeat(66)}💡${'a'.repeat(66)}`, 3],
  ['nothing', '', 1],
])('%s', (_what, text, segments) => expect(segmentsOf(text)).toBe(segments))

test('typographic characters are simplified, letters stay', () => {
  const text = plainSigns('−45.2% “lamp”… 3–9 Nov é שלום')
  expect(text).toBe('-45.2% "lamp"... 3-9 Nov é שלום')
  expect(segmentsOf(plainSigns('−45.2% “lamp”… 3–9 Nov é'.padEnd(150)))).toBe(1)
})
