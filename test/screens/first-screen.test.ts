import type { Page } from 'playwright-core'
import { type ExploreRow, exploreEndpoints } from '../../src/contract/explore/explore.ts'
import { queryAlert } from '../support/answers/alerts.ts'
import { figuresOf } from '../support/answers/analytics.ts'
import type { Desk } from '../support/answers/desk.ts'
import { exploredFrom } from '../support/answers/explore.ts'
import { chosenMetricsFrom, historyFrom } from '../support/answers/history.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { completeThrough, shop } from '../support/answers/usual.ts'
import { expectWithinWindow } from '../support/browser-accessible.ts'
import { expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// The dashboard's first screen: is something wrong, and where?

const stored = { property: shop, completeThrough, days: 487 }
const names = ['https://lumenandloom.example/lamps/oak', 'https://lumenandloom.example/new', 'https://lumenandloom.example/lamps/desk']
const rows = names.map((name, at): ExploreRow => ({
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
    const { by, order } = exploreEndpoints.read.query.parse(Object.fromEntries(query))
    const found = by === 'device' ? rows.map((row, at) => ({ ...row, name: ['MOBILE', 'DESKTOP', 'TABLET'][at] ?? '' })) : rows
    return { ...exploredFrom(query), rows: by === 'country' ? [] : order === 'asc' ? found.toReversed() : found }
  })
}

const topOf = async (page: Page, name: string): Promise<number> =>
  (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? Number.NaN
const chartTop = async (page: Page): Promise<number> => (await page.getByRole('figure').first().boundingBox())?.y ?? Number.NaN
const settled = async (page: Page) => {
  await expectVisible(page.getByRole('figure').first(), page.getByRole('heading', { name: 'Biggest changes' }))
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}

for (const theme of ['light', 'dark'] as const) {
  test(`at 1,440 × 900, ${theme}, the chart, open alerts and the biggest changes begin above the fold`, async ({ desk, open }) => {
    answers(desk, ['critical', 'critical', 'warning'])
    const page = await open('/dashboard', { width: 1_440, height: 900, theme })
    await settled(page)
    await page.screenshot({ path: `/tmp/p1440-${theme}.png`, fullPage: true })
    const [chart, alerts, changes] = [await chartTop(page), await topOf(page, 'Open alerts'), await topOf(page, 'Biggest changes')]
    expect(Math.max(chart, alerts)).toBeLessThan(500)
    expect(changes).toBeLessThan(880)
  })

  test(`at 375 × 812, ${theme}, the chart begins above the fold, below four cards in two rows`, async ({ desk, open }) => {
    answers(desk)
    const page = await open('/dashboard', { width: 375, height: 812, theme })
    await settled(page)
    await page.screenshot({ path: `/tmp/p375-${theme}.png`, fullPage: true })
    expect(await chartTop(page)).toBeLessThan(750)
    await expectWithinWindow(page)
  })
}

test('look', async ({ desk, open }) => {
  answers(desk)
  for (const [name, width, address] of [
    ['d1024', 1024, '/dashboard?range=16m&compare=year&grain=week'],
    ['d1280', 1280, '/dashboard?range=2025-12-29_2026-01-15&compare=2025-11-01'],
    ['d768', 768, '/dashboard'],
  ] as const) {
    const page = await open(address, { width, height: 900 })
    await settled(page)
    await page.screenshot({ path: `/tmp/${name}.png`, fullPage: true })
  }
  desk.answer('GET /api/alerts', [])
  const page = await open('/dashboard', { width: 1440, height: 900 })
  await settled(page)
  await page.screenshot({ path: `/tmp/none.png`, fullPage: true })
})
