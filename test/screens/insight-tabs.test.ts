// The tabs of the insights besides Recommendations, and what holds for all of them.
import type { Page } from 'playwright-core'
import { addDays } from '../../src/core/analytics/days.ts'
import { figureOf } from '../support/analytics-screens.ts'
import {
  answerLists,
  figuresOf,
  keywordOf,
  listedBy,
  manyKeywords,
  summaryOf,
  summaryOfNothing,
  summaryWithoutBefore,
} from '../support/answers/analytics.ts'
import { countedTwice } from '../support/answers/annotations.ts'
import { answerInsights, countries, devices } from '../support/answers/insights.ts'
import { completeThrough } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectFocused,
  expectGone,
  expectText,
  expectToast,
  expectVisible,
} from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-accessible.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const chart = (page: Page, name: string) => page.getByRole('figure', { name, exact: true })
const count = (value: number): string => value.toLocaleString('en-US')
const capital = (word: string): string => (word === 'ctr' ? 'CTR' : word.replace(/^./, (letter) => letter.toUpperCase()))

describe('Performance Analytics', { tags: ['full'] }, () => {
  const scatter = 'CTR by position'

  test('each keyword is a point reachable by arrow keys and pointer, and a row of the table', async ({ desk, open }) => {
    const list = manyKeywords.filter((_keyword, index) => index % 8 === 0)
    const unknown = keywordOf('never ranked', figuresOf(0, 3, 0))
    answerLists(desk, { keywords: [...list, unknown] })
    const page = await open('/insights?tab=performance')
    const points = chart(page, scatter).getByRole('slider')
    await points.focus()
    const read = async () => (await points.getAttribute('aria-valuetext')) ?? ''
    const reached = new Set<string>()
    await page.keyboard.press('Home')
    for (let point = 0; point < list.length; point += 1) {
      reached.add(await read())
      await page.keyboard.press('ArrowUp')
    }
    const said = ({ query, position, ctr }: (typeof list)[number]) =>
      `${query}: Position ${position.toFixed(1)}, CTR ${(ctr * 100).toFixed(2)}%`
    expect([...reached].toSorted()).toEqual(list.map(said).toSorted())
    expect(await read()).toContain('Position 1.0')
    const [name = ''] = (await read()).split(': Position')
    await expectVisible(chart(page, scatter).getByText(name, { exact: true }))
    await page.keyboard.press('Escape')
    await expectGone(chart(page, scatter).getByText(name, { exact: true }))

    await page.getByRole('button', { name: `Show as table: ${scatter}` }).click()
    const [first] = list
    await expectText(
      page.getByRole('table').getByRole('row').nth(1),
      `${first?.query} ${first?.position.toFixed(1)} ${((first?.ctr ?? 0) * 100).toFixed(2)}%`,
    )
    await expectCount(page.getByRole('table').getByRole('row'), list.length + 1)
  })

  test("'Position Distribution' counts keywords in 1-3, 4-10, 11-20 and 21+", async ({ desk, open }) => {
    const positions = [1, 3, 3.1, 10, 10.4, 12, 20, 21]
    answerLists(desk, { keywords: positions.map((position) => keywordOf(`at ${position}`, figuresOf(1, 10, position))) })
    const page = await open('/insights?tab=performance')
    const rows = chart(page, 'Position Distribution').getByRole('listitem')
    for (const [index, text] of ['1-3 2 25.0%', '4-10 2 25.0%', '11-20 3 37.5%', '21+ 1 12.5%'].entries())
      await expectText(rows.nth(index), text)
    const ring = chart(page, 'Position Distribution').getByRole('slider')
    await ring.focus()
    await expectAttribute(ring, 'aria-valuetext', '1-3: 2 Keywords, 25.0%')
    await page.keyboard.press('ArrowRight')
    await expectAttribute(ring, 'aria-valuetext', '4-10: 2 Keywords, 25.0%')
  })

  test("'Performance Trends': keywords tracked, average score with 1 decimal, pages analyzed", async ({ desk, open }) => {
    answerInsights(desk)
    const page = await open('/insights?tab=performance')
    const scores = listedBy(manyKeywords, 'sort=opportunityScore&limit=20').map(({ opportunityScore }) => opportunityScore)
    await expectVisible(page.getByRole('heading', { name: 'Performance Trends' }))
    await expectText(figureOf(page, 'Total Keywords Tracked'), '200')
    await expectText(figureOf(page, 'Avg Opportunity Score'), (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(1))
    await expectText(figureOf(page, 'Pages Analyzed'), '50')
  })
})

describe('Smart Monitoring', { tags: ['full'] }, () => {
  const template = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })

  test("every template has name, description, priority, level and type; 'Setup Alert' creates the rule and opens it", async ({
    desk,
    open,
  }) => {
    const kept = answerInsights(desk)
    const page = await open('/insights?tab=monitoring')
    await expectVisible(page.getByRole('heading', { name: 'Recommended Alert Templates' }))
    for (const [name, description, priority, level, type] of [
      ['Ranking change', 'A top keyword drops three or more positions in a week.', 'warning', 'Keyword', 'position'],
      ['Traffic spike', 'Site-wide clicks rise by 50% or more.', 'info', 'Whole site', 'clicks'],
      ['New keyword', 'A keyword enters the top 10 for the first time.', 'info', 'Keyword', 'position'],
      ['Lost ranking', 'A top keyword drops out of the top 10 or stops ranking.', 'critical', 'Keyword', 'position'],
      ['New ranking page', 'A page enters the top 20 for the first time.', 'info', 'Page', 'position'],
      ['Drop in impressions', 'Site-wide impressions fall by 25% or more in a week.', 'warning', 'Whole site', 'impressions'],
      ['Drop in clicks', 'Site-wide clicks fall by 15% or more.', 'critical', 'Whole site', 'clicks'],
      ['CTR drop', 'CTR falls on a top page.', 'warning', 'Page', 'ctr'],
    ] as const) {
      await expectVisible(
        template(page, name).getByText(description),
        template(page, name).getByText(capital(priority), { exact: true }),
        template(page, name).getByText(level, { exact: true }),
        template(page, name).getByText(capital(type), { exact: true }),
        template(page, name).getByRole('button', { name: 'Setup Alert' }),
      )
    }

    await template(page, 'Traffic spike').getByRole('button', { name: 'Setup Alert' }).click()
    await expectToast(page, 'success', 'Rule Created', 'Traffic spike')
    const rule = kept.rules.find(({ title }) => title === 'Traffic spike')
    expect(rule).toMatchObject({ type: 'clicks', monitor: 'site', threshold: 50 })
    await expectAddress(page, `/alert-settings?rule=${rule?.id}`)
    await expectVisible(page.getByRole('dialog', { name: 'Edit Alert' }))

    await page.goto('/insights?tab=monitoring')
    await expectVisible(template(page, 'Traffic spike').getByText('Already set up', { exact: true }))
    await expectCount(template(page, 'Traffic spike').getByRole('button'), 0)
    await expectVisible(template(page, 'Drop in clicks').getByRole('button', { name: 'Setup Alert' }))
    await template(page, 'Traffic spike').getByRole('link', { name: 'Open rule' }).click()
    await expectAddress(page, `/alert-settings?rule=${rule?.id}`)
  })

  test("a rule that can't be created says so, and nothing else happens", async ({ desk, open }) => {
    const kept = answerInsights(desk)
    desk.cut('POST /api/alert-conditions')
    const page = await open('/insights?tab=monitoring')
    const before = kept.rules
    await template(page, 'New keyword').getByRole('button', { name: 'Setup Alert' }).click()
    await expectToast(page, 'error', 'Rule Not Created')
    await expectAddress(page, '/insights?tab=monitoring')
    expect(kept.rules).toEqual(before)
  })
})

