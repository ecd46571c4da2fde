// SPEC §2 "SEO Insights Dashboard": cards, recommendations, and what is missing. Its other tabs: ./insight-tabs.
import type { Page } from 'playwright-core'
import { choose, figureOf } from '../support/analytics-screens.ts'
import {
  answerLists,
  answerPanels,
  daysAsked,
  figuresOf,
  keywordOf,
  listedBy,
  manyKeywords,
  manyPages,
} from '../support/answers/analytics.ts'
import { answerInsights } from '../support/answers/insights.ts'
import { propertyOf, shop, shopName } from '../support/answers/usual.ts'
import { expectAddress, expectCount, expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const screen = '/insights'
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const listOf = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
const count = (value: number): string => value.toLocaleString('en-US')

const opportunities = manyKeywords.filter(({ opportunityScore }) => opportunityScore > 0)
const pages = listedBy(manyPages, 'limit=50')
const lowCtr = pages
  .filter(({ impressions, ctr }) => impressions > 100 && Number(ctr) < 2)
  .toSorted((a, b) => b.impressions - a.impressions)
const highScores = listedBy(opportunities, 'sort=opportunityScore&limit=20').filter(({ opportunityScore }) => opportunityScore >= 15)
/** Too long for any list: a name of more than 20 characters. */
const gaps = ['how to hang a heavy pendant lamp', 'lamp oil', 'lava lamp'].map((query, index) =>
  keywordOf(query, figuresOf(2, 900 - index * 100, 24 + index)),
)

const expectCards = async (page: Page, figures: readonly string[]) => {
  const names = ['Optimization Opportunities', 'Pages Needing Optimization', 'High Performing Pages', 'Potential Impact Score']
  for (const [index, name] of names.entries()) await expectText(figureOf(page, name), figures[index] ?? '')
}

describe('cards and time range', () => {
  test("the last 7 days by default: the four cards count the entries of the API's lists", async ({ desk, open }) => {
    answerInsights(desk)
    const page = await open(screen)
    await expectVisible(page.getByRole('heading', { name: 'SEO Insights Dashboard', level: 1 }))
    await expectText(page.getByRole('combobox', { name: 'Time Range' }), 'Last 7 days')
    const scores = listedBy(opportunities, 'sort=opportunityScore&limit=20').map(({ opportunityScore }) => opportunityScore)
    await expectCards(page, [
      String(highScores.length),
      String(lowCtr.length),
      String(pages.filter(({ ctr }) => Number(ctr) >= 5).length),
      scores.reduce((sum, score) => sum + score, 0).toFixed(0),
    ])
    const clicks = pages.reduce((sum, each) => sum + each.clicks, 0)
    await expectVisible(
      page.getByText('Based on the 20 keywords with the highest scores and the 50 pages with the most clicks.'),
      page.getByText(`Showing 50 of 130 pages (${Math.min(100, Math.round(clicks / 200))}% of 20,000 clicks).`),
    )
  })

  test('28 and 90 days have their own figures; the URL says which, and going back restores the previous ones', async ({ desk, open }) => {
    answerInsights(desk)
    // As many pages with a high CTR as there are days.
    desk.answer('GET /api/pages', ({ query }) => {
      const days = daysAsked(query)
      return listedBy(manyPages, 'limit=100')
        .slice(0, days)
        .map((each) => ({ ...each, ctr: '7.00' }))
    })
    const page = await open(screen)
    const shows = (days: number) => expectText(figureOf(page, 'High Performing Pages'), String(days))
    await shows(7)
    await choose(page, page, 'Time Range', 'Last 28 days')
    await expectAddress(page, `${screen}?range=28d`)
    await shows(28)
    await tab(page, 'Performance Analytics').click()
    await expectAddress(page, `${screen}?range=28d&tab=performance`)
    await choose(page, page, 'Time Range', 'Last 90 days')
    await shows(90)
    await page.reload()
    await expectAddress(page, `${screen}?range=90d&tab=performance`)
    await shows(90)

    await page.goBack()
    await shows(28)
    await expectVisible(page.getByRole('figure', { name: 'Position Distribution', exact: true }))
    await page.goBack()
    await expectAddress(page, `${screen}?range=28d`)
    await expectVisible(page.getByRole('heading', { name: 'Quick Wins' }))
    await page.goBack()
    await shows(7)
  })

  test('another property shows its own, which may be empty', async ({ desk, signIn, open }) => {
    const small = 'https://small.example/'
    signIn({ selectedProperty: small, gscProperties: [propertyOf({ name: small })] })
    answerLists(desk, {})
    const page = await open(screen)
    await expectVisible(page.getByRole('main').getByText(small, { exact: true }))
    await expectCards(page, ['0', '0', '0', '0'])
    await expect.poll(() => desk.asked('GET /api/pages').map(({ query }) => query.get('property'))).toEqual([small])
    await expectVisible(page.getByText('No keyword has a score of 15 or more in this period.'))
    await tab(page, 'Performance Analytics').click()
    await expectVisible(page.getByText('No data available for analysis', { exact: true }).last())
    await expectVisible(page.getByText('No ranking data available', { exact: true }).last())
    await expectText(figureOf(page, 'Avg Opportunity Score'), '0')
  })
})

describe('Recommendations', () => {
  test('three cards with impact and effort, each with up to 3 keywords or pages', async ({ desk, open }) => {
    answerInsights(desk)
    const page = await open(screen)
    const expected = [
      { name: 'High-Impact Keyword Optimization', badges: ['Impact: High', 'Effort: Medium'] },
      { name: 'Low CTR Page Optimization', badges: ['Impact: Medium', 'Effort: Low'] },
      { name: 'Content Gap Analysis', badges: ['Impact: High', 'Effort: High'] },
    ]
    for (const { name, badges } of expected) {
      await expectVisible(...badges.map((badge) => card(page, name).getByText(badge, { exact: true })))
    }
    const beyond = listedBy(manyKeywords, 'positionMin=20.001&sort=impressions&order=desc&limit=3')
    for (const [name, names] of [
      ['High-Impact Keyword Optimization', highScores.slice(0, 3).map(({ query }) => query)],
      ['Low CTR Page Optimization', lowCtr.slice(0, 3).map((each) => each.page)],
      ['Content Gap Analysis', beyond.map(({ query }) => query)],
    ] as const) {
      expect(names).toHaveLength(3)
      const items = listOf(page, name).getByRole('listitem')
      for (const [index, each] of names.entries()) await expectVisible(items.nth(index).getByRole('link', { name: each, exact: true }))
      await expectCount(items, 3)
    }
    expect(beyond.every(({ position }) => position > 20)).toBe(true)
  })

  test('a name is truncated to 20 characters, and shown in full on hover and on focus', async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages, keywords: gaps })
    const [long] = gaps
    const name = long?.query ?? ''
    const page = await open(screen)
    const link = listOf(page, 'Content Gap Analysis').getByRole('link', { name, exact: true })
    await expectVisible(link.getByText('how to hang a heavy ...', { exact: true }))
    await link.hover()
    await expectText(page.getByRole('tooltip'), name)
    await page.mouse.move(0, 0)
    await expectGone(page.getByRole('tooltip'))
    await link.focus()
    await expectText(page.getByRole('tooltip'), name)
  })

  test("'Quick Wins' lists the top 5 low-CTR pages, 'High Impact Opportunities' the top 5 high-score keywords", async ({ desk, open }) => {
    answerInsights(desk)
    const page = await open(screen)
    const rowsOf = (name: string) =>
      listOf(page, name)
        .getByRole('listitem')
        .evaluateAll((items) => items.map((item) => (item instanceof HTMLElement ? item.innerText.replaceAll(/\s+/g, ' ').trim() : '')))
    await expectVisible(listOf(page, 'Quick Wins'))
    expect(await rowsOf('Quick Wins')).toEqual(
      lowCtr
        .slice(0, 5)
        .map(
          ({ page: url, impressions, ctr }) =>
            `${new URL(url).pathname}${new URL(url).search} ${count(impressions)} impressions CTR ${ctr}% Optimize Meta`,
        ),
    )
    expect(await rowsOf('High Impact Opportunities')).toEqual(
      highScores
        .slice(0, 5)
        .map(
          ({ query, position, impressions, opportunityScore }) =>
            `${query} Position ${position.toFixed(1)} ${count(impressions)} impressions Score ${opportunityScore.toFixed(1)}`,
        ),
    )
  })

  test('keywords and pages lead to their details: property, days, comparison and segment stay', async ({ desk, open }) => {
    answerInsights(desk)
    answerPanels(desk)
    desk.answer('GET /api/explore/saved', [{ id: '7', kind: 'segment', name: 'Lamps', content: 'page contains lamp' }])
    const shown = { property: shop, range: '28d', compare: 'year', segment: '7' }
    const page = await open(`${screen}?${new URLSearchParams(shown)}`)
    const keyword = highScores[0]?.query ?? ''
    await listOf(page, 'High Impact Opportunities').getByRole('link').first().click()
    await expectAddress(page, `/keyword-opportunities?${new URLSearchParams({ tab: 'analysis', keyword, ...shown })}`)
    await expectVisible(page.getByRole('dialog', { name: keyword, exact: true }))
    await page.goBack()
    const low = lowCtr[0]?.page ?? ''
    await listOf(page, 'Quick Wins').getByRole('link').first().click()
    await expectAddress(page, `/page-analytics?${new URLSearchParams({ page: low, ...shown })}`)
    await expectVisible(page.getByRole('dialog', { name: low, exact: true }))
  })
})

