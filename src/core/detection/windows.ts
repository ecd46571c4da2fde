import { type Expectation, expectationBefore, outagesBefore } from './expectation.ts'
import { goneShare, isWithin, type Outage } from './outages.ts'
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
  /** Number of compared days with next to nothing. */
  gone: number
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
  const without = new Map<number, Expectation | null>()
  const regardless = new Map<number, Expectation | null>()
  let [over, evening]: [readonly Outage[], number] = [[], -1]
  return {
    /** Outages that are over by the evening of the day with index `end`. */
    over(end: number): readonly Outage[] {
      if (end === evening) return over
      const known = outagesBefore(series, end + 1)
      const isSame =
        known.length === over.length && known.every(({ start, end: last }, i) => over[i]?.start === start && over[i].end === last)
      if (!isSame) without.clear()
      ;[over, evening] = [known, end]
      return over
    },
    /** Before the day with index `from`; `outages` are those that are over, or none to count their days like any other. */
    before(from: number, outages: readonly Outage[]): Expectation | null {
      const kept = outages.length === 0 ? regardless : without
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
 * Compares the window of `length` days that ends at index `end`, without the days of `outages`; null if too little of it or its past
 * is known.
 */
export function compareWindow(
  series: Prepared,
  expectations: Expectations,
  { end, length, days: which, outages }: { end: number; length: number; days: DaysCompared; outages: readonly Outage[] },
): Compared | null {
  const start = end - length + 1
  const expectation = start < 0 ? null : expectations.before(start, outages)
  if (!expectation) return null
  const isCompared = series[which]
  let [actual, share, days, gone] = [0, 0, 0, 0]
  let last: Compared['last'] = null
  for (let i = start; i <= end; i++) {
    if (isCompared[i] !== 1 || (outages.length > 0 && isWithin(outages, i))) continue
    const ofDay = { actual: series.counts[i] as number, share: expectation.shares[weekdayOf(series, i)] as number }
    actual += ofDay.actual
    share += ofDay.share
    days += 1
    if (ofDay.actual < goneShare * expectation.level.fall * ofDay.share) gone += 1
    if (i === end) last = ofDay
  }
  return days < fewestOf(length) ? null : { actual, share, level: expectation.level, days, gone, last }
}

/** Natural logarithm of actual over expected. */
export const residualOf = (actual: number, expected: number): number => Math.log((actual + 0.5) / (expected + 0.5))
