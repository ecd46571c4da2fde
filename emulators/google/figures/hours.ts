import { hoursOfDay, startOfDay } from '../dates.ts'
import type { Hour } from '../dates.ts'
import { mix, unit } from './random.ts'

/** What the figures of a day are seen from. */
export interface View {
  readonly today: number
  readonly dayShare: number
}

/**
 * Hours that go another way than usual, as tests ask for it: those that begin from `fromMs` on and before `untilMs`. When
 * the day becomes final it either was so, or was not: what had been missing came late, what was too much is taken away.
 */
export interface HourChange {
  readonly fromMs: number
  readonly untilMs: number
  readonly factor: number
  readonly final: 'confirms' | 'withdraws'
}

const HOUR_MS = 3_600_000

// How busy the hours of a day are, from midnight, in the property's main market as seen from Los Angeles.
const CURVE = [5, 6, 7, 7, 7, 7, 7, 6, 6, 6, 7, 7, 8, 8, 7, 5, 4, 3, 2, 2, 2, 3, 3, 4]

/** Hours after the end of an hour until all that comes at once has come. */
const SETTLED_HOURS = 6

/** How much of an hour that ended so long ago has been counted, of what is counted at once. */
function arrived(endedHoursAgo: number): number {
  if (endedHoursAgo < 2) return 0
  if (endedHoursAgo < 3) return 0.55
  if (endedHoursAgo < 4) return 0.8
  return endedHoursAgo < SETTLED_HOURS ? 0.93 : 1
}

/** The rest comes with the days: how much of a day's settled hours has been counted. */
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

/** The first hour of which more is to come soon; hours before it are revised only as their day is. */
export function firstIncompleteHour(view: View): string {
  const hours = [...hoursOfDay(view.today - 1), ...hoursOfDay(view.today)]
  return hours.find((hour) => endedHoursAgo(hour, view) < SETTLED_HOURS)?.key ?? ''
}

/**
 * Which share of a day's events Google has counted by the end of each of its hours; the last entry is the share of the whole
 * day. 1 in all when the day is final and no hour was changed.
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
  // What was added up differs from 1 in the last digits.
  if (untouched) shares[hours.length - 1] = 1
  return shares
}
