import type { Direction } from './expectation.ts'
import { clamp } from './robust.ts'
import { yearDays } from './year-ago.ts'

/** How many false alarms a year a rule may give. */
export const sensitivities = { low: 0.5, normal: 1, high: 2 } as const
export type Sensitivity = keyof typeof sensitivities

/** Their split between directions: a rise reported late harms nobody. */
export const shareOf: Record<Direction, number> = { fall: 0.65, rise: 0.35 }

/** Scores from here on belong to a peak. */
const peakFrom = 1.6
/** How many days without such a score end a peak. */
const peakGap = 14
/** Prior of an ordinary series, with its weight in peaks and years: mean excess beyond `peakFrom`, and peaks a year. */
const ordinary = { peaks: 6, excess: 0.541, count: 4.57, years: 1 }
/** No threshold goes below these. */
const floors: Record<Sensitivity, number> = { low: 2.85, normal: 2.5, high: 2.2 }
/**
 * The same for the alarms of small sites, which are measured in alarm limits of their probability (small-counts.ts): while nothing happens,
 * their excess is that of a probability of 1 to 1.5%. The prior has as many alarms a year as the chosen sensitivity.
 */
const ofSmall = { from: 1, peaks: 6, excess: 0.24, years: 1 }
/** More outages a year than this are how a series behaves, as on a site that Google shows in bursts. */
const mostOutages = 2
/** An extreme peak's excess, as a multiple of the mean of the lower ones; and how many days from its day last year a season may be. */
const extreme = 4
const season = 28
/** The surcharge for a series with a short past, and the number of evaluated days after which it is gone. */
const young = { margin: 0.5, days: 120 }

/**
 * `isOutage`: its score is that of an outage or of its end (outages.ts), which is no false alarm unless there are many. `outage`: how long
 * the outage that it belongs to took, in days, once that is over; a site shown in bursts has none, since it usually has next to nothing.
 */
type Peak = { first: number; last: number; highest: number; isOutage?: boolean; outage?: number }

/** How often a series' scores reached each height in its own past. */
export type Calibration = {
  judgedDays: number
  /** Closed and open peaks, oldest first: the day of a peak's latest score, and its highest score. */
  peaks: Peak[]
}

/** A change rated as real: the day it was found and the last day that showed it, by number. */
export type Confirmed = { direction: Direction; from: number; to: number }

/** The same without the peaks of changes confirmed in this direction, which were no false alarms. Their days still count as evaluated. */
export function withoutConfirmed(calibration: Calibration, direction: Direction, confirmed: readonly Confirmed[]): Calibration {
  const real = confirmed.filter((each) => each.direction === direction)
  if (real.length === 0) return calibration
  return { ...calibration, peaks: calibration.peaks.filter(({ first, last }) => !real.some(({ from, to }) => first <= to && last >= from)) }
}

export const uncalibrated: Calibration = { judgedDays: 0, peaks: [] }

/** Adds an evaluated day. `isOutage`: its score is that of an outage or of its end. */
export function calibrate(
  { judgedDays, peaks }: Calibration,
  day: number,
  score: number,
  { isOutage = false, from = peakFrom } = {},
): Calibration {
  if (score < from) return { judgedDays: judgedDays + 1, peaks }
  const latest = peaks.at(-1)
  const isSame = latest !== undefined && day - latest.last < peakGap
  const peak: Peak = isSame ? { ...latest, last: day, highest: Math.max(latest.highest, score) } : { first: day, last: day, highest: score }
  if (isOutage) peak.isOutage = true
  return { judgedDays: judgedDays + 1, peaks: isSame ? [...peaks.slice(0, -1), peak] : [...peaks, peak] }
}

/** The same once outages are over: peaks on their days belong to them. */
export function withOutages(calibration: Calibration, over: readonly { from: number; days: number }[]): Calibration {
  const lengthOf = ({ first, last, outage = 0 }: Peak): number =>
    over.reduce((longest, { from, days }) => (first < from + days && last >= from ? Math.max(longest, days) : longest), outage)
  if (calibration.peaks.every((peak) => lengthOf(peak) === (peak.outage ?? 0))) return calibration
  return {
    ...calibration,
    peaks: calibration.peaks.map((peak) => {
      const outage = lengthOf(peak)
      return outage === 0 ? peak : { ...peak, outage }
    }),
  }
}

/**
 * What a fall with this many days of next to nothing is compared with. Past outages show how often the series has one, not how far
 * it varies otherwise: a fall without such days is no outage, and one with more of them than any past outage is more than an outage.
 */
export function comparableTo(calibration: Calibration, gone: number): Calibration {
  const longest = calibration.peaks.reduce((most, { outage = 0 }) => Math.max(most, outage), 0)
  if (longest === 0 || (gone > 0 && gone <= longest)) return calibration
  return { ...calibration, peaks: calibration.peaks.filter(({ outage }) => outage === undefined) }
}

