import type { IsoDate } from '../../contract/common.ts'
import { pacificHour, pacificHours } from './pacific-hours.ts'

/** Figures counted by the hour. */
export type HourCounts = { clicks: number; impressions: number }

/** `hour` is the Pacific clock hour when it begins: 0 to 23. */
export type ClockHour = HourCounts & { hour: number }

/** How many previous weeks' same weekdays define what is usual. */
export const usualWeeks = 4

/**
 * Another day's figures in these clock hours, one per requested hour; null if one of them is unknown. The hour that comes twice in the fall
 * counts by its mean, the one skipped in spring by its neighbors.
 */
export function sameHours(asked: readonly number[], { date, hours }: { date: IsoDate; hours: readonly ClockHour[] }): HourCounts[] | null {
  const shown = (hour: number): HourCounts | null => meanCounts(hours.filter((each) => each.hour === hour))
  const skipped = (hour: number): HourCounts | null => {
    // Any other missing hour is unknown.
    if (pacificHours(date).some((at) => pacificHour(at) === hour)) return null
    const [before, after] = [shown(hour - 1), shown(hour + 1)]
    return before && after && meanCounts([before, after])
  }
  const found = asked.map((hour) => shown(hour) ?? skipped(hour))
  return found.every((each) => each !== null) ? found : null
}

export const sumCounts = (counts: readonly HourCounts[]): HourCounts => ({
  clicks: counts.reduce((total, { clicks }) => total + clicks, 0),
  impressions: counts.reduce((total, { impressions }) => total + impressions, 0),
})

export function meanCounts(counts: readonly HourCounts[]): HourCounts | null {
  if (counts.length === 0) return null
  const { clicks, impressions } = sumCounts(counts)
  return { clicks: clicks / counts.length, impressions: impressions / counts.length }
}
