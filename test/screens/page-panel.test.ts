// The panel of a page or query, on Page Analytics as on any screen that has it.
import type { AnalyticsDays } from '../../src/contract/analytics.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import { choose, panelAt, panelOf, rowsOf, tilesOf, wide } from '../support/analytics-screens.ts'
import {
  answerLists,
  at,
  daysAsked,
  daysOf,
  figuresOf,
  manyPages,
  noGaps,
  pageOf,
  summaryOf,
  summaryWithoutBefore,
} from '../support/answers/analytics.ts'
import type { Desk } from '../support/answers/desk.ts'
import { countedTwice } from '../support/answers/annotations.ts'
import { keepRules } from '../support/answers/rules.ts'
import { completeThrough, shop } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectFocused,
  expectGone,
  expectText,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { expectInside, field, palette } from '../support/palette.ts'
import { expect, test } from '../support/screen-test.ts'

const screen = '/page-analytics'
const steady = at('steady')
const other = at('other?color=red#top')
const fading = at('fading')

/**
 * `steady` brings 16 clicks a day at 3.3; the query `oak lamp` brings it and `other` 14. `fading` has half of last week's clicks. Nothing
 * before the last 28 days is stored.
 */
function answerSite(desk: Desk): void {
  answerLists(desk, {
    pages: [
      pageOf(steady, figuresOf(112, 840, 3.3), figuresOf(112, 840, 3.3)),
      pageOf(fading, figuresOf(70, 2_800, 7), figuresOf(140, 2_800, 7)),
      pageOf(other, figuresOf(14, 350, 8), figuresOf(14, 350, 8)),
    ],
  })
  desk.answer('GET /api/analytics/summary', ({ query }) => (daysAsked(query) === 7 ? summaryOf(query) : summaryWithoutBefore(query)))
  desk.answer('GET /api/analytics/days', ({ query }) => {
    const none = { ...daysOf(query, figuresOf(0, 0, 0)), days: [], previousDays: [] }
    const isMonth = daysAsked(query) === 28
    const ofMonth = (days: AnalyticsDays) => ({ ...days, previousDays: [], previousGaps: days.previous ? [days.previous] : [] })
    if (query.get('query') === 'oak lamp') {
      const days = daysOf(query, figuresOf(14, 150, 4.7))
      return isMonth ? ofMonth(days) : days
    }
    if (query.get('page') === steady) return daysOf(query, figuresOf(16, 120, 3.333))
    if (query.get('page') === other) return daysOf(query, figuresOf(2, 50, 8))
    if (query.get('page') !== fading) return none
    return isMonth ? ofMonth(daysOf(query, figuresOf(25, 400, 7))) : daysOf(query, figuresOf(10, 400, 7), figuresOf(20, 400, 7))
  })
  desk.answer('GET /api/pages/keywords', ({ query }) => [
    {
      query: query.get('page') === fading ? 'old guide' : 'oak lamp',
      ...figuresOf(84, 700, 3),
      previous: figuresOf(84, 700, 3),
      share: 1,
    },
  ])
  desk.answer('GET /api/keywords/pages', [
    { page: steady, ...figuresOf(84, 700, 3), previous: figuresOf(84, 700, 3), share: 2 / 3 },
    { page: other, ...figuresOf(14, 350, 8), previous: null, share: 1 / 3 },
  ])
}

