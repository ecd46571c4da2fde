/** Calendar arithmetic on day numbers (days since 1970-01-01), and the Los Angeles clock that defines Google's days. */

const DAY_MS = 86_400_000
const ZONE = 'America/Los_Angeles'

const zoneParts = new Intl.DateTimeFormat('en-US', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** Day number of an ISO date, or undefined if it isn't a real calendar date. */
export function parseDay(text: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return undefined
  const day = Math.floor(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) / DAY_MS)
  // Date.UTC rolls 02-30 over to March: only a date that survives the round trip exists.
  return formatDay(day) === text ? day : undefined
}

const formatted = new Map<number, string>()

/** ISO date of a day number. */
export function formatDay(day: number): string {
  let text = formatted.get(day)
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, 10)
    if (formatted.size > 20_000) formatted.clear()
    formatted.set(day, text)
  }
  return text
}

/** 0 = Sunday … 6 = Saturday. */
export function weekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

/** The same day of the month, this many months earlier (the month's last day if it has no such day). */
export function monthsBefore(day: number, months: number): number {
  const date = new Date(day * DAY_MS)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() - months
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Math.floor(Date.UTC(year, month, Math.min(date.getUTCDate(), lastOfMonth)) / DAY_MS)
}

const QUARTER_MS = 15 * 60_000
const offsets = new Map<number, number>()

/** Minutes that Los Angeles is ahead of UTC at an instant: -480 in winter, -420 in summer. */
function losAngelesOffset(ms: number): number {
  // Clocks change on a quarter of an hour, if at all, and each request is about the same few days.
  const quarter = Math.floor(ms / QUARTER_MS)
  let offset = offsets.get(quarter)
  if (offset === undefined) {
    offset = readOffset(quarter * QUARTER_MS)
    if (offsets.size > 50_000) offsets.clear()
    offsets.set(quarter, offset)
  }
  return offset
}

function readOffset(ms: number): number {
  const parts: Record<string, number> = {}
  for (const part of zoneParts.formatToParts(ms)) parts[part.type] = Number(part.value)
  const wall = Date.UTC(
    parts['year'] ?? 0,
    (parts['month'] ?? 1) - 1,
    parts['day'] ?? 1,
    parts['hour'] ?? 0,
    parts['minute'] ?? 0,
    parts['second'] ?? 0,
  )
  return Math.round((wall - Math.floor(ms / 1000) * 1000) / 60_000)
}

/** Day number in Los Angeles at an instant. */
export function losAngelesDay(ms: number): number {
  return Math.floor((ms + losAngelesOffset(ms) * 60_000) / DAY_MS)
}

/** The instant when a Los Angeles day begins. */
export function startOfDay(day: number): number {
  // 8:00 UTC is midnight or 1:00 there, in any case before clocks change at 2:00.
  return day * DAY_MS - losAngelesOffset(day * DAY_MS + 8 * 3_600_000) * 60_000
}

export interface Hour {
  /** As Google writes it: 2025-04-07T00:00:00-07:00 */
  readonly key: string
  readonly startMs: number
}

const hoursOfDays = new Map<number, readonly Hour[]>()

/** The hours of a Los Angeles day: 24, or 23 and 25 on the days clocks change. */
export function hoursOfDay(day: number): readonly Hour[] {
  let hours = hoursOfDays.get(day)
  if (hours === undefined) {
    hours = listHours(day)
    if (hoursOfDays.size > 2_000) hoursOfDays.clear()
    hoursOfDays.set(day, hours)
  }
  return hours
}

function listHours(day: number): Hour[] {
  const hours: Hour[] = []
  const end = startOfDay(day + 1)
  for (let ms = startOfDay(day); ms < end; ms += 3_600_000) {
    const offset = losAngelesOffset(ms)
    const wall = new Date(ms + offset * 60_000).toISOString().slice(0, 19)
    const zone = `-${String(Math.floor(-offset / 60)).padStart(2, '0')}:${String(-offset % 60).padStart(2, '0')}`
    hours.push({ key: wall + zone, startMs: ms })
  }
  return hours
}
