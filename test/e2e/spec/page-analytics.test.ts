// SPEC §2, "Page Analytics", with §4 (badge) and §9 (limits). Content decay, drill-down, comparison: ../page-analytics.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { analysedSite, found } from '../../support/analysed-site.ts'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectText, expectVisible } from '../../support/browser-expect.ts'
import { hold } from '../../support/browser-hold.ts'
import { readCsv } from '../../support/csv.ts'
import { ownerOf } from '../../support/people.ts'
import type { Visitor } from '../../support/visitor.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let owner: Visitor
let site: string
let nobody: Visitor
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
  ;({ person: owner, site } = await analysedSite(app, 'found'))
  nobody = await ownerOf(app, 'https://unseen.example/', { days: 7, email: 'unseen@example.test' })
})
afterAll(() => demo.close())

const desk = { width: 1_440, height: 900 }
const open = (who: Visitor, search = '') => browser.visitAs(who, `/page-analytics${search}`, desk)
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).getByRole('paragraph').first()
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const filter = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const rows = (page: Page) => page.getByRole('table', { name: 'Pages' }).locator('tbody').getByRole('row')
const row = (page: Page, path: string) => rows(page).filter({ has: page.getByRole('link', { name: `${site}${path}`, exact: true }) })
const list = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function optionsOf(page: Page, name: string): Promise<string[]> {
  await filter(page, name).click()
  await expectVisible(page.getByRole('option'))
  const texts = (await page.getByRole('option').allInnerTexts()).map((text) => text.trim())
  await page.keyboard.press('Escape')
  return texts
}

test('"Page Analytics" with Export, and four cards of the pages that were returned', async () => {
  const page = await open(owner)
  await expectVisible(
    page.getByRole('heading', { level: 1, name: 'Page Analytics', exact: true }),
    page.getByRole('button', { name: 'Export', exact: true }),
  )
  // The hundred with most clicks: five of their own, and 95 with 1 click of 50 impressions at position 14.
  await expectText(card(page, 'Total Pages'), '100')
  await expectText(card(page, 'Total Clicks'), '239')
  await expectText(card(page, 'Avg CTR'), '2.07%')
  await expectText(card(page, 'Avg Position'), '13.8')
})

test('two tabs, Page Performance and Performance Insights', async () => {
  const page = await open(owner)
  await expectVisible(tab(page, 'Page Performance'), tab(page, 'Performance Insights'))
  expect(await tab(page, 'Page Performance').getAttribute('aria-selected')).toBe('true')
})

test('search, Time Range, Sort By and Order, with their defaults', async () => {
  const page = await open(owner)
  await expectText(filter(page, 'Time Range'), 'Last 7 days')
  expect(await optionsOf(page, 'Time Range')).toEqual(['Last 7 days', 'Last 28 days', 'Last 90 days'])
  await expectText(filter(page, 'Sort By'), 'Clicks')
  expect(await optionsOf(page, 'Sort By')).toEqual(['Clicks', 'Impressions', 'CTR', 'Position'])
  await expectText(filter(page, 'Order'), 'Descending')
  expect(await optionsOf(page, 'Order')).toEqual(['Descending', 'Ascending'])
  // Anywhere in the address, capitals or not.
  await page
    .getByRole('searchbox', { name: 'Search pages' })
    .or(page.getByRole('textbox', { name: 'Search pages' }))
    .fill('COLOUR=')
  await expect.poll(() => rows(page).count(), { timeout: 15_000 }).toBe(1)
})