test("for a page: its figures equal the list's, and the queries explain part of its clicks", { tags: ['full'] }, async ({ desk, open }) => {
  answerLists(desk, { pages: [pageOf(steady, figuresOf(1_400, 14_000, 4), figuresOf(700, 14_000, 5)), ...manyPages.slice(50)] })
  desk.answer('GET /api/analytics/days', ({ query }) => daysOf(query, figuresOf(200, 2_000, 4), figuresOf(100, 2_000, 5)))
  const queries = Array.from({ length: 60 }, (_, index) => ({
    query: `oak lamp ${index}`,
    ...figuresOf(20 - Math.floor(index / 6), 210, 4),
    previous: null,
    share: (60 - index) / 1_830,
  }))
  desk.answer('GET /api/pages/keywords', queries)
  const page = await open(screen, wide)
  const link = page.getByRole('link', { name: steady, exact: true })
  await link.click()
  await expectAddress(page, `${screen}${panelAt('page', steady)}`)
  const dialog = panelOf(page, steady)
  const rows = await rowsOf(dialog, 'Keywords for this page', 50)
  expect(await tilesOf(dialog)).toEqual([
    expect.stringMatching(/^Clicks 1,400 previously 700 Up 100\.0%/),
    expect.stringMatching(/^Impressions 14,000 previously 14,000 /),
    expect.stringMatching(/^CTR 10\.00% previously 5\.00% /),
    expect.stringMatching(/^Position 4\.0 previously 5\.0 /),
  ])
  await expect
    .poll(() => Object.fromEntries(desk.asked('GET /api/pages/keywords').at(-1)?.query ?? []))
    .toMatchObject({
      page: steady,
      days: '7',
      limit: '1000',
    })
  expect(rows.map(({ names }) => names[0])).toEqual(queries.slice(0, 50).map(({ query }) => query))
  expect(rows.map(({ cells }) => cells[0])).toEqual(queries.slice(0, 50).map(({ share }) => `${(share * 100).toFixed(1)}%`))
  const named = queries.reduce((sum, { clicks }) => sum + clicks, 0)
  await expectVisible(
    dialog.getByText(`Showing 60 keywords (${Math.round(named / 14)}% of the page’s 1,400 clicks).`),
    dialog.getByText('60 keywords', { exact: true }),
  )
  const site = dialog.getByRole('link', { name: 'Open page (new tab)' })
  expect([await site.getAttribute('href'), await site.getAttribute('rel')]).toEqual([steady, 'noopener noreferrer'])
  await expectAttribute(
    dialog.getByRole('link', { name: 'View in GSC (new tab)' }),
    'href',
    new RegExp(
      `^https://search\\.google\\.com/search-console/performance/search-analytics\\?resource_id=${encodeURIComponent(shop)}&page=%21${encodeURIComponent(steady)}&start_date=\\d{8}&end_date=\\d{8}$`,
    ),
  )

  await page.keyboard.press('Escape')
  await expectGone(dialog)
  await expectAddress(page, screen)
  await expectFocused(link)
})

test('the chart shows the selected metric, positions downwards, and the URL keeps which', { tags: ['full'] }, async ({ desk, open }) => {
  answerSite(desk)
  const page = await open(`${screen}${panelAt('page', steady)}`, wide)
  const dialog = panelOf(page, steady)
  await expectVisible(dialog.getByRole('figure', { name: 'Clicks' }))
  await dialog.getByText('Position', { exact: true }).click()
  await expectAddress(page, `${screen}${panelAt('page', steady)}&chart=position`)
  const figure = dialog.getByRole('figure', { name: 'Average position' })
  await expectVisible(figure)
  const ticks = await figure.locator('svg text').evaluateAll((texts) =>
    texts
      .filter((text) => /^\d+$/.test(text.textContent ?? ''))
      .map((text) => [Number(text.textContent), text.getBoundingClientRect().top])
      .toSorted(([a = 0], [b = 0]) => a - b),
  )
  expect(ticks[0]?.[0]).toBe(1)
  expect(ticks.map(([, top]) => top)).toEqual(ticks.map(([, top]) => top ?? 0).toSorted((a, b) => a - b))
  expect((await tilesOf(dialog))[3]).toMatch(/^Position 3\.3/)
  await dialog.getByRole('button', { name: 'Show as table: Average position' }).click()
  await expectVisible(page.getByRole('dialog').getByRole('row', { name: '16 Mar 2026 3.3 3.3' }))
})

