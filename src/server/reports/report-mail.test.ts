import { describe, expect, test } from 'vitest'
import { sampleReport } from '../../../test/support/periodic-report.ts'
import type { PeriodicReport } from '../../contract/reports/periodic.ts'
import { reportEmail } from './report-email.ts'
import { mailContent, mailContentOf } from './mail-content.ts'

// Only the email's figures: weekly-reports.test.ts tests sending.

const about = { title: 'Ann & Sons', kind: 'month' as const, period: { start: '2026-10-01', end: '2026-10-31' }, missing: [], brand: null }
const sender = { logo: null, username: 'ann', baseUrl: 'https://here.example', page: null, unsubscribePage: 'https://here.example/out' }
const contentOf = (...reports: PeriodicReport[]) => mailContentOf({ ...about, reports })
const textOf = (content: ReturnType<typeof contentOf>): string => reportEmail({ content, ...sender }).text.replaceAll(/\s+/g, ' ')
const mailOf = (...reports: PeriodicReport[]): string => textOf(contentOf(...reports))

const figures = (clicks: number, position: number) => ({ clicks, impressions: clicks * 10, ctr: 0.1, position })
const report = (property: string, now = figures(100, 4), before = figures(80, 4)) =>
  sampleReport(property, {}, { totals: now, previousTotals: before })

describe('for several properties', () => {
  test('overlapping clicks are counted once', () => {
    const [domain, shop, other] = [
      report('sc-domain:a.example', figures(1_000, 4)),
      report('https://a.example/shop/', figures(400, 4)),
      report('https://b.example/', figures(50, 4)),
    ]
    const text = mailOf(shop, domain, other)
    expect(text).toContain('Combined performance of 2 sites in Google Search')
    expect(text).toContain('Clicks 1,050 (')
    expect(text).toContain('Counted once, as part of another property listed here: https://a.example/shop/.')
    const { movers, alertCount } = contentOf(shop, domain, other)
    expect(alertCount).toBe((domain.advanced?.alertCount ?? 0) + (other.advanced?.alertCount ?? 0))
    expect(alertCount).toBeGreaterThan(0)
    expect(movers.map(({ property }) => property)).not.toContain(shop.property)
    expect(new Set(movers.map(({ property, what, name }) => `${property} ${what} ${name}`)).size).toBe(movers.length)
  })

  test('a property and a part of it are one site', () => {
    const text = mailOf(report('sc-domain:a.example', figures(1_000, 4)), report('https://a.example/', figures(900, 4)))
    expect(text).toContain('Performance in Google Search')
    expect(text).toContain('Clicks 1,000 (')
  })

  test('an email composed before this was added is sent unchanged', () => {
    const {
      within: _within,
      partial: _partial,
      notStored: _notStored,
      notComparable: _notComparable,
      ...older
    } = contentOf(report('https://b.example/'))
    expect(textOf(mailContent.parse(JSON.parse(JSON.stringify(older))))).toContain('Clicks 100 (+25.0%)')
  })
})

test('figures that Google counted differently have no change, but a reason', () => {
  const days = { period: { start: '2026-05-01', end: '2026-05-31' }, previous: { start: '2026-04-01', end: '2026-04-30' } }
  const text = mailOf({ ...report('https://a.example/'), ...days }, { ...report('https://b.example/'), ...days })
  expect(text).toContain('Clicks 200 (+25.0%)')
  expect(text).toContain('Impressions 2,000 (not comparable)')
  expect(text).toContain("Impressions, CTR and position can't be compared: Google counted differently on some of these days.")
})

describe('a change in position', () => {
  test.each([
    ['a smaller one is better', 4.2, 5.4, 'Position 4.2 (1.2 better)'],
    ['a larger one is worse', 5.4, 4.2, 'Position 5.4 (1.2 worse)'],
    ['as they are shown', 4.24, 4.16, 'Position 4.2 (unchanged)'],
    ['is not shown where none is known now', 0, 8.3, 'Position none Biggest'],
    ['nor where none was known', 8.3, 0, 'Position 8.3 Biggest'],
  ])('%s', (_what, now, before, words) => {
    expect(mailOf(report('https://b.example/', figures(100, now), figures(80, before)))).toContain(words)
  })
})

describe('for days with only stored totals', () => {
  const nothing = { count: 0, top: [], stored: false, compared: false }
  const totalsOnly = (property: string) => sampleReport(property, {}, { pages: nothing, keywords: nothing })

  test('it says what isn’t stored', () => {
    expect(mailOf(totalsOnly('https://b.example/'))).toContain("Page and keyword data isn't available for every day of this period.")
    expect(mailOf(report('https://b.example/'))).not.toContain("isn't available")
  })
  test('and for which property', () => {
    const half = sampleReport('sc-domain:c.example', {}, { keywords: nothing })
    const text = mailOf(report('https://a.example/'), totalsOnly('https://b.example/'), half)
    expect(text).toContain("Page and keyword data isn't available for every day of this period (https://b.example/).")
    expect(text).toContain("Keyword data isn't available for every day of this period (c.example).")
  })
})
