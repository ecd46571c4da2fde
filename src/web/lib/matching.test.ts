import { expect, test } from 'vitest'
import { fitOf, spansOf } from './matching.ts'

const marked = (text: string, wanted: string): string[] => spansOf(text, wanted).map(({ start, end }) => text.slice(start, end))

test('a label fits by its beginning, by words in any order, or by a part of it', () => {
  expect(fitOf('Alert Settings', '', 'alert se')).toBe(0)
  expect(fitOf('Alert Settings', '', 'settings alert')).toBe(1)
  expect(fitOf('Alert Settings', '', 'tting')).toBe(2)
  expect(fitOf('Alert Settings', '', 'history')).toBe(null)
})

test('further words find it as well, capitals or not', () => {
  expect(fitOf('CTR', 'click-through rate', 'Through')).toBe(1)
  expect(fitOf('Dark theme', 'switch', 'switch THEME')).toBe(1)
  expect(fitOf('CTR', 'click-through rate', 'click-through')).toBe(1)
  expect(fitOf('CTR', 'click-through rate', 'ough')).toBe(null)
  expect(fitOf('CTR', 'click-through rate', '?/')).toBe(null)
})

test('nothing but blanks fits everything and marks nothing', () => {
  expect(fitOf('Dashboard', '', '  ')).toBe(0)
  expect(spansOf('Dashboard', '  ')).toEqual([])
})

test('what was found is marked each time, or else each of its words', () => {
  expect(marked('oak lamp, Oak table', 'oak')).toEqual(['oak', 'Oak'])
  expect(marked('reading lamp oak', 'oak lamp')).toEqual(['lamp', 'oak'])
  expect(marked('lamps', 'lam amps')).toEqual(['lamps'])
  expect(marked('oak', 'elm')).toEqual([])
})

test('no wrong place is marked where lower case is longer than capitals', () => {
  expect(spansOf('İstanbul lamp', 'lamp')).toEqual([])
})

test('what stands for something else in patterns is looked for as it is', () => {
  expect(marked('https://a.example/x?y=(1)', '?y=(')).toEqual(['?y=('])
})
