/** Repeatable randomness: the same seed gives the same rolls. */
export type Dice = {
  /** An integer from `from` to `to`, both included. */
  whole(from: number, to: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** One of these, by weight. */
  weighted<T>(list: readonly (readonly [thing: T, weight: number])[]): T
}

/** Mulberry32: small, and uniform enough to pick moments and victims. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const at = <T>(list: readonly T[], index: number): T => {
    const found = list[index]
    if (found === undefined) throw new Error('There is nothing to choose from')
    return found
  }
  return {
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (share) => next() < share,
    pick: (list) => at(list, Math.floor(next() * list.length)),
    weighted(list) {
      let left = next() * list.reduce((sum, [, weight]) => sum + weight, 0)
      const found = list.find(([, weight]) => (left -= weight) < 0) ?? at(list, list.length - 1)
      return found[0]
    },
  }
}
