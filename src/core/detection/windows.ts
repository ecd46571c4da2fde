import { type Expectation, expectationBefore, outagesBefore } from './expectation.ts'
import { isWithin, type Outage } from './outages.ts'
import { type Prepared, weekdayOf } from './series.ts'

/** Lengths of the windows that end on the evaluated day: short ones catch sudden changes, long ones small changes. */
export const windowLengths = [3, 5, 7, 10, 14] as const
export type WindowLength = (typeof windowLengths)[number]

/** Which days of a window are compared: ordinary days, or all known days. */
export type DaysCompared = 'ordinary' | 'known'

export type Compared = {
  actual: number
  /** The compared days in units of average days: a level times this is their expected count. */
  share: number
  level: Expectation['level']
  /** Number of compared days. */
  days: number
  /** For the last day of the window; null if it wasn't compared. */
  last: { actual: number; share: number } | null
}

/** Minimum compared days of a window: fewer say nothing. */
const fewestOf = (length: number): number => (length === 3 ? 2 : 3)

/**
 * What is known of one series on one evening. Expectations are computed once, until another outage is over: windows with different ends may
 * begin on the same day.
 */
export function createExpectations(series: Prepared) {
  const kept = new Map<number, Expectation | null>()
  let [outages, evening]: [readonly Outage[], number] = [[], -1]
  return {
    /** Outages that are over by the evening of the day with index `end`. */
    outages(end: number): readonly Outage[] {
      if (end === evening) return outages
      const known = outagesBefore(series, end + 1)
      const isSame =
        known.length === outages.length && known.every(({ start, end: over }, i) => outages[i]?.start === start && outages[i].end === over)
      if (!isSame) kept.clear()
      ;[outages, evening] = [known, end]
      return outages
    },
    /** Before the day with index `from`, going by those outages. */
    before(from: number): Expectation | null {
      let expectation = kept.get(from)
      if (expectation === undefined) {
        expectation = expectationBefore(series, from, outages)
        kept.set(from, expectation)
      }
      return expectation
    },
  }
}
export type Expectations = ReturnType<typeof createExpectations>

/**
 * Compares the window of `length` days that ends at index `end`, without days of an outage that is over; null if too little of it or its past
 * is known.
 */
export function compareWindow(
  series: Prepared,
  expectations: Expectations,
  { end, length, days: which }: { end: number; length: number; days: DaysCompared },
): Compared | null {
  const start = end - length + 1
  const outages = expectations.outages(end)
  const expectation = start < 0 ? null : expectations.before(start)
  if (!expectation) return null
  const isCompared = series[which]
  let [actual, share, days] = [0, 0, 0]
  let last: Compared['last'] = null
  for (let i = start; i <= end; i++) {
    if (isCompared[i] !== 1 || (outages.length > 0 && isWithin(outages, i))) continue
    const ofDay = { actual: series.counts[i] as number, share: expectation.shares[weekdayOf(series, i)] as number }
    actual += ofDay.actual
    share += ofDay.share
    days += 1
    if (i === end) last = ofDay
  }
  return days < fewestOf(length) ? null : { actual, share, level: expectation.level, days, last }
}

/** Natural logarithm of actual over expected. */
export const residualOf = (actual: number, expected: number): number => Math.log((actual + 0.5) / (expected + 0.5))
