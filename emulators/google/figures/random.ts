/** Randomness as a pure function of numbers: the same property, date and row always yield the same value. */

/** Mixes two 32-bit numbers into one (the finalizer of MurmurHash3). */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ Math.imul(b + 0x7f4a7c15, 0x9e3779b1), 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  h ^= h >>> 16
  h = Math.imul(h, 0x27d4eb2f)
  return (h ^ (h >>> 15)) >>> 0
}

/** A 32-bit hash of a text (FNV-1a, then mixed). */
export function hashText(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return mix(h, text.length)
}

/** A hash as a number in [0, 1). */
export function unit(hash: number): number {
  return hash * 2.3283064365386963e-10
}

/** A standard normal value from a uniform one, by the logistic approximation (good to about 0.01). */
export function normal(u: number): number {
  const clamped = u < 1e-9 ? 1e-9 : u > 1 - 1e-9 ? 1 - 1e-9 : u
  return Math.log(clamped / (1 - clamped)) / 1.702
}

/** A Poisson count with mean `lambda`, from one uniform value; above 20 by its normal approximation. */
export function poisson(lambda: number, u: number): number {
  if (lambda <= 0) return 0
  if (lambda > 20) return Math.max(0, Math.round(lambda + Math.sqrt(lambda) * normal(u)))
  let probability = Math.exp(-lambda)
  if (u <= probability) return 0
  let sum = probability
  let count = 0
  while (u > sum && count < 80) {
    count += 1
    probability *= lambda / count
    sum += probability
  }
  return count
}
