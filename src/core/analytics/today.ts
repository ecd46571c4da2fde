import type { IsoDate } from '../../contract/common.ts'
import type { HourOfToday, TodaySoFar } from '../../contract/today.ts'
import { addDays } from './days.ts'
import { type ClockHour, meanCounts, sameHours, sumCounts, usualWeeks } from './same-hours.ts'

const hourMs = 3_600_000

type Hour = ClockHour & { at: string; date: IsoDate }

/**
 * A day's figures so far, next to the same hours of other days. Another day only counts if all of these hours are known. Compares the hours
 * that Google has finished (`completeThrough`, the start of the last one).
 * @param hours those of this day and of the weeks before it, oldest first
 */
export function todayFrom(
  property: string,
  date: IsoDate,
  hours: readonly Hour[],
  known: { completeThrough: Date | null; syncedAt: Date },
): TodaySoFar {
  const days = Map.groupBy(hours, (hour) => hour.date)
  const today = days.get(date) ?? []
  const asked = today.map(({ hour }) => hour)
  const on = (day: IsoDate) => sameHours(asked, { date: day, hours: days.get(day) ?? [] })
  const yesterday = on(addDays(date, -1))
  const weeks = Array.from({ length: usualWeeks }, (_, i) => on(addDays(date, -7 * (i + 1)))).filter((week) => week !== null)
  const isDone = ({ at }: { at: string }) => known.completeThrough !== null && at <= known.completeThrough.toISOString()
  const shown = today.map(({ at, hour, clicks, impressions }, i): HourOfToday => ({
    at,
    hour,
    clicks,
    impressions,
    incomplete: !isDone({ at }),
    yesterday: yesterday?.[i] ?? null,
    usual: meanCounts(weeks.map((week) => week[i] ?? nothing)),
  }))
  const done = shown.filter(isDone)
  const last = done.at(-1)
  const usual = meanCounts(weeks.map((week) => sumCounts(week.slice(0, done.length))))
  return {
    property,
    date,
    preliminary: true,
    hours: shown,
    ...sumCounts(shown),
    through: endOf(shown.at(-1)),
    complete: last
      ? {
          ...sumCounts(done),
          through: endOf(last),
          yesterday: yesterday && sumCounts(yesterday.slice(0, done.length)),
          usual: usual && { ...usual, weeks: weeks.length },
        }
      : null,
    syncedAt: known.syncedAt.toISOString(),
  }
}

const nothing = { clicks: 0, impressions: 0 }

function endOf(hour: HourOfToday): string
function endOf(hour: HourOfToday | undefined): string | null
function endOf(hour: HourOfToday | undefined): string | null {
  return hour ? new Date(Date.parse(hour.at) + hourMs).toISOString() : null
}
