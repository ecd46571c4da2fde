/** Keys that are watched for repetition at most; the table then holds 64 MiB. */
export const maxKeys = 4_000_000

/**
 * Remembers 64 bits of each key instead of the key: four million rows of any length in bounded
 * memory. Two different keys look alike once in about two million such files.
 */
export function createKeySet() {
  let slots = 1 << 12
  let table = new Uint32Array(slots * 2)
  let size = 0

  function grow(): void {
    const larger = new Uint32Array(slots * 4)
    for (let at = 0; at < table.length; at += 2) {
      const [high, low] = [table[at] as number, table[at + 1] as number]
      if (high !== 0 || low !== 0) place(larger, slots * 2, high, low)
    }
    table = larger
    slots *= 2
  }

  return {
    /** Whether no more keys are taken in. */
    get full(): boolean {
      return size >= maxKeys
    },
    /** False when the key was there before. */
    add(key: string): boolean {
      if (size * 2 >= slots) grow()
      const [high, low] = hash(key)
      const added = place(table, slots, high, low)
      if (added) size += 1
      return added
    },
  }
}

/** Puts a key into its slot or the next free one; false when it is there. */
function place(into: Uint32Array, count: number, high: number, low: number): boolean {
  for (let at = (low & (count - 1)) * 2; ; at = (at + 2) & (count * 2 - 1)) {
    if (into[at] === 0 && into[at + 1] === 0) {
      into[at] = high
      into[at + 1] = low
      return true
    }
    if (into[at] === high && into[at + 1] === low) return false
  }
}

/** A day and the values of some dimensions as one text that no other values make. */
export function keyOf(date: string, values: readonly string[]): string {
  let key = date
  for (const value of values) key += `\n${value.length}:${value}`
  return key
}

/** Two 32-bit lanes over the UTF-16 units (cyrb53's mixing); never both zero, which marks a free slot. */
function hash(text: string): [number, number] {
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
