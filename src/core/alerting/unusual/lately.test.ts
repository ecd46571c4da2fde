import { expect, test } from 'vitest'
import { addDays, dayNumber } from '../../analytics/days.ts'
import { prepare } from '../../detection/series.ts'
import { latelyOf } from './lately.ts'
import type { SiteHistory } from './site.ts'

const start = '2025-01-06'
/** Weekends at a third. */
const site = (days: number, shareOf: (day: number) => number, level = 900) => ({
  counts: { start, counts: Array.from({ length: days }, (_, day) => Math.round(level * (day % 7 >= 5 ? 1 / 3 : 1) * shareOf(day))) },
  isHoliday: () => false,
})
/** What an alert about a window of `length` days was opened with: `share` of what was expected. */
const opening = (end: number, length: number, share: number) => {
  const current = { start: addDays(start, end + 1 - length), end: addDays(start, end) }
  return { previous: 700 * length, current: 700 * length * share, windows: { current, base: current, scale: 1 } }
}
const howIs = (
  { counts, isHoliday }: Pick<SiteHistory, 'counts' | 'isHoliday'>,
  opened: ReturnType<typeof opening>,
  direction: 'fall' | 'rise',
) => latelyOf(prepare(counts, isHoliday), counts.counts.length, opened, direction)
const halved = (day: number): number => (day >= 100 ? 0.5 : 1)

test('a site at half of its clicks is not back, and one at all of them is, however long the window that found it', () => {
  for (const length of [3, 5, 7, 10, 14]) {
    const share = Math.max(0.5, 1 - 1.5 / length)
    for (let days = 118; days < 126; days++) {
      expect(howIs(site(days, halved), opening(102, length, share), 'fall')).toMatchObject({ isBack: false })
      expect(
        howIs(
          site(days, (day) => (day < 110 ? halved(day) : 1)),
          opening(102, length, share),
          'fall',
        )?.isBack,
      ).toBe(true)
    }
  }
})

test('the three latest days suffice if all of them are back, but weekdays are compared with weekdays', () => {
  const until = (back: number, days: number) =>
    howIs(
      site(days, (day) => (day >= 100 && day < back ? 0.2 : 1)),
      opening(102, 3, 0.2),
      'fall',
    )?.isBack
  expect(until(114, 116)).toBe(false)
  expect(until(114, 117)).toBe(true)
  // Monday to Wednesday at two thirds are more clicks than an average day has.
  const weaker = site(122, (day) => (day >= 100 ? 0.65 : 1))
  expect(howIs(weaker, opening(102, 5, 0.65), 'fall')?.isBack).toBe(false)
})

test('the level is that of the last seven days, with what was expected of them before', () => {
  for (const level of [900, 9]) {
    const week = level * (5 + 2 / 3)
    const lately = howIs(site(125, halved, level), opening(102, 3, 0.5), 'fall')
    expect(lately?.level.days).toBe(7)
    expect(Math.abs((lately?.level.value ?? 0) / (week / 2) - 1)).toBeLessThan(0.15)
    expect(Math.abs((lately?.level.before ?? 0) / week - 1)).toBeLessThan(0.15)
  }
})

test('days that are not compared do not change the level: unknown ones, those of an outage, and holidays', () => {
  const lasting = site(126, (day) => (day >= 100 ? 0.7 : 1))
  const { counts } = lasting.counts
  const withDays = (change: (count: number, day: number) => number | null) => ({
    ...lasting,
    counts: { start, counts: counts.map((count, day) => change(count, day)) },
  })
  const isLastWeekend = (day: number): boolean => day === 117 || day === 118
  for (const of of [
    withDays((count, day) => (isLastWeekend(day) ? null : count)),
    withDays((count, day) => (isLastWeekend(day) ? 0 : count)),
    {
      ...withDays((count, day) => (isLastWeekend(day) ? 3 * count : count)),
      isHoliday: (day: number) => isLastWeekend(day - dayNumber(start)),
    },
  ]) {
    const upTo = { ...of, counts: { start, counts: of.counts.counts.slice(0, 122) } }
    const { value = 0, before } = howIs(upTo, opening(102, 3, 0.7), 'fall')?.level ?? {}
    expect(Math.abs((value ?? 0) / (before ?? 1) / 0.7 - 1)).toBeLessThan(0.02)
  }
})

test('without an ordinary day in the four weeks before, four weeks decide that a site is not back', () => {
  const afterGap = (days: number) => {
    const { counts, isHoliday } = site(days, (day) => (day >= 230 ? 0.6 : 1))
    return { counts: { start, counts: counts.counts.map((count, day) => (day >= 200 && day < 230 ? null : count)) }, isHoliday }
  }
  const howAfter = (days: number) => howIs(afterGap(days), opening(232, 3, 0.6), 'fall')
  expect(howAfter(244)).toMatchObject({ isBack: false })
  expect(howAfter(262)).toMatchObject({ isBack: false, isClear: true })
})

test('visitors on weekends only: a good weekend does not decide', () => {
  const weekends = (last: number) => ({
    counts: {
      start,
      counts: Array.from({ length: 126 }, (_, day) => {
        const varies = 1 + (((day * 7919) % 13) - 6) / 50
        const share = day < 105 ? varies : day >= 124 ? last : 0.86 * varies
        return day % 7 >= 5 ? Math.round(300 * share) : 0
      }),
    },
    isHoliday: () => false,
  })
  const current = { start: addDays(start, 103), end: addDays(start, 112) }
  const opened = { previous: 1_200, current: 1_030, windows: { current, base: current, scale: 1 } }
  const howAt = (last: number) => howIs(weekends(last), opened, 'fall')
  expect(howAt(0.96)).toMatchObject({ isBack: false, isClear: false })
  expect(howAt(0.7)).toMatchObject({ isBack: false, isClear: true })
})

test('a rise is over when most of it is gone, and nothing is said about a site without a past', () => {
  const risen = (day: number): number => (day >= 100 ? 2 : 1)
  expect(howIs(site(125, risen), opening(102, 3, 2), 'rise')?.isBack).toBe(false)
  expect(
    howIs(
      site(125, (day) => (day < 105 ? risen(day) : 1)),
      opening(102, 3, 2),
      'rise',
    )?.isBack,
  ).toBe(true)
  expect(howIs(site(20, halved), opening(12, 3, 0.5), 'fall')).toBeNull()
})
