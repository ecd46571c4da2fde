import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { type HoursOfDay, isHourlyMetric } from '../../../core/alerting/hours/hourly.ts'
import { pacificHours } from '../../../core/analytics/pacific-hours.ts'
import type { FactsStore } from '../../facts/store.ts'
import type { AlertRow } from '../incidents/alerts-store.ts'
import { hoursKnown } from './hours-known.ts'

/** The day of an hourly alert, hour by hour as now known, next to what was expected, spread over the hours as in the preceding weeks. */
export async function hoursDrawn(facts: FactsStore, { propertyId, hours, type, figures }: AlertRow): Promise<Pick<AlertReport, 'byHour'>> {
  const last = hours && pacificHours(hours.day).at(-1)
  if (!last || !isHourlyMetric(type)) return {}
  const { today, before } = await hoursKnown(facts, propertyId, last)
  if (today.hours.length === 0) return {}
  const meanAt = (hour: number): number | null => {
    const counts = before.flatMap((week: HoursOfDay) => week.hours.find((each) => each.hour === hour)?.[type] ?? [])
    return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0) / counts.length
  }
  // The hours of the alert's figures add up to the value they are compared with.
  const until = hours.status === 'confirmed' ? 24 : hours.through
  const counted = today.hours.reduce((sum, { hour }) => sum + (hour < until ? (meanAt(hour) ?? 0) : 0), 0)
  const isOneDay = figures !== null && figures.windows.current.start === hours.day && figures.windows.current.end === hours.day
  const factor = isOneDay && figures.previous !== null && counted > 0 ? figures.previous / counted : 1
  const usual = (hour: number): number | null => {
    const mean = meanAt(hour)
    return mean === null ? null : mean * factor
  }
  return { byHour: today.hours.map((each) => ({ hour: each.hour, value: each[type], usual: usual(each.hour) })) }
}
