import type { IsoDate } from '../../contract/common.ts'
import { addDays, dayNumber, eachDay, fromDayNumber } from '../../core/analytics/days.ts'
import { formatDay } from '../lib/dates.ts'

export type DateTick = { date: IsoDate; label: string }

/** Days between ticks; weeks and more begin on a Monday. */
const daySteps = [1, 2, 7, 14, 28]
/** For a few days with little room, where a single Monday would say too little. */
const oddSteps = [3, 5]
const monthSteps = [1, 2, 3, 6, 12, 24]
/** 1970-01-05. */
const aMonday = 4

/** At most `most` labeled days on the axis: days, Mondays, or firsts of a month. Shows the year where it changes. */
export function dateTicks(start: IsoDate, end: IsoDate, most: number): DateTick[] {
  const byDays = (steps: readonly number[]) => steps.map((step) => daysEvery(start, end, step))
  const usual = [...byDays(daySteps), ...monthSteps.map((step) => monthsEvery(start, end, step))]
  const within = (tries: readonly IsoDate[][], least: number) => tries.find(({ length }) => least <= length && length <= most)
  const dates = within(usual, 2) ?? within(byDays(oddSteps), 2) ?? within(usual, 1) ?? [end].slice(0, most)
  return dates.map((date, index) => {
    const before = dates[index - 1] ?? start
    return { date, label: formatDay(date, date.slice(0, 4) !== before.slice(0, 4)) }
  })
}

function daysEvery(start: IsoDate, end: IsoDate, step: number): IsoDate[] {
  const first = dayNumber(start)
  const zero = step < 7 ? dayNumber(end) : aMonday
  const offset = (((zero - first) % step) + step) % step
  const from = fromDayNumber(first + offset)
  return eachDay(from, end).filter((_, index) => index % step === 0)
}

function monthsEvery(start: IsoDate, end: IsoDate, step: number): IsoDate[] {
  const found: IsoDate[] = []
  for (let date = firstOfMonth(start); date <= end; date = firstOfMonth(addDays(date, 32))) {
    const [year = 0, month = 1] = date.split('-').map(Number)
    if (date >= start && (year * 12 + month - 1) % step === 0) found.push(date)
  }
  return found
}

const firstOfMonth = (date: IsoDate): IsoDate => `${date.slice(0, 7)}-01`
