// SPEC §2, "SEO Insights Dashboard", with §9 (limits, thresholds). Audience, trends, annotations: ../insights.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertConditions } from '../../../src/contract/alert-conditions.ts'
import { opportunities } from '../../../src/contract/keywords.ts'
import { analysedSite, found } from '../../support/analysed-site.ts'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectText, expectVisible } from '../../support/browser-expect.ts'
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
const open = (who: Visitor, search = '') => browser.visitAs(who, `/insights${search}`, desk)
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const figure = (page: Page, name: string) => part(page, name).getByRole('paragraph').first()
const items = (page: Page, name: string) => part(page, name).getByRole('list', { name, exact: true }).getByRole('listitem')

/** From the highest score on, as many as the screen asks for. */
const scores = async () =>
  opportunities.parse((await owner.get('/api/keywords/opportunities?days=7&limit=20')).body).map((each) => each.opportunityScore)

test('"SEO Insights Dashboard", a time range and Export', async () => {
  const page = await open(owner)
  await expectVisible(
    page.getByRole('heading', { level: 1, name: 'SEO Insights Dashboard', exact: true }),
    page.getByRole('button', { name: 'Export', exact: true }),
  )
  const range = page.getByRole('combobox', { name: 'Time Range', exact: true })
  await expectText(range, 'Last 7 days')
  await range.click()
  await expectVisible(page.getByRole('option'))
  expect((await page.getByRole('option').allInnerTexts()).map((text) => text.trim())).toEqual([
    'Last 7 days',
    'Last 28 days',
    'Last 90 days',
  ])
})

test('four cards', async () => {
  const page = await open(owner)
  await expectText(figure(page, 'Optimization Opportunities'), '3')
  await expectText(figure(page, 'Pages Needing Optimization'), '2')
  await expectText(figure(page, 'High Performing Pages'), '1')
  const sum = (await scores()).reduce((all, score) => all + score, 0)
  await expectText(figure(page, 'Potential Impact Score'), sum.toLocaleString('en-US', { maximumFractionDigits: 0 }))
})

test('20 opportunities, 200 keywords and 50 pages are asked for', async () => {
  const page = await browser.visitAs(owner, '/login')
  const limits = new Set<string>()
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    // What a recommendation names by itself is asked for with a filter of its own.
    if (/^\/api\/(pages|keywords|keywords\/opportunities)$/.test(pathname) && !searchParams.has('positionMin'))
      limits.add(`${pathname} ${searchParams.get('limit')}`)
  })
  await page.goto('/insights')
  await expectVisible(figure(page, 'Potential Impact Score'))
  expect(limits).toEqual(new Set(['/api/keywords/opportunities 20', '/api/keywords 200', '/api/pages 50']))
})

test('tabs Recommendations, Performance Analytics, Smart Monitoring', async () => {
  const page = await open(owner)
  const tabs = page.getByRole('tablist', { name: 'Insights' }).getByRole('tab')
  await expectVisible(tabs)
  expect((await tabs.allInnerTexts()).slice(0, 3)).toEqual(['Recommendations', 'Performance Analytics', 'Smart Monitoring'])
  expect(await tabs.first().getAttribute('aria-selected')).toBe('true')
})

test('three recommendations with impact, effort, an action and up to three examples', async () => {
  const page = await open(owner)
  for (const [title, impact, effort, action, tone] of [
    ['High-Impact Keyword Optimization', 'High', 'Medium', /^Work on titles, headings and internal links/, 'critical'],
    ['Low CTR Page Optimization', 'Medium', 'Low', /^Rewrite the titles and descriptions/, 'warning'],
    ['Content Gap Analysis', 'High', 'High', /^Write or deepen content/, 'critical'],
  ] as const) {
    const badge = part(page, title).getByText(`Impact: ${impact}`, { exact: true })
    await expectVisible(badge, part(page, title).getByText(`Effort: ${effort}`, { exact: true }), part(page, title).getByText(action))
    expect(await badge.getAttribute('class'), `of ${title}`).toContain(`text-${tone}`)
  }
  await expectVisible(items(page, 'High-Impact Keyword Optimization'))
  // The whole name is told as well, on hover and focus.
  const texts = async (name: string) =>
    (await items(page, name).getByRole('link').allInnerTexts()).map((text) => text.trim().split('\n')[0])
  expect(await texts('High-Impact Keyword Optimization')).toEqual(['floor lamp', 'reading lamp for a s...', 'bed lamp'])
  expect(await texts('Low CTR Page Optimization')).toEqual(['/average', '/needs-work'])
})

