// The tabs "Performance Insights" and "Content decay" of Page Analytics, and what holds for all of its parts.
import type { Page } from 'playwright-core'
import type { Decay } from '../../src/contract/pages.ts'
import { consecutivePeriods } from '../../src/core/analytics/periods.ts'
import { formatCount } from '../../src/web/lib/format.ts'
import { compactHeights, namesOf, panelAt, panelOf, rowsOf, tallestRow, wide } from '../support/analytics-screens.ts'
import {
  answerLists,
  answerPanels,
  at,
  daysAsked,
  figuresOf,
  listedBy,
  manyPages,
  pageOf,
  periodsOf,
} from '../support/answers/analytics.ts'
import type { Desk } from '../support/answers/desk.ts'
import { oddPages, oddQueries } from '../support/answers/odd-names.ts'
import { expectAddress, expectCount, expectGone, expectTexts, expectVisible } from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-accessible.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const screen = '/page-analytics'
const pathOf = (page: string): string => new URL(page).pathname + new URL(page).search
const top = listedBy(manyPages, 'limit=100')

const fading = { page: at('fading'), clicks: [280, 210, 140, 70], impressions: [2_800, 2_800, 2_800, 2_800] }

/** Decaying ones among these pages; too little is stored for more than 7 days. */
function answerDecay(desk: Desk, pages: Decay['pages'] = [fading]): void {
  desk.answer('GET /api/pages/decay', ({ query }) => {
    const days = daysAsked(query)
    const complete = days === 7
    return {
      periods: consecutivePeriods(periodsOf(query).current, days, 4),
      complete,
      pages: complete ? pages.filter(({ page }) => page.includes(query.get('search') ?? '')) : [],
    }
  })
}

describe('Performance Insights', () => {
  test('bars for the ten pages with the most clicks, with names truncated to 30 characters and read out in full', async ({
    desk,
    open,
  }) => {
    answerLists(desk, { pages: manyPages })
    answerPanels(desk)
    const page = await open(screen, wide)
    await page.getByRole('tab', { name: 'Performance Insights' }).click()
    await expectAddress(page, `${screen}?tab=insights`)
    const bars = page.getByRole('list', { name: 'Page: Clicks' }).getByRole('link')
    await expectVisible(bars)
    await expectCount(bars, 10)
    // The visible text follows the spoken one.
    const texts = (await bars.allInnerTexts()).map((text) => text.split(/\s+/).slice(-2))
    const ten = top.slice(0, 10).map((row) => ({ ...row, path: pathOf(row.page) }))
    expect(texts).toEqual(ten.map(({ path, clicks }) => [path.length > 30 ? `${path.slice(0, 30)}...` : path, formatCount(clicks)]))
    const [long] = ten
    const name = long?.page ?? ''
    expect(long?.path.length).toBeGreaterThan(30)
    await bars.first().hover()
    await expectVisible(page.getByRole('tooltip').getByText(name, { exact: true }))
    await page.mouse.move(0, 0)
    await bars.first().focus()
    await expectVisible(page.getByRole('tooltip').getByText(name, { exact: true }))
    await page.keyboard.press('Enter')
    await expectVisible(panelOf(page, name))
  })

  test('High Opportunity and Top Performing Pages: which pages, in which order, and a link to each', async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages })
    answerPanels(desk)
    const page = await open(`${screen}?tab=insights`, wide)
    const items = (name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem')
    await expectVisible(items('High Opportunity Pages'), items('Top Performing Pages'))
    const texts = (name: string) =>
      items(name).evaluateAll((rows) =>
        rows.map((row) => [
          row.querySelector('a')?.getAttribute('aria-label'),
          // A name that may be cut is there for screen readers, too.
          (row.querySelector('a .sr-only') ?? row.querySelector('a'))?.textContent,
          row.querySelector('p')?.textContent,
          row.lastElementChild?.textContent,
        ]),
      )
    const low = listedBy(manyPages, 'impressionsAbove=100&ctrBelow=2&sort=impressions&limit=5')
    expect(low).toHaveLength(5)
    expect(await texts('High Opportunity Pages')).toEqual(
      low.map((row) => [row.page, pathOf(row.page), `${formatCount(row.impressions)} impressions · ${row.ctr}% CTR`, 'Optimize']),
    )
    const best = top
      .filter(({ ctr }) => Number(ctr) >= 5)
      .toSorted((a, b) => Number(b.ctr) - Number(a.ctr))
      .slice(0, 5)
    expect(await texts('Top Performing Pages')).toEqual(
      best.map((row) => [row.page, pathOf(row.page), `${row.ctr}% CTR · ${formatCount(row.impressions)} impressions`, 'Excellent']),
    )
    await items('High Opportunity Pages').first().getByRole('link').click()
    const first = low[0]?.page ?? ''
    await expectAddress(page, `${screen}${panelAt('page', first, '?tab=insights')}`)
    await expectVisible(panelOf(page, first))
  })

  test('each says when it is empty', async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages })
    const page = await open(`${screen}?tab=insights&search=no-such-page`, wide)
    await expectVisible(
      page.getByText('No data available for chart visualization', { exact: true }).last(),
      page.getByText('No optimization opportunities found', { exact: true }),
      page.getByText('No high-performing pages found', { exact: true }),
    )
  })
})

