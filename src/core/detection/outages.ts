import { median } from './robust.ts'

/** A day below this share of its usual level is part of an outage. */
export const goneShare = 1 / 5
/** A day above this share has left it; between the two, it may be either. */
export const backShare = 2 / 5
/** A count beyond this many times its expectation is a return, not a rise: next to nothing was expected. */
const returnTimes = 20
/** Minimum days in a row of the return that ends an outage. */
const fewestBack = 3

/** Whether a window's residual (windows.ts) shows an outage or its end: neither tells how far a series varies by itself. */
export const isOutage = (residual: number): boolean => residual <= Math.log(goneShare) || residual >= Math.log(returnTimes)

/** Days of an outage, as indexes: from `start` to before `end`; `over` is the day whose evening showed that it was over. */
export type Outage = { start: number; end: number; over: number }

export const isWithin = (outages: readonly Outage[], i: number): boolean => outages.some(({ start, end }) => start <= i && i < end)

/**
 * Outages that are over. One that lasts isn't among them: it may be the new level.
 * @param levels logarithms without the effect of weekdays
 */
export function endedOutages(levels: Float64Array): Outage[] {
  const usual = median(levels)
  const [gone, isBack] = [usual + Math.log(goneShare), usual + Math.log(backShare)]
  const ended: Outage[] = []
  let [start, end, back] = [-1, -1, 0]
  for (let i = 0; i < levels.length; i++) {
    if ((levels[i] as number) < gone) {
      if (start < 0) start = i
      end = i + 1
      back = 0
    } else if ((levels[i] as number) < isBack) {
      back = 0
    } else if (start >= 0 && ++back === fewestBack) {
      ended.push({ start, end, over: i })
      start = -1
    }
  }
  return ended
}
