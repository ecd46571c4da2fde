import { losAngelesDay, parseDay, startOfDay } from './dates.ts'

/** The stand-in's time; set by tests, otherwise the real clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Today's day number in Los Angeles. */
  today(): number
  /** Fraction of the Los Angeles day that has passed, 0 to 1. */
  dayShare(): number
  /** Freezes the clock at an ISO date (noon in Los Angeles) or datetime; null returns to the real clock. */
  set(value: string | null): boolean
  /** The frozen value as given, or null. */
  frozen(): string | null
}

/** @returns a clock that follows the real one until it is set. */
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
