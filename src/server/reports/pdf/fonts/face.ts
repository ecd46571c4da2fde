import { readFileSync } from 'node:fs'
import { create, type Font, type Glyph, type GlyphRun } from 'fontkit'
import { createSubset } from './subset.ts'
import { trueTypeFile } from './true-type.ts'
import { unpackWoff2 } from './woff2.ts'

export type Weight = 400 | 600

/** A font file at one weight, for the PDF library. */
export type Face = { name: string; font: Font }

/** A font file's content, at any weight. */
export type OpenFile = { font: Font; tables: ReadonlyMap<string, Uint8Array>; characters: ReadonlySet<number> }

export function openFontFile(file: URL): OpenFile {
  const tables = unpackWoff2(readFileSync(file))
  const font = create(Buffer.from(trueTypeFile(tables)))
  if (!('getVariation' in font)) throw new Error(`${file.href} is a collection of fonts`)
  return { font, tables, characters: new Set(font.characterSet) }
}

/** @param name its name in the document; must be unique among faces */
export function createFace({ font, tables }: OpenFile, name: string, weight: Weight): Face {
  const varied = font.getVariation({ wght: weight })
  const shapes = createShapes()
  // The library caches glyphs with the first text they represent; here each occurrence keeps its own.
  const glyph = varied.getGlyph.bind(varied)
  varied.getGlyph = (id, codePoints) => Object.create(glyph(id), { codePoints: { value: codePoints ?? [] } }) as Glyph
  const drawn = Object.create(varied, {
    postscriptName: { value: name },
    createSubset: { value: () => createSubset(varied, tables, shapes.glyphOf) },
    layout: { value: (text: string) => shapes.named(varied.layout(text, featuresOf(text))) },
  }) as Font
  return { name, font: drawn }
}

const joiner = 0x200d

/**
 * One shape can stand for several letters, such as the stroke of Arabic letters that differ by their dots. A PDF maps each glyph to one
 * text, so each text gets its own number.
 */
function createShapes() {
  const numbers = new Map<string, number>()
  const glyphs: number[] = []

  function numberOf(glyph: number, reading: readonly number[]): number {
    const key = `${glyph} ${reading.join(' ')}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    const number = glyphs.push(glyph) - 1
    numbers.set(key, number)
    return number
  }

  // Some readers take glyphs without a text, such as dots drawn apart from their letter, for arbitrary characters.
  function reads(id: number, advanceWidth: number, codePoints: readonly number[]) {
    const reading = codePoints.length === 0 ? [joiner] : codePoints
    return { id: numberOf(id, reading), advanceWidth, codePoints: reading }
  }

  return {
    /** The layout with these numbers in place of the font's own. */
    named: ({ glyphs: laidOut, positions }: GlyphRun) => ({
      glyphs: laidOut.map(({ id, advanceWidth, codePoints }) => reads(id, advanceWidth, codePoints)),
      positions,
      // Read after the positions were rescaled.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      },
    }),
    /** Returns the font's own number. */
    glyphOf: (number: number): number => glyphs[number] ?? 0,
  }
}

/** Figures in a column are equally wide, and `->` in a name isn't turned into a ligature. */
const featuresOf = (text: string): Record<string, boolean> => ({ calt: scripts.test(text), tnum: figuresOnly.test(text) })
const figuresOnly = /^[\d.,%+−\s]+$/
/** Scripts whose letters change with their neighbors. */
const scripts = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Common}\p{Script=Inherited}]/u
