import { describe, expect, test } from 'vitest'
import {
  type AlertFacts,
  beginningText,
  comparedHours,
  daysOf,
  expectedSentence,
  finalDay,
  hourlyDetail,
  type HourlyFacts,
  hourlySentenceOf,
  hourlyTitleOf,
  markupOf,
  plainText,
  sentenceOf,
  titleOf,
} from './copy.ts'

const facts = (changes: Partial<AlertFacts> = {}): AlertFacts => ({
  kind: 'change',
  metric: 'clicks',
  entity: { kind: 'site', name: 'https://example.com/' },
  previous: 1204,
  current: 983,
  change: -18.355,
  windows: { current: { start: '2025-11-03', end: '2025-11-09' }, base: { start: '2025-10-27', end: '2025-11-02' } },
  ...changes,
})
const page = { kind: 'page', name: '/<b>&' } as const
const query = { kind: 'query', name: 'lamp' } as const
const text = (changes: Partial<AlertFacts>) => plainText(sentenceOf(facts(changes)))

describe('in a search type other than web', () => {
  test.each<[Partial<AlertFacts>, string, string]>([
    [
      { searchType: 'discover' },
      'Clicks dropped across the site in Discover',
      'Clicks in Discover fell from 1,204 to 983 (−18.4%), 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { searchType: 'googleNews', entity: page },
      'Clicks dropped in Google News: /<b>&',
      'Clicks in Google News for /<b>& fell from 1,204 to 983 (−18.4%), 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { searchType: 'image', entity: query, segment: 'Brand', months: 14 },
      'Clicks unusually low in image search, segment “Brand”: “lamp”',
      'Clicks in image search for lamp in segment Brand were 983 vs 1,204 expected (−18.4%), 3–9 Nov 2025. Expect a change this large about once every 14 months.',
    ],
    [
      { searchType: 'discover', entity: { kind: 'segment', name: 'Blog' }, segment: 'Blog' },
      'Clicks dropped in Discover, segment “Blog”',
      'Clicks in Discover in segment Blog fell from 1,204 to 983 (−18.4%), 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { searchType: 'discover', entity: { kind: 'segment', name: '' } },
      'Clicks dropped in Discover in part of the site',
      'Clicks in Discover in part of the site fell from 1,204 to 983 (−18.4%), 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { searchType: 'image', kind: 'new_query', metric: 'position', entity: query, previous: null, current: 6.5, change: null },
      'New keyword in image search: “lamp”',
      'The site ranked in image search for lamp for the first time, at position 6.5, 3–9 Nov.',
    ],
    [
      { searchType: 'news', kind: 'new_page', metric: 'position', entity: page, previous: null, current: 12, change: null },
      'New ranking page in the News tab: /<b>&',
      '/<b>& appeared in the News tab for the first time, at position 12.0, 3–9 Nov.',
    ],
    [
      { searchType: 'video', kind: 'lost_query', metric: 'position', entity: query, previous: 4, current: 25, change: 21 },
      'Lost ranking in video search: “lamp”',
      'Position in video search for lamp fell from 4.0 to 25.0, 3–9 Nov vs 27 Oct–2 Nov.',
    ],
  ])('%o', (changes, title, sentence) => {
    expect([titleOf(facts(changes)), text(changes)]).toEqual([title, sentence])
  })
})

