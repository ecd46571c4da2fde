import type { IsoDate } from '../../../contract/common.ts'
import type { HourlyMetric, HoursOfDay } from '../../../core/alerting/hours/hourly.ts'
import { usualWeeks } from '../../../core/analytics/same-hours.ts'
import { hoursOfDay } from '../../../core/alerting/hours/hours-of-day.ts'
import { addDays, pacificDay } from '../../../core/analytics/days.ts'
import { pacificHour, pacificHours } from '../../../core/analytics/pacific-hours.ts'
import type { FactsStore } from '../../facts/store.ts'
import { hourTotals } from '../../facts/questions/hours.ts'

/**
 * The day of the last hour that Google has finished counting, up to that hour, and the same weekday of the preceding weeks.
 * @param through when that hour begins
 */
export async function hoursKnown(facts: FactsStore, property: number, through: Date): Promise<{ today: HoursOfDay; before: HoursOfDay[] }> {
  const day = pacificDay(through)
  const days = Array.from({ length: usualWeeks }, (_, week) => addDays(day, -7 * (week + 1)))
  const [today = [], ...before] = await Promise.all(
    [day, ...days].map((date) => facts.ask(hourTotals, { property, from: date, to: date === day ? through : date })),
  )
  const known = (rows: typeof today) => new Map(rows.map((row) => [Date.parse(row.at), row]))
  const ofDay = (date: string, rows: typeof today): HoursOfDay => {
    const hours = known(rows)
    return hoursOfDay(date, (at) => hours.get(at.getTime()) ?? null)
  }
  return { today: ofDay(day, today), before: days.map((date, week) => ofDay(date, before[week] ?? [])) }
}

/** A metric's count in the first hours of a day, up to that clock hour, as Google counts them now; null unless all of them are known. */
export async function countedBy(
  facts: FactsStore,
  property: number,
  metric: HourlyMetric,
  { day, through }: { day: IsoDate; through: number },
): Promise<number | null> {
  const asked = pacificHours(day).filter((at) => pacificHour(at) < through)
  const rows = await facts.ask(hourTotals, { property, from: day, to: day })
  const known = new Map(rows.map((row) => [Date.parse(row.at), row[metric]]))
  const counts = asked.flatMap((at) => known.get(at.getTime()) ?? [])
  return counts.length === asked.length ? counts.reduce((sum, count) => sum + count, 0) : null
}
