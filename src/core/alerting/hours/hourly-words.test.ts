import { expect, test } from 'vitest'
import { comparedHours, finalDay, hourlySentenceOf, hourlyTitleOf, type ToldByHours } from './hourly-words.ts'

const told = (changes: Partial<ToldByHours['hours']> = {}): ToldByHours => ({
  metric: 'clicks',
  current: 180,
  previous: 420,
  change: -57.14,
  hours: { day: '2026-03-18', through: 14, weeks: 4, status: 'preliminary', ...changes },
  final: null,
})
const final = { current: 905, previous: 930, change: -2.69 }

test('a preliminary alert says which hours it is of, on whose clock, and what follows', () => {
  expect(hourlyTitleOf(told())).toBe('Clicks dropped across the site so far on 18 Mar (through 14:00 Pacific), preliminary')
  expect(hourlySentenceOf(told())).toBe(
    'Clicks fell from the usual 420 to 180 (−57.1%) so far on Wednesday, 18 Mar (through 14:00 Pacific), compared with the same hours of the previous 4 Wednesdays. This is preliminary: final data, two or three days later, will confirm or withdraw it.',
  )
})

test('what became of it is told with the final figures', () => {
  const withdrawn = { ...told({ status: 'withdrawn', weeks: 1 }), final }
  expect(hourlyTitleOf(withdrawn)).toBe('Clicks dropped across the site so far on 18 Mar (through 14:00 Pacific)')
  expect(hourlySentenceOf(withdrawn)).toBe(
    'Clicks fell from the usual 420 to 180 (−57.1%) so far on Wednesday, 18 Mar (through 14:00 Pacific). Final data for Wednesday, 18 Mar: 905 clicks vs the usual 930 (−2.7%), so the alert was withdrawn.',
  )
  const confirmed = told({ status: 'confirmed', weeks: 1 })
  expect(hourlyTitleOf(confirmed)).toBe('Clicks dropped across the site on 18 Mar')
  expect(hourlySentenceOf(confirmed)).toBe(
    'Clicks fell from the usual 420 to 180 (−57.1%) on Wednesday, 18 Mar, compared with the previous Wednesday. First seen in hourly data at 14:00 Pacific, then confirmed by final data.',
  )
  expect(finalDay('impressions', '2026-03-18', final)).toBe('Final data for Wednesday, 18 Mar: 905 impressions vs the usual 930 (−2.7%)')
})

test('what is compared is named in short', () => {
  const { hours } = told()
  const day = { start: hours.day, end: hours.day }
  expect(comparedHours(hours, day)).toEqual({ usual: 'same hours, previous 4 Wednesdays', now: '18 Mar through 14:00 Pacific' })
  expect(comparedHours({ ...hours, weeks: 1, status: 'confirmed' }, day)).toEqual({ usual: 'previous Wednesday', now: '18 Mar' })
  expect(comparedHours(hours, { start: '2026-03-12', end: hours.day })).toBeNull()
  expect(comparedHours(undefined, day)).toBeNull()
})

test('rises, and a day counted to its end', () => {
  const rise = { ...told({ through: 24 }), metric: 'impressions' as const, current: 900, change: 114.3 }
  expect(hourlyTitleOf(rise)).toBe('Impressions spiked across the site on 18 Mar (all hours), preliminary')
  expect(hourlySentenceOf(rise)).toContain('Impressions rose from the usual 420 to 900 (+114.3%) on Wednesday, 18 Mar (all hours)')
})
