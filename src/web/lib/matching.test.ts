import { expect, test } from 'vitest'
import { fitOf, spansOf } from './matching.ts'

const marked = (text: string, wanted: string): string[] => spansOf(text, wanted).map(({ start, end }) => text.slice(start, end))

test('a label matches by its beginning, by words in any order, or by a part of it', () => {
  expect(fitOf('Alert Settings', '', 'alert se')).toBe(0)
  expect(fitOf('Alert Settings', '', 'settings alert')).toBe(1)
  expect(fitOf('Alert Settings', '', 'tting')).toBe(2)
  expect(fitOf('Alert Settings', '', 'history')).toBe(null)
})

test('other words find it as well, regardless of case', () => {
  expect(fitOf('CTR', 'click-through rate', 'Through')).toBe(1)
  expect(fitOf('Dark theme', 'switch', 'switch THEME')).toBe(1)
  expect(fitOf('CTR', 'click-through rate', 'click-through')).toBe(1)
  expect(fitOf('CTR', 'click-through rate', 'ough')).toBe(null)
  expect(fitOf('CTR', 'click-through rate', '?/')).toBe(null)
})

test('only spaces match everything and highlight nothing', () => {
  expect(fitOf('Dashboard', '', '  ')).toBe(0)
  expect(spansOf('Dashboard', '  ')).toEqual([])
})

test('each match is highlighted, or else each of its words', () => {
  expect(marked('oak lamp, Oak table', 'oak')).toEqual(['oak', 'Oak'])
  expect(marked('reading lamp oak', 'oak lamp')).toEqual(['lamp', 'oak'])
  expect(marked('lamps', 'lam amps')).toEqual(['lamps'])
  expect(marked('oak', 'elm')).toEqual([])
})

test('highlights are right even where lower case is longer than upper case', () => {
  expect(spansOf('İstanbul lamp', 'lamp')).toEqual([])
})

test('characters with a special meaning in patterns match literally', () => {
  expect(marked('https://a.example/x?y=(1)', '?y=(')).toEqual(['?y=('])
})
