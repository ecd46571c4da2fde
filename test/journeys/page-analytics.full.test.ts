// Page Analytics in the whole product: screen and files show the API's responses, which are Google's figures.
import { analyticsSummary } from '../../src/contract/analytics.ts'
import { pageKeywords } from '../../src/contract/keywords.ts'
import { decay, pages } from '../../src/contract/pages.ts'
import { formatCount } from '../../src/web/lib/format.ts'
import { choose, exported, figureOf, namesOf, panelOf, rowsOf, tilesOf, wide } from '../support/analytics-screens.ts'
import { sites } from '../support/app.ts'
import { expectAddress, expectCount, expectText, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { pageSite } from '../support/page-site.ts'
import { select } from '../support/people.ts'

const test = journeyTest()
const screen = '/page-analytics'
const pathOf = (page: string): string => new URL(page).pathname + new URL(page).search

test("pages are listed, searched, exported and opened with the API's figures", async ({ app, visitAs }) => {
  const shop = await app.demo()
  await select(shop, sites.shop)
  const pagesOf = async (query: string) => pages.parse((await shop.get(`/api/pages?${query}`)).body)
  const everything = await pagesOf('days=7&limit=1000')
  const hundred = everything.slice(0, 100)
  const [first] = hundred
  if (!first?.previous) throw new Error('The demo has no page')

  const page = await visitAs(shop, screen, wide)
  // Scrolling loads more of them.
  const rows = (await rowsOf(page, 'Pages')).slice(0, 100)
  expect(rows.map(({ names, shown }) => [names[0], shown])).toEqual(hundred.map((row) => [row.page, pathOf(row.page)]))
  expect(rows.map(({ cells }) => cells[0]?.split(' ')[0])).toEqual(hundred.map(({ clicks }) => formatCount(clicks)))
  await expectText(figureOf(page, 'Total Pages'), '100')
  await expectText(figureOf(page, 'Total Clicks'), formatCount(hundred.reduce((sum, { clicks }) => sum + clicks, 0)))
  const summary = analyticsSummary.parse((await shop.get('/api/analytics/summary?days=7')).body)
  await expectVisible(
    page.getByText(`Showing 100 of ${summary.pages.count} pages (`),
    page.getByText(`of ${formatCount(summary.totals.clicks)} clicks).`),
  )

  // Beyond the first hundred, and regardless of case.
  const field = page.getByRole('textbox', { name: 'Search pages' })
  const last = pathOf(everything[100]?.page ?? '')
  await field.fill(last.toUpperCase())
  const found = everything.filter((row) => row.page.toLowerCase().includes(last.toLowerCase()))
  await expect.poll(() => namesOf(page, 'Pages')).toEqual(found.map((row) => row.page))

  // For one page: the list's own figures, and its queries.
  await field.fill('')
  await page.getByRole('link', { name: first.page, exact: true }).click()
  const dialog = panelOf(page, first.page)
  const queries = pageKeywords.parse(
    (await shop.get(`/api/pages/keywords?${new URLSearchParams({ page: first.page, limit: '1000' })}`)).body,
  )
  expect((await rowsOf(dialog, 'Keywords for this page')).map(({ names }) => names[0])).toEqual(
    queries.slice(0, 50).map(({ query }) => query),
  )
  const tiles = await tilesOf(dialog)
  expect(tiles[0]).toMatch(new RegExp(`^Clicks ${formatCount(first.clicks)} previously ${formatCount(first.previous.clicks)} `))
  expect(tiles[1]).toMatch(
    new RegExp(`^Impressions ${formatCount(first.impressions)} previously ${formatCount(first.previous.impressions)} `),
  )
  expect(tiles[2]).toMatch(new RegExp(`^CTR ${first.ctr}% previously ${first.previous.ctr}% `))
  expect(tiles[3]).toMatch(new RegExp(`^Position ${first.position} previously ${first.previous.position} `))
  await page.keyboard.press('Escape')

  // All days of all pages add up to the pages of the period.
  const days = await exported(page, 'All pages by day')
  const sums = new Map<string, number>()
  for (const row of days.rows) sums.set(row['page'] ?? '', (sums.get(row['page'] ?? '') ?? 0) + Number(row['clicks']))
  expect(everything.map((row) => [row.page, sums.get(row.page)])).toEqual(everything.map((row) => [row.page, row.clicks]))

  // A file has every page that passes the filters, in order, including those not on screen.
  await page.goto(`${screen}?sort=impressions&order=asc&search=lamp&days=28`)
  await expectVisible(page.getByRole('table', { name: 'Pages' }))
  const matching = await pagesOf('sort=impressions&order=asc&search=lamp&days=28&limit=1000')
  const file = await exported(page, 'Pages')
  expect(file.name).toMatch(/lumenandloom.*pages.*2026-02-16.*2026-03-15.*\.csv$/)
  expect(file.rows.map((row) => [row['page'], Number(row['clicks']), Number(row['impressions'])])).toEqual(
    matching.map((row) => [row.page, row.clicks, row.impressions]),
  )
  expect(matching.every((row) => row.page.includes('lamp'))).toBe(true)

  // Four weeks are stored: enough to detect decay over weeks, but not over months.
  await page.goto(`${screen}?tab=decay&days=28`)
  await page.getByRole('button', { name: 'Show last 7 days' }).click()
  await expectAddress(page, `${screen}?tab=decay&range=7d`)
  const decaying = decay.parse((await shop.get('/api/pages/decay?days=7')).body).pages.map((row) => row.page)
  expect(decaying.length).toBeGreaterThan(0)
  await expect.poll(() => namesOf(page, 'Content decay')).toEqual(decaying)
  expect((await exported(page, 'Content decay')).rows.map((row) => row['page'])).toEqual(decaying)
})

test("Google's figures are shown: decay, comparison, and malicious names", async ({ app, visitAs }) => {
  const { owner, page: at, odd } = await pageSite(app, 'odd-pages')
  const page = await visitAs(owner, `${screen}?tab=decay`, wide)
  expect(await rowsOf(page, 'Content decay')).toEqual([
    { names: [at('fading')], shown: '/fading', cells: ['', '280', '210', '140', '70', '210 down 75%'] },
  ])

  await page.getByRole('link', { name: at('fading'), exact: true }).click()
  const fading = panelOf(page, at('fading'))
  await expectVisible(fading.getByText('9–15 Mar vs 2–8 Mar, complete through 15 Mar.'))
  expect((await tilesOf(fading))[0]).toBe('Clicks 70 previously 140 Down 50.0%')
  await choose(fading, page, 'Time Range', 'Last 28 days')
  await expect.poll(async () => (await tilesOf(fading))[0]).toBe('Clicks 700')
  await expectVisible(fading.getByText(/No comparison data for /))

  // (12 + 4) × 7 clicks at positions 3 and 5, by impressions; one query brings two pages.
  await page.goto(`${screen}?${new URLSearchParams({ page: at('steady') })}`)
  const steady = panelOf(page, at('steady'))
  await expectVisible(steady.getByRole('table'))
  expect((await tilesOf(steady))[3]).toMatch(/^Position 3\.3/)
  await steady.getByRole('link', { name: 'oak lamp', exact: true }).click()
  const competing = await rowsOf(panelOf(page, 'oak lamp'), 'Pages for this keyword')
  expect(competing.map(({ names, cells }) => [names[0], cells[0]])).toEqual([
    [at('steady'), '66.7%'],
    [at('other?color=red#top'), '33.3%'],
  ])

  await page.goto(`${screen}?sort=impressions`)
  const shown = await namesOf(page, 'Pages')
  const { rows } = await exported(page, 'Pages')
  for (const name of Object.values(odd)) {
    expect(shown).toContain(name)
    expect(rows.map((row) => row['page'])).toContain(name)
  }
  await page.getByRole('link', { name: odd.markup, exact: true }).click()
  await expectVisible(panelOf(page, odd.markup).getByRole('table'))
  await expectCount(page.locator('[role=dialog] img, main img'), 0)
})
