import {
  calibrate,
  calibrateSmall,
  type Calibration,
  comparableTo,
  type Confirmed,
  monthsBetween,
  monthsSeen,
  type Sensitivity,
  smallLimitOf,
  smallMonthsBetween,
  thresholdOf,
  uncalibrated,
  withoutConfirmed,
  withoutExtremes,
  withOutages,
} from './calibration.ts'
import { burstsBefore, isBetweenBursts, isFallOver } from './bursts.ts'
import type { Direction } from './expectation.ts'
import { isOutage, type Outage } from './outages.ts'
import { fewestPastDays, lastingShare, scan, type Scored, type ScanState } from './scan.ts'
import { type DailyCounts, type IsHoliday, prepare, type Prepared } from './series.ts'
import { testSmall, smallBelow, type SmallVerdict } from './small-counts.ts'
import { residualOf } from './windows.ts'

/** The state carried from one evening to the next, as JSON. It equals that of evaluating the whole series from scratch. */
export type DetectorState = {
  /** Evaluated days, from the first of the series on. */
  days: number
  scan: ScanState
  calibration: Record<Direction, Calibration>
  thresholds: Record<Direction, Calibration>
  /** The same for the days on which the site was small. */
  small: Record<'calibration' | 'thresholds', Record<Direction, Calibration>>
  /** The first day that a site's expectations may rest on if it is small by now, by number; null: any. */
  usualSince: number | null
}

/** What the evaluation of a day found in one direction. */
export type Deviation = {
  direction: Direction
  /** Length of the window that shows it most clearly, which ends on the evaluated day. */
  length: number
  actual: number
  expected: number
  /** The factor by which last year's season changes what would otherwise be usual; absent without a season. */
  seasonal?: number
  /** Compared days of the window, without holidays and unknown days. */
  days: number
  /**
   * How far beyond the usual, in alarm limits. It may be above 1 without an alarm, for a change that only keeps an open alert open.
   */
  ratio: number
  isAlarm: boolean
  /** About how many months pass between changes of this size here while nothing happens. */
  months: number
  /** So far beyond the alarm limit that a false alarm is unlikely. */
  isCertain: boolean
  /** The last day's share of its expectation; null if too little was expected. */
  lastDay: number | null
}
export type Verdict = { day: number } & Record<Direction, Deviation | null>

/** How far a score must exceed its threshold to be certain. */
export const certain = 1.4
/** The same for the probability of a small count. */
const certainShare = 0.05
const weeksAYear = 52

export type DetectOptions = {
  isHoliday: IsHoliday
  sensitivity: Sensitivity
  /**
   * Changes that don't count against the series. They are read when a day is evaluated and aren't part of the state, so they may change.
   */
  confirmed?: readonly Confirmed[]
}

/**
 * Evaluates the days of a series that `state` hasn't covered, each as it could have been evaluated on its own evening.
 * @param counts all days from the first on, evaluated before or not
 * @param state null to begin with the first day
 */
export function detect(counts: DailyCounts, { isHoliday, sensitivity, confirmed = [] }: DetectOptions, state: DetectorState | null) {
  const series = prepare(counts, isHoliday)
  const scanned = scan(series, state?.scan ?? null)
  const calibration = state ? { ...state.calibration } : { fall: uncalibrated, rise: uncalibrated }
  const thresholds = state ? { ...state.thresholds } : { fall: uncalibrated, rise: uncalibrated }
  const small = {
    calibration: { ...(state?.small.calibration ?? { fall: uncalibrated, rise: uncalibrated }) },
    thresholds: { ...(state?.small.thresholds ?? { fall: uncalibrated, rise: uncalibrated }) },
  }
  let usualSince = state?.usualSince ?? null
  const verdicts = scanned.days.map((scannedDay): Verdict => {
    const end = scannedDay.day - series.first
    const isSmall = isSmallAt(series, end)
    if (!isSmall && scannedDay.fall)
      calibration.fall = withOutages(calibration.fall, outagesOver(series, scannedDay.over, scannedDay.fall.opening))
    const deviationIn = (direction: Direction): Deviation | null => {
      const scored = scannedDay[direction]
      // Once a week, on the same weekday whenever the evaluation began.
      if (scannedDay.day % 7 === 0) {
        thresholds[direction] = calibration[direction]
        small.thresholds[direction] = small.calibration[direction]
      }
      if (isSmall) {
        const verdict = testSmall(series, direction, end, usualSince === null ? 0 : usualSince - series.first)
        small.calibration[direction] = calibrateSmall(small.calibration[direction], scannedDay.day, verdict?.isAlarm ? ratioOf(verdict) : 0)
        const seen = small.thresholds[direction]
        return verdict && smallDeviation(verdict, direction, { seen, against: withoutConfirmed(seen, direction, confirmed) }, sensitivity)
      }
      calibration[direction] = calibrate(calibration[direction], scannedDay.day, scored?.opening.score ?? 0, {
        isOutage: scored !== null && isOutage(residualOf(scored.opening.actual, scored.opening.expected)),
      })
      if (!scored) return null
      const past = withoutConfirmed(thresholds[direction], direction, confirmed)
      // Between bursts, what looks like an outage is as usual as a fall of any other size.
      const isLikeAny = past.peaks.some(({ outage }) => outage !== undefined) && burstsBefore(series, end, scored.opening).isIn
      const isOver = ({ first, last }: { first: number; last: number }): boolean =>
        isFallOver(series, { first: first - series.first, last: last - series.first }, end)
      const likeOf = ({ gone }: Scored, of = past): Calibration => (isLikeAny ? of : comparableTo(of, gone))
      const { window, against, threshold, isAlarm } = furthestOf(scored.windows, {
        pastOf: (each) => (direction === 'rise' ? likeOf(each) : withoutExtremes(likeOf(each), scannedDay.day, isOver)),
        direction,
        sensitivity,
      })
      const { lasting: score, length, actual, expected, seasonal, days, lastDay } = window
      return {
        direction,
        length,
        actual,
        expected,
        ...(seasonal !== 1 && { seasonal }),
        days,
        ratio: score / threshold,
        isAlarm,
        months: Math.min(monthsBetween(against, score), monthsSeen(likeOf(window, thresholds[direction]), score, scannedDay.day)),
        isCertain: score >= threshold + certain,
        lastDay,
      }
    }
    const inDirection = (direction: Direction): Deviation | null => {
      const found = deviationIn(direction)
      return found && found.ratio > 0 && isBetweenBursts(series, end, found) ? { ...found, ratio: 0, isAlarm: false } : found
    }
    const [fall, rise] = [inDirection('fall'), inDirection('rise')]
    if (!isSmall)
      usualSince = usualSinceOf(
        Math.max(0, ...(scannedDay.fall?.windows.map(({ lasting }) => lasting) ?? [])),
        calibration.fall,
        thresholds.fall,
      )
    return { day: scannedDay.day, fall, rise }
  })
  const days = counts.counts.length
  return { verdicts, state: { days, scan: scanned.state, calibration, thresholds, small, usualSince } satisfies DetectorState }
}