describe('what changed, from what to what, over which dates', () => {
  test.each<[Partial<AlertFacts>, string, string]>([
    [{}, 'Clicks dropped across the site', 'Clicks fell from 1,204 to 983 (−18.4%), 3–9 Nov vs 27 Oct–2 Nov.'],
    [
      { metric: 'ctr', entity: query, previous: 0.0512, current: 0.025, change: -51.2 },
      'CTR dropped: “lamp”',
      'CTR for lamp fell from 5.12% to 2.50% (−51.2%), 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { metric: 'impressions', entity: page, change: 1_560 },
      'Impressions spiked: /<b>&',
      'Impressions for /<b>& rose from 1,204 to 983 (+1,560.0%), 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { metric: 'clicks', entity: page, previous: 0, current: 4000, change: null },
      'Clicks spiked: /<b>&',
      'Clicks for /<b>& rose from 0 to 4,000, 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { metric: 'position', entity: query, previous: 4, current: 8.25, change: 4.25 },
      'Position dropped: “lamp”',
      'Position for lamp fell from 4.0 to 8.3 (4.3 worse), 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { metric: 'position', entity: query, previous: 8, current: 4, change: -4 },
      'Position improved: “lamp”',
      'Position for lamp improved from 8.0 to 4.0 (4.0 better), 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { kind: 'new_query', metric: 'position', entity: query, previous: null, current: 6.5, change: null },
      'New keyword: “lamp”',
      'The site ranked for lamp for the first time, at position 6.5, 3–9 Nov.',
    ],
    [
      { kind: 'new_page', metric: 'position', entity: page, previous: null, current: 12, change: null },
      'New ranking page: /<b>&',
      '/<b>& appeared in search for the first time, at position 12.0, 3–9 Nov.',
    ],
    [
      { kind: 'lost_query', metric: 'position', entity: query, previous: 3, current: null, change: null },
      'Lost ranking: “lamp”',
      'The site no longer ranks for lamp, down from position 3.0, 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { kind: 'lost_query', metric: 'position', entity: query, previous: 3, current: 24, change: 21 },
      'Lost ranking: “lamp”',
      'Position for lamp fell from 3.0 to 24.0, 3–9 Nov vs 27 Oct–2 Nov.',
    ],
  ])('%j', (changes, title, sentence) => {
    expect(titleOf(facts(changes))).toBe(title)
    expect(text(changes)).toBe(sentence)
  })

  test('compared with thirty days it is an average week of them', () => {
    const windows = { current: facts().windows.current, base: { start: '2025-10-04', end: '2025-11-02' } }
    expect(text({ windows })).toContain('3–9 Nov vs the weekly average for 4 Oct–2 Nov.')
  })

  test('compared with last year both years are named', () => {
    const windows = { current: facts().windows.current, base: { start: '2024-11-04', end: '2024-11-10' } }
    expect(text({ windows })).toContain('3–9 Nov 2025 vs 4–10 Nov 2024.')
  })
})

test('where some of the days are not compared, it says of how many the figures are', () => {
  const windows = { current: { start: '2025-12-27', end: '2026-01-05' }, base: { start: '2025-12-13', end: '2025-12-22' } }
  expect(text({ months: 60, windows, previous: 2_889, current: 1_947, change: -32.6, days: 3 })).toBe(
    'Clicks were 1,947 vs 2,889 expected (−32.6%) on 3 of the 10 days 27 Dec 2025–5 Jan 2026. Holidays, outages and days without data are left out. A change this large is very rare here.',
  )
})

test('days are written in short form', () => {
  expect(daysOf({ start: '2025-12-28', end: '2026-01-03' })).toBe('28 Dec 2025–3 Jan 2026')
  expect(daysOf({ start: '2026-02-23', end: '2026-03-01' })).toBe('23 Feb–1 Mar')
})

test('a name that is markup stays text', () => {
  expect(markupOf(sentenceOf(facts({ entity: page })))).toContain('Clicks for <code>/&lt;b&gt;&amp;</code> fell')
})

const hourly = (changes: Partial<HourlyFacts['hours']> = {}): HourlyFacts => ({
  metric: 'clicks',
  current: 180,
  previous: 420,
  change: -57.14,
  hours: { day: '2026-03-18', through: 14, weeks: 4, status: 'preliminary', ...changes },
  final: null,
})
const final = { current: 905, previous: 930, change: -2.69 }

test('a preliminary alert says which hours it covers, in which time zone, and what follows', () => {
  expect(hourlyTitleOf(hourly())).toBe('Clicks dropped across the site so far on 18 Mar (through 14:00 Pacific), preliminary')
  expect(hourlySentenceOf(hourly())).toBe(
    'Clicks fell from the usual 420 to 180 (−57.1%) so far on Wednesday, 18 Mar (through 14:00 Pacific). This is preliminary: final data, due in two or three days, will confirm or withdraw the alert.',
  )
})

