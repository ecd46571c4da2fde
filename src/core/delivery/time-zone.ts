import { timeZone } from '../../contract/delivery/delivery.ts'

/** Places with a year-round offset that isn't a whole hour. */
const brokenHours: Record<string, string> = {
  '-9:30': 'Pacific/Marquesas',
  '+3:30': 'Asia/Tehran',
  '+4:30': 'Asia/Kabul',
  '+5:30': 'Asia/Kolkata',
  '+5:45': 'Asia/Kathmandu',
  '+6:30': 'Asia/Yangon',
  '+8:45': 'Australia/Eucla',
  '+9:30': 'Australia/Darwin',
}

/**
 * The time zone for a name or an offset (`+05:30`, `-0500`, `−03`), which some systems report instead and old settings still contain; null
 * if no place has that offset all year, or the name is unknown.
 */
export function timeZoneOf(text: string): string | null {
  const offset = /^([+\-−])(\d\d)(?::?(\d\d))?$/u.exec(text)
  const name = offset === null ? text : zoneAt(offset[1] === '+' ? '+' : '-', Number(offset[2]), offset[3] ?? '00')
  return timeZone.safeParse(name).data ?? null
}

function zoneAt(sign: '+' | '-', hours: number, minutes: string): string | undefined {
  if (minutes !== '00') return brokenHours[`${sign}${hours}:${minutes}`]
  // These zones have the opposite sign: Etc/GMT-5 is five hours ahead.
  return hours === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`
}
