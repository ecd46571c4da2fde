import type { Page } from 'playwright-core'
import { choose, chooseLonger } from '../support/analytics-screens.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import { queryAlert } from '../support/answers/alerts.ts'
import { countedTwice } from '../support/answers/annotations.ts'
import type { Desk } from '../support/answers/desk.ts'
import { chosenMetricsFrom, historyFrom } from '../support/answers/history.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { completeThrough, shop } from '../support/answers/usual.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { expectAddress, expectAttribute, expectCount, expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// The dashboard's chart: the metrics whose cards are pressed, over any stored days.

const stores = (desk: Desk, days: number): void =>
  desk.answer('GET /api/analytics/history', ({ query }) => historyFrom(query, { property: shop, completeThrough, days }))
const toggle = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const chart = (page: Page, name: string) => page.getByRole('figure', { name, exact: true })

test("days that aren't stored have no figures, and nothing is said about their clicks", async ({ desk, open }) => {
  const stored = { property: shop, completeThrough, days: 90 }
  stores(desk, stored.days)
  desk.answer('GET /api/metrics', ({ query }) => chosenMetricsFrom(query, stored))
  const page = await open('/dashboard?range=2025-01-01_2025-01-31')
  await expectVisible(page.getByText('These days aren’t stored. Data is available for 17 Dec 2025–16 Mar 2026.'))
  for (const name of ['Clicks', 'Impressions', 'CTR', 'Position'])
    await expectVisible(page.getByRole('region', { name, exact: true }).getByText('–', { exact: true }))
  await expectGone(page.getByText(/No clicks/))
})

test('the chart starts with clicks and impressions of 7 days; cards toggle lines, and one always stays on', async ({ desk, open }) => {
  stores(desk, 487)
  const page = await open('/dashboard')
  await expectVisible(chart(page, 'Clicks and Impressions by day'))
  await expectVisible(
    page.getByText('10–16 Mar 2026', { exact: true }),
    page.getByText('3–9 Mar 2026', { exact: true }),
    page.getByText('Complete through 16 Mar.', { exact: true }),
  )
  for (const name of ['Clicks', 'Impressions']) await expectAttribute(toggle(page, name), 'aria-pressed', 'true')
  for (const name of ['CTR', 'Position']) await expectAttribute(toggle(page, name), 'aria-pressed', 'false')

  await toggle(page, 'Position').click()
  await expectVisible(chart(page, 'Clicks, Impressions and Position by day'))
  await toggle(page, 'Clicks').press('Enter')
  await expectVisible(chart(page, 'Impressions and Position by day'))
  await toggle(page, 'Impressions').press(' ')
  await expectVisible(chart(page, 'Position by day'))
  await expectAddress(page, '/dashboard?metrics=position')
  await expectAttribute(toggle(page, 'Position'), 'aria-disabled', 'true')
  await toggle(page, 'Position').click({ force: true })
  await expectAttribute(toggle(page, 'Position'), 'aria-pressed', 'true')
  for (const [name, others] of [
    ['Impressions', 'Impressions and Position by day'],
    ['Clicks', 'Clicks, Impressions and Position by day'],
    ['Position', 'Clicks and Impressions by day'],
  ] as const) {
    await toggle(page, name).click()
    await expectVisible(chart(page, others))
  }
  await expectAddress(page, '/dashboard')
})

test('the clicks expected from the weeks before are an area with a legend, by day only', { tags: ['full'] }, async ({ desk, open }) => {
  stores(desk, 487)
  const page = await open('/dashboard?metrics=impressions,clicks')
  const figure = chart(page, 'Clicks and Impressions by day')
  await expectVisible(figure.getByText('Expected clicks', { exact: true }))
  const line = page.getByRole('slider', { name: 'Clicks and Impressions by day' })
  await line.focus()
  await expectAttribute(line, 'aria-valuetext', /^Mon 16 Mar 2026: Clicks \d+; .+; Expected clicks 16 Mar 2026: \d+ \(\d+–\d+\)$/)
  await page.getByRole('button', { name: 'Show as table: Clicks and Impressions by day' }).click()
  await expectVisible(page.getByRole('columnheader', { name: 'Expected clicks' }))
  for (const asked of ['metrics=ctr', 'grain=week']) {
    await page.goto(`/dashboard?${asked}`)
    await expectVisible(page.getByRole('figure').first())
    await expectGone(page.getByText('Expected clicks'))
  }
})

test(
  'range, comparison and interval are in the URL, so a reload or a link shows the same chart',
  { tags: ['full'] },
  async ({ desk, open }) => {
    stores(desk, 487)
    const page = await open('/dashboard')
    await expectVisible(chart(page, 'Clicks and Impressions by day'))
    await chooseLonger(page, 'Last 3 months')
    await choose(page, page, 'Compare', 'vs previous year')
    await choose(page, page, 'Interval', 'By week')
    await expectAddress(page, '/dashboard?range=3m&compare=year&grain=week')
    const before = page.getByText('18 Dec 2024–17 Mar 2025', { exact: true })
    await expectVisible(chart(page, 'Clicks and Impressions by week'), before)
    await expectVisible(
      page.getByText('Complete through 16 Mar. Impressions: Google counted differently on some of these days.'),
      page.getByRole('figure').getByText('Incomplete', { exact: true }),
    )
    await page.reload()
    await expectVisible(before)
    await expectText(page.getByRole('combobox', { name: 'Interval' }), 'By week')
    await page.goBack()
    await expectVisible(chart(page, 'Clicks and Impressions by day'))

    const linked = await open('/dashboard?range=2026-02-02_2026-02-15&compare=none&metrics=ctr')
    await expectVisible(
      linked.getByText('2–15 Feb 2026', { exact: true }).first(),
      linked.getByRole('combobox', { name: 'Time Range' }).getByText('2–15 Feb 2026'),
    )
    await linked.getByRole('button', { name: 'Show as table: CTR by day' }).click()
    await expectCount(linked.getByRole('table', { name: 'CTR by day' }).getByRole('row'), 15)
  },
)

test('chosen days to compare with are in the URL, and carry over to other screens', { tags: ['full'] }, async ({ desk, open }) => {
  stores(desk, 487)
  const page = await open('/dashboard?range=7d')
  await choose(page, page, 'Compare', 'vs custom dates')
  await expectAddress(page, '/dashboard?range=7d&compare=2026-03-03')
  await page.getByRole('button', { name: 'Compared days: 3–9 Mar 2026' }).click()
  await page.getByText('Choose the first of 7 days to compare with.').waitFor()
  await page.getByRole('button', { name: /\b2 March 2026/ }).click()
  await expectAddress(page, '/dashboard?range=7d&compare=2026-03-02')
  await expectVisible(page.getByText('2–8 Mar 2026', { exact: true }).first())
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }).click()
  await expectAddress(page, '/explore?range=7d&compare=2026-03-02')
  await expectWithinWindow(page)
})

