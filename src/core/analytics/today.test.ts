import { expect, test } from 'vitest'
import { pacificHour, pacificHours } from './pacific-hours.ts'
import { todayFrom } from './today.ts'

const site = 'https://today.example/'
const day = (date: string, clicks: (hour: number) => number, hours = 25) =>
  pacificHours(date)
    .slice(0, hours)
    .map((at) => ({
      at: at.toISOString(),
      date,
      hour: pacificHour(at),
      clicks: clicks(pacificHour(at)),
      impressions: 10 * clicks(pacificHour(at)),
    }))
const known = (completeThrough: string | null) => ({
  completeThrough: completeThrough === null ? null : new Date(completeThrough),
  syncedAt: new Date('2026-05-20T19:00:00Z'),
})

test('today so far, compared with the same hours yesterday and on the same weekday in the stored weeks', () => {
  const hours = [
    ...day('2026-04-29', () => 4),
    // One hour of this week is missing, so it doesn't count.
    ...day('2026-05-06', () => 1000).filter(({ hour }) => hour !== 2),
    ...day('2026-05-13', (hour) => 8 + hour),
    ...day('2026-05-19', () => 7),
    ...day('2026-05-20', (hour) => hour + 1, 5),
  ]
  const today = todayFrom(site, '2026-05-20', hours, known('2026-05-20T02:00:00-07:00'))
  expect(today).toMatchObject({ property: site, date: '2026-05-20', preliminary: true, clicks: 15, impressions: 150 })
  expect(today.through).toBe('2026-05-20T12:00:00.000Z')
  expect(today.hours.map(({ incomplete }) => incomplete)).toEqual([false, false, false, true, true])
  expect(today.hours[1]).toMatchObject({ hour: 1, clicks: 2, yesterday: { clicks: 7 }, usual: { clicks: (4 + 9) / 2 } })
  expect(today.complete).toEqual({
    clicks: 6,
    impressions: 60,
    through: '2026-05-20T10:00:00.000Z',
    yesterday: { clicks: 21, impressions: 210 },
    usual: { clicks: (12 + 27) / 2, impressions: 195, weeks: 2 },
  })
})

test('nothing of today yet, and nothing that Google has finished', () => {
  const yesterday = day('2026-05-19', () => 7)
  expect(todayFrom(site, '2026-05-20', yesterday, known('2026-05-19T23:00:00-07:00'))).toMatchObject({
    hours: [],
    clicks: 0,
    through: null,
    complete: null,
  })
  const first = todayFrom(site, '2026-05-20', [...yesterday, ...day('2026-05-20', () => 3, 1)], known('2026-05-19T23:00:00-07:00'))
  expect(first).toMatchObject({ clicks: 3, complete: null })
  expect(first.hours[0]).toMatchObject({ incomplete: true, yesterday: { clicks: 7 }, usual: null })
})

test("the hour skipped in spring takes its neighbors' values, the repeated one in the fall its mean", () => {
  const afterSpring = todayFrom(site, '2026-03-15', [...day('2026-03-08', (hour) => hour), ...day('2026-03-15', () => 1, 4)], known(null))
  expect(afterSpring.hours.map(({ usual }) => usual?.clicks)).toEqual([0, 1, 2, 3])
  const autumn = todayFrom(site, '2026-11-01', [...day('2026-10-25', (hour) => hour), ...day('2026-11-01', () => 1, 4)], known(null))
  expect(autumn.hours.map(({ hour, usual }) => [hour, usual?.clicks])).toEqual([
    [0, 0],
    [1, 1],
    [1, 1],
    [2, 2],
  ])
  const odd = day('2026-11-01', () => 5).map((hour, i) => (i === 2 ? { ...hour, clicks: 15 } : hour))
  expect(todayFrom(site, '2026-11-08', [...odd, ...day('2026-11-08', () => 1, 3)], known(null)).hours[1]?.usual?.clicks).toBe(10)
})
