// SPEC §2, "SEO Insights Dashboard", with §9 (limits, thresholds). Audience, trends, annotations: ../insights, ../insight-tabs.
import type { Page } from 'playwright-core'
import { figureOf, optionsOf, wide } from '../../support/analytics-screens.ts'
import { answerLists } from '../../support/answers/analytics.ts'
import { answerFound, found } from '../../support/answers/found.ts'
import { keepRules } from '../../support/answers/rules.ts'
import { shopName } from '../../support/answers/usual.ts'
import { expectAttribute, expectCount, expectText, expectVisible } from '../../support/browser-expect.ts'
import { expect, test } from '../../support/screen-test.ts'

const screen = '/insights'
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const items = (page: Page, name: string) => part(page, name).getByRole('list', { name, exact: true }).getByRole('listitem')

/** By descending score, as many as the screen requests. */
const scores = found
  .map(({ score }) => score)
  .toSorted((a, b) => b - a)
  .slice(0, 20)
const sum = scores.reduce((all, score) => all + score, 0)

test('"SEO Insights Dashboard", a time range and Export; four cards; three tabs', async ({ desk, open }) => {
  answerFound(desk)
  const page = await open(screen, wide)
  await expectVisible(
    page.getByRole('heading', { level: 1, name: 'SEO Insights Dashboard', exact: true }),
    page.getByRole('button', { name: 'Export', exact: true }),
  )
  await expectText(page.getByRole('combobox', { name: 'Time Range', exact: true }), 'Last 7 days')
  expect(await optionsOf(page, 'Time Range')).toEqual(['Last 7 days', 'Last 28 days', 'Last 90 days'])

  await expectText(figureOf(page, 'Optimization Opportunities'), '3')
  await expectText(figureOf(page, 'Pages Needing Optimization'), '2')
  await expectText(figureOf(page, 'High Performing Pages'), '1')
  await expectText(figureOf(page, 'Potential Impact Score'), sum.toLocaleString('en-US', { maximumFractionDigits: 0 }))

  const tabs = page.getByRole('tablist', { name: 'Insights' }).getByRole('tab')
  expect((await tabs.allInnerTexts()).slice(0, 3)).toEqual(['Recommendations', 'Performance Analytics', 'Smart Monitoring'])
  await expectAttribute(tabs.first(), 'aria-selected', 'true')
})

test('requests 20 opportunities, 200 keywords and 50 pages; Quick Wins and High Impact Opportunities', async ({ desk, open }) => {
  answerFound(desk)
  const page = await open(screen, wide)
  await expectVisible(figureOf(page, 'Potential Impact Score'))
  const limits = () =>
    (['GET /api/keywords/opportunities', 'GET /api/keywords', 'GET /api/pages'] as const).map((route) =>
      desk
        .asked(route)
        // What a recommendation names individually is requested with a separate filter.
        .filter(({ query }) => !query.has('positionMin'))
        .map(({ query }) => query.get('limit')),
    )
  await expect.poll(limits).toEqual([['20'], ['200'], ['50']])

  await expectVisible(items(page, 'Quick Wins'))
  await expectCount(items(page, 'Quick Wins'), 2)
  await expectCount(items(page, 'Quick Wins').getByText('Optimize Meta', { exact: true }), 2)
  const first = items(page, 'High Impact Opportunities').first()
  await expectVisible(
    first.getByRole('link', { name: 'floor lamp', exact: true }),
    first.getByText('Position 12.0', { exact: true }),
    first.getByText('2,000 impressions', { exact: true }),
    first.getByText('Score 41.7', { exact: true }),
  )
})

test('three recommendations with impact, effort, an action and up to three examples', async ({ desk, open }) => {
  answerFound(desk)
  const page = await open(screen, wide)
  for (const [title, impact, effort, action, tone] of [
    ['High-Impact Keyword Optimization', 'High', 'Medium', /^Work on titles, headings and internal links/, 'critical'],
    ['Low CTR Page Optimization', 'Medium', 'Low', /^Rewrite the titles and descriptions/, 'warning'],
    ['Content Gap Analysis', 'High', 'High', /^Create or expand content/, 'critical'],
  ] as const) {
    const badge = part(page, title).getByText(`Impact: ${impact}`, { exact: true })
    await expectVisible(badge, part(page, title).getByText(`Effort: ${effort}`, { exact: true }), part(page, title).getByText(action))
    expect(await badge.getAttribute('class'), `of ${title}`).toContain(`text-${tone}`)
  }
  await expectVisible(items(page, 'High-Impact Keyword Optimization'))
  // Hover and focus show the whole name.
  const texts = async (name: string) =>
    (await items(page, name).getByRole('link').allInnerTexts()).map((text) => text.trim().split('\n')[0])
  expect(await texts('High-Impact Keyword Optimization')).toEqual(['floor lamp', 'reading lamp for a s...', 'bed lamp'])
  expect(await texts('Low CTR Page Optimization')).toEqual(['/average', '/needs-work'])
})

test('position against CTR, Position Distribution and Performance Trends', async ({ desk, open }) => {
  answerFound(desk)
  const page = await open(`${screen}?tab=performance`, wide)
  await expectVisible(
    page.getByRole('slider', { name: 'CTR by position' }),
    page
      .getByRole('figure', { name: 'Position Distribution', exact: true })
      .getByText('Keywords by their average position: 1 at 1-3, 2 at 4-10, 117 at 11-20, 1 at 21+.', { exact: true }),
  )
  await expectText(figureOf(page, 'Total Keywords Tracked'), String(found.length))
  await expectText(figureOf(page, 'Avg Opportunity Score'), (sum / scores.length).toFixed(1))
  await expectText(figureOf(page, 'Pages Analyzed'), '50')
})

test('without data the charts say so', async ({ desk, open }) => {
  answerLists(desk, {})
  const page = await open(`${screen}?tab=performance`, wide)
  await expectVisible(
    page.getByText('No data available for analysis', { exact: true }),
    page.getByText('No ranking data available', { exact: true }),
  )
  await expectText(figureOf(page, 'Avg Opportunity Score'), '0')
})

test('a failed load says so, and can be retried', async ({ desk, open }) => {
  answerFound(desk)
  desk.say('GET /api/pages', '', { status: 500 })
  const page = await open(screen)
  await expectVisible(page.getByRole('alert').getByText(shopName))
  answerFound(desk)
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await expectText(figureOf(page, 'Pages Needing Optimization'), '2')
})

test('Recommended Alert Templates, each of which can be set up', async ({ desk, open }) => {
  answerFound(desk)
  const kept = keepRules(desk)
  const page = await open(`${screen}?tab=monitoring`, wide)
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
      // Beyond SPEC §1: anomalies (OPEN-POINTS 25).
      'Unusual pages',
      'Unusual keywords',
      'Unusual CTR',
      'Unusual positions',
    ].toSorted(),
  )
  const spike = grid.filter({ has: page.getByRole('heading', { name: 'Traffic spike', exact: true }) })
  await expectVisible(
    spike.getByText('Level', { exact: true }),
    spike.getByText('Type', { exact: true }),
    // Neither critical nor a warning.
    spike.getByText('Info', { exact: true }),
  )
  await spike.getByRole('button', { name: 'Setup Alert', exact: true }).click()
  await expect.poll(() => new URL(page.url()).pathname, { timeout: 15_000 }).toBe('/alert-settings')
  await expectVisible(page.getByRole('dialog', { name: 'Edit Alert' }).or(page.getByRole('region', { name: 'Traffic spike', exact: true })))
  expect(kept.rules.map(({ title }) => title)).toContain('Traffic spike')
})
