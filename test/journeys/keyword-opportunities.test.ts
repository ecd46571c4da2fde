// Keyword Opportunities in the whole product: lists and files of the API's responses, and a brand that affects them.
import type { Page } from 'playwright-core'
import { brandList, brandSplit } from '../../src/contract/brand.ts'
import { competingKeywords, keywords, opportunities } from '../../src/contract/keywords.ts'
import { choose, exported, namesOf, rowsOf, wide } from '../support/analytics-screens.ts'
import { sites } from '../support/app.ts'
import { expectCount, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { keywordSite, oddQueries } from '../support/keyword-site.ts'
import { select } from '../support/people.ts'

const test = journeyTest()
const screen = '/keyword-opportunities'
async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
  await expectVisible(page.getByRole('tabpanel', { name }))
}
const queriesOf = (rows: readonly { query: string }[]) => rows.map(({ query }) => query)

test(
  'each tab lists what the API returns, and exports all rows of exactly what its filters show',
  { tags: ['full'] },
  async ({ app, visitAs }) => {
    const shop = await app.demo()
    await select(shop, sites.shop)
    const bounds = 'days=28&positionMin=5&positionMax=15&search=lamp'
    const scored = opportunities.parse((await shop.get(`/api/keywords/opportunities?${bounds}&limit=1000`)).body)
    expect(scored.length).toBeGreaterThan(50)

    const page = await visitAs(shop, `${screen}?search=lamp&days=28`, wide)
    const rows = await rowsOf(page, 'Optimization Opportunities', 50)
    expect(rows.map(({ names }) => names)).toEqual(scored.slice(0, 50).map((row) => [row.query, row.page]))
    expect(rows.map(({ cells }) => cells[4])).toEqual(scored.slice(0, 50).map((row) => row.opportunityScore.toFixed(1)))
    const file = await exported(page)
    expect(file.name).toBe('ranklark-lumenandloom.example-keyword-opportunities-2026-02-16-2026-03-15.csv')
    expect(file.rows.map((row) => row['query'])).toEqual(queriesOf(scored))

    await openTab(page, 'Keyword Analysis')
    await choose(page.getByRole('tabpanel', { name: 'Keyword Analysis' }), page, 'Sort By', 'Clicks')
    const listed = keywords.parse((await shop.get('/api/keywords?days=28&search=lamp&sort=clicks&limit=1000')).body)
    await expect.poll(() => namesOf(page, 'Keyword Analysis', 100)).toEqual(queriesOf(listed.slice(0, 100)))
    expect((await exported(page, 'Keywords')).rows.map((row) => row['query'])).toEqual(queriesOf(listed))
    const days = await exported(page, 'All keywords by day')
    expect(new Set(days.rows.map((row) => row['date'])).size).toBe(28)

    await openTab(page, 'Cannibalization')
    const competing = competingKeywords.parse((await shop.get('/api/keywords/competing?days=28&search=lamp&sort=clicks&limit=1000')).body)
    const pairs = competing.flatMap(({ query, pages }) => pages.map((each) => `${query} ${each.page}`))
    expect((await exported(page)).rows.map((row) => `${row['query']} ${row['page']}`)).toEqual(pairs)
  },
)

test(
  'search terms, new and lost keywords, and the brand, which takes effect immediately and everywhere when changed',
  { tags: ['full'] },
  async ({ app, visitAs }) => {
    const { owner, page: at } = await keywordSite(app, 'acme')
    const page = await visitAs(owner, `${screen}?tab=movement`, wide)
    await expectVisible(page.getByText('Appeared in search results 9–15 Mar, but not 2–8 Mar.'))
    expect(new Set(await namesOf(page, 'New keywords'))).toEqual(new Set(Object.values(oddQueries)))
    await page.getByText('Lost', { exact: true }).click()
    await expect
      .poll(() => rowsOf(page, 'Lost keywords'))
      .toEqual([{ names: ['old lamp', at('old')], shown: 'old lamp', cells: ['8.0', '21', '210', '10.00%'] }])
    expect((await exported(page)).rows.map((row) => row['query'])).toEqual(['old lamp'])

    await openTab(page, 'Cannibalization')
    const shares = page.getByRole('table', { name: 'Keywords with competing pages' }).getByText(/^\d+%/)
    await expectVisible(shares)
    expect((await shares.allInnerTexts()).map((text) => Number.parseInt(text, 10))).toEqual([55, 27, 18])

    // Text, on the screen and in the file.
    await openTab(page, 'Keyword Analysis')
    for (const query of Object.values(oddQueries)) await expectVisible(page.getByRole('table').getByText(query, { exact: true }))
    await expectCount(page.locator('main img'), 0)
    const written = (await exported(page, 'Keywords')).rows.map((row) => row['query'])
    expect(written).toContain(`'${oddQueries.formula}`)
    expect(written).toContain(oddQueries.markup)
    const oak = page.getByRole('row').filter({ hasText: 'oak lamp' })
    await expectCount(oak.getByText('Brand', { exact: true }), 0)

    await openTab(page, 'Brand')
    const terms = page.getByRole('list', { name: 'Brand terms' }).getByRole('listitem')
    const saved = async () => brandList.parse((await owner.get('/api/brand')).body)
    const brandClicks = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'Brand Keywords with' }) })
      .getByRole('cell')
      .first()
    await expectText(terms, /^acme ?, suggested$/)
    expect(brandSplit.parse((await owner.get('/api/brand/split?days=7')).body).brand.clicks).toBe(56)
    await expectText(brandClicks, /^56 /)
    expect((await exported(page, 'Brand keywords')).rows.map((row) => row['query'])).toEqual(['acme lamps'])
    await page.getByRole('button', { name: 'Keep these terms' }).click()
    await expectToast(page, 'success', 'Brand Terms Saved')
    await expect.poll(saved).toEqual({ terms: ['acme'], suggested: false })
    await page.getByRole('textbox', { name: 'Add a term' }).fill('  OAK ')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    // 7 days with 8 clicks each, and the brand as before.
    await expectText(brandClicks, /^112 /)
    await openTab(page, 'Keyword Analysis')
    await expectVisible(oak.getByText('Brand', { exact: true }))
    await openTab(page, 'Brand')
    await page.getByRole('button', { name: 'Remove oak', exact: true }).click()
    await expectText(brandClicks, /^56 /)
    await expect.poll(saved).toEqual({ terms: ['acme'], suggested: false })
  },
)
