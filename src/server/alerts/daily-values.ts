import { figureOf } from '../../core/alerting/figures.ts'
import type { AlertMetric } from '../../core/alerting/rule.ts'
import type { EntityDays } from '../facts/questions/entity-days.ts'

/** A metric day by day; a day without rows has zero clicks and impressions, and neither CTR nor position. */
export function dailyValues(metric: AlertMetric, row: EntityDays | undefined, days: number): (number | null)[] {
  const at = new Map(row?.day.map((day, index) => [day, index]))
  return Array.from({ length: days }, (_, day) => {
    const index = at.get(day) ?? -1
    return figureOf(metric, {
      clicks: row?.clicks[index] ?? 0,
      impressions: row?.impressions[index] ?? 0,
      positionSum: row?.positionSum[index] ?? 0,
      rankedImpressions: row?.rankedImpressions[index] ?? 0,
    })
  })
}
