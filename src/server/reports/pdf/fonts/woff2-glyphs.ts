import { Bytes, joined, words } from './bytes.ts'
import { emptyOutline, simpleGlyph } from './simple-glyph.ts'
import { glyphTables } from './true-type.ts'

// WOFF2 §5.1: the outlines of all glyphs are split into streams of similar numbers.

type Streams = {
  contours: Bytes
  points: Bytes
  flags: Bytes
  glyphs: Bytes
  composites: Bytes
  boxes: Bytes
  instructions: Bytes
}

type Rebuilt = { glyf: Uint8Array; loca: Uint8Array; /** Minimum x of each glyph. */ least: number[] }

export function rebuildGlyphs(table: Uint8Array): Rebuilt {
  const header = new Bytes(table, 4)
  const count = header.u16()
  header.skip(2)
  const lengths = Array.from({ length: 7 }, () => header.u32())
  const [contours, points, flags, glyphs, composites, boxes, instructions] = lengths.map((length) => header.take(length)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const streams: Streams = {
    contours: new Bytes(contours),
    points: new Bytes(points),
    flags: new Bytes(flags),
    glyphs: new Bytes(glyphs),
    composites: new Bytes(composites),
    // One bit per glyph tells whether its box is included; the boxes follow.
    boxes: new Bytes(boxes, Math.ceil(count / 32) * 4),
    instructions: new Bytes(instructions),
  }
  const rebuilt = Array.from({ length: count }, (_, index) => {
    const boxed = ((boxes[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0
    return glyphOf(streams, boxed)
  })
  return { ...glyphTables(rebuilt.map(({ bytes }) => bytes)), least: rebuilt.map(({ left }) => left) }
}

type Glyph = { bytes: Uint8Array; left: number }

function glyphOf(streams: Streams, boxed: boolean): Glyph {
  const contours = streams.contours.i16()
  if (contours === 0) return { bytes: new Uint8Array(0), left: 0 }
  return contours < 0 ? composite(streams) : simple(streams, contours, boxed)
}

function simple({ points, flags, glyphs, boxes, instructions }: Streams, contours: number, boxed: boolean): Glyph {
  const outline = emptyOutline()
  let count = 0
  for (let contour = 0; contour < contours; contour++) {
    count += points.short255()
    outline.ends.push(count - 1)
  }
  let x = 0
  let y = 0
  for (let point = 0; point < count; point++) {
    const flag = flags.u8()
    x += stepAcross(flag & 0x7f, glyphs)
    y += stepUp(flag & 0x7f, glyphs)
    outline.x.push(x)
    outline.y.push(y)
    outline.on.push(flag < 0x80 ? 1 : 0)
  }
  // Hints are useless here, and would not fit other weights.
  instructions.skip(glyphs.short255())
  if (boxed) boxes.skip(8)
  const bytes = simpleGlyph(outline)
  return { bytes, left: bytes.length === 0 ? 0 : new Bytes(bytes, 2).i16() }
}

const signed = (bits: number, size: number): number => (bits & 1 ? size : -size)

// The next point's offset from the last (WOFF2 §5.2, table of triplets). Both directions may share a byte: the first leaves it for the
// second.

function stepAcross(flag: number, from: Bytes): number {
  if (flag < 10) return 0
  if (flag < 20) return signed(flag, (((flag - 10) & 14) << 7) + from.u8())
  if (flag < 84) return signed(flag, 1 + ((flag - 20) & 0x30) + (from.peek() >> 4))
  if (flag < 120) return signed(flag, 1 + (Math.floor((flag - 84) / 12) << 8) + from.u8())
  if (flag < 124) return signed(flag, (from.u8() << 4) + (from.peek() >> 4))
  return signed(flag, from.u16())
}

function stepUp(flag: number, from: Bytes): number {
  if (flag < 10) return signed(flag, ((flag & 14) << 7) + from.u8())
  if (flag < 20) return 0
  if (flag < 84) return signed(flag >> 1, 1 + (((flag - 20) & 0x0c) << 2) + (from.u8() & 0x0f))
  if (flag < 120) return signed(flag >> 1, 1 + ((((flag - 84) % 12) >> 2) << 8) + from.u8())
  if (flag < 124) return signed(flag >> 1, ((from.u8() & 0x0f) << 8) + from.u8())
  return signed(flag >> 1, from.u16())
}

const wide = 0x0001
const scaled = 0x0008
const more = 0x0020
const scaledTwice = 0x0040
const turned = 0x0080
const hinted = 0x0100

function composite({ glyphs, composites, boxes, instructions }: Streams): Glyph {
  const parts: Uint8Array[] = []
  let flags = more
  let hints = false
  while (flags & more) {
    flags = composites.u16()
    hints ||= (flags & hinted) !== 0
    const shape = flags & scaled ? 2 : flags & scaledTwice ? 4 : flags & turned ? 8 : 0
    parts.push(words([flags & ~hinted]), composites.take(2 + (flags & wide ? 4 : 2) + shape))
  }
  if (hints) instructions.skip(glyphs.short255())
  // A composite's box is always included.
  const box = boxes.take(8)
  return { bytes: joined([words([-1]), box, ...parts]), left: new Bytes(box).i16() }
}
