const secondMs = 1000
const firstPauseMs = 30 * secondMs
const longestPauseMs = 3600 * secondMs

/** A message that nobody accepts for this long is abandoned. */
export const patienceMs = 24 * 3600 * secondMs
/** But not before this many attempts: the clock may have jumped. */
const fewestAttempts = 8

/**
 * When to retry a message: after 30 seconds, doubling up to an hour, spread by a quarter so that messages that failed together don't return
 * together; never before the pause the other side named.
 * @param attempts how many so far, including this one
 * @param random from 0 to 1
 */
export function nextAttempt(now: Date, attempts: number, retryAfterMs: number | undefined, random: number): Date {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 20))
  return new Date(now.getTime() + Math.max(retryAfterMs ?? 0, pause * (0.75 + random / 4)))
}

export const isGivenUp = (now: Date, attempts: number, giveUpAt: Date): boolean => now >= giveUpAt && attempts >= fewestAttempts
