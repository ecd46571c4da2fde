import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { timeZoneOf } from './time-zone.ts'

test.each([
  ['+05:30', 'Asia/Kolkata'],
  ['+0545', 'Asia/Kathmandu'],
  ['-09:30', 'Pacific/Marquesas'],
  ['+05:00', 'Etc/GMT-5'],
  ['−05:00', 'Etc/GMT+5'],
  ['-03', 'Etc/GMT+3'],
  ['+14:00', 'Etc/GMT-14'],
  ['+00:00', 'UTC'],
  ['Europe/Berlin', 'Europe/Berlin'],
])('%s is %s', (stored, zone) => {
  expect(timeZoneOf(stored)).toBe(zone)
})

test.each(['+05:30', '+0545', '-09:30', '+05:00', '-03', '+14:00', '+00:00', '+03:30', '+04:30', '+06:30', '+08:45', '+09:30'])(
  'in the zone for %s clocks have that offset, in winter and in summer',
  (stored) => {
    const [sign, hours, minutes = '0'] = [stored[0], stored.slice(1, 3), stored.slice(3).replace(':', '') || undefined]
    const wanted = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
    for (const day of ['2026-01-15', '2026-07-15']) {
      const there = Temporal.Instant.from(`${day}T00:00:00Z`).toZonedDateTimeISO(timeZoneOf(stored) ?? '')
      expect(there.offsetNanoseconds / 60e9).toBe(wanted)
    }
  },
)

test.each(['+05:17', '+10:30', '-03:30', '+25:00', '-13:00', '', 'Mars/Olympus', 'UTC+5'])('%s is not valid', (stored) => {
  expect(timeZoneOf(stored)).toBeNull()
})
