import { losAngelesDay, parseDay, startOfDay } from './dates.ts'

/** What time the stand-in believes it is; tests set it, otherwise it is the real clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Today's day number in Los Angeles. */
  today(): number
  /** Share of the Los Angeles day that has passed, 0 to 1. */
  dayShare(): number
  /** Freezes the clock at an ISO date (noon in Los Angeles) or datetime; null goes back to the real clock. */
  set(value: string | null): boolean
  /** The frozen value as it was given, or null. */
  frozen(): string | null
}

/** @returns a clock that runs with the real one until it is set. */
export function createClock(initial: string | null): Clock {
  let frozenAt: { text: string; ms: number } | null = null
  const clock: Clock = {
    now: () => frozenAt?.ms ?? Date.now(),
    today: () => losAngelesDay(clock.now()),
    dayShare: () => {
      const now = clock.now()
      const day = losAngelesDay(now)
      const start = startOfDay(day)
      return Math.min(1, Math.max(0, (now - start) / (startOfDay(day + 1) - start)))
    },
    set: (value) => {
      if (value === null) {
        frozenAt = null
        return true
      }
      const day = parseDay(value)
      const ms = day === undefined ? Date.parse(value) : startOfDay(day) + 12 * 3_600_000
      if (Number.isNaN(ms)) return false
      frozenAt = { text: value, ms }
      return true
    },
    frozen: () => frozenAt?.text ?? null,
  }
  if (initial !== null && !clock.set(initial)) throw new Error(`not a date: ${initial}`)
  return clock
}