/**
 * The same, with extreme peaks lowered if their changes are over: a few of those, such as repaired faults, don't show how far a series
 * varies by itself; many do. What happened around the same day last year may happen again.
 */
export function withoutExtremes(
  calibration: Calibration,
  day: number,
  isOver: (peak: Pick<Peak, 'first' | 'last'>) => boolean,
): Calibration {
  const lastYear = day - yearDays
  let [sum, count] = [ordinary.peaks * ordinary.excess, ordinary.peaks]
  const lowered = new Map<Peak, Peak>()
  for (const peak of calibration.peaks.toSorted((a, b) => a.highest - b.highest)) {
    const most = peakFrom + (extreme * sum) / count
    const isSeason = peak.first <= lastYear + season && peak.last >= lastYear - season
    // Outages have their own rules.
    const isKept = peak.highest <= most || peak.isOutage === true || peak.outage !== undefined || isSeason || !isOver(peak)
    const highest = isKept ? peak.highest : most
    if (highest < peak.highest) lowered.set(peak, { ...peak, highest })
    sum += highest - peakFrom
    count += 1
  }
  return lowered.size === 0 ? calibration : { ...calibration, peaks: calibration.peaks.map((peak) => lowered.get(peak) ?? peak) }
}

/** Mean excess of a series' peaks, and peaks a year, shrunk toward those of ordinary series. Excesses are exponential. */
function peaksOf({ judgedDays, peaks: all }: Calibration): { excess: number; aYear: number } {
  const years = judgedDays / 365.25
  const others = all.filter(({ isOutage = false, outage }) => !isOutage && outage === undefined)
  const peaks = all.length - others.length > mostOutages * Math.max(1, years) ? all : others
  return {
    excess: excessOf(peaks, { ...ordinary, from: peakFrom }),
    aYear: (ordinary.count + peaks.length) / (ordinary.years + years),
  }
}

function excessOf(peaks: readonly Peak[], prior: { peaks: number; excess: number; from: number }): number {
  const sum = peaks.reduce((total, { highest }) => total + highest - prior.from, 0)
  return (prior.peaks * prior.excess + sum) / (prior.peaks + peaks.length)
}

/** The score at which a series alerts, so that its own past would have caused no more alarms than chosen. */
export function thresholdOf(calibration: Calibration, direction: Direction, sensitivity: Sensitivity): number {
  const { excess, aYear } = peaksOf(calibration)
  const calibrated = peakFrom + excess * Math.log(Math.max(1, aYear / (shareOf[direction] * sensitivities[sensitivity])))
  return Math.max(floors[sensitivity], calibrated) + young.margin * Math.max(0, 1 - calibration.judgedDays / young.days)
}

/** Average months between two such scores in this series, up to five years. */
export function monthsBetween(calibration: Calibration, score: number): number {
  const { excess, aYear } = peaksOf(calibration)
  return clamp(12 / (aYear * Math.exp(-(Math.max(score, peakFrom) - peakFrom) / excess)), 0, 60)
}

/** The same, going by the peaks that reached such a score before the present one; Infinity without any. They count in full, even extremes. */
export function monthsSeen({ judgedDays, peaks }: Calibration, score: number, day: number): number {
  const seen = peaks.filter(({ highest, last }) => highest >= score && day - last >= peakGap).length
  return (12 * (ordinary.years + judgedDays / 365.25)) / seen
}

/** Adds an evaluated day of a small site. @param ratio how far it is beyond the alarm limit, in such limits; 0 without an alarm */
export const calibrateSmall = (past: Calibration, day: number, ratio: number): Calibration =>
  calibrate(past, day, ratio, { from: ofSmall.from })

/** By how many alarm limits a small site's count must deviate, so that its own past would have caused no more alarms than chosen. */
export function smallLimitOf(calibration: Calibration, direction: Direction, sensitivity: Sensitivity): number {
  const chosen = shareOf[direction] * sensitivities[sensitivity]
  const { excess, aYear } = smallPeaksOf(calibration, chosen)
  return ofSmall.from + excess * Math.log(Math.max(1, aYear / chosen))
}

/** Average months between two such deviations in this small series; Infinity if its past has no alarms. */
export function smallMonthsBetween(calibration: Calibration, direction: Direction, ratio: number): number {
  if (calibration.peaks.length === 0) return Infinity
  const { excess, aYear } = smallPeaksOf(calibration, shareOf[direction])
  return 12 / (aYear * Math.exp(-(Math.max(ratio, ofSmall.from) - ofSmall.from) / excess))
}

function smallPeaksOf({ judgedDays, peaks }: Calibration, chosen: number): { excess: number; aYear: number } {
  return {
    excess: excessOf(peaks, ofSmall),
    aYear: (ofSmall.years * chosen + peaks.length) / (ofSmall.years + judgedDays / 365.25),
  }
}