test('columns Page, Clicks, Impressions, CTR, Avg Position and Performance, with the badge of SPEC §4', async () => {
  const page = await open(owner, '?compare=none')
  await expectVisible(rows(page))
  const columns = await page.getByRole('table', { name: 'Pages' }).getByRole('columnheader').allInnerTexts()
  expect(columns.map((text) => text.trim())).toEqual(['Page', 'Clicks', 'Impressions', 'CTR', 'Avg Position', 'Performance'])
  for (const [path, ...cells] of [
    ['lamps?colour=oak', '60', '600', '10.00%', '3.0', 'Excellent'],
    ['a-path-that-is-rather-longer-than-thirty-characters', '45', '1,500', '3.00%', '10.0', 'Good'],
    ['average', '30', '2,000', '1.50%', '12.0', 'Average'],
    ['needs-work', '5', '1,000', '0.50%', '18.0', 'Needs Work'],
  ] as const) {
    expect((await row(page, path).getByRole('cell').allInnerTexts()).map((text) => text.trim())).toEqual(cells)
    expect(await row(page, path).getByRole('rowheader').textContent()).toBe(`/${path}`)
  }
  await row(page, 'lamps?colour=oak').getByRole('link').first().hover()
  await expectText(page.getByRole('tooltip'), `${site}lamps?colour=oak`)
  const { body } = await owner.get(`/api/pages?days=7&limit=1`)
  expect(body).toMatchObject([{ page: `${site}lamps?colour=oak`, clicks: 60, impressions: 600, ctr: '10.00', position: '3.0' }])
})

test('at most 50 rows of the 100 that are asked for', async () => {
  const page = await browser.visitAs(owner, '/login')
  const limits: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/pages') limits.push(searchParams.get('limit'))
  })
  await page.setViewportSize(desk)
  await page.goto('/page-analytics')
  await expect.poll(() => rows(page).count(), { timeout: 15_000 }).toBe(50)
  expect(new Set(limits)).toEqual(new Set(['100']))
})

test('a spinner while the pages load', async () => {
  const page = await browser.visitAs(owner, '/login')
  const { release } = await hold(page, /\/api\/pages\?/)
  await page.goto('/page-analytics')
  await expectVisible(page.getByRole('status').getByText('Loading pages', { exact: true }))
  release()
  await expectVisible(page.getByRole('link', { name: `${site}average`, exact: true }))
})

test('a bar chart of the top 10, labels cut to 30 characters', async () => {
  const page = await open(owner, '?tab=insights')
  const bars = page.getByRole('figure').getByRole('list').getByRole('listitem')
  await expect.poll(() => bars.count(), { timeout: 15_000 }).toBe(10)
  await expectVisible(
    bars.getByText('/lamps?colour=oak', { exact: true }),
    bars.getByText('/a-path-that-is-rather-longer-...', { exact: true }),
  )
})

test('High Opportunity Pages and Top Performing Pages', async () => {
  const page = await open(owner, '?tab=insights')
  const high = list(page, 'High Opportunity Pages').getByRole('listitem')
  await expectVisible(high)
  const names = (of: typeof high) => of.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')))
  expect(await names(high)).toEqual([`${site}average`, `${site}needs-work`])
  expect(await high.getByText('Optimize', { exact: true }).count()).toBe(2)
  const top = list(page, 'Top Performing Pages').getByRole('listitem')
  expect(await names(top)).toEqual([`${site}lamps?colour=oak`])
  await expectVisible(top.getByText('Excellent', { exact: true }))
})

test('without pages each part says so', async () => {
  const page = await open(nobody)
  await expectVisible(page.getByText('No page data available. Please ensure your Google Search Console is connected.', { exact: true }))
  await tab(page, 'Performance Insights').click()
  await expectVisible(
    page.getByText('No data available for chart visualization', { exact: true }),
    page.getByText('No optimization opportunities found', { exact: true }),
    page.getByText('No high-performing pages found', { exact: true }),
  )
})

test('Export holds what the filters show, all rows', async () => {
  const page = await open(owner)
  await expectVisible(rows(page))
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Pages', exact: true }).click()])
  const [header = [], ...lines] = readCsv((await readFile(await file.path(), 'utf8')).replace('\uFEFF', ''))
  expect(header[0]).toBe('page')
  expect(lines).toHaveLength(found.length)
})
