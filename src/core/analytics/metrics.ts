import type { IsoDate } from '../../contract/common.ts'
import type { ChosenMetrics, Metrics, Period } from '../../contract/metrics.ts'
import { eachDay } from './days.ts'
import { changePercent, type Figures, totalsOf } from './totals.ts'
import { lastDays, previousPeriod } from './periods.ts'
import { isWhole } from './report-periods.ts'

export type DayFigures = Figures & { date: IsoDate }

/** Days a metric card compares, and days its sparkline shows. */
export const metricDays = 7
export const sparklineDays = 28

/** First day that `metricsOf` needs for the last complete one. */
export const metricsFrom = (completeThrough: IsoDate): IsoDate => lastDays(completeThrough, sparklineDays).start

/**
 * The metric cards' figures from daily totals (oldest first, days without data absent) and the stored days. Only days up to
 * `completeThrough` count, so an unfinished day never looks like a drop.
 */
export function metricsOf(property: string, known: Known, completeThrough: IsoDate): Metrics {
  const current = lastDays(completeThrough, metricDays)
  const previous = previousPeriod(current, metricDays)
  const drawn = lastDays(completeThrough, sparklineDays)
  return { ...chosenMetricsOf(property, known, { current, previous, drawn }, completeThrough), previous }
}

type Known = { days: readonly DayFigures[]; stored: ReadonlySet<IsoDate> }
/** `drawn`: those of the sparkline. */
type CardPeriods = { current: Period; previous: Period | null; drawn: Period }

/** The same for any days. */
export function chosenMetricsOf(
  property: string,
  { days, stored }: Known,
  { current, previous, drawn }: CardPeriods,
  completeThrough: IsoDate,
): ChosenMetrics {
  const within = (period: Period) => days.filter((day) => day.date >= period.start && day.date <= period.end)
  const before = previous === null ? [] : within(previous)
  // A day missing on either side would look like a rise or a fall.
  const counted = previous !== null && isWhole(current, stored) && isWhole(previous, stored)
  const a = totalsOf(within(current))
  const b = totalsOf(counted ? before : [])
  const shown = within(drawn)
  const daily = shown.map((day) => totalsOf([day]))
  // Without impressions there is no CTR and no position to compare with, only zeros.
  const rated = b.impressions > 0

  return {
    property,
    clicks: a.clicks,
    clicksChange: changePercent(a.clicks, b.clicks),
    clicksPrevious: counted ? b.clicks : null,
    clicksData: daily.map((day) => day.clicks),
    impressions: a.impressions,
    impressionsChange: changePercent(a.impressions, b.impressions),
    impressionsPrevious: counted ? b.impressions : null,
    impressionsData: daily.map((day) => day.impressions),
    ctr: a.ctr,
    ctrChange: a.impressions > 0 ? changePercent(a.ctr, b.ctr) : 0,
    ctrPrevious: rated ? b.ctr : null,
    ctrData: daily.map((day) => day.ctr),
    position: a.position,
    positionChange: a.position > 0 ? changePercent(a.position, b.position) : 0,
    positionPrevious: b.position > 0 ? b.position : null,
    positionData: daily.map((day) => day.position),
    dates: shown.map((day) => day.date),
    current,
    previous,
    isStored: eachDay(current.start, current.end).some((day) => stored.has(day)),
    completeThrough,
  }
}
