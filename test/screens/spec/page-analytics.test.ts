// SPEC §2, "Page Analytics", with §4 (badge) and §9 (limits). Content decay, drill-down, comparison: ../page-analytics.
import type { Page } from 'playwright-core'
import { figureOf, optionsOf, rowsOf, wide } from '../../support/analytics-screens.ts'
import { answerLists, at, listedOf, summaryOf } from '../../support/answers/analytics.ts'
import { answerFound, foundPages } from '../../support/answers/found.ts'
import { expectAttribute, expectCount, expectText, expectTexts, expectVisible } from '../../support/browser-expect.ts'
import { expect, test } from '../../support/screen-test.ts'

const screen = '/page-analytics'
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const filter = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const rows = (page: Page) => page.getByRole('table', { name: 'Pages' }).locator('tbody').getByRole('row')
const row = (page: Page, path: string) => rows(page).filter({ has: page.getByRole('link', { name: at(path), exact: true }) })
const list = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('"Page Analytics" with Export, two tabs, four cards about the 100 requested pages, and a row for every page', async ({
  desk,
  open,
}) => {
  answerFound(desk)
  const page = await open(screen, wide)
  await expectVisible(
    page.getByRole('heading', { level: 1, name: 'Page Analytics', exact: true }),
    page.getByRole('button', { name: 'Export', exact: true }),
  )
  // The hundred with the most clicks: five listed individually, and 95 with 1 click of 50 impressions at position 14.
  await expectText(figureOf(page, 'Total Pages'), '100')
  await expectText(figureOf(page, 'Total Clicks'), '239')
  await expectText(figureOf(page, 'Avg CTR'), '2.07%')
  await expectText(figureOf(page, 'Avg Position'), '13.8')
  expect(await rowsOf(page, 'Pages')).toHaveLength(foundPages.length)
  // The lines of a few rows at a time are requested apart from their figures.
  const listed = () => desk.asked('GET /api/pages').filter(({ query }) => !query.has('trend'))
  await expect.poll(() => new Set(listed().map(({ query }) => query.get('limit')))).toEqual(new Set(['100']))
  await expectVisible(tab(page, 'Page Performance'), tab(page, 'Performance Insights'))
  await expectAttribute(tab(page, 'Page Performance'), 'aria-selected', 'true')
})

test('each card has the figure of the rows returned, and that of the whole site next to it (OPEN-POINTS 29)', async ({ desk, open }) => {
  answerFound(desk)
  desk.answer('GET /api/analytics/summary', ({ query }) =>
    summaryOf(query, {
      totals: { clicks: 1_250, impressions: 60_000, ctr: 1_250 / 60_000, position: 9.04 },
      pages: listedOf(130, 1_240, 59_000, { clicks: 1_250, impressions: 60_000 }),
    }),
  )
  const page = await open(screen, wide)
  for (const [label, shown, ofSite] of [
    ['Total Pages', '100', '130'],
    ['Total Clicks', '239', '1,250'],
    ['Avg CTR', '2.07%', '2.08%'],
    ['Avg Position', '13.8', '9.0'],
  ] as const)
    await expectTexts(page.getByRole('region', { name: label, exact: true }).getByRole('paragraph'), [shown, `Whole site: ${ofSite}`])
})

test('search, Time Range, Sort By and Order, with their defaults', async ({ desk, open }) => {
  answerFound(desk)
  const page = await open(screen, wide)
  await expectText(filter(page, 'Time Range'), 'Last 7 days')
  expect(await optionsOf(page, 'Time Range')).toEqual(['Last 7 days', 'Last 28 days', 'Last 90 days'])
  await expectText(filter(page, 'Sort By'), 'Clicks')
  expect(await optionsOf(page, 'Sort By')).toEqual(['Clicks', 'Impressions', 'CTR', 'Position'])
  await expectText(filter(page, 'Order'), 'Descending')
  expect(await optionsOf(page, 'Order')).toEqual(['Descending', 'Ascending'])
  // Anywhere in the URL, regardless of case.
  await page
    .getByRole('searchbox', { name: 'Search pages' })
    .or(page.getByRole('textbox', { name: 'Search pages' }))
    .fill('COLOR=')
  await expect.poll(() => rows(page).count()).toBe(1)
  await expect.poll(() => desk.asked('GET /api/pages').at(-1)?.query.get('search')).toBe('COLOR=')
})

