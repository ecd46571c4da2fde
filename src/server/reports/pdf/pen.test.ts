import Pdf from 'pdfkit'
import { expect, test, vi } from 'vitest'
import { createFontSet } from './fonts/font-set.ts'
import { createPen } from './pen.ts'

// One thread draws everybody's reports, and shaping a name of 2,048 characters takes it a seventh of a second (docs/decisions/0070).

const style = { size: 8.5, color: '#000000' }

function countingPen() {
  const doc = new Pdf({ margin: 0 })
  const measured = vi.spyOn(doc, 'widthOfString')
  const pen = createPen(doc, createFontSet())
  return { pen, shaped: () => measured.mock.calls.reduce((sum, [text]) => sum + text.length, 0) }
}

test.each([
  ['letters', `https://shop.example/${'0123456789abcdef'.repeat(127)}end`],
  ['words', `${'a-b c_d/'.repeat(256)}end`],
  ['letters with piled-up accents', `${'e\u0301\u0301\u0301\u0301\u0301\u0301\u0301'.repeat(256)}end`],
  ['letters after 2,000 invisible ones', `${'\u200B'.repeat(2_000)}${'abc'.repeat(15)}end`],
])('a name of 2,048 %s is cut before it is shaped, and shows the same ends', (_what, name) => {
  const { pen, shaped } = countingPen()
  const fitted = pen.fit(name, 200, style)
  expect(fitted).toMatch(/.{10}….{7,}end$/)
  expect(pen.widthOf(fitted, style)).toBeLessThanOrEqual(200)
  expect(shaped()).toBeLessThan(2_000)
})

test('a wrapped text is cut line by line, however long it is', () => {
  const { pen, shaped } = countingPen()
  for (const text of ['x'.repeat(200_000), 'name, '.repeat(30_000)]) {
    const lines = pen.wrap(`Clicks dropped: ${text} end`, 270, style, 2)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/… ?.* end$|^x+….*end$/)
    for (const line of lines) expect(pen.widthOf(line, style)).toBeLessThanOrEqual(270)
  }
  expect(shaped()).toBeLessThan(12_000)
})
