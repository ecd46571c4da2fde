import { expect, test } from 'vitest'
import { changedDays, knownHours } from './hour-days.ts'

const now = new Date('2026-03-09T19:20:00Z')
const row = (at: string, clicks: number) => ({ at: new Date(at), clicks, impressions: clicks * 10, position: 2 })
const google = (firstIncomplete: string | null, ...rows: [string, number][]) => ({
  hours: rows.map(([at, clicks]) => row(at, clicks)),
  firstIncomplete: firstIncomplete === null ? null : new Date(firstIncomplete),
})
const brief = (hours: { date: string; hour: number; clicks: number }[] | undefined) =>
  hours?.map(({ date, hour, clicks }) => [date, hour, clicks])

test('hours that Google omits between others are zero; the day daylight saving time begins has no hour 2', () => {
  const known = knownHours(google(null, ['2026-03-08T00:00:00-08:00', 1], ['2026-03-08T04:00:00-07:00', 4]), now)
  expect(brief(known.hours)).toEqual([
    ['2026-03-08', 0, 1],
    ['2026-03-08', 1, 0],
    ['2026-03-08', 3, 0],
    ['2026-03-08', 4, 4],
  ])
  expect(known.completeThrough).toEqual(new Date('2026-03-08T04:00:00-07:00'))
})

test("hours that Google has finished are known even if it has no rows for them; future ones aren't", () => {
  const known = knownHours(google('2026-03-09T03:00:00-07:00', ['2026-03-09T00:00:00-07:00', 7]), now)
  expect(brief(known.hours)).toEqual([
    ['2026-03-09', 0, 7],
    ['2026-03-09', 1, 0],
    ['2026-03-09', 2, 0],
  ])
  expect(known.completeThrough).toEqual(new Date('2026-03-09T02:00:00-07:00'))
  const ahead = knownHours(google('2026-03-12T00:00:00-07:00', ['2026-03-09T10:00:00-07:00', 7]), now)
  expect(ahead.hours.at(-1)?.hour).toBe(11)
  expect(ahead.completeThrough).toEqual(new Date('2026-03-09T11:00:00-07:00'))
})

test("hours still being counted are known, but Google hasn't finished them", () => {
  const known = knownHours(google('2026-03-09T01:00:00-07:00', ['2026-03-09T00:00:00-07:00', 7], ['2026-03-09T01:00:00-07:00', 3]), now)
  expect(known.hours).toHaveLength(2)
  expect(known.completeThrough).toEqual(new Date('2026-03-09T00:00:00-07:00'))
  expect(knownHours(google('2026-03-09T00:00:00-07:00', ['2026-03-09T00:00:00-07:00', 7]), now).completeThrough).toBeNull()
})

test('a response without figures changes nothing stored', () => {
  const { hours } = knownHours(google(null, ['2026-03-09T00:00:00-07:00', 7]), now)
  expect(knownHours(google(null), now)).toEqual({ hours: [], completeThrough: null })
  expect(changedDays(hours, [])).toEqual(new Map())
})

test('only changed days are replaced, hours that Google omits stay, hours that it takes back go', () => {
  const at = (day: number, hour: number) => `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00-07:00`
  const hoursOfDays = (from: [number, number], to: [number, number], clicks = (day: number, _hour: number) => day) => {
    const rows: [string, number][] = []
    for (let day = from[0]; day <= to[0]; day++) {
      for (let hour = day === from[0] ? from[1] : 0; hour <= (day === to[0] ? to[1] : 23); hour++)
        rows.push([at(day, hour), clicks(day, hour)])
    }
    return knownHours(google(null, ...rows), new Date('2026-04-01T00:00:00Z')).hours
  }
  const stored = hoursOfDays([10, 0], [13, 9])
  expect(changedDays(stored, hoursOfDays([10, 0], [13, 9]))).toEqual(new Map())
  // Google truncated the first day, the second is the same, the third was revised, the last has more.
  const changed = changedDays(
    stored,
    hoursOfDays([10, 12], [13, 11], (day, hour) => (day === 12 && hour === 5 ? 99 : day)),
  )
  expect([...changed.keys()]).toEqual(['2026-03-12', '2026-03-13'])
  expect(changed.get('2026-03-12')?.[5]?.clicks).toBe(99)
  expect(changed.get('2026-03-13')).toHaveLength(12)
  const cut = changedDays(
    stored,
    hoursOfDays([10, 12], [13, 9], (day, hour) => (day === 10 && hour === 20 ? 1 : day)),
  ).get('2026-03-10')
  expect(brief(cut)?.slice(10, 13)).toEqual([10, 11, 12].map((hour) => ['2026-03-10', hour, 10]))
  expect(cut).toHaveLength(24)
  expect([...changedDays(stored, hoursOfDays([10, 0], [12, 20]))].map(([date, hours]) => [date, hours.length])).toEqual([
    ['2026-03-12', 21],
    ['2026-03-13', 0],
  ])
})
