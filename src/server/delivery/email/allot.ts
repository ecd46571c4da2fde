/** Shares so many places out among those who want some: one each in their order, then another one each, until none are left. */
export function allot(wanted: readonly number[], places: number): number[] {
  const given = wanted.map(() => 0)
  let left = places
  for (let round = 1; left > 0 && wanted.some((count) => count >= round); round += 1) {
    for (const [at, count] of wanted.entries()) {
      if (count < round || left === 0) continue
      given[at] = round
      left -= 1
    }
  }
  return given
}
