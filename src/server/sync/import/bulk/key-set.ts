/** Maximum number of keys checked for repetition; the table then takes 64 MiB. */
const maxKeys = 4_000_000

/**
 * Maximum number of slots probed for a key. Tables are half empty, so chance leads nowhere near it; keys that somebody chose to collide would
 * otherwise be looked for in all of them, while everybody waits.
 */
const mostProbes = 256

/** Many small tables, since doubling a single large one would block everything else for a long time. */
const segments = 64

type Segment = { slots: number; size: number; table: Uint32Array }

/**
 * Remembers 64 bits of each key instead of the key: four million rows of any length in bounded memory. Two different keys collide about
 * once in two million such files.
 */
export function createKeySet() {
  const all: Segment[] = Array.from({ length: segments }, () => ({ slots: 64, size: 0, table: new Uint32Array(128) }))
  let size = 0
  let isCrowded = false

  return {
    /** Whether it takes no more keys: there are too many, or too many of them share a slot. */
    get full(): boolean {
      return isCrowded || size >= maxKeys
    },
    /** Returns false if the key was there before. */
    add(key: string): boolean {
      const [high, low] = hash(key)
      const segment = all[high % segments] as Segment
      if (segment.size * 2 >= segment.slots && !grow(segment)) isCrowded = true
      const added = place(segment.table, segment.slots, high, low)
      if (added === null) isCrowded = true
      if (added) {
        segment.size += 1
        size += 1
      }
      return added !== false
    },
  }
}

/** Returns false if the larger table can't take all keys. */
function grow(segment: Segment): boolean {
  const { table } = segment
  segment.slots *= 2
  segment.table = new Uint32Array(segment.slots * 2)
  for (let at = 0; at < table.length; at += 2) {
    const [high, low] = [table[at] as number, table[at + 1] as number]
    if ((high !== 0 || low !== 0) && place(segment.table, segment.slots, high, low) === null) return false
  }
  return true
}

/** Puts a key into its slot or the next free one; returns false if it is there already, null if none of the next slots is free. */
function place(into: Uint32Array, count: number, high: number, low: number): boolean | null {
  let at = (low & (count - 1)) * 2
  for (let probes = 0; probes < mostProbes; probes++) {
    if (into[at] === 0 && into[at + 1] === 0) {
      into[at] = high
      into[at + 1] = low
      return true
    }
    if (into[at] === high && into[at + 1] === low) return false
    at = (at + 2) & (count * 2 - 1)
  }
  return null
}

/** A day and the values of some dimensions as an unambiguous string. */
export function keyOf(date: string, values: readonly string[]): string {
  let key = date
  for (const value of values) key += `\n${value.length}:${value}`
  return key
}

/** Two 32-bit lanes over the UTF-16 units (cyrb53's mixing); never both zero, which marks a free slot. */
export function hash(text: string): [number, number] {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit, 0x5f356495)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return [a >>> 0, (b | (a === 0 ? 1 : 0)) >>> 0]
}
