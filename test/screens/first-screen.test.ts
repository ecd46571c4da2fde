import type { Locator, Page } from 'playwright-core'
import type { ExploreRow } from '../../src/contract/explore/explore.ts'
import { choose, chooseLonger } from '../support/analytics-screens.ts'
import { queryAlert } from '../support/answers/alerts.ts'
import { figuresOf } from '../support/answers/analytics.ts'
import type { Desk } from '../support/answers/desk.ts'
import { changesFrom, exploredFrom } from '../support/answers/explore.ts'
import { chosenMetricsFrom, historyFrom } from '../support/answers/history.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { completeThrough, shop } from '../support/answers/usual.ts'
import { expectWithinWindow } from '../support/browser-accessible.ts'
import { expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// The dashboard's first screen: is something wrong, and where?

const stored = { property: shop, completeThrough, days: 487 }
const names = ['https://lumenandloom.example/lamps/oak', 'https://lumenandloom.example/new', 'https://lumenandloom.example/lamps/desk']
const pages = names.map((name, at): ExploreRow => ({
  name,
  ...figuresOf(900 - at * 400, 18_000, 4),
  previous: figuresOf(300 + at * 200, 18_000, 5),
}))

function answers(desk: Desk, severities: readonly ('critical' | 'warning')[] = ['critical']): void {
  desk.answer('GET /api/analytics/history', ({ query }) => historyFrom(query, stored))
  desk.answer('GET /api/metrics', ({ query }) => chosenMetricsFrom(query, stored))
  keepAlerts(
    desk,
    severities.map((severity, at) => queryAlert(['oak lamp', 'desk lamp', 'lamp'][at] ?? 'lamp', 10 - at, { severity })),
  )
  desk.answer('GET /api/explore', ({ query }) => {
    const devices = pages.map((row, at) => ({ ...row, name: ['MOBILE', 'DESKTOP', 'TABLET'][at] ?? '' }))
    return { ...exploredFrom(query), rows: query.get('by') === 'device' ? devices : [] }
  })
  desk.answer('GET /api/explore/changes', ({ query }) => changesFrom(query, pages))
}

const topOf = async (page: Page, name: string): Promise<number> =>
  (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? Number.NaN
const chartTop = async (page: Page): Promise<number> => (await page.getByRole('figure').first().boundingBox())?.y ?? Number.NaN
const settled = async (page: Page) => {
  await expectVisible(page.getByRole('figure').first(), page.getByRole('heading', { name: 'Biggest changes' }))
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}

for (const [tags, rows] of [
  [[], ['light']],
  [['full'], ['dark']],
] as const)
  test.for(rows)(
    'at 1,440 × 900, %s, the chart, open alerts and the biggest changes begin above the fold',
    { tags: [...tags] },
    async (theme, { desk, open }) => {
      answers(desk, ['critical', 'critical', 'warning'])
      const page = await open('/dashboard', { width: 1_440, height: 900, theme })
      await settled(page)
      const [chart, alerts, changes] = [await chartTop(page), await topOf(page, 'Open alerts'), await topOf(page, 'Biggest changes')]
      expect(Math.max(chart, alerts)).toBeLessThan(500)
      expect(changes).toBeLessThan(880)
      await expectWithinWindow(page)
    },
  )

test('beside a tall alert, the chart fills its card', { tags: ['full'] }, async ({ desk, open }) => {
  answers(desk)
  const page = await open('/dashboard', { width: 1_440, height: 900 })
  await settled(page)
  const bottomOf = async (within: Locator) => {
    const { y, height } = (await within.boundingBox()) ?? { y: Number.NaN, height: 0 }
    return y + height
  }
  const note = page.getByText(/^Complete through/).first()
  await expectVisible(note)
  const bottom = await bottomOf(page.getByRole('article').first())
  // Up to the padding of the card.
  await expect.poll(async () => bottom - (await bottomOf(note))).toBeLessThan(30)
})

for (const [tags, rows] of [
  [[], ['light']],
  [['full'], ['dark']],
] as const)
  test.for(rows)(
    'at 375 × 812, %s, the chart begins above the fold, below four cards in two rows',
    { tags: [...tags] },
    async (theme, { desk, open }) => {
      answers(desk)
      const page = await open('/dashboard', { width: 375, height: 812, theme })
      await settled(page)
      expect(await chartTop(page)).toBeLessThan(750)
      expect(await topOf(page, 'Open alerts')).toBeLessThan(await topOf(page, 'Biggest changes'))
      await expectWithinWindow(page)
    },
  )

test('the cards, their comparison, the line and the sentence match the days in the URL and the totals of the chart', async ({
  desk,
  open,
}) => {
  answers(desk)
  const page = await open('/dashboard', { width: 1_440, height: 900 })
  const figure = (name: string) => page.getByRole('region', { name, exact: true }).getByRole('paragraph').first()
  const count = (text: string) => Number(text.replaceAll(',', ''))
  /** The chart's table, its dates in the first column. */
  const sums = async (title: string) => {
    await page.getByRole('button', { name: `Show as table: ${title}` }).click()
    const table = page.getByRole('table', { name: title })
    await expectVisible(table)
    const heads = await table.getByRole('columnheader').allInnerTexts()
    const rows = await table
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))
    await page.keyboard.press('Escape')
    const sum = (metric: string) => {
      const at = heads.findIndex((head) => head.startsWith(metric))
      return rows.reduce((total, row) => total + (Number.parseInt((row[at] ?? '').replaceAll(',', ''), 10) || 0), 0)
    }
    return { rows: rows.length, clicks: sum('Clicks'), impressions: sum('Impressions') }
  }
  const expectSums = async (title: string, rows: number) => {
    await expectVisible(page.getByRole('figure', { name: title, exact: true }))
    const found = await sums(title)
    expect(found.rows).toBe(rows)
    await expect
      .poll(async () => [count(await figure('Clicks').innerText()), count(await figure('Impressions').innerText())])
      .toEqual([found.clicks, found.impressions])
  }
  await expectSums('Clicks and Impressions by day', 7)
  await expectVisible(page.getByText('10–16 Mar 2026, complete days'), page.getByText(/^Clicks rose 0\.7% from the week before/))
  // The default is the request without parameters (SPEC §7).
  expect(desk.asked('GET /api/metrics').map(({ query }) => query.toString())).toEqual([`property=${encodeURIComponent(shop)}`])

  await chooseLonger(page, 'Last 16 months')
  await expectVisible(page.getByText('17 Nov 2024–16 Mar 2026, complete days'), page.getByText(/^63,886 clicks in the last 16 months;/))
  await choose(page, page, 'Interval', 'By week')
  await expectSums('Clicks and Impressions by week', 71)

  await page.goto('/dashboard?range=3m&compare=year&grain=month')
  await expectVisible(page.getByText(/^Clicks rose \d+\.\d% from the same weekdays a year earlier/))
  await expectVisible(
    page.getByRole('region', { name: 'Clicks', exact: true }).getByRole('button', { name: /^Up \d+\.\d% vs previous year: / }),
  )
  await page.goto('/dashboard?compare=none')
  await expectVisible(page.getByRole('region', { name: 'Clicks', exact: true }).getByText('no comparison'))
})

