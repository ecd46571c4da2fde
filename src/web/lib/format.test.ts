import { expect, test } from 'vitest'
import {
  cutAfter,
  formatChange,
  formatCount,
  formatCtr,
  formatDollars,
  formatMetric,
  formatPosition,
  keywordLabelLength,
  pageLabelLength,
} from './format.ts'

test('counts have thousands separators', () => {
  expect(formatCount(1204)).toBe('1,204')
  expect(formatCount(1234567)).toBe('1,234,567')
  expect(formatCount(0)).toBe('0')
})

test('CTR is a fraction shown as percent with two decimals', () => {
  expect(formatCtr(0.0345)).toBe('3.45%')
  expect(formatCtr(0)).toBe('0.00%')
  expect(formatCtr(1)).toBe('100.00%')
})

test('positions have one decimal', () => {
  expect(formatPosition(7)).toBe('7.0')
  expect(formatPosition(7.26)).toBe('7.3')
})

test('changes have one decimal and no sign', () => {
  expect(formatChange(-18.35)).toBe('18.4%')
  expect(formatChange(1234.5)).toBe('1,234.5%')
  expect(formatChange(0)).toBe('0.0%')
})

test('each metric in its own format', () => {
  expect(formatMetric('clicks', 983)).toBe('983')
  expect(formatMetric('impressions', 20441)).toBe('20,441')
  expect(formatMetric('ctr', 0.048)).toBe('4.80%')
  expect(formatMetric('position', 12.04)).toBe('12.0')
})

test.each([
  [0, '$0'],
  [9, '$9'],
  [17.4, '$17.40'],
  [1234.5, '$1,234.50'],
  [-3.25, '−$3.25'],
])('%d dollars read %s', (amount, text) => {
  expect(formatDollars(amount)).toBe(text)
})

test('page labels are truncated to 30 characters plus "...", keyword names to 20', () => {
  expect(cutAfter('a'.repeat(31), pageLabelLength)).toBe(`${'a'.repeat(30)}...`)
  expect(cutAfter('a'.repeat(30), pageLabelLength)).toBe('a'.repeat(30))
  expect(cutAfter('a'.repeat(21), keywordLabelLength)).toBe(`${'a'.repeat(20)}...`)
  expect(cutAfter('a'.repeat(20), keywordLabelLength)).toBe('a'.repeat(20))
})

test("a character of two code units isn't split", () => {
  expect(cutAfter('🐦🐦🐦', 2)).toBe('🐦🐦...')
})