test('two cards pressed before anything was rendered both count', async ({ desk, open }) => {
  stores(desk, 487)
  const page = await open('/dashboard')
  const all = [await toggle(page, 'CTR').elementHandle(), await toggle(page, 'Position').elementHandle()]
  await page.evaluate((cards) => cards.forEach((card) => (card as HTMLElement | null)?.click()), all)
  await expectVisible(chart(page, 'Clicks, Impressions, CTR and Position by day'))
  await expectAddress(page, '/dashboard?metrics=clicks%2Cimpressions%2Cctr%2Cposition')
})

test('an invalid URL shows the defaults', async ({ desk, open }) => {
  stores(desk, 487)
  const page = await open('/dashboard?range=2026-02-31_2026-02-01&compare=never&grain=hour&metrics=money')
  await expectVisible(chart(page, 'Clicks and Impressions by day'))
  expect(
    desk.asked('GET /api/analytics/history').map(({ query }) => [query.get('range'), query.get('compare'), query.get('grain')]),
  ).toEqual([['7d', 'previous', 'day']])
})

test(
  '16 months by week can be read by keyboard and in the table, and a partial week is incomplete',
  { tags: ['full'] },
  async ({ desk, open }) => {
    stores(desk, 487)
    const page = await open('/dashboard?range=16m&grain=week')
    const line = page.getByRole('slider', { name: 'Clicks and Impressions by week' })
    await line.focus()
    await expectAttribute(line, 'aria-valuetext', /^16 Mar 2026: Clicks \d+ \(incomplete\); Impressions/)
    await page.keyboard.press('ArrowLeft')
    await expectAttribute(line, 'aria-valuetext', /^9–15 Mar 2026: Clicks [\d,]+; Impressions 9–15 Mar 2026: [\d,]+$/)
    await expectVisible(page.getByText('No comparison: some of the earlier days are missing.', { exact: false }))
    await page.getByRole('button', { name: 'Show as table: Clicks and Impressions by week' }).click()
    const rows = page.getByRole('table', { name: 'Clicks and Impressions by week' }).getByRole('row')
    await expectCount(rows, 72)
    await expectText(rows.nth(2), /^9–15 Mar 2026/)
  },
)

