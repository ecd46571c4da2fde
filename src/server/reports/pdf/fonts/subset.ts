import type { Font, Path } from 'fontkit'
import { words } from './bytes.ts'
import { emptyOutline, type Outline, simpleGlyph } from './simple-glyph.ts'
import { glyphTables, trueTypeFile, withLongOffsets, withNumber } from './true-type.ts'

/**
 * The glyphs a document uses, at the weight they are drawn with, as the font file embedded in the PDF. fontkit's own subsets have a
 * variable font's outlines at its default weight, which for some fonts is hairline.
 */
export function createSubset(font: Font, tables: ReadonlyMap<string, Uint8Array>, glyphOf: (number: number) => number) {
  // In every font the first one represents missing glyphs.
  const glyphs = [0]
  const places = new Map<number, number>()

  function includeGlyph(number: number): number {
    const known = places.get(number)
    if (known !== undefined) return known
    const place = glyphs.push(glyphOf(number)) - 1
    places.set(number, place)
    return place
  }

  function encode(): Uint8Array {
    const drawn = glyphs.map((id) => font.getGlyph(id))
    const outlines = drawn.map((glyph) => simpleGlyph(outlineOf(glyph.path)))
    const metrics = drawn.flatMap((glyph, index) => [Math.round(glyph.advanceWidth), leftOf(outlines[index])])
    const { glyf, loca } = glyphTables(outlines)
    const kept = (tag: string): Uint8Array => tables.get(tag) ?? new Uint8Array(64)
    return trueTypeFile(
      new Map([
        ['glyf', glyf],
        ['loca', loca],
        ['hmtx', words(metrics)],
        ['head', withLongOffsets(kept('head'))],
        ['hhea', withNumber(kept('hhea'), 34, glyphs.length)],
        ['maxp', withNumber(kept('maxp'), 4, glyphs.length)],
      ]),
    )
  }

  return { includeGlyph, encode }
}

const leftOf = (glyph: Uint8Array | undefined): number =>
  glyph && glyph.length > 0 ? new DataView(glyph.buffer, glyph.byteOffset).getInt16(2) : 0

function outlineOf(path: Path): Outline {
  const { ends, x, y, on } = emptyOutline()
  let start = 0
  const add = (atX = 0, atY = 0, onCurve: 0 | 1): void => {
    x.push(Math.round(atX))
    y.push(Math.round(atY))
    on.push(onCurve)
  }
  for (const { command, args } of path.commands) {
    if (command === 'closePath') {
      // A contour closes itself.
      const last = x.length - 1
      if (last > start && on[last] === 1 && x[last] === x[start] && y[last] === y[start]) for (const list of [x, y, on]) list.pop()
      ends.push(x.length - 1)
      start = x.length
    } else if (command === 'quadraticCurveTo') {
      add(args[0], args[1], 0)
      add(args[2], args[3], 1)
    } else add(args[0], args[1], 1)
  }
  return { ends, x, y, on }
}