test('columns Page, Clicks, Impressions, CTR, Avg Position and Performance, with the badge of SPEC §4', async ({ desk, open }) => {
  answerFound(desk)
  const page = await open(`${screen}?compare=none`, wide)
  await expectVisible(rows(page))
  const columns = await page.getByRole('table', { name: 'Pages' }).getByRole('columnheader').allInnerTexts()
  const names = columns.map((text) => text.trim())
  expect(names.filter((name) => name !== 'Trend')).toEqual(['Page', 'Clicks', 'Impressions', 'CTR', 'Avg Position', 'Performance'])
  const line = names.indexOf('Trend') - 1
  for (const [path, ...cells] of [
    ['lamps?color=oak', '60', '600', '10.00%', '3.0', 'Excellent'],
    ['a-path-that-is-rather-longer-than-thirty-characters', '45', '1,500', '3.00%', '10.0', 'Good'],
    ['average', '30', '2,000', '1.50%', '12.0', 'Average'],
    ['needs-work', '5', '1,000', '0.50%', '18.0', 'Needs Work'],
  ] as const) {
    const shown = (await row(page, path).getByRole('cell').allInnerTexts()).map((text) => text.trim())
    expect(shown.filter((_, place) => place !== line)).toEqual(cells)
    await expectVisible(row(page, path).getByRole('rowheader').getByText(`/${path}`, { exact: true }))
  }
  await row(page, 'lamps?color=oak').getByRole('link').first().hover()
  await expectText(page.getByRole('tooltip'), at('lamps?color=oak'))
})

test('a spinner while the pages load', async ({ desk, open }) => {
  answerFound(desk)
  const { release } = desk.hold('GET /api/pages')
  const page = await open(screen, wide)
  await expectVisible(page.getByRole('status').getByText('Loading pages', { exact: true }))
  release()
  await expectVisible(page.getByRole('link', { name: at('average'), exact: true }))
})

test('a bar chart of the top 10, labels truncated to 30 characters; High Opportunity Pages and Top Performing Pages', async ({
  desk,
  open,
}) => {
  answerFound(desk)
  const page = await open(`${screen}?tab=insights`, wide)
  const bars = page.getByRole('figure').getByRole('list').getByRole('listitem')
  await expect.poll(() => bars.count()).toBe(10)
  await expectVisible(
    bars.getByText('/lamps?color=oak', { exact: true }),
    bars.getByText('/a-path-that-is-rather-longer-...', { exact: true }),
  )

  const high = list(page, 'High Opportunity Pages').getByRole('listitem')
  await expectVisible(high)
  const names = (of: typeof high) => of.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')))
  expect(await names(high)).toEqual([at('average'), at('needs-work')])
  await expectCount(high.getByText('Optimize', { exact: true }), 2)
  const top = list(page, 'Top Performing Pages').getByRole('listitem')
  expect(await names(top)).toEqual([at('lamps?color=oak')])
  await expectVisible(top.getByText('Excellent', { exact: true }))
})

test('without pages each part says so', async ({ desk, open }) => {
  answerLists(desk, {})
  const page = await open(screen, wide)
  await expectVisible(page.getByText('No page data available. Please ensure your Google Search Console is connected.', { exact: true }))
  await tab(page, 'Performance Insights').click()
  await expectVisible(
    page.getByText('No data available for chart visualization', { exact: true }),
    page.getByText('No optimization opportunities found', { exact: true }),
    page.getByText('No high-performing pages found', { exact: true }),
  )
})