test('leads from a page to a query and on to another page, and the back button leads back', { tags: ['full'] }, async ({ desk, open }) => {
  answerSite(desk)
  const page = await open(`${screen}?sort=impressions&range=28d`, wide)
  await page.getByRole('link', { name: steady, exact: true }).click()
  await panelOf(page, steady).getByRole('link', { name: 'oak lamp', exact: true }).click()
  const ofQuery = panelOf(page, 'oak lamp')
  await expectVisible(ofQuery.getByText('2 pages appear for this keyword. Both compete: each gets at least 10% of the impressions.'))
  await expectFocused(ofQuery.getByRole('heading', { name: 'oak lamp' }))
  expect((await rowsOf(ofQuery, 'Pages for this keyword')).map(({ names, cells }) => [names[0], cells[0]])).toEqual([
    [steady, '66.7%'],
    [other, '33.3%'],
  ])
  await expect
    .poll(() => Object.fromEntries(desk.asked('GET /api/keywords/pages').at(-1)?.query ?? []))
    .toMatchObject({ query: 'oak lamp', days: '28' })
  await ofQuery.getByRole('link', { name: other, exact: true }).click()
  await expectVisible(panelOf(page, other))
  await page.goBack()
  await expectVisible(ofQuery)
  await page.goBack()
  await expectVisible(panelOf(page, steady))
  await page.goBack()
  await expectGone(page.getByRole('dialog'))
  await expectAddress(page, `${screen}?sort=impressions&range=28d`)
})

test('if Google capped its list of keywords by page, the panels of a page and of a keyword say so', async ({ desk, open }) => {
  answerSite(desk)
  desk.answer('GET /api/analytics/summary', ({ query }) => summaryOf(query, { pairs: { cutOffDays: 3, ...noGaps } }))
  const page = await open(`${screen}${panelAt('page', steady)}`, wide)
  const said = 'Google capped its list of keywords by page at 50,000 rows on 3 days, so some'
  const ofPage = panelOf(page, steady)
  await expectVisible(ofPage.getByText(`${said} keywords may be missing.`))
  await ofPage.getByRole('link', { name: 'oak lamp', exact: true }).click()
  await expectVisible(panelOf(page, 'oak lamp').getByText(`${said} pages may be missing.`))
})

test('uses the range and comparison of the screen', { tags: ['full'] }, async ({ desk, open }) => {
  answerSite(desk)
  const page = await open(`${screen}${panelAt('page', fading, '?compare=none')}`, wide)
  const dialog = panelOf(page, fading)
  await expectVisible(dialog.getByText('10–16 Mar, complete through 16 Mar.'))
  expect((await tilesOf(dialog))[0]).toBe('Clicks 70')
  await choose(dialog, page, 'Compare', 'vs previous period')
  await expectVisible(dialog.getByText('10–16 Mar vs 3–9 Mar, complete through 16 Mar.'))
  await expect.poll(async () => (await tilesOf(dialog))[0]).toBe('Clicks 70 previously 140 Down 50.0%')
  await choose(dialog, page, 'Time Range', 'Last 28 days')
  await expectAddress(page, `${screen}${panelAt('page', fading)}&range=28d`)
  await expect.poll(async () => (await tilesOf(dialog))[0]).toBe('Clicks 700')
  await expectVisible(dialog.getByText(/No comparison data for /))
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expectAddress(page, `${screen}?range=28d`)
  await expectText(page.getByRole('combobox', { name: 'Time Range' }), 'Last 28 days')
})

