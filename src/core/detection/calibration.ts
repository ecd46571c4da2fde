import type { Direction } from './expectation.ts'
import { clamp } from './robust.ts'

/** How many false alarms a year a rule may give. */
export const sensitivities = { low: 0.5, normal: 1, high: 2 } as const
export type Sensitivity = keyof typeof sensitivities

/** How many of them go to either side: nobody loses anything by a rise that is told late. */
export const shareOf: Record<Direction, number> = { fall: 0.65, rise: 0.35 }

/** A score from which on it belongs to a peak. */
const peakFrom = 1.6
/** Days without one that end a peak. */
const peakGap = 14
/** Peaks and years that the expectation of an ordinary series weighs as much as: how far they go beyond `peakFrom`, and how many. */
const ordinary = { peaks: 6, excess: 0.541, count: 4.57, years: 1 }
/** No series is trusted below these. */
const floors: Record<Sensitivity, number> = { low: 2.85, normal: 2.5, high: 2.2 }
/** What a series with little past has to exceed more, and after how many judged days no more. */
const young = { margin: 0.5, days: 120 }

/** What a series' own past says of how often its scores go how far. */
export type Calibration = {
  judgedDays: number
  /** Closed and open peaks, the oldest first: the day of the latest score that belongs to it, and its highest. */
  peaks: { first: number; last: number; highest: number }[]
}

/** A change of which somebody said that it was real: from the day it was found until the last one that showed it, by their numbers. */
export type Confirmed = { direction: Direction; from: number; to: number }

/** The same without the peaks of this direction's confirmed changes: those were no false alarms. Their days stay judged. */
export function withoutConfirmed(calibration: Calibration, direction: Direction, confirmed: readonly Confirmed[]): Calibration {
  const real = confirmed.filter((each) => each.direction === direction)
  if (real.length === 0) return calibration
  return { ...calibration, peaks: calibration.peaks.filter(({ first, last }) => !real.some(({ from, to }) => first <= to && last >= from)) }
}

export const uncalibrated: Calibration = { judgedDays: 0, peaks: [] }

/** Adds a judged day. */
export function calibrate({ judgedDays, peaks }: Calibration, day: number, score: number): Calibration {
  if (score < peakFrom) return { judgedDays: judgedDays + 1, peaks }
  const latest = peaks.at(-1)
  const isSame = latest !== undefined && day - latest.last < peakGap
  const peak = isSame ? { ...latest, last: day, highest: Math.max(latest.highest, score) } : { first: day, last: day, highest: score }
  return { judgedDays: judgedDays + 1, peaks: isSame ? [...peaks.slice(0, -1), peak] : [...peaks, peak] }
}

/** Mean excess of the peaks of a series, and peaks a year: shrunk towards those of ordinary ones. Excesses are exponential. */
function peaksOf({ judgedDays, peaks }: Calibration): { excess: number; aYear: number } {
  const sum = peaks.reduce((all, { highest }) => all + highest - peakFrom, 0)
  const years = judgedDays / 365.25
  return {
    excess: (ordinary.peaks * ordinary.excess + sum) / (ordinary.peaks + peaks.length),
    aYear: (ordinary.count + peaks.length) / (ordinary.years + years),
  }
}

/** The score from which on a series alerts, so that its own past would have given no more alarms than chosen. */
export function thresholdOf(calibration: Calibration, direction: Direction, sensitivity: Sensitivity): number {
  const { excess, aYear } = peaksOf(calibration)
  const calibrated = peakFrom + excess * Math.log(Math.max(1, aYear / (shareOf[direction] * sensitivities[sensitivity])))
  return Math.max(floors[sensitivity], calibrated) + young.margin * Math.max(0, 1 - calibration.judgedDays / young.days)
}

/** Months that lie between two such scores of this series, on average; at most those of five years. */
export function monthsBetween(calibration: Calibration, score: number): number {
  const { excess, aYear } = peaksOf(calibration)
  return clamp(12 / (aYear * Math.exp(-(Math.max(score, peakFrom) - peakFrom) / excess)), 0, 60)
}
