import { expect, test } from 'vitest'
import { cutAfter, keywordLabelLength, pageLabelLength } from './cut.ts'

test('labels of pages are cut to 30 characters plus "...", names of keywords to 20', () => {
  expect(cutAfter('a'.repeat(31), pageLabelLength)).toBe(`${'a'.repeat(30)}...`)
  expect(cutAfter('a'.repeat(30), pageLabelLength)).toBe('a'.repeat(30))
  expect(cutAfter('a'.repeat(21), keywordLabelLength)).toBe(`${'a'.repeat(20)}...`)
  expect(cutAfter('a'.repeat(20), keywordLabelLength)).toBe('a'.repeat(20))
})

test('a character of two code units is not cut in half', () => {
  expect(cutAfter('🐦🐦🐦', 2)).toBe('🐦🐦...')
})
