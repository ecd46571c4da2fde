/** Days of the week as the settings number them: 1 is Monday. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((label, index) => ({
  value: String(index + 1),
  label,
}))

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }))

/** Full hours of a day; all but one where that would make no sense. */
export const hourChoices = (except: number | null) => hours.filter(({ value }) => value !== String(except))

/** Every time zone the browser knows, and those that it does not list but somebody is in. */
export function timeZoneChoices(known: readonly string[], ...further: readonly string[]) {
  return [...new Set([...known, ...further, 'UTC'])]
    .toSorted((a, b) => a.localeCompare(b, 'en'))
    .map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}

/** What clocks show there: `14:05`. */
export const clockIn = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now)