test('alerts, open or recovered, notes, Google updates and measurement anomalies are marks with a legend', async ({ desk, open }) => {
  stores(desk, 487)
  const long = addDays(completeThrough, -150)
  const over = {
    state: 'recovered',
    timestamp: `${addDays(long, 3)}T08:00:00.000Z`,
    current: { start: addDays(long, -6), end: long },
    previous: { start: addDays(long, -13), end: addDays(long, -7) },
  } as const
  keepAlerts(desk, [queryAlert('lamp', 10, { severity: 'critical' }), queryAlert('desk', 9), queryAlert('oak', 0, over)])
  desk.answer('GET /api/annotations', {
    notes: [{ id: '1', date: '2026-02-20', text: 'New menu', property: null, inReports: false }],
    incidents: [{ id: 'core', title: 'Core update', start: '2026-02-24', end: '2026-03-02', url: 'https://status.search.google.com/core' }],
    anomalies: [{ ...countedTwice, start: '2026-03-06', end: '2026-03-08' }],
  })
  const page = await open('/dashboard?range=28d')
  const figure = chart(page, 'Clicks and Impressions by day')
  await expectVisible(
    figure.getByRole('button', { name: 'Note: New menu, 20 Feb 2026' }),
    figure.getByRole('button', { name: /^Google: Core update/ }),
    figure.getByRole('button', { name: /^Alert: .+ and 1 more, / }),
    figure.getByRole('button', { name: /^Measurement: Impressions counted twice, 6–8 Mar/ }),
  )
  const legend = ['Open alert', 'Google update', 'Measurement change', 'Note']
  for (const kind of legend) await expectVisible(figure.getByText(kind, { exact: true }))
  await expectAccessible(page)
  // An alert that recovered months ago is part of a longer history.
  await page.goto('/dashboard?range=16m')
  await expectVisible(figure.getByRole('button', { name: /^Recovered: Clicks dropped: “oak”, 17 Oct 2025/ }))
  for (const kind of [...legend, 'Recovered alert']) await expectVisible(figure.getByText(kind, { exact: true }))
})

test('loading, failed and empty charts say so', { tags: ['full'] }, async ({ desk, open }) => {
  desk.refuse('GET /api/analytics/history', 500)
  const { release } = desk.hold('GET /api/analytics/history')
  const page = await open('/dashboard')
  await expectVisible(page.getByText('Loading history'))
  const heightOf = async () => (await page.getByRole('heading', { name: 'Open alerts', exact: true }).boundingBox())?.y
  await expectVisible(page.getByRole('heading', { name: 'Open alerts', exact: true }))
  const height = await heightOf()
  // Console messages are for developers.
  await page.evaluate(() => void Object.assign(console, { error() {} }))
  release()
  const problem = page.getByRole('alert').filter({ hasText: 'Unable to load the history' })
  await expectVisible(problem)
  expect(await heightOf()).toBe(height)
  stores(desk, 487)
  await problem.getByRole('button', { name: 'Try again' }).click()
  await expectVisible(chart(page, 'Clicks and Impressions by day'))
  expect(await heightOf()).toBe(height)
  await page.goto('/dashboard?range=2020-01-01_2020-01-31')
  await expectVisible(page.getByText('These days aren’t stored. Data is available for 15 Nov 2024–16 Mar 2026.'))
  desk.answer('GET /api/analytics/history', null)
  await page.reload()
  await expectVisible(page.getByText('The chart starts with your first complete day.'))
  await expectGone(page.getByText('Loading history'))
})

test.for([
  [375, 'light'],
  [375, 'dark'],
  [1_024, 'light'],
  [1_440, 'dark'],
] as const)(
  'at %i px, %s, with four lines and a custom range nothing overflows',
  { tags: ['full'] },
  async ([width, theme], { desk, open }) => {
    stores(desk, 487)
    const page = await open('/dashboard?range=2025-01-06_2026-03-15&grain=month&metrics=clicks,impressions,ctr,position', { width, theme })
    await expectVisible(chart(page, 'Clicks, Impressions, CTR and Position by month'))
    await expectWithinWindow(page)
    await expectAccessible(page)
  },
)