test('opens, stays and closes by keyboard alone', { tags: ['full'] }, async ({ desk, open }) => {
  answerSite(desk)
  const page = await open(screen, wide)
  const link = page.getByRole('link', { name: fading, exact: true })
  await link.focus()
  await page.keyboard.press('Enter')
  const dialog = panelOf(page, fading)
  await expectFocused(dialog.getByRole('heading', { name: fading }))
  await expectVisible(dialog.getByRole('table'))
  for (let stop = 0; stop < 25; stop += 1) {
    await page.keyboard.press('Tab')
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expectGone(dialog)
  await expectFocused(link)
  await expectAddress(page, screen)
})

test('a bookmarked query opens its panel, and closing keeps the rest of the URL', { tags: ['full'] }, async ({ desk, open }) => {
  answerSite(desk)
  const page = await open(`${screen}${panelAt('keyword', 'oak lamp', '?tab=insights&range=28d')}`, wide)
  const dialog = panelOf(page, 'oak lamp')
  await expectVisible(dialog.getByRole('figure', { name: 'Clicks' }))
  await expect.poll(async () => (await tilesOf(dialog))[0]).toBe('Clicks 392')
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expectAddress(page, `${screen}?tab=insights&range=28d`)
  await expectVisible(page.getByRole('tab', { name: 'Performance Insights', selected: true }))
})

test('says so if it was never shown in search', { tags: ['full'] }, async ({ desk, open }) => {
  answerSite(desk)
  const never = at('never-there')
  const page = await open(`${screen}${panelAt('page', never)}`, wide)
  const dialog = panelOf(page, never)
  await expectVisible(dialog.getByRole('heading', { name: 'No data for this page' }), dialog.getByText(/for 10–16 Mar and 3–9 Mar/))
  await expectCount(dialog.getByRole('table'), 0)
})

test('search opens over it, and just after Esc; Esc in search leaves it open', { tags: ['full'] }, async ({ desk, open }) => {
  answerSite(desk)
  const page = await open(`${screen}${panelAt('page', steady)}`, wide)
  // It closes as for most people, who are slower than this.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expectInside(panelOf(page, steady))
  await page.keyboard.press('Control+k')
  await expectFocused(field(page))
  await page.keyboard.press('Escape')
  await expectGone(palette(page))
  await expectInside(panelOf(page, steady))

  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expectFocused(field(page))
  await expectGone(panelOf(page, steady))
  await expectFocused(field(page))
})

test('each failed part can be retried', { tags: ['full'] }, async ({ desk, open }) => {
  answerSite(desk)
  const page = await open(screen, wide)
  await page.getByRole('link', { name: steady, exact: true }).click()
  const dialog = panelOf(page, steady)
  await expectVisible(dialog.getByRole('table'))
  desk.cut('GET /api/analytics/days')
  desk.cut('GET /api/pages/keywords')
  await choose(dialog, page, 'Time Range', 'Last 28 days')
  const problems = dialog.getByRole('alert')
  await expectVisible(problems.getByRole('heading', { name: 'Unable to load daily data for this page' }))
  await expectVisible(problems.getByRole('heading', { name: 'Unable to load keywords' }))
  answerSite(desk)
  await problems.first().getByRole('button', { name: 'Try again' }).click()
  await expectVisible(dialog.getByRole('figure'))
  await problems.first().getByRole('button', { name: 'Try again' }).click()
  await expectVisible(dialog.getByRole('table'))
  await expectCount(problems, 0)
})

test('sets up an alert for the page', { tags: ['full'] }, async ({ desk, open }) => {
  answerSite(desk)
  const kept = keepRules(desk)
  const page = await open(`${screen}${panelAt('page', steady)}`, wide)
  await panelOf(page, steady).getByRole('button', { name: 'Set up an alert' }).click()
  const form = page.getByRole('dialog', { name: 'New Alert' })
  await expect.poll(() => form.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Clicks drop: /steady')
  await expectValue(form.getByRole('textbox', { name: 'Pages, one per line' }), steady)
  // Whatever it is about, it is about this page.
  for (const about of ['CTR', 'Clicks']) {
    await choose(form, page, 'Alert about', about)
    await expectValue(form.getByRole('textbox', { name: 'Pages, one per line' }), steady)
  }
  await form.getByRole('button', { name: 'Create Alert' }).click()
  await expectToast(page, 'success', 'Rule Created', 'Clicks drop: /steady')
  await expectGone(form)
  await expectVisible(panelOf(page, steady))
  expect(kept.rules.at(-1)).toMatchObject({ type: 'clicks', monitor: 'pages', targets: [steady] })
})

test('marks of the chart have a legend', { tags: ['full'] }, async ({ desk, open }) => {
  answerSite(desk)
  desk.answer('GET /api/annotations', {
    notes: [{ id: '1', date: addDays(completeThrough, -3), text: 'New menu', property: null, inReports: false }],
    incidents: [],
    anomalies: [{ ...countedTwice, start: addDays(completeThrough, -5), end: addDays(completeThrough, -4) }],
  })
  const page = await open(`${screen}${panelAt('page', steady)}`, wide)
  const dialog = panelOf(page, steady)
  await expectVisible(dialog.getByRole('button', { name: /^Note: New menu/ }), dialog.getByText('Note', { exact: true }))
  await dialog.getByRole('radio', { name: 'Impressions' }).check({ force: true })
  await expectVisible(dialog.getByRole('button', { name: /^Measurement: / }), dialog.getByText('Measurement change', { exact: true }))
})
