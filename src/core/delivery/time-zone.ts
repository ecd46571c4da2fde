import { timeZone } from '../../contract/delivery/delivery.ts'

/** Where clocks show an offset all year that is no full hour. */
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
 * The time zone that is meant by a name or an offset (`+05:30`, `-0500`, `−03`), such as some systems have instead of one
 * and settings of long ago still hold; null where no place has that offset all year, or nobody knows the name.
 */
export function timeZoneOf(text: string): string | null {
  const offset = /^([+\-−])(\d\d)(?::?(\d\d))?$/u.exec(text)
  const name = offset === null ? text : zoneAt(offset[1] === '+' ? '+' : '-', Number(offset[2]), offset[3] ?? '00')
  return timeZone.safeParse(name).data ?? null
}

function zoneAt(sign: '+' | '-', hours: number, minutes: string): string | undefined {
  if (minutes !== '00') return brokenHours[`${sign}${hours}:${minutes}`]
  // These zones count the other way round: Etc/GMT-5 is five hours ahead.
  return hours === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`
}
