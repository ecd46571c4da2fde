import { hoursOfDay, startOfDay } from '../dates.ts'
import type { Hour } from '../dates.ts'
import { mix, unit } from './random.ts'

/** What a day's figures depend on. */
export interface View {
  readonly today: number
  readonly dayShare: number
}

/**
 * Hours that deviate from the usual, as requested by tests: those that begin from `fromMs` on and before `untilMs`. Once the day is final,
 * the change is either real or not; if not, missing figures arrived late and excess ones are removed.
 */
export interface HourChange {
  readonly fromMs: number
  readonly untilMs: number
  readonly factor: number
  readonly final: 'confirms' | 'withdraws'
}

const HOUR_MS = 3_600_000

// How busy each hour of the day is, from midnight in Los Angeles, in the property's main market.
const CURVE = [5, 6, 7, 7, 7, 7, 7, 6, 6, 6, 7, 7, 8, 8, 7, 5, 4, 3, 2, 2, 2, 3, 3, 4]

/** Hours after an hour's end until its immediate figures are in. */
const SETTLED_HOURS = 6

/** Fraction of an hour's immediate figures that has been counted this long after its end. */
function arrived(endedHoursAgo: number): number {
  if (endedHoursAgo < 2) return 0
  if (endedHoursAgo < 3) return 0.55
  if (endedHoursAgo < 4) return 0.8
  return endedHoursAgo < SETTLED_HOURS ? 0.93 : 1
}

/** The rest arrives over days: the fraction of a day's settled hours that has been counted. */
function settledShare(propertySeed: number, day: number, age: number): number {
  const luck = unit(mix(propertySeed ^ 0x3c91, day * 31 + age))
  if (age <= 0) return 0.95
  if (age === 1) return 0.965 + 0.015 * luck
  if (age === 2) return 0.985 + 0.008 * luck
  // Only properties that a test keeps late get this old without being final.
  return 0.994 + 0.0003 * Math.min(age, 15)
}

function nowOf(view: View): number {
  const start = startOfDay(view.today)
  return start + view.dayShare * (startOfDay(view.today + 1) - start)
}

const endedHoursAgo = (hour: Hour, view: View): number => (nowOf(view) - hour.startMs) / HOUR_MS - 1

/** The first hour that is still filling up; earlier hours are only revised along with their day. */
export function firstIncompleteHour(view: View): string {
  const hours = [...hoursOfDay(view.today - 1), ...hoursOfDay(view.today)]
  return hours.find((hour) => endedHoursAgo(hour, view) < SETTLED_HOURS)?.key ?? ''
}

/**
 * The fraction of a day's events that Google has counted by the end of each hour; the last entry is that of the whole day. 1 in all if the
 * day is final and no hour was changed.
 */
export function countedByHour(
  day: number,
  view: View,
  property: { readonly seed: number; readonly final: boolean; readonly changes: readonly HourChange[] },
): Float64Array {
  const hours = hoursOfDay(day)
  const busy = hours.map((hour) => CURVE[Number(hour.key.slice(11, 13))] ?? 1)
  const usual = busy.reduce((sum, each) => sum + each, 0)
  const settled = property.final ? 1 : settledShare(property.seed, day, view.today - day)
  const changes = property.changes.filter(({ final }) => !property.final || final === 'confirms')
  const untouched = property.final && changes.length === 0
  const shares = new Float64Array(hours.length)
  let sum = 0
  hours.forEach((hour, i) => {
    const counted = property.final ? 1 : settled * arrived(endedHoursAgo(hour, view))
    const here = changes.filter(({ fromMs, untilMs }) => hour.startMs >= fromMs && hour.startMs < untilMs)
    sum += ((busy[i] ?? 0) / usual) * counted * here.reduce((product, { factor }) => product * factor, 1)
    shares[i] = sum
  })
  // The sum differs from 1 in the last digits.
  if (untouched) shares[hours.length - 1] = 1
  return shares
}
