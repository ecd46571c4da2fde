/** Weekdays as numbered in the settings: 1 is Monday. */
export const weekdayChoices = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((label, index) => ({
  value: String(index + 1),
  label,
}))

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }))

/** The full hours of a day, except for one that would make no sense. */
export const hourChoices = (except: number | null) => hours.filter(({ value }) => value !== String(except))

/** Every time zone the browser knows, plus unlisted ones that somebody uses. */
export function timeZoneChoices(known: readonly string[], ...further: readonly string[]) {
  return [...new Set([...known, ...further, 'UTC'])]
    .toSorted((a, b) => a.localeCompare(b, 'en'))
    .map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}

/** The time there: `14:05`. */
export const clockIn = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now)
