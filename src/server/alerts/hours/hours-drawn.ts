import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { type HoursOfDay, isHourlyMetric } from '../../../core/alerting/hours/hourly.ts'
import { pacificHours } from '../../../core/analytics/pacific-hours.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { AlertRow } from '../incidents/alerts-store.ts'
import { hoursKnown } from './hours-known.ts'

/** The day of an hourly alert, hour by hour as known by now, next to the mean of the preceding weeks. */
export async function hoursDrawn(facts: FactsStore, { propertyId, hours, type }: AlertRow): Promise<Pick<AlertReport, 'byHour'>> {
  const last = hours && pacificHours(hours.day).at(-1)
  if (!last || !isHourlyMetric(type)) return {}
  const { today, before } = await hoursKnown(facts, propertyId, last)
  if (today.hours.length === 0) return {}
  const usual = (hour: number): number | null => {
    const counts = before.flatMap((week: HoursOfDay) => week.hours.find((each) => each.hour === hour)?.[type] ?? [])
    return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0) / counts.length
  }
  return { byHour: today.hours.map((each) => ({ hour: each.hour, value: each[type], usual: usual(each.hour) })) }
}
