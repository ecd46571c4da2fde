import type { IsoDate } from '../../../contract/common.ts'
import { pacificDay } from '../../../core/analytics/days.ts'
import { pacificHour } from '../../../core/analytics/pacific-hours.ts'
import type { HourFigures } from '../../facts/questions/hours.ts'
import type { HoursAnswer } from '../../google/search-console.ts'

/** Google keeps hourly data for about this many days (docs/google-api.md). */
export const hourlyDays = 10

const hourMs = 3_600_000

/** Google's current hours. */
type KnownHours = {
  /** From the first to the last hour with figures, without a gap; oldest first. */
  hours: HourFigures[]
  /** Start of the last hour that Google has finished counting; null if there is none. */
  completeThrough: Date | null
}

/**
 * Hours that Google leaves out between others had no figures. Those before the first are unknown, and so are those after the last, unless
 * Google declares them complete.
 */
export function knownHours({ hours: given, firstIncomplete }: HoursAnswer, now: Date): KnownHours {
  const times = given.map(({ at }) => at.getTime())
  if (times.length === 0) return { hours: [], completeThrough: null }
  const first = Math.min(...times)
  const done = firstIncomplete ? Math.min(firstIncomplete.getTime(), now.getTime()) - hourMs : Math.max(...times)
  const last = Math.max(...times, done)
  const byTime = new Map(given.map((hour) => [hour.at.getTime(), hour]))
  const hours: HourFigures[] = []
  for (let time = first; time <= last; time += hourMs) {
    const at = new Date(time)
    const { clicks = 0, impressions = 0, position = 0 } = byTime.get(time) ?? {}
    hours.push({
      at: at.toISOString(),
      date: pacificDay(at),
      hour: pacificHour(at),
      clicks,
      impressions,
      positionSum: position * impressions,
    })
  }
  return { hours, completeThrough: done < first ? null : new Date(Math.floor(done / hourMs) * hourMs) }
}

/**
 * The days that differ between Google and the store, with the hours that replace them. Stored hours before Google's first stay: Google
 * forgets them, we don't.
 */
export function changedDays(stored: readonly HourFigures[], known: readonly HourFigures[]): Map<IsoDate, HourFigures[]> {
  const [first] = known
  const changed = new Map<IsoDate, HourFigures[]>()
  if (!first) return changed
  const before = Map.groupBy(stored, ({ date }) => date)
  const now = Map.groupBy([...stored.filter(({ at }) => at < first.at), ...known], ({ date }) => date)
  for (const date of new Set([...before.keys(), ...now.keys()])) {
    const hours = now.get(date) ?? []
    if (!areSame(before.get(date) ?? [], hours)) changed.set(date, hours)
  }
  return changed
}

const areSame = (stored: readonly HourFigures[], known: readonly HourFigures[]): boolean =>
  stored.length === known.length && stored.every((hour, i) => isSame(hour, known[i]))

const isSame = (a: HourFigures, b: HourFigures | undefined): boolean =>
  a.at === b?.at &&
  a.clicks === b.clicks &&
  a.impressions === b.impressions &&
  Math.abs(a.positionSum - b.positionSum) <= b.positionSum * 1e-9