/** The window that is furthest beyond its threshold: of those that open an alert, or else of those that keep one open. */
function furthestOf(
  windows: readonly Scored[],
  { pastOf, direction, sensitivity }: { pastOf: (window: Scored) => Calibration; direction: Direction; sensitivity: Sensitivity },
) {
  const compared = windows.map((window) => {
    const against = pastOf(window)
    const threshold = thresholdOf(against, direction, sensitivity)
    const isAlarm = window.score >= threshold
    return { window, against, threshold, isAlarm, ratio: (isAlarm ? window.score : window.lasting) / threshold }
  })
  const alarms = compared.filter(({ isAlarm }) => isAlarm)
  return (alarms.length > 0 ? alarms : compared).reduce((most, each) => (each.ratio > most.ratio ? each : most))
}

/** Outages that are over, of a level at which next to nothing isn't chance. */
const outagesOver = (series: Prepared, over: readonly Outage[], { expected, days }: Scored) =>
  expected < smallBelow * days ? [] : over.map(({ start, end }) => ({ from: series.first + start, days: end - start }))

/** How many days are evaluated before others get a turn: some tens of milliseconds. */
const daysAtOnce = 200

/**
 * `detect` for a history of any length: an import may go back decades, and all of it at once would keep everybody waiting.
 * @param pause waited for between parts
 */
export async function detectInParts(
  counts: DailyCounts,
  options: DetectOptions,
  state: DetectorState | null,
  pause: () => Promise<void>,
): Promise<ReturnType<typeof detect>> {
  const all = counts.counts.length
  const verdicts: Verdict[] = []
  for (let kept = state; ; await pause()) {
    const upTo = Math.min(all, (kept?.days ?? 0) + daysAtOnce)
    const part = detect({ ...counts, counts: counts.counts.slice(0, upTo) }, options, kept)
    verdicts.push(...part.verdicts)
    kept = part.state
    if (upTo === all) return { verdicts, state: kept }
  }
}

/** Whether a day is evaluated by the probability of its counts: with few of them, logarithms say little. */
export const isSmallAt = (series: Prepared, end: number): boolean => end < fewestPastDays || meanBefore(series, end) < smallBelow

/**
 * A drop that makes a site small is found while it is larger. If that is over by then, the level it left is the usual one, and the days
 * before would report it again; if not, it is over when small sites' rules say so.
 * @param score of the latest day
 */
function usualSinceOf(score: number, calibration: Calibration, thresholds: Calibration): number | null {
  const threshold = comparableTo(thresholds, 0)
  if (score >= lastingShare * thresholdOf(threshold, 'fall', 'normal')) return null
  const latest = calibration.peaks.at(-1)
  return latest && latest.highest >= thresholdOf(threshold, 'fall', 'high') ? latest.first : null
}

/** How far a small count is beyond the limit of an alarm, in such limits. */
const ratioOf = ({ probability, below }: SmallVerdict): number => Math.log(probability) / Math.log(below)

/** `seen`: everything that the site has had, which says how rare this is; `against`: without what was rated as real. */
function smallDeviation(
  verdict: SmallVerdict,
  direction: Direction,
  { seen, against }: Record<'seen' | 'against', Calibration>,
  sensitivity: Sensitivity,
): Deviation {
  const { length, actual, expected, days, probability, isAlarm, below } = verdict
  const ratio = ratioOf(verdict) / smallLimitOf(against, direction, sensitivity)
  return {
    direction,
    length,
    actual,
    expected,
    days,
    ratio,
    isAlarm: isAlarm && ratio >= 1,
    months: Math.min(60, 12 / (weeksAYear * probability), smallMonthsBetween(seen, direction, ratioOf(verdict))),
    isCertain: probability <= certainShare * below,
    lastDay: null,
  }
}

/** Mean of the known days in the eight preceding weeks; 0 without any. */
function meanBefore({ counts, known }: Prepared, end: number): number {
  let [sum, days] = [0, 0]
  for (let i = Math.max(0, end - 56); i < end; i++) {
    if (known[i] !== 1) continue
    sum += counts[i] as number
    days += 1
  }
  return days === 0 ? 0 : sum / days
}
