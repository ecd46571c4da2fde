/** Reads a font's numbers in sequence, most significant byte first. */
export class Bytes {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = at
  }

  u8(): number {
    return this.#view.getUint8(this.at++)
  }
  /** Returns the next byte without consuming it. */
  peek(): number {
    return this.#view.getUint8(this.at)
  }
  u16(): number {
    this.at += 2
    return this.#view.getUint16(this.at - 2)
  }
  i16(): number {
    this.at += 2
    return this.#view.getInt16(this.at - 2)
  }
  u32(): number {
    this.at += 4
    return this.#view.getUint32(this.at - 4)
  }
  /** Seven bits per byte; the last byte has its eighth bit clear. */
  base128(): number {
    let value = 0
    for (let byte = 0x80; byte & 0x80;) {
      byte = this.u8()
      value = value * 128 + (byte & 0x7f)
    }
    return value
  }
  /** A 16-bit number in one, two or three bytes. */
  short255(): number {
    const first = this.u8()
    if (first === 253) return this.u16()
    if (first === 254) return this.u8() + 506
    return first === 255 ? this.u8() + 253 : first
  }
  skip(count: number): void {
    this.at += count
  }
  /** The next bytes, without copying. */
  take(count: number): Uint8Array {
    if (this.at + count > this.#bytes.length) throw new RangeError('The font ends too early')
    this.at += count
    return this.#bytes.subarray(this.at - count, this.at)
  }
}

/** 16-bit numbers, signed or unsigned. */
export function words(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 2))
  for (const [index, value] of values.entries()) view.setUint16(index * 2, value & 0xffff)
  return new Uint8Array(view.buffer)
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
