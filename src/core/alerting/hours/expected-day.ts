import type { IsoDate } from '../../../contract/common.ts'
import { dayNumber } from '../../analytics/days.ts'
import { usualWeeks } from '../../analytics/same-hours.ts'
import { type Direction, type Expectation, expectationBefore, outagesBefore } from '../../detection/expectation.ts'
import { isOutage, isWithin, type Outage } from '../../detection/outages.ts'
import { clamp, median } from '../../detection/robust.ts'
import { type DailyCounts, type IsHoliday, prepare, type Prepared, weekdayOf } from '../../detection/series.ts'
import { residualOf } from '../../detection/windows.ts'
import { explained, yearDays, yearSlack } from '../../detection/year-ago.ts'

/** The final days of a whole site for one metric, and which of them are holidays. */
export type FinalDays = { counts: DailyCounts; isHoliday: IsHoliday }

/** What a day is expected to have, as known from the final days before it. */
export type ExpectedDay = {
  /** The whole day's count: what falls and rises are measured against, and the level of the latest weeks. */
  count: Record<Direction | 'latest', number>
  /** How much days deviate from what was expected of them, as a share, beyond counting noise. */
  varies: number
  /** Actual over expected of the same weekday in the preceding weeks, in logarithms. */
  weeks: readonly number[]
  isHoliday: IsHoliday
}

/** Number of days from which the usual deviation of days from their expectation is learned. */
const variesDays = 56
/** Prior for that: a standard deviation as a share, and its weight in days. */
const presumed = { share: 0.2, days: 8 }
/** No site is steadier than this, even if its last weeks suggest it. */
const steadiest = 0.1
/** Deviations count up to this many logarithms: one outage doesn't make a site look volatile. */
const furthest = 1
/** An outage during last year's season is over this many days later, or it was more than an outage. */
const overBy = 42
/** If more than this many days before a day are unknown, nothing can be said about it. */
const mostAhead = 21
/** How many days before a day influence its expectation: last year's season, and what was expected of it. */
export const expectedDayPast = yearDays + yearSlack + mostAhead + 84

/**
 * The expectation of a single day: the one windows of days are compared with (detection/expectation.ts), scaled by how the same days last
 * year compared with theirs.
 * @param before only days before this one are used; at the latest, the expected day itself
 * @returns null if too little is known
 */
export function expectedDayOf(
  { counts: { start, counts }, isHoliday }: FinalDays,
  day: IsoDate,
  before: IsoDate = day,
): ExpectedDay | null {
  const first = dayNumber(start)
  const known = Math.min(counts.length, dayNumber(before) - first)
  const at = dayNumber(day) - first
  const ahead = at - known
  if (known < 1 || ahead < 0 || ahead > mostAhead) return null
  const series = prepare({ start, counts: counts.slice(0, known) }, isHoliday)
  const expectation = expectationBefore(series, known)
  if (!expectation) return null
  const residualAt = (i: number, outages?: readonly Outage[]): number | null => {
    const then = i < 0 || i >= known || series.ordinary[i] !== 1 ? null : expectationBefore(series, i - ahead, outages)
    return then && residualOf(series.counts[i] as number, then.level.latest * shareOf(then, series, i))
  }
  const lastYear = lastYearOf(series, at - yearDays, residualAt)
  const varies = variationOf(expectation, daysFrom(known - variesDays, known - 1), (i) => residualAt(i))
  const share = shareOf(expectation, series, at)
  const seasonal = (sign: 1 | -1): number => Math.exp(sign * explained * Math.min(0, sign * lastYear + varies))
  const { fall, rise, latest } = expectation.level
  return {
    count: { fall: fall * share * seasonal(1), rise: rise * share * seasonal(-1), latest: latest * share },
    varies,
    weeks: daysFrom(1, usualWeeks).flatMap((week) => residualAt(at - 7 * week) ?? []),
    isHoliday,
  }
}

const shareOf = ({ shares }: Expectation, series: Prepared, i: number): number => shares[weekdayOf(series, i)] as number

/** How the days around index `at` deviated from what was expected of them; 0 if unknown. An outage is no season. */
function lastYearOf(series: Prepared, at: number, residualAt: (i: number, outages: readonly Outage[]) => number | null): number {
  const outages = outagesBefore(series, at + overBy)
  const residuals = daysFrom(at - yearSlack, at + yearSlack).flatMap((i) => (isWithin(outages, i) ? [] : (residualAt(i, outages) ?? [])))
  return medianOf(residuals.filter((residual) => !isOutage(residual)))
}

function variationOf({ level }: Expectation, days: readonly number[], residualAt: (i: number) => number | null): number {
  const residuals = days.flatMap((i) => residualAt(i) ?? [])
  const counting = 1 / Math.max(1, level.latest)
  const beyond = residuals.reduce((sum, each) => sum + clamp(each, -furthest, furthest) ** 2 - counting, 0)
  const variance = (presumed.days * presumed.share ** 2 + beyond) / (presumed.days + residuals.length)
  return Math.sqrt(Math.max(steadiest ** 2, variance))
}

const daysFrom = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** 0 without any: last year says nothing. */
const medianOf = (values: readonly number[]): number => (values.length === 0 ? 0 : median(values))
