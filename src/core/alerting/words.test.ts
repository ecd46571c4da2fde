import { describe, expect, test } from 'vitest'
import { daysOf, markupOf, plainText, sentenceOf, titleOf, type Told } from './words.ts'

const told = (changes: Partial<Told> = {}): Told => ({
  kind: 'change',
  metric: 'clicks',
  entity: { kind: 'site', name: 'https://example.com/' },
  previous: 1204,
  current: 983,
  change: -18.355,
  windows: { current: { start: '2025-11-03', end: '2025-11-09' }, base: { start: '2025-10-27', end: '2025-11-02' } },
  comparison: 'previous_7_days',
  ...changes,
})
const page = { kind: 'page', name: '/<b>&' } as const
const query = { kind: 'query', name: 'lamp' } as const
const text = (changes: Partial<Told>) => plainText(sentenceOf(told(changes)))

describe('what changed, from what to what, over which dates', () => {
  test.each<[Partial<Told>, string, string]>([
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
      { metric: 'position', entity: query, previous: 4, current: 8.25, change: 4.25 },
      'Position dropped: “lamp”',
      'Position for lamp fell from 4.0 to 8.3 (+4.3 positions), 3–9 Nov vs 27 Oct–2 Nov.',
    ],
    [
      { metric: 'position', entity: query, previous: 8, current: 4, change: -4 },
      'Position improved: “lamp”',
      'Position for lamp improved from 8.0 to 4.0 (−4.0 positions), 3–9 Nov vs 27 Oct–2 Nov.',
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
    expect(titleOf(told(changes))).toBe(title)
    expect(text(changes)).toBe(sentence)
  })

  test('against thirty days it is an average week of them', () => {
    const windows = { current: told().windows.current, base: { start: '2025-10-04', end: '2025-11-02' } }
    expect(text({ comparison: 'previous_30_days', windows })).toContain('3–9 Nov vs the weekly average for 4 Oct–2 Nov.')
  })

  test('against last year both years are named', () => {
    const windows = { current: told().windows.current, base: { start: '2024-11-04', end: '2024-11-10' } }
    expect(text({ comparison: 'same_period_last_year', windows })).toContain('3–9 Nov 2025 vs 4–10 Nov 2024.')
  })
})

test('days are written shortly', () => {
  expect(daysOf({ start: '2025-12-28', end: '2026-01-03' })).toBe('28 Dec 2025–3 Jan 2026')
  expect(daysOf({ start: '2026-02-23', end: '2026-03-01' })).toBe('23 Feb–1 Mar')
})

test('a name that is markup stays text', () => {
  expect(markupOf(sentenceOf(told({ entity: page })))).toContain('Clicks for <code>/&lt;b&gt;&amp;</code> fell')
})
