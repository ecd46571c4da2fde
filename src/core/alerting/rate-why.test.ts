import { describe, expect, test } from 'vitest'
import type { RateBreakdown } from '../../contract/alerts/rate-breakdown.ts'
import { markupOf, plainText } from './copy.ts'
import { rateWhySentence } from './rate-why.ts'

type Split = RateBreakdown['by'][number]
const item = (name: string, change: Partial<Split['items'][number]>) => ({
  name,
  current: 0.01,
  previous: 0.04,
  currentShare: 0.2,
  previousShare: 0.2,
  rate: 0,
  mix: 0,
  ...change,
})
const whole = { current: 0.02, previous: 0.03 }
const split = (change: Partial<Split>): Split => ({ dimension: 'query', ...whole, rate: 0, mix: 0, items: [], ...change })
const site = { kind: 'site', name: 'sc-domain:example.com' } as const

function said(by: readonly Split[], about: Partial<Parameters<typeof rateWhySentence>[0]> = {}, ends: typeof whole = whole): string | null {
  const sentence = rateWhySentence({ entity: site, metric: 'ctr', days: null, ...about }, { ...ends, by: [...by] })
  return sentence && plainText(sentence)
}
const position = { metric: 'position' } as const
const places = { current: 7, previous: 4 }

describe('where a change in CTR or position occurred', () => {
  test('is the keyword whose own CTR changed', () => {
    expect(said([split({ items: [item('oak lamp', { rate: -0.006 })] })])).toBe(
      '0.60 of the 1.00 percentage points lost are due to oak lamp: CTR went from 4.00% to 1.00%.',
    )
  })

  test('or the device whose share of impressions changed', () => {
    const phone = item('MOBILE', { mix: -0.008, rate: -0.001, previousShare: 0.3, currentShare: 0.6 })
    expect(said([split({ dimension: 'device', items: [phone] })])).toBe(
      '0.90 of the 1.00 percentage points lost are due to mobile: its share of impressions went from 30% to 60%.',
    )
  })

  test('or one that appeared', () => {
    const found = said([split({ items: [item('free lamp', { mix: -0.012, previous: null, previousShare: 0, currentShare: 0.4 })] })])
    expect(found).toBe('1.20 percentage points were lost due to free lamp: 0% of impressions before, 40% now.')
  })

  test("isn't the largest one if it changed no more than its share", () => {
    expect(said([split({ items: [item('oak lamp', { rate: -0.008, previousShare: 0.8, currentShare: 0.8 })] })])).toBeNull()
  })

  test("isn't said of pages, which Google counts differently from the site", () => {
    const pages = split({ dimension: 'page', previous: 0.028, items: [item('/lamp', { rate: -0.008 })] })
    expect(said([pages])).toBeNull()
    expect(said([{ ...pages, previous: whole.previous }])).toContain('due to /lamp')
  })

  test('is said in positions, where a larger number is worse', () => {
    const lamp = item('oak lamp', { current: 12, previous: 3, rate: 2.6 })
    expect(said([split({ ...places, items: [lamp] })], position, places)).toBe(
      '2.6 of the 3.0 positions lost are due to oak lamp: position went from 3.0 to 12.0.',
    )
  })

  test("isn't said of a keyword, which isn't part of itself", () => {
    const itself = split({
      rate: -0.01,
      position: -0.008,
      items: [item('oak lamp', { rate: -0.01, previousShare: 0.1, currentShare: 0.1 })],
    })
    expect(said([itself], { entity: { kind: 'query', name: 'oak lamp' } })).toBe(
      'Mainly lower positions (−0.80 points), then a lower CTR at the same positions (−0.20 points).',
    )
  })
})

describe('what a change in CTR or position consists of', () => {
  test('names the largest parts first, and what goes the other way', () => {
    expect(said([split({ rate: -0.013, position: -0.003, mix: 0.002, unnamed: 0.001 })])).toBe(
      'Mainly a lower CTR at the same positions (−1.00 points), then lower positions (−0.30 points), partly offset by a larger share of impressions for high-CTR keywords (+0.20 points).',
    )
  })

  test("doesn't tell positions from CTR where they can't be compared", () => {
    expect(said([split({ rate: -0.01 })])).toBe('Mainly a lower CTR for the same keywords (−1.00 points).')
  })

  test('of positions is in positions', () => {
    expect(said([split({ ...places, rate: 2, mix: 1.4, unnamed: -0.4 })], position, places)).toBe(
      'Mainly lower positions for the same keywords (2.0 positions worse), then a larger share of impressions for lower-ranking keywords (1.4 positions worse), partly offset by anonymized queries (0.4 positions better).',
    )
  })

  test('names the compared days if the alert compares with an expected value', () => {
    expect(said([split({ rate: -0.01 })], { days: { start: '2026-03-02', end: '2026-03-08' } })).toBe(
      'Compared with 2–8 Mar, mainly a lower CTR for the same keywords (−1.00 points).',
    )
  })
})

test('there is nothing to say about a change too small to see', () => {
  const ends = { current: 0.0301, previous: 0.03 }
  expect(said([split({ ...ends, rate: 0.0001 })], {}, ends)).toBeNull()
})

test.each(['<img src=x onerror=alert(1)>', '</code><script>', `"'`])('a name stays text: %s', (name) => {
  const sentence = rateWhySentence(
    { entity: site, metric: 'ctr', days: null },
    { ...whole, by: [split({ items: [item(name, { rate: -0.009 })] })] },
  )
  expect(markupOf(sentence ?? [])).toMatch(/due to <code>[^<>]*<\/code>: /)
})
