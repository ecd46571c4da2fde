const secondMs = 1000
const firstPauseMs = 30 * secondMs
const longestPauseMs = 3600 * secondMs

/** A message that nobody takes for so long is given up. */
export const patienceMs = 24 * 3600 * secondMs
/** Nor before so many attempts: the clock may have jumped. */
const fewestAttempts = 8

/**
 * When a message that was not taken is tried again: after 30 seconds, doubling up to an hour, spread by a quarter so
 * that messages that failed together do not come back together; not before the pause the other side named.
 * @param attempts how many there were, this one included
 * @param random from 0 to 1
 */
export function nextAttempt(now: Date, attempts: number, retryAfterMs: number | undefined, random: number): Date {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 20))
  return new Date(now.getTime() + Math.max(retryAfterMs ?? 0, pause * (0.75 + random / 4)))
}

export const isGivenUp = (now: Date, attempts: number, giveUpAt: Date): boolean => now >= giveUpAt && attempts >= fewestAttempts