describe('when something is missing', () => {
  test('a failed load says so, names the property, and offers to retry', async ({ desk, open }) => {
    answerInsights(desk)
    const page = await open(screen)
    await expectText(figureOf(page, 'Pages Needing Optimization'), String(lowCtr.length))
    desk.cut('GET /api/pages')
    await choose(page, page, 'Time Range', 'Last 28 days')
    const problem = page.getByRole('alert').filter({ hasText: 'Unable to load insights' })
    await expectVisible(problem.getByText(shopName), page.getByText('Available once the metrics above load.'))
    answerInsights(desk)
    await problem.getByRole('button', { name: 'Try again' }).click()
    await expectText(figureOf(page, 'Pages Needing Optimization'), String(lowCtr.length))
    await expect.poll(() => desk.asked('GET /api/pages').at(-1)?.query.get('days')).toBe('28')
    await expectVisible(page.getByRole('heading', { name: 'Quick Wins' }))
  })

  test('without a selected property the screen asks for one', async ({ signIn, open }) => {
    signIn({ selectedProperty: null, gscProperties: [], sitesMonitored: 0 })
    const page = await open(screen)
    await expectVisible(page.getByRole('heading', { name: 'SEO Insights Dashboard' }), page.getByText('No property selected').last())
    await expectVisible(page.getByRole('heading', { name: 'Property Required' }), page.getByRole('link', { name: 'Select Property' }))
  })
})