test('with a segment, cards, chart and changes are its own; what covers the whole site says so', async ({ desk, open }) => {
  answers(desk)
  desk.answer('GET /api/explore/saved', [{ id: '7', kind: 'segment', name: 'Lamps', content: 'page contains lamp' }])
  desk.answer('GET /api/explore', ({ query }) => {
    const of = (name: string, now: number): ExploreRow => ({ name, ...figuresOf(now, 18_000, 4), previous: figuresOf(1_000, 18_000, 5) })
    return { ...exploredFrom(query), rows: query.get('by') === 'device' ? [of('MOBILE', 5_000), of('DESKTOP', 1_000)] : [] }
  })
  const page = await open('/dashboard?range=3m&segment=7', { width: 1_440, height: 900 })
  await settled(page)
  const asked = (request: 'GET /api/metrics' | 'GET /api/analytics/history') =>
    desk.asked(request).map(({ query }) => [query.get('range'), query.get('segment')])
  expect(asked('GET /api/metrics')).toEqual([['3m', '7']])
  expect(asked('GET /api/analytics/history')).toEqual([['3m', '7']])
  await expectVisible(
    page.getByText('Open alerts cover the whole site, not just this segment.'),
    page.getByText('Devices, countries, search types and today’s data cover the whole site, not just this segment.'),
  )
  // Google has no devices of a segment: the whole site's don't explain its change.
  await page.getByText(/^Devices, countries, search types/).scrollIntoViewIfNeeded()
  await expectVisible(page.getByRole('list', { name: 'Devices' }).getByRole('listitem').first())
  await expectVisible(page.getByText(/^Clicks rose \d+\.\d% from the 90 days before; /))
  await page.goto('/dashboard?range=3m')
  await expectVisible(page.getByText(/^Clicks rose \d+\.\d% from the 90 days before, mostly on mobile; /))
})

test.for([375, 768, 1_024, 1_440])(
  'none of an open alert’s actions is alone in its row, %i pixels wide',
  { tags: ['full'] },
  async (width, { desk, open }) => {
    answers(desk)
    const page = await open('/dashboard', { width })
    const card = page.getByRole('article').first()
    await expectVisible(card.getByRole('button', { name: /^Snooze/ }))
    const tops = await card.locator('a:has-text("View"), button').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
    const inRows = Map.groupBy(tops, (top) => Math.round(top / 10))
    for (const [, row] of inRows) expect(row.length).toBeGreaterThan(1)
  },
)

test('the notes of the leftmost card open beside the sidebar', { tags: ['full'] }, async ({ desk, open }) => {
  answers(desk)
  const page = await open('/dashboard', { width: 1_440 })
  await page.getByRole('button', { name: 'Notes: Clicks', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Notes' })
  await expectVisible(panel.getByRole('button', { name: 'Add a note' }))
  const sidebar = await page.locator('aside').first().boundingBox()
  const left = async () => (await panel.boundingBox())?.x ?? 0
  await expect.poll(left).toBeGreaterThanOrEqual((sidebar?.x ?? 0) + (sidebar?.width ?? Number.NaN))
})