describe('Audience', () => {
  test('devices and countries with their figures next to those of the previous period', async ({ desk, open }) => {
    answerInsights(desk)
    const page = await open('/insights?tab=audience')
    await expectVisible(page.getByText('10–16 Mar vs 3–9 Mar, complete through 16 Mar.'))
    for (const [rows, table, name] of [
      [devices, 'Devices', 'Mobile'],
      [countries, 'Countries', 'United Kingdom'],
    ] as const) {
      const [first] = rows
      if (!first?.previous) throw new Error('There is nothing to compare with')
      const row = page.getByRole('table', { name: table }).getByRole('row').nth(1)
      await expectVisible(row)
      const text = (await row.innerText()).replaceAll(/\s+/g, ' ')
      expect(text.startsWith(`${name} `)).toBe(true)
      for (const { clicks, impressions, ctr, position } of [first, first.previous])
        for (const shown of [count(clicks), count(impressions), `${(ctr * 100).toFixed(2)}%`, position.toFixed(1)])
          expect(text).toContain(shown)
    }
  })

  test('the bars are one Tab stop, and the arrow keys move between them', { tags: ['full'] }, async ({ desk, open }) => {
    answerInsights(desk)
    const page = await open('/insights?tab=audience')
    const bars = chart(page, 'Clicks by country').getByRole('list').getByRole('button')
    await expectVisible(bars)
    await expectCount(bars, 10)
    await page.getByRole('button', { name: 'United Kingdom: 6,000 Clicks', exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await expectFocused(page.getByRole('button', { name: 'United States: 5,550 Clicks', exact: true }))
    await expectText(page.getByRole('tooltip'), 'United States Clicks: 5,550')
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

  test(
    'without a comparison, or with nothing stored for last year, there are only the figures',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerInsights(desk)
      desk.answer('GET /api/analytics/summary', ({ query }) =>
        query.get('compare') === 'year' ? summaryWithoutBefore(query) : summaryOf(query),
      )
      const page = await open('/insights?tab=audience&compare=none')
      const row = page.getByRole('table', { name: 'Devices' }).getByRole('row').nth(1)
      await expectText(row, /^Mobile [\d,]+ [\d,]+ [\d.]+% [\d.]+$/)
      await page.getByRole('combobox', { name: 'Compare' }).click()
      await page.getByRole('option', { name: 'vs previous year' }).click()
      await expectAddress(page, '/insights?tab=audience&compare=year')
      await expectVisible(page.getByText(/No comparison data for 11–17 Mar 2025\./))
      await expectText(row, /^Mobile [\d,]+ [\d,]+ [\d.]+% [\d.]+$/)
    },
  )
})

test(
  "Trends: the property's four figures day by day, each with the day of the previous period",
  { tags: ['full'] },
  async ({ desk, open }) => {
    answerInsights(desk)
    const page = await open('/insights?tab=trends')
    const lines = chart(page, 'Clicks').getByRole('slider')
    await lines.focus()
    const said = (await lines.getAttribute('aria-valuetext')) ?? ''
    expect(said).toContain('Clicks 1,720')
    expect(said).toContain('1,480')
    await expectCount(page.getByRole('figure'), 4)
  },
)

test('Trends: marks have a legend below each chart', { tags: ['full'] }, async ({ desk, open }) => {
  answerInsights(desk)
  desk.answer('GET /api/annotations', {
    notes: [{ id: '1', date: addDays(completeThrough, -3), text: 'New menu', property: null, inReports: false }],
    incidents: [],
    anomalies: [{ ...countedTwice, start: addDays(completeThrough, -5), end: addDays(completeThrough, -4) }],
  })
  const page = await open('/insights?tab=trends')
  for (const name of ['Clicks', 'Impressions', 'CTR', 'Average position']) {
    await expectVisible(
      chart(page, name).getByRole('button', { name: /^Note: New menu/ }),
      chart(page, name).getByText('Note', { exact: true }),
    )
    const counted = chart(page, name).getByText('Measurement change', { exact: true })
    await expectCount(counted, countedTwice.metrics.some((metric) => metric === name.toLowerCase()) ? 1 : 0)
  }
})

test('days that are not stored are described as such, rather than as days without keywords, pages and clicks', async ({ desk, open }) => {
  answerInsights(desk)
  answerLists(desk, {})
  desk.answer('GET /api/analytics/segments', [])
  desk.answer('GET /api/analytics/summary', ({ query }) => summaryOfNothing(query))
  const page = await open('/insights')
  const words = page.getByText('No data is stored for 10–16 Mar 2026.', { exact: true })
  await expectVisible(page.getByRole('heading', { name: 'No data for these days', exact: true }), words.first())
  await expectCount(figureOf(page, 'Pages Needing Optimization'), 0)
  await expectCount(page.getByText(/No keyword has a score of 15 or more/), 0)
  await page.getByRole('tab', { name: 'Audience' }).click()
  await expectVisible(page.getByRole('tabpanel').getByText('No data is stored for 10–16 Mar 2026.', { exact: true }))
  await expectCount(page.getByText('No clicks in this period'), 0)
})

test.for(['recommendations', 'performance', 'monitoring', 'audience', 'trends'])(
  'the tab %s is accessible, in either theme, on a desktop or on a phone',
  { tags: ['full'] },
  async (name, { desk, open }) => {
    answerInsights(desk)
    const page = await open(`/insights?tab=${name}`, { theme: 'light' })
    await expectVisible(figureOf(page, 'Potential Impact Score'))
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
