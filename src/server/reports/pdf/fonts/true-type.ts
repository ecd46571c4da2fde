import { joined } from './bytes.ts'

const trueType = 0x00010000

/** A TrueType file from its tables. Without checksums, as PDF readers ignore them. */
export function trueTypeFile(tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const directory = new DataView(new ArrayBuffer(12 + sorted.length * 16))
  directory.setUint32(0, trueType)
  directory.setUint16(4, sorted.length)
  // The directory's binary search parameters start from this.
  const power = Math.floor(Math.log2(sorted.length))
  directory.setUint16(6, 16 * 2 ** power)
  directory.setUint16(8, power)
  directory.setUint16(10, 16 * (sorted.length - 2 ** power))
  let offset = directory.byteLength
  const parts: Uint8Array[] = [new Uint8Array(directory.buffer)]
  for (const [index, [tag, bytes]] of sorted.entries()) {
    const at = 12 + index * 16
    for (let letter = 0; letter < 4; letter++) directory.setUint8(at + letter, tag.charCodeAt(letter))
    directory.setUint32(at + 8, offset)
    directory.setUint32(at + 12, bytes.length)
    const padding = paddingOf(bytes)
    parts.push(bytes, padding)
    offset += bytes.length + padding.length
  }
  return joined(parts)
}

/** Zeros up to the next multiple of four bytes, the start of the next table or glyph. */
export const paddingOf = (bytes: Uint8Array): Uint8Array => new Uint8Array((4 - (bytes.length % 4)) % 4)

/** Consecutive glyphs, and the offset of each in four bytes. */
export function glyphTables(glyphs: readonly Uint8Array[]): { glyf: Uint8Array; loca: Uint8Array } {
  const offsets = new DataView(new ArrayBuffer((glyphs.length + 1) * 4))
  let offset = 0
  const parts = glyphs.flatMap((glyph, index) => {
    offsets.setUint32(index * 4, offset)
    const padding = paddingOf(glyph)
    offset += glyph.length + padding.length
    return [glyph, padding]
  })
  offsets.setUint32(glyphs.length * 4, offset)
  return { glyf: joined(parts), loca: new Uint8Array(offsets.buffer) }
}

/** A copy of `head` that declares four bytes per glyph in `loca`. */
export const withLongOffsets = (head: Uint8Array): Uint8Array => withNumber(head, 50, 1)

/** A copy of a table with one 16-bit number replaced. */
export function withNumber(table: Uint8Array, at: number, value: number): Uint8Array {
  const copy = Uint8Array.from(table)
  new DataView(copy.buffer).setUint16(at, value)
  return copy
}
