import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { alertConditions } from '../../src/contract/alert-conditions.ts'
import { alertTemplates } from '../../src/contract/alert-templates.ts'
import { analyticsDays, segments } from '../../src/contract/analytics.ts'
import { keywords, opportunities } from '../../src/contract/keywords.ts'
import { pages } from '../../src/contract/pages.ts'
import { sites, type TestApp, type Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible, pathOf } from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-screens.ts'
import { readCsv } from '../support/csv.ts'
import { newPerson, ownerOf } from '../support/people.ts'

// SPEC §2 "SEO Insights Dashboard": its figures are what the API answers, put together as the specification says.

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let person: Visitor
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
  person = await app.demo()
})
afterAll(() => demo.close())

const open = (search = '', options = {}) => browser.visitAs(person, `/insights${search}`, options)
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const chart = (page: Page, name: string) => page.getByRole('figure', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

async function answer<T extends z.ZodType>(schema: T, path: string): Promise<z.infer<T>> {
  return schema.parse((await person.get(path)).body)
}
const opportunitiesOf = (days: number) => answer(opportunities, `/api/keywords/opportunities?days=${days}&limit=20`)
const keywordsOf = (days: number) => answer(keywords, `/api/keywords?days=${days}&limit=200`)
const pagesOf = (days: number) => answer(pages, `/api/pages?days=${days}&limit=50`)

const highScores = async (days: number) => (await opportunitiesOf(days)).filter(({ opportunityScore }) => opportunityScore >= 15)
const lowCtr = async (days: number) => (await pagesOf(days)).filter(({ impressions, ctr }) => impressions > 100 && Number(ctr) < 2)

async function expectCards(page: Page, days: number): Promise<void> {
  const scores = (await opportunitiesOf(days)).map(({ opportunityScore }) => opportunityScore)
  const figures = {
    'Optimization Opportunities': scores.filter((score) => score >= 15).length,
    'Pages Needing Optimization': (await lowCtr(days)).length,
    'High Performing Pages': (await pagesOf(days)).filter(({ ctr }) => Number(ctr) >= 5).length,
    'Potential Impact Score': scores.reduce((sum, score) => sum + score, 0),
  }
  for (const [name, figure] of Object.entries(figures)) {
    await expectText(card(page, name).getByRole('paragraph').first(), figure.toLocaleString('en-US', { maximumFractionDigits: 0 }))
  }
}

async function chooseRange(page: Page, label: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Time Range' }).click()
  await page.getByRole('option', { name: label }).click()
}

const count = (value: number): string => value.toLocaleString('en-US')

describe('cards and time range', () => {
  test('the last 7 days by default: the four cards count what the lists of the API hold', async () => {
    const page = await open()
    await expectVisible(page.getByRole('heading', { name: 'SEO Insights Dashboard', level: 1 }))
    await expectText(page.getByRole('combobox', { name: 'Time Range' }), 'Last 7 days')
    await expectCards(page, 7)
    await expectVisible(page.getByText('Counted among the 20 keywords with the highest scores and the 50 pages with the most clicks.'))
    await expectVisible(page.getByText(/Shown are 50 of 130 pages\. They explain \d+% of all [\d,]+ clicks\./))
  })

  test('28 and 90 days have their own figures; the address says which, and going back brings the ones before', async () => {
    const page = await open()
    await expectCards(page, 7)
    await chooseRange(page, 'Last 28 days')
    await expectAddress(page, '/insights?days=28')
    await expectCards(page, 28)
    await tab(page, 'Performance Analytics').click()
    await expectAddress(page, '/insights?days=28&tab=performance')
    await chooseRange(page, 'Last 90 days')
    await expectCards(page, 90)
    await page.reload()
    await expectAddress(page, '/insights?days=90&tab=performance')
    await expectCards(page, 90)

    await page.goBack()
    await expectCards(page, 28)
    await expectVisible(chart(page, 'Position Distribution'))
    await page.goBack()
    await expectAddress(page, '/insights?days=28')
    await expectVisible(page.getByRole('heading', { name: 'Quick Wins' }))
    await page.goBack()
    await expectCards(page, 7)
  })

  test('another property shows its own', async () => {
    const owner = await ownerOf(app, 'https://small.example/', { days: 3, email: 'small@example.test' })
    const page = await browser.visitAs(owner, '/insights')
    await expectVisible(page.getByRole('main').getByText('https://small.example/', { exact: true }))
    for (const name of ['Optimization Opportunities', 'Pages Needing Optimization', 'High Performing Pages', 'Potential Impact Score']) {
      await expectText(card(page, name).getByRole('paragraph').first(), '0')
    }
    await expectVisible(page.getByText('No keyword has a score of 15 or more in this period.'))
    await tab(page, 'Performance Analytics').click()
    await expectVisible(page.getByText('No data available for analysis', { exact: true }).last())
    await expectVisible(page.getByText('No ranking data available', { exact: true }).last())
    await expectText(card(page, 'Avg Opportunity Score').getByRole('paragraph').first(), '0')
  })
})

describe('Recommendations', () => {
  test('three cards with impact and effort, each with up to 3 keywords or pages', async () => {
    const page = await open()
    const expected = [
      { name: 'High-Impact Keyword Optimization', badges: ['Impact: High', 'Effort: Medium'] },
      { name: 'Low CTR Page Optimization', badges: ['Impact: Medium', 'Effort: Low'] },
      { name: 'Content Gap Analysis', badges: ['Impact: High', 'Effort: High'] },
    ]
    for (const { name, badges } of expected) {
      await expectVisible(...badges.map((badge) => card(page, name).getByText(badge, { exact: true })))
    }
    const expectNames = async (name: string, names: readonly string[]) => {
      const items = page.getByRole('list', { name }).getByRole('listitem')
      for (const [index, each] of names.entries()) await expectVisible(items.nth(index).getByRole('link', { name: each, exact: true }))
      expect(await items.count()).toBe(names.length)
    }
    const [scores, low] = [await highScores(7), await lowCtr(7)]
    const gaps = await answer(keywords, '/api/keywords?days=7&positionMin=21&sort=impressions&order=desc&limit=3')
    const most = low.toSorted((a, b) => b.impressions - a.impressions)
    await expectNames(
      'High-Impact Keyword Optimization',
      scores.slice(0, 3).map(({ query }) => query),
    )
    await expectNames(
      'Low CTR Page Optimization',
      most.slice(0, 3).map((each) => each.page),
    )
    expect(gaps).toHaveLength(3)
    expect(gaps.every(({ position }) => position > 20)).toBe(true)
    await expectNames(
      'Content Gap Analysis',
      gaps.map(({ query }) => query),
    )
  })

  test('a name is cut to 20 characters, and all of it is told on hover and on focus', async () => {
    const page = await open()
    const gaps = await answer(keywords, '/api/keywords?days=7&positionMin=21&sort=impressions&order=desc&limit=3')
    const long = gaps.find(({ query }) => query.length > 20)!
    const link = page.getByRole('list', { name: 'Content Gap Analysis' }).getByRole('link', { name: long.query, exact: true })
    await expectVisible(link.getByText(`${long.query.slice(0, 20)}...`, { exact: true }))
    await link.hover()
    await expectText(page.getByRole('tooltip'), long.query)
    await page.mouse.move(0, 0)
    await expectGone(page.getByRole('tooltip'))
    await link.focus()
    await expectText(page.getByRole('tooltip'), long.query)
  })

  test("'Quick Wins' lists the top 5 low-CTR pages, 'High Impact Opportunities' the top 5 high-score keywords", async () => {
    const page = await open('?days=28')
    const rowsOf = (name: string) =>
      page
        .getByRole('list', { name })
        .getByRole('listitem')
        .evaluateAll((items) => items.map((item) => (item as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim()))
    await expectVisible(page.getByRole('list', { name: 'Quick Wins' }))
    const low = (await lowCtr(28)).toSorted((a, b) => b.impressions - a.impressions).slice(0, 5)
    expect(await rowsOf('Quick Wins')).toEqual(
      low.map(({ page: url, impressions, ctr }) => `${new URL(url).pathname} ${count(impressions)} impressions CTR ${ctr}% Optimize Meta`),
    )
    expect(await rowsOf('High Impact Opportunities')).toEqual(
      (await highScores(28))
        .slice(0, 5)
        .map(
          ({ query, position, impressions, opportunityScore }) =>
            `${query} Position ${position.toFixed(1)} ${count(impressions)} impressions Score ${opportunityScore.toFixed(1)}`,
        ),
    )
  })

  test('keywords and pages lead to all about them, over the same days', async () => {
    const page = await open('?days=28')
    const [keyword] = await highScores(28)
    await page.getByRole('list', { name: 'High Impact Opportunities' }).getByRole('link').first().click()
    await expectAddress(page, `/keyword-opportunities?${new URLSearchParams({ tab: 'analysis', keyword: keyword!.query, days: '28' })}`)
    await page.goBack()
    const low = (await lowCtr(28)).toSorted((a, b) => b.impressions - a.impressions)
    await page.getByRole('list', { name: 'Quick Wins' }).getByRole('link').first().click()
    await expect.poll(() => pathOf(page)).toBe(`/page-analytics?${new URLSearchParams({ page: low[0]!.page, days: '28' })}`)
  })
})

describe('Performance Analytics', () => {
  const scatter = 'Which CTR do keywords get at their position?'

  test('each keyword is a point that the arrow keys and the pointer reach, and a row of the table', async () => {
    const page = await open('?tab=performance')
    const list = (await keywordsOf(7)).filter(({ position }) => position > 0)
    const said = ({ query, position, ctr }: (typeof list)[number]) =>
      `${query}: Position ${position.toFixed(1)}, CTR ${(ctr * 100).toFixed(2)}%`
    const points = chart(page, scatter).getByRole('slider')
    await points.focus()
    const read = async () => (await points.getAttribute('aria-valuetext')) ?? ''
    const reached = new Set<string>()
    await page.keyboard.press('Home')
    for (let point = 0; point < list.length; point += 1) {
      reached.add(await read())
      await page.keyboard.press('ArrowUp')
    }
    expect([...reached].toSorted()).toEqual(list.map(said).toSorted())
    const best = Math.min(...list.map(({ position }) => position))
    expect(await read()).toContain(`Position ${best.toFixed(1)}`)
    const [name = ''] = (await read()).split(': Position')
    await expectVisible(chart(page, scatter).getByText(name, { exact: true }))
    await page.keyboard.press('Escape')
    await expectGone(chart(page, scatter).getByText(name, { exact: true }))

    await page.getByRole('button', { name: `Show as table: ${scatter}` }).click()
    const row = page.getByRole('table').getByRole('row').nth(1)
    const [first] = list
    await expectText(row, `${first!.query} ${first!.position.toFixed(1)} ${(first!.ctr * 100).toFixed(2)}%`)
    expect(await page.getByRole('table').getByRole('row').count()).toBe(list.length + 1)
  })

  test("'Position Distribution' counts keywords in 1-3, 4-10, 11-20 and 21+", async () => {
    const page = await open('?tab=performance&days=28')
    const positions = (await keywordsOf(28)).map(({ position }) => position)
    const within = (from: number, to: number) => positions.filter((position) => position > from && position <= to).length
    const parts = [
      ['1-3', within(0, 3)],
      ['4-10', within(3, 10)],
      ['11-20', within(10, 20)],
      ['21+', within(20, Infinity)],
    ] as const
    const total = positions.length
    const share = (part: number) => `${((part / total) * 100).toFixed(1)}%`
    const rows = chart(page, 'Position Distribution').getByRole('listitem')
    for (const [index, [label, part]] of parts.entries()) await expectText(rows.nth(index), `${label} ${part} ${share(part)}`)

    const ring = chart(page, 'Position Distribution').getByRole('slider')
    await ring.focus()
    expect(await ring.getAttribute('aria-valuetext')).toBe(`1-3: ${parts[0][1]} Keywords, ${share(parts[0][1])}`)
    await page.keyboard.press('ArrowRight')
    expect(await ring.getAttribute('aria-valuetext')).toBe(`4-10: ${parts[1][1]} Keywords, ${share(parts[1][1])}`)
  })

  test("'Performance Trends': keywords tracked, average score with 1 decimal, pages analyzed", async () => {
    const page = await open('?tab=performance')
    const scores = (await opportunitiesOf(7)).map(({ opportunityScore }) => opportunityScore)
    const average = scores.reduce((sum, score) => sum + score, 0) / scores.length
    await expectVisible(page.getByRole('heading', { name: 'Performance Trends' }))
    const figure = (name: string) => card(page, name).getByRole('paragraph').first()
    await expectText(figure('Total Keywords Tracked'), count((await keywordsOf(7)).length))
    await expectText(figure('Avg Opportunity Score'), average.toFixed(1))
    await expectText(figure('Pages Analyzed'), count((await pagesOf(7)).length))
  })
})

describe('Smart Monitoring', () => {
  test("every template has name, description, priority, level and type; 'Setup Alert' creates the rule and opens it", async () => {
    const owner = await ownerOf(app, 'https://watched.example/', { days: 3, email: 'watched@example.test' })
    const page = await browser.visitAs(owner, '/insights?tab=monitoring')
    await expectVisible(page.getByRole('heading', { name: 'Recommended Alert Templates' }))
    const templates = alertTemplates.parse((await owner.get('/api/alert-templates')).body)
    expect(templates).toHaveLength(8)
    const template = (name: string) => page.getByRole('listitem', { name, exact: true })
    for (const { name, description, priority, type } of templates) {
      await expectVisible(
        template(name).getByText(description),
        template(name).getByText(
          priority.replace(/^./, (letter) => letter.toUpperCase()),
          { exact: true },
        ),
        template(name).getByText(type === 'ctr' ? 'CTR' : type.replace(/^./, (letter) => letter.toUpperCase()), { exact: true }),
        template(name).getByRole('button', { name: 'Setup Alert' }),
      )
    }

    await template('Traffic spike').getByRole('button', { name: 'Setup Alert' }).click()
    await expectToast(page, 'success', 'Rule Created', 'Traffic spike')
    const rules = alertConditions.parse((await owner.get('/api/alert-conditions')).body)
    const rule = rules.find(({ title }) => title === 'Traffic spike')!
    await expectAddress(page, `/alert-settings?rule=${rule.id}`)
    await expectVisible(page.getByRole('dialog', { name: 'Edit Alert' }))

    await page.goto('/insights?tab=monitoring')
    await expectVisible(template('Traffic spike').getByText('Already set up', { exact: true }))
    expect(await template('Traffic spike').getByRole('button').count()).toBe(0)
    await expectVisible(template('Drop in clicks').getByRole('button', { name: 'Setup Alert' }))
    await template('Traffic spike').getByRole('link', { name: 'Open rule' }).click()
    await expectAddress(page, `/alert-settings?rule=${rule.id}`)
  })

  test('a rule that cannot be created is told of, and nothing else happens', async () => {
    const page = await open('?tab=monitoring')
    const template = page.getByRole('listitem', { name: 'New keyword', exact: true })
    await expectVisible(template)
    await page.context().setOffline(true)
    await template.getByRole('button', { name: 'Setup Alert' }).click()
    await expectToast(page, 'error', 'Rule Not Created')
    await expectAddress(page, '/insights?tab=monitoring')
    await page.context().setOffline(false)
  })
})

describe('Audience', () => {
  test('devices and countries with their figures beside those of the period before', async () => {
    const page = await open('?tab=audience')
    await expectVisible(page.getByText('9–15 Mar vs 2–8 Mar, complete through 15 Mar.'))
    for (const [dimension, table] of [
      ['device', 'Devices'],
      ['country', 'Countries'],
    ] as const) {
      const [first] = await answer(segments, `/api/analytics/segments?days=7&dimension=${dimension}`)
      const { clicks, impressions, ctr, position, previous } = first!
      const row = page.getByRole('table', { name: table }).getByRole('row').nth(1)
      await expectVisible(row)
      const text = (await row.innerText()).replaceAll(/\s+/g, ' ')
      expect(text).toMatch(dimension === 'device' ? /^Mobile / : /^United Kingdom /)
      for (const shown of [clicks, impressions, previous!.clicks, previous!.impressions]) expect(text).toContain(count(shown))
      for (const rate of [ctr, previous!.ctr]) expect(text).toContain(`${(rate * 100).toFixed(2)}%`)
      for (const place of [position, previous!.position]) expect(text).toContain(place.toFixed(1))
    }
  })

  test('the bars are one stop of the Tab key, and the arrow keys go from bar to bar', async () => {
    const page = await open('?tab=audience')
    const countries = await answer(segments, '/api/analytics/segments?days=7&dimension=country')
    const bars = chart(page, 'Which countries do clicks come from?').getByRole('list').getByRole('button')
    await expectVisible(bars)
    expect(await bars.count()).toBe(10)
    const bar = (index: number, name: string) =>
      page.getByRole('button', { name: `${name}: ${count(countries[index]!.clicks)} Clicks`, exact: true })
    await bar(0, 'United Kingdom').focus()
    await page.keyboard.press('ArrowDown')
    await expectFocused(bar(1, 'United States'))
    await expectText(page.getByRole('tooltip'), `United States Clicks: ${count(countries[1]!.clicks)}`)
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('tooltip'))
    await page.keyboard.press('End')
    await expectFocused(bars.nth(9))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    await expectFocused(bars.nth(9))
    await page.keyboard.press('Home')
    await expectFocused(bars.nth(0))
  })

  test('without a comparison, and with a year of which nothing is stored, there are only the figures', async () => {
    const page = await open('?tab=audience&compare=none')
    const row = page.getByRole('table', { name: 'Devices' }).getByRole('row').nth(1)
    await expectText(row, /^Mobile [\d,]+ [\d,]+ [\d.]+% [\d.]+$/)
    await page.getByRole('combobox', { name: 'Compare' }).click()
    await page.getByRole('option', { name: 'vs same period last year' }).click()
    await expectAddress(page, '/insights?tab=audience&compare=year')
    await expectVisible(page.getByText(/Nothing is stored of 10–16 Mar 2025 to compare with\./))
    await expectText(row, /^Mobile [\d,]+ [\d,]+ [\d.]+% [\d.]+$/)
  })
})

test('Trends: four figures of the property day by day, each with the day of the period before', async () => {
  const page = await open('?tab=trends')
  const { days, previousDays } = await answer(analyticsDays, '/api/analytics/days?days=7')
  const lines = chart(page, 'How many clicks did it bring?').getByRole('slider')
  await lines.focus()
  const said = (await lines.getAttribute('aria-valuetext')) ?? ''
  expect(said).toContain(`Clicks ${count(days.at(-1)!.clicks)}`)
  expect(said).toContain(count(previousDays.at(-1)!.clicks))
  expect(await page.getByRole('figure').count()).toBe(4)
})

test('Export: a file of each list that the screen counts, with all of its rows', async () => {
  const page = await open()
  await expectVisible(card(page, 'Potential Impact Score'))
  const all = {
    'Optimization opportunities': await answer(opportunities, '/api/keywords/opportunities?days=7&scoreMin=15&limit=1000'),
    'Pages needing optimization': await answer(pages, '/api/pages?days=7&impressionsAbove=100&ctrBelow=2&limit=1000'),
    'High performing pages': await answer(pages, '/api/pages?days=7&ctrAtLeast=5&limit=1000'),
    'All pages': await answer(pages, '/api/pages?days=7&limit=1000'),
  }
  for (const [label, rows] of Object.entries(all)) {
    await page.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: label }).click()])
    expect(file.suggestedFilename()).toMatch(/lumenandloom.*\.csv$/)
    const [, ...written] = readCsv((await readFile(await file.path(), 'utf8')).replace(/^\uFEFF/, ''))
    expect({ label, rows: written.length }).toEqual({ label, rows: rows.length })
    await expectVisible(page.getByRole('button', { name: 'Export' }).filter({ hasText: /^Export$/ }))
  }
})