test('Quick Wins and High Impact Opportunities', async () => {
  const page = await open(owner)
  await expectVisible(items(page, 'Quick Wins'))
  expect(await items(page, 'Quick Wins').count()).toBe(2)
  expect(await items(page, 'Quick Wins').getByText('Optimize Meta', { exact: true }).count()).toBe(2)
  const first = items(page, 'High Impact Opportunities').first()
  const [best = 0] = await scores()
  await expectVisible(
    first.getByRole('link', { name: 'floor lamp', exact: true }),
    first.getByText('Position 12.0', { exact: true }),
    first.getByText('2,000 impressions', { exact: true }),
    first.getByText(`Score ${best.toFixed(1)}`, { exact: true }),
  )
})

test('position against CTR, Position Distribution and Performance Trends', async () => {
  const page = await open(owner, '?tab=performance')
  await expectVisible(page.getByRole('slider', { name: 'Which CTR do keywords get at their position?' }))
  await expectVisible(
    page
      .getByRole('figure', { name: 'Position Distribution', exact: true })
      .getByText('Keywords by their average position: 1 in 1-3, 2 in 4-10, 117 in 11-20, 1 in 21+.', { exact: true }),
  )
  const all = await scores()
  await expectText(figure(page, 'Total Keywords Tracked'), String(found.length))
  await expectText(figure(page, 'Avg Opportunity Score'), (all.reduce((sum, score) => sum + score, 0) / all.length).toFixed(1))
  await expectText(figure(page, 'Pages Analyzed'), '50')
})

test('without data the charts say so', async () => {
  const page = await open(nobody, '?tab=performance')
  await expectVisible(
    page.getByText('No data available for analysis', { exact: true }),
    page.getByText('No ranking data available', { exact: true }),
  )
  await expectText(figure(page, 'Avg Opportunity Score'), '0')
})

test('a load that fails says so, and can be tried again', async () => {
  const page = await browser.visitAs(owner, '/login')
  await page.route('**/api/pages?**', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/insights')
  await expectVisible(page.getByRole('alert').getByText(site))
  await page.unroute('**/api/pages?**')
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await expectText(figure(page, 'Pages Needing Optimization'), '2')
})

test('Recommended Alert Templates, each of which can be set up', async () => {
  const page = await open(owner, '?tab=monitoring')
  const grid = part(page, 'Recommended Alert Templates').getByRole('listitem')
  await expectVisible(grid)
  expect((await grid.getByRole('heading', { level: 3 }).allInnerTexts()).toSorted()).toEqual(
    [
      'Ranking change',
      'Traffic spike',
      'New keyword',
      'Lost ranking',
      'New ranking page',
      'Drop in impressions',
      'Drop in clicks',
      'CTR drop',
    ].toSorted(),
  )
  const spike = grid.filter({ has: page.getByRole('heading', { name: 'Traffic spike', exact: true }) })
  await expectVisible(
    spike.getByText('Level', { exact: true }),
    spike.getByText('Type', { exact: true }),
    spike.getByText('Positive', { exact: true }),
  )
  await spike.getByRole('button', { name: 'Setup Alert', exact: true }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/alert-settings')
  await expectVisible(page.getByRole('dialog', { name: 'Edit Alert' }).or(page.getByRole('region', { name: 'Traffic spike', exact: true })))
  const rules = alertConditions.parse((await owner.get('/api/alert-conditions')).body)
  expect(rules.map(({ title }) => title)).toContain('Traffic spike')
})
