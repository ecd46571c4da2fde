import type { AlertReport } from '../../src/contract/alerts/alerts.ts'
import { keepReport, reportOf } from '../support/answers/report.ts'
import { shop } from '../support/answers/usual.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

// Why something changed, as shown in an alert's report.

const lamp = `https://lumenandloom.example/<img src=x onerror=alert(1)>`
const explained: Partial<AlertReport> = {
  entity: { kind: 'site', name: shop },
  previousValue: 910,
  currentValue: 364,
  change: -60,
  unusual: { months: 14 },
  why: '500 of the 546 lost clicks were on <code>https://lumenandloom.example/&lt;img src=x onerror=alert(1)&gt;</code>. Mainly lower positions (−450).',
  breakdown: {
    previous: 910,
    current: 364,
    parts: { demand: -120, position: -450, ctr: 40, shown: 0, anonymized: -16 },
    by: [
      { dimension: 'page', items: [{ name: lamp, previous: 520, current: 20 }] },
      { dimension: 'query', items: [{ name: 'floor lamps with reading lights', previous: 300, current: 120 }] },
      { dimension: 'device', items: [{ name: 'MOBILE', previous: 600, current: 200 }] },
      { dimension: 'country', items: [{ name: 'deu', previous: 700, current: 250 }] },
      { dimension: 'brand', items: [{ name: 'brand', previous: 400, current: 150 }] },
    ],
  },
  coincidences: [
    {
      kind: 'ranking_incident',
      from: '2026-03-05',
      to: null,
      title: 'March 2026 core update',
      link: 'https://status.search.google.com/incidents/a',
    },
    { kind: 'note', from: '2026-03-09', to: '2026-03-09', title: 'New theme <b>live</b>' },
  ],
}
/** With the band of expected values. */
function report(change: Partial<AlertReport> = explained): AlertReport {
  const made = reportOf(change)
  const days = made.series.map(({ date }) => ({ date, expected: 130, low: 110, high: 154 }))
  return { ...made, ...(change.unusual && { firstDay: '2026-03-11', expectation: { firstDay: '2026-03-11', days } }) }
}

describe.for([
  [375, 'dark', []],
  [375, 'light', ['full']],
  [1_024, 'light', ['full']],
  [1_024, 'dark', ['full']],
  [1_440, 'light', ['full']],
  [1_440, 'dark', ['full']],
] as const)('at %i pixels, in %s', ([width, theme, tags]) => {
  test('why it changed, in words and in parts', { tags: [...tags] }, async ({ desk, open }) => {
    const shown = report()
    keepReport(desk, shown)
    const page = await open(`/alerts/${shown.id}`, { width, theme })
    await expectVisible(page.getByText('500 of the 546 lost clicks were on'))
    expect(await page.locator('main img').count()).toBe(0)
    const parts = page.getByRole('table', { name: 'By cause' }).getByRole('row')
    await expectText(parts.nth(1), /Lower positions.*−450/)
    await expectText(parts.nth(2), /Fewer impressions at the same positions.*−120/)
    await page.getByRole('tab', { name: 'Countries' }).click()
    await expectText(page.getByRole('table', { name: 'Countries' }).getByRole('row').nth(1), /Germany.*−450.*700 → 250/)
    const beside = page.getByRole('region', { name: 'Around the same time' })
    await expectVisible(beside.getByText('New theme <b>live</b>'))
    await expectVisible(beside.getByText('Google update · since 5 Mar 2026'))
    await expectVisible(page.getByText('about once every 14 months'))
    await expectVisible(page.getByText('11 Mar 2026', { exact: true }))
    await expectWithinWindow(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Show as table: Clicks by day/ }).click()
    await expectText(page.getByRole('dialog').getByRole('row').nth(1), /130 \(110–154\)/)
  })
})

test('without known reasons nothing is shown', { tags: ['full'] }, async ({ desk, open }) => {
  const shown = report({})
  keepReport(desk, shown)
  const page = await open(`/alerts/${shown.id}`)
  await expectVisible(page.getByRole('heading', { name: 'Top contributors' }))
  for (const name of ['What drove the change', 'Around the same time']) await expectGone(page.getByRole('heading', { name }))
})