describe('when something is missing', () => {
  test('a failed load says so, about which property, and offers to try again', async () => {
    const page = await open()
    await expectCards(page, 7)
    await page.context().setOffline(true)
    await chooseRange(page, 'Last 28 days')
    const problem = page.getByRole('alert').filter({ hasText: 'Unable to load insights' })
    await expectVisible(problem.getByText(sites.shop))
    await expectVisible(page.getByText('This is shown once the figures above can be loaded.'))
    await page.context().setOffline(false)
    await problem.getByRole('button', { name: 'Try again' }).click()
    await expectCards(page, 28)
    await expectVisible(page.getByRole('heading', { name: 'Quick Wins' }))
  })

  test('without a selected property the screen asks for one', async () => {
    const newcomer = await newPerson(app, { email: 'newcomer-insights@example.test' })
    const page = await browser.visitAs(newcomer, '/insights')
    await expectVisible(page.getByRole('heading', { name: 'SEO Insights Dashboard' }), page.getByText('No property selected').last())
    await expectVisible(page.getByRole('heading', { name: 'Property Required' }), page.getByRole('link', { name: 'Select Property' }))
  })
})

test.each(['recommendations', 'performance', 'monitoring', 'audience', 'trends'])(
  'nothing on the tab %s bars anybody, in either theme, at a desk or on a phone',
  async (name) => {
    const page = await open(`?tab=${name}`, { theme: 'light' })
    await expectVisible(card(page, 'Potential Impact Score'))
    await expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 15_000 }).toBe(0)
    await expectAccessible(page)
    await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
    await expectAccessible(page, ['color-contrast'])
    for (const width of [1920, 1024, 768, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await expectWithinWindow(page)
    }
    await page.setViewportSize({ width: 375, height: 812 })
    await expectWithinWindow(page)
    await expectAccessible(page)
    expect(await tooSmallForFingers(page)).toEqual([])
  },
)