test('its outcome is given with the final figures', () => {
  const withdrawn = { ...hourly({ status: 'withdrawn', weeks: 1 }), final }
  expect(hourlyTitleOf(withdrawn)).toBe('Clicks dropped across the site so far on 18 Mar (through 14:00 Pacific)')
  expect(hourlySentenceOf(withdrawn)).toBe(
    'Clicks fell from the usual 420 to 180 (−57.1%) so far on Wednesday, 18 Mar (through 14:00 Pacific). Final data for Wednesday, 18 Mar: 905 clicks vs the usual 930 (−2.7%), so the alert was withdrawn.',
  )
  const confirmed = hourly({ status: 'confirmed', weeks: 1, seen: 14, through: 24 })
  expect(hourlyTitleOf(confirmed)).toBe('Clicks dropped across the site on 18 Mar')
  expect(hourlySentenceOf(confirmed)).toBe(
    'Clicks fell from the usual 420 to 180 (−57.1%) on Wednesday, 18 Mar. First seen in hourly data at 14:00 Pacific, then confirmed by final data.',
  )
  expect(hourlySentenceOf(hourly({ status: 'confirmed', weeks: 1 }))).toContain('First seen in hourly data, then confirmed by final data.')
  expect(finalDay('impressions', '2026-03-18', final)).toBe('Final data for Wednesday, 18 Mar: 905 impressions vs the usual 930 (−2.7%)')
  const one = { current: 1, previous: 40, change: -97.5 }
  expect(finalDay('clicks', '2026-03-18', one)).toBe('Final data for Wednesday, 18 Mar: 1 click vs the usual 40 (−97.5%)')
  expect(hourlyDetail('clicks', hourly().hours, one)).toContain('1 click so far on 18 Mar')
})

test('the comparison has a short name', () => {
  const { hours } = hourly()
  const day = { start: hours.day, end: hours.day }
  expect(comparedHours(hours, day)).toEqual({ usual: 'expected for a Wednesday by then', now: '18 Mar through 14:00 Pacific' })
  expect(comparedHours({ ...hours, weeks: 1, status: 'confirmed' }, day)).toEqual({ usual: 'expected for a Wednesday', now: '18 Mar' })
  expect(comparedHours(hours, { start: '2026-03-12', end: hours.day })).toBeNull()
  expect(comparedHours(undefined, day)).toBeNull()
})

test('rises, and a day counted to its end', () => {
  const rise = { ...hourly({ through: 24 }), metric: 'impressions' as const, current: 900, change: 114.3 }
  expect(hourlyTitleOf(rise)).toBe('Impressions spiked across the site on 18 Mar (all hours), preliminary')
  expect(hourlySentenceOf(rise)).toContain('Impressions rose from the usual 420 to 900 (+114.3%) on Wednesday, 18 Mar (all hours)')
})

test('in a few words, since when and what was expected, as far as known', () => {
  const expected = { value: 703.4, low: 610.2, high: 819.6, months: 8 }
  expect(beginningText({ type: 'clicks', firstDay: '2025-11-18', expected })).toBe('since Tue 18 Nov; expected 610–820')
  expect(beginningText({ type: 'clicks', firstDay: '2025-11-18' })).toBe('since Tue 18 Nov')
  expect(beginningText({ type: 'ctr', expected: { value: 0.03, low: 0.021, high: 0.034 } })).toBe('expected 2.10–3.40%')
  expect(beginningText({ type: 'position', expected: { value: 3, low: 2.96, high: 3.04 } })).toBe('expected 3.0')
  expect(beginningText({ type: 'clicks' })).toBeNull()
  expect(expectedSentence('clicks', expected)).toBe('Expected 703, usually 610–820; a change this large occurs about once every 8 months.')
  expect(expectedSentence('ctr', { value: 0.03, low: 0.021, high: 0.034 })).toBe('Expected 3.00% at this position, usually 2.10–3.40%.')
})
