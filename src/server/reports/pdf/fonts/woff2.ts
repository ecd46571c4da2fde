import { brotliDecompressSync } from 'node:zlib'
import { Bytes, words } from './bytes.ts'
import { withLongOffsets } from './true-type.ts'
import { rebuildGlyphs } from './woff2-glyphs.ts'

// Fonts come compressed for browsers. The PDF font library can only instantiate a variable font from the plain format, so they are unpacked
// first (https://www.w3.org/TR/WOFF2/).

const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
const tagAt = (index: number): string => knownTags.slice(index * 5, index * 5 + 4)
const arbitraryTag = 63
const signature = 0x774f4632
const headerLength = 48

type Entry = { tag: string; length: number; transformed: boolean }

/** The font's tables as in a plain TrueType file. Throws if the file isn't WOFF2. */
export function unpackWoff2(file: Uint8Array): Map<string, Uint8Array> {
  const header = new Bytes(file)
  if (header.u32() !== signature) throw new Error('Not a WOFF2 file')
  header.skip(8)
  const count = header.u16()
  header.skip(6)
  const compressed = header.u32()
  header.skip(headerLength - 24)
  const entries = Array.from({ length: count }, () => entryOf(header))
  const data = new Bytes(brotliDecompressSync(file.subarray(header.at, header.at + compressed)))
  const tables = new Map<string, { bytes: Uint8Array; transformed: boolean }>()
  for (const { tag, length, transformed } of entries) tables.set(tag, { bytes: data.take(length), transformed })
  return plainTables(tables)
}

function entryOf(header: Bytes): Entry {
  const flags = header.u8()
  const index = flags & 0x3f
  const tag = index === arbitraryTag ? String.fromCharCode(...header.take(4)) : tagAt(index)
  const version = flags >> 6
  const outlines = tag === 'glyf' || tag === 'loca'
  // Version 3 of the outlines is untransformed, and version 0 of everything else.
  const transformed = outlines ? version !== 3 : version !== 0
  const plain = header.base128()
  return { tag, transformed, length: transformed ? header.base128() : plain }
}

function plainTables(packed: ReadonlyMap<string, { bytes: Uint8Array; transformed: boolean }>): Map<string, Uint8Array> {
  const tables = new Map([...packed].map(([tag, { bytes }]) => [tag, bytes]))
  const outlines = packed.get('glyf')
  if (!outlines?.transformed) return tables
  const { glyf, loca, least } = rebuildGlyphs(outlines.bytes)
  tables.set('glyf', glyf)
  tables.set('loca', loca)
  const head = packed.get('head')
  if (head) tables.set('head', withLongOffsets(head.bytes))
  const metrics = packed.get('hmtx')
  const hhea = packed.get('hhea')
  if (metrics?.transformed && hhea) tables.set('hmtx', plainMetrics(metrics.bytes, new Bytes(hhea.bytes, 34).u16(), least))
  return tables
}

/** The packed table leaves out side bearings equal to their glyph's least x. */
function plainMetrics(bytes: Uint8Array, full: number, least: readonly number[]): Uint8Array {
  const from = new Bytes(bytes)
  const flags = from.u8()
  const advances = Array.from({ length: full }, () => from.u16())
  const bearings = least.map((x, index) => (flags & (index < full ? 1 : 2) ? x : from.i16()))
  return words(bearings.flatMap((bearing, index) => (index < full ? [advances[index] ?? 0, bearing] : [bearing])))
}
