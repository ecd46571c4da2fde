import { readFileSync } from 'node:fs'
import { create, type Font, type Glyph, type GlyphRun } from 'fontkit'
import { createSubset } from './subset.ts'
import { trueTypeFile } from './true-type.ts'
import { unpackWoff2 } from './woff2.ts'

export type Weight = 400 | 600

/** A font file at one weight, as the PDF library takes it. */
export type Face = { name: string; font: Font }

/** What a font file holds, at any weight. */
export type OpenFile = { font: Font; tables: ReadonlyMap<string, Uint8Array>; characters: ReadonlySet<number> }

export function openFontFile(file: URL): OpenFile {
  const tables = unpackWoff2(readFileSync(file))
  const font = create(Buffer.from(trueTypeFile(tables)))
  if (!('getVariation' in font)) throw new Error(`${file.href} is a collection of fonts`)
  return { font, tables, characters: new Set(font.characterSet) }
}

/** @param name by which the document knows it; no two faces may share one */
export function createFace({ font, tables }: OpenFile, name: string, weight: Weight): Face {
  const varied = font.getVariation({ wght: weight })
  const shapes = createShapes()
  // Glyphs are kept with what they first read as; here each keeps what it reads as where it stands.
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
 * The same shape can stand for several letters, as the stroke of Arabic ones that differ by their dots. A PDF tells for each
 * glyph what it reads as, so each reading gets a number of its own.
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

  // What reads as nothing, as dots that were drawn apart from their letter, is taken for any character by some readers.
  function reads(id: number, advanceWidth: number, codePoints: readonly number[]) {
    const reading = codePoints.length === 0 ? [joiner] : codePoints
    return { id: numberOf(id, reading), advanceWidth, codePoints: reading }
  }

  return {
    /** What was laid out, with those numbers in place of the font's own. */
    named: ({ glyphs: laidOut, positions }: GlyphRun) => ({
      glyphs: laidOut.map(({ id, advanceWidth, codePoints }) => reads(id, advanceWidth, codePoints)),
      positions,
      // Asked for after the positions were brought to another scale.
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      },
    }),
    /** The font's own number of one of them. */
    glyphOf: (number: number): number => glyphs[number] ?? 0,
  }
}

/** Figures that stand below each other are equally wide, and `->` in a name stays what it is. */
const featuresOf = (text: string): Record<string, boolean> => ({ calt: scripts.test(text), tnum: figuresOnly.test(text) })
const figuresOnly = /^[\d.,%+−\s]+$/
/** Those whose letters change with what stands beside them. */
const scripts = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Common}\p{Script=Inherited}]/u
