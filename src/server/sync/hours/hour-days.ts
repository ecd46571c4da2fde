import type { IsoDate } from '../../../contract/common.ts'
import { pacificDay } from '../../../core/analytics/days.ts'
import { pacificHour } from '../../../core/analytics/pacific-hours.ts'
import type { HourFigures } from '../../facts/questions/hours.ts'
import type { HoursAnswer } from '../../google/search-console.ts'

/** Google has hours of about so many days (docs/google-api.md). */
export const hourlyDays = 10

const hourMs = 3_600_000

/** Hours as Google has them now. */
type KnownHours = {
  /** From the first to the last that Google has figures for, without a gap; oldest first. */
  hours: HourFigures[]
  /** When the last hour begins that Google is done counting; null where none of them is one. */
  completeThrough: Date | null
}

/**
 * Hours that Google leaves out between others had no figures; those before the first are not known, and neither are those
 * after the last, unless Google says that it is done with them.
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
 * The days that are another way at Google than they are stored, with the hours they are to be replaced by. Stored hours
 * that lie before Google's first stay: it forgets them, we do not.
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