describe('Content decay', () => {
  test('lists pages that fell three times in a row, with the clicks of the four periods and the loss', async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages })
    answerPanels(desk)
    answerDecay(desk)
    const page = await open(screen, wide)
    await page.getByRole('tab', { name: 'Content decay' }).click()
    await expectAddress(page, `${screen}?tab=decay`)
    expect(await rowsOf(page, 'Content decay')).toEqual([
      { names: [fading.page], shown: '/fading', cells: ['', '280', '210', '140', '70', '210 down 75%'] },
    ])
    await expectTexts(page.getByRole('columnheader'), ['Page', 'Trend', '17–23 Feb', '24 Feb–2 Mar', '3–9 Mar', '10–16 Mar', 'Lost clicks'])
    await page.getByRole('textbox', { name: 'Search pages' }).fill('steady')
    await expectVisible(page.getByRole('heading', { name: 'No decaying pages' }))
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByRole('link', { name: fading.page, exact: true }).click()
    await expectVisible(panelOf(page, fading.page))
  })

  test('says when too little history is stored, and leads back to a range that has enough', async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages })
    answerDecay(desk)
    const page = await open(`${screen}?tab=decay&range=28d`, wide)
    await expectVisible(page.getByRole('heading', { name: 'Not enough history yet' }))
    await page.getByRole('button', { name: 'Show last 7 days' }).click()
    await expectAddress(page, `${screen}?tab=decay&range=7d`)
    await expect.poll(() => namesOf(page, 'Content decay'), { timeout: 15_000 }).toEqual([fading.page])
  })
})

describe('malicious names', () => {
  test.for(Object.entries(oddPages))(
    '%s: is text in the table and in the panel, and only web pages can be opened',
    async ([, name], { desk, open }) => {
      answerLists(desk, { pages: Object.values(oddPages).map((each) => pageOf(each, figuresOf(7, 70, 4))) })
      answerPanels(desk, { query: oddQueries.markup })
      const page = await open(`${screen}?search=&sort=impressions`, wide)
      expect(await namesOf(page, 'Pages')).toContain(name)
      await expectWithinWindow(page)
      await page.getByRole('link', { name, exact: true }).click()
      const dialog = panelOf(page, name)
      expect((await rowsOf(dialog, 'Keywords for this page')).map((row) => [row.names, row.shown])).toEqual([
        [[oddQueries.markup], oddQueries.markup],
      ])
      await expectCount(page.locator('[role=dialog] img, main img'), 0)
      await expectCount(dialog.getByRole('link', { name: 'Open page' }), name.startsWith('https:') ? 1 : 0)
      const protocols = dialog
        .locator('a')
        .evaluateAll((links) => links.map((link) => (link instanceof HTMLAnchorElement ? link.protocol : '')))
      for (const protocol of await protocols) expect(protocol).toMatch(/^https?:$/)
      await page.reload()
      await expectVisible(dialog)
      await page.keyboard.press('Escape')
      await expectGone(dialog)
    },
  )
})

describe('accessibility', () => {
  const places = [
    { name: 'performance', search: '', see: (page: Page) => page.getByText(/^\d+ of \d+ pages$/) },
    { name: 'insights', search: '?tab=insights', see: (page: Page) => page.getByRole('list', { name: 'Top Performing Pages' }) },
    { name: 'decay', search: '?tab=decay', see: (page: Page) => page.getByText(/^down \d+%$/) },
    { name: 'a query', search: panelAt('keyword', 'oak lamp'), see: (page: Page) => page.getByText(/appears? for this keyword/) },
    { name: 'a page', search: panelAt('page', at('oak')), see: (page: Page) => page.getByText(/^Showing \d+ keyword/) },
  ]
  const answerAll = (desk: Desk) => {
    answerLists(desk, { pages: manyPages })
    answerDecay(desk)
    answerPanels(desk)
  }

  test.for(places)('$name: accessible in either theme, and overflows no window', async ({ search, see }, { desk, open }) => {
    answerAll(desk)
    const page = await open(`${screen}${search}`, wide)
    await expectVisible(see(page))
    await expectAccessible(page)
    await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
    await expectAccessible(page, ['color-contrast'])
    for (const width of [1920, 1280, 1024, 768, 640, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await expectWithinWindow(page)
    }
  })

  test.for(places)('$name: on a phone rows have two lines, with large enough touch targets', async ({ search, see }, { desk, open }) => {
    answerAll(desk)
    const page = await open(`${screen}${search}`, { width: 375, height: 812, touch: true })
    await expectVisible(see(page))
    await expectCount(page.getByRole('table'), 0)
    for (const height of await compactHeights(page)) expect(height).toBeLessThanOrEqual(tallestRow)
    await expectWithinWindow(page)
    await expectAccessible(page)
    expect(await tooSmallForFingers(page)).toEqual([])
  })
})
