import type { Metrics } from '../../../src/contract/metrics.ts'
import { addDays, eachDay } from '../../../src/core/analytics/days.ts'
import { completeThrough, metricsOf } from './usual.ts'

export type DayOfSite = { date: string; clicks: number; impressions: number; position: number }

/** Four weeks up to the last complete day: in the last of them clicks and CTR fall, impressions and positions rise. */
export const fourWeeks = (factor = 1): DayOfSite[] =>
  eachDay(addDays(completeThrough, -27), completeThrough).map((date, index) => ({
    date,
    clicks: factor * ((index < 21 ? 1_000 : 900) + index),
    impressions: factor * ((index < 21 ? 20_000 : 24_000) + 10 * index),
    position: (index < 21 ? 8 : 9) + index / 10,
  }))

/** The server's answer for 14 or more days, oldest first: the last week compared with the one before. */
export function metricsFrom(days: readonly DayOfSite[], change: Partial<Metrics> = {}): Metrics {
  const [now, before] = [totalsOf(days.slice(-7)), totalsOf(days.slice(-14, -7))]
  const percent = (key: keyof typeof now) => ((now[key] - before[key]) / before[key]) * 100
  return metricsOf({
    clicks: now.clicks,
    clicksChange: percent('clicks'),
    clicksPrevious: before.clicks,
    clicksData: days.map(({ clicks }) => clicks),
    impressions: now.impressions,
    impressionsChange: percent('impressions'),
    impressionsPrevious: before.impressions,
    impressionsData: days.map(({ impressions }) => impressions),
    ctr: now.ctr,
    ctrChange: percent('ctr'),
    ctrPrevious: before.ctr,
    ctrData: days.map(({ clicks, impressions }) => clicks / impressions),
    position: now.position,
    positionChange: percent('position'),
    positionPrevious: before.position,
    positionData: days.map(({ position }) => position),
    dates: days.map(({ date }) => date),
    ...change,
  })
}

/** Positions are weighted by impressions. */
function totalsOf(days: readonly DayOfSite[]) {
  const sum = (of: (day: DayOfSite) => number) => days.reduce((all, day) => all + of(day), 0)
  const clicks = sum((day) => day.clicks)
  const impressions = sum((day) => day.impressions)
  return { clicks, impressions, ctr: clicks / impressions, position: sum((day) => day.position * day.impressions) / impressions }
}
