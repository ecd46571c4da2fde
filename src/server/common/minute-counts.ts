/** Counts by name in this process alone, from zero again each minute: unlike shared limits (platform/shared-limits.ts), it takes no query. */
export function createMinuteCounts(now: () => number = () => performance.now()) {
  let minute = 0
  let counts = new Map<string, number>()
  return {
    /** Whether this is among the first `max` of the current minute. */
    isWithin(name: string, max: number): boolean {
      const current = Math.floor(now() / 60_000)
      if (current !== minute) {
        minute = current
        counts = new Map()
      }
      const count = (counts.get(name) ?? 0) + 1
      // What is refused isn't counted on: it must not cost memory or a later minute.
      if (count > max) return false
      counts.set(name, count)
      return true
    },
  }
}
export type MinuteCounts = ReturnType<typeof createMinuteCounts>