/** A CTR that fell because of one keyword, and because more of the impressions are on phones. */
const ofCtr: Partial<AlertReport> = {
  type: 'ctr',
  entity: { kind: 'site', name: shop },
  previousValue: 0.0412,
  currentValue: 0.0307,
  change: -25.5,
  why: '0.62 of the 1.05 percentage points lost are due to <code>floor lamps</code>: CTR went from 8.10% to 3.20%.',
  rateBreakdown: {
    previous: 0.0412,
    current: 0.0307,
    by: [
      {
        dimension: 'page',
        previous: 0.0391,
        current: 0.0302,
        rate: -0.0089,
        mix: 0,
        items: [{ name: lamp, previous: 0.06, current: 0.02, previousShare: 0.2, currentShare: 0.2, rate: -0.008, mix: 0 }],
      },
      {
        dimension: 'query',
        previous: 0.0412,
        current: 0.0307,
        rate: -0.0091,
        position: -0.003,
        mix: -0.0016,
        unnamed: 0.0002,
        items: [
          { name: 'floor lamps', previous: 0.081, current: 0.032, previousShare: 0.13, currentShare: 0.12, rate: -0.006, mix: -0.0002 },
          { name: 'free lamps', previous: null, current: 0.001, previousShare: 0, currentShare: 0.08, rate: 0, mix: -0.0029 },
        ],
      },
    ],
  },
}

describe.for([
  [375, 'dark', []],
  [375, 'light', ['full']],
  [1_024, 'light', ['full']],
  [1_024, 'dark', ['full']],
  [1_440, 'light', ['full']],
  [1_440, 'dark', ['full']],
] as const)('at %i pixels, in %s', ([width, theme, tags]) => {
  test('why a CTR changed, in parts that add up', { tags: [...tags] }, async ({ desk, open }) => {
    const shown = report(ofCtr)
    keepReport(desk, shown)
    const page = await open(`/alerts/${shown.id}`, { width, theme })
    await expectVisible(page.getByText('0.62 of the 1.05 percentage points lost are due to'))
    const parts = page.getByRole('table', { name: 'By cause' }).getByRole('row')
    await expectText(parts.nth(1), /A lower CTR at the same positions.*−0.61 points/)
    await expectText(parts.nth(2), /Lower positions.*−0.30 points/)
    await expectText(parts.nth(3), /A larger share of impressions for low-CTR keywords.*−0.16 points/)
    await expectVisible(page.getByText('page figures add up to a different change: 3.91% → 3.02%.'))
    await page.getByRole('tab', { name: 'Keywords' }).click()
    const keywords = page.getByRole('table', { name: 'Keywords' }).getByRole('row')
    await expectText(keywords.nth(1), /floor lamps.*−0.62 points 8.10% → 3.20% (Share 13% → 12%|13% → 12% of impressions)/)
    await expectText(keywords.nth(2), /free lamps.*−0.29 points – → 0.10% (Share 0% → 8%|0% → 8% of impressions)/)
    await expectGone(page.getByRole('heading', { name: 'Top contributors' }))
    await expectWithinWindow(page)
    await expectAccessible(page)
  })
})

test('the chart of an unusual CTR has the expected range of each day', { tags: ['full'] }, async ({ desk, open }) => {
  const made = reportOf({ ...ofCtr, unusual: { months: 14 }, firstDay: '2026-03-11' })
  const days = made.series.map(({ date }) => ({ date, expected: 0.041, low: 0.034, high: 0.049 }))
  keepReport(desk, { ...made, firstDay: '2026-03-11', expectation: { firstDay: '2026-03-11', days } })
  const page = await open(`/alerts/${made.id}`, { width: 1_440, theme: 'light' })
  await expectVisible(page.getByText('11 Mar 2026', { exact: true }))
  await page.getByRole('button', { name: /^Show as table: CTR by day/ }).click()
  await expectText(page.getByRole('dialog').getByRole('row').nth(1), /4.10% \(3.40%–4.90%\)/)
})

test(
  'an alert beyond a threshold says what was expected, how rare it is and when it began, with the range on its chart',
  { tags: ['full'] },
  async ({ desk, open }) => {
    const { unusual: _unusual, ...compared } = explained
    const made = reportOf({ ...compared, expected: { value: 1_180, low: 1_020, high: 1_360, months: 8 }, firstDay: '2026-03-11' })
    const days = made.series.map(({ date }) => ({ date, expected: 130, low: 110, high: 154 }))
    keepReport(desk, { ...made, firstDay: '2026-03-11', expectation: { firstDay: '2026-03-11', days } })
    const page = await open(`/alerts/${made.id}`, { width: 375, theme: 'dark' })
    await expectVisible(page.getByText('1,180, usually 1,020–1,360'))
    await expectVisible(page.getByText('about once every 8 months'))
    await expectVisible(page.getByText('11 Mar 2026', { exact: true }))
    await expectWithinWindow(page)
    await page.getByRole('button', { name: /^Show as table: Clicks by day/ }).click()
    await expectText(page.getByRole('dialog').getByRole('row').nth(1), /130 \(110–154\)/)
  },
)
