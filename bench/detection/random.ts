/** Numbers between 0 and 1, always the same for the same seed (mulberry32). */
export type Random = () => number

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export const between = (random: Random, low: number, high: number): number => low + (high - low) * random()

/** Standard normal (Box and Muller). */
export const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Gamma with mean `shape` (Marsaglia and Tsang). */
export function gamma(random: Random, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * (1 - random()) ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const x = normal(random)
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}

export function poisson(random: Random, mean: number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)))
  const limit = Math.exp(-mean)
  let [count, product] = [0, 1 - random()]
  while (product > limit) {
    product *= 1 - random()
    count += 1
  }
  return count
}

/** How many of `count` remain if each remains with probability `share`. */
export function thinned(random: Random, count: number, share: number): number {
  if (count > 200) {
    const spread = Math.sqrt(count * share * (1 - share))
    return Math.min(count, Math.max(0, Math.round(count * share + spread * normal(random))))
  }
  let left = 0
  for (let i = 0; i < count; i++) if (random() < share) left += 1
  return left
}
