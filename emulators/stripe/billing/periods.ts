export interface Period {
  readonly start: number
  readonly end: number
}

export interface Interval {
  readonly interval: string
  readonly interval_count: number
}

/** A time this many intervals after another; shorter months use their last day, as with Stripe (31 January, 28 February, 31 March). */
function plus(seconds: number, { interval, interval_count }: Interval, times: number): number {
  const count = interval_count * times
  if (interval === 'day') return seconds + count * 86_400
  if (interval === 'week') return seconds + count * 7 * 86_400
  const from = new Date(seconds * 1000)
  const months = from.getUTCMonth() + count * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const to = new Date(from)
  to.setUTCFullYear(from.getUTCFullYear(), months, Math.min(from.getUTCDate(), lastDay))
  return Math.floor(to.getTime() / 1000)
}

/** The end of the period that starts at a given time, counted from the anchor, so that a short month doesn't shorten later periods. */
export function periodEnd(anchor: number, start: number, interval: Interval): number {
  let times = 1
  while (plus(anchor, interval, times) <= start) times += 1
  return plus(anchor, interval, times)
}

export const after = (seconds: number, interval: Interval): number => plus(seconds, interval, 1)
