// SPEC §2 "Page Analytics", §4 performance badge, §7, §8, §9: the list of pages. Its other tabs: ./page-tabs; the panel: ./page-panel.
import { formatCount } from '../../src/web/lib/format.ts'
import { choose, figureOf, namesOf, rowsOf, wide } from '../support/analytics-screens.ts'
import {
  answerLists,
  at,
  figuresOf,
  listedBy,
  listedOf,
  manyPages,
  pageOf,
  summaryOf,
  summaryOfNothing,
  summaryWithoutBefore,
  summaryWithTotals,
} from '../support/answers/analytics.ts'
import { shopName } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectGone,
  expectText,
  expectTexts,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const screen = '/page-analytics'
// Screens change when they are ready.
const pathOf = (page: string): string => new URL(page).pathname + new URL(page).search
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const top = listedBy(manyPages, 'limit=100')

describe('Page Performance', () => {
  test(
    'requests 100 pages of the last 7 days; the cards count, sum and average exactly those',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerLists(desk, { pages: manyPages })
      const page = await open('/dashboard', wide)
      await page.getByRole('link', { name: 'Page Analytics' }).click()
      await expectAddress(page, screen)
      const clicks = top.reduce((sum, row) => sum + row.clicks, 0)
      await expectText(figureOf(page, 'Total Pages'), '100')
      await expectText(figureOf(page, 'Total Clicks'), formatCount(clicks))
      await expectText(figureOf(page, 'Avg CTR'), `${mean(top.map(({ ctr }) => Number(ctr))).toFixed(2)}%`)
      await expectText(figureOf(page, 'Avg Position'), mean(top.map(({ position }) => Number(position))).toFixed(1))
      await expectVisible(page.getByText('Showing 100 of 130 pages ('), page.getByText('of 20,000 clicks).'))
      for (const { query } of desk.asked('GET /api/pages'))
        if (!query.has('trend')) expect(Object.fromEntries(query)).toMatchObject({ days: '7', limit: '100' })
    },
  )

  test("the table has all of them, with the API's figures, next to the previous ones", { tags: ['full'] }, async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages })
    const page = await open(screen, wide)
    const answer = listedBy(manyPages, 'limit=1000')
    const rows = await rowsOf(page, 'Pages')
    expect(rows.map(({ names, shown }) => [names[0], shown])).toEqual(answer.map((row) => [row.page, pathOf(row.page)]))
    for (const [index, row] of answer.entries()) {
      const { previous } = row
      const said = (now: string, before: string | undefined) =>
        expect.stringMatching(new RegExp(`^${now} ${before === undefined ? 'new' : `previously ${before}`}`))
      expect(rows[index]?.cells).toEqual([
        said(formatCount(row.clicks), previous === null ? undefined : formatCount(previous.clicks)),
        said(formatCount(row.impressions), previous === null ? undefined : formatCount(previous.impressions)),
        said(`${row.ctr}%`, previous === null ? undefined : `${previous.ctr}%`),
        said(row.position, previous?.position),
        expect.stringMatching(/^(Excellent|Good|Average|Needs Work)$/),
        // The line, which has no text.
        '',
      ])
    }
    await expectTexts(page.getByRole('columnheader'), [
      'Page',
      '±\nClicks',
      '±\nImpressions',
      '±\nCTR',
      '±\nAvg Position',
      'Performance',
      'Trend',
    ])

    // Without a comparison there is only the figure.
    await choose(page, page, 'Compare', 'No comparison')
    await expectAddress(page, `${screen}?compare=none`)
    await expect.poll(async () => (await rowsOf(page, 'Pages'))[0]?.cells[0]).toBe(formatCount(answer[0]?.clicks ?? 0))
  })

  test(
    'every page is reachable by scrolling, a hundred at a time, even when sorted by losses',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerLists(desk, { pages: manyPages })
      const pages = listedOf(manyPages.length, 19_500, 490_000)
      desk.answer('GET /api/analytics/summary', ({ query }) => summaryOf(query, { pages }))
      const page = await open(screen, wide)
      await expectVisible(page.getByText('100 of 120 pages', { exact: true }))
      expect((await rowsOf(page, 'Pages')).map(({ names }) => names[0])).toEqual(listedBy(manyPages, '').map((row) => row.page))
      await expectVisible(page.getByText('120 pages', { exact: true }))
      // The cards above are about the same first hundred, which are asked for once.
      const lists = desk.asked('GET /api/pages').filter(({ query }) => !query.has('trend'))
      expect(lists.map(({ query }) => query.get('offset'))).toEqual([null, '100'])
      const change = page.getByRole('button', { name: 'Change in Clicks' })
      await change.click()
      await change.click()
      await expectAddress(page, `${screen}?sort=clicksChange&order=asc`)
      const lost = listedBy(manyPages, 'sort=clicksChange&order=asc').map((row) => row.page)
      await expect.poll(async () => (await rowsOf(page, 'Pages')).map(({ names }) => names[0])).toEqual(lost)
      // The number of matches is known once all of them are loaded.
      await page.getByRole('textbox', { name: 'Search pages' }).fill('e')
      await expectVisible(page.getByText(/^(First )?\d+ pages$/))
    },
  )

  test("a page's whole URL is shown on hover and focus", { tags: ['full'] }, async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages })
    const page = await open(screen, wide)
    const second = top[1]?.page ?? ''
    const link = page.getByRole('link', { name: second, exact: true })
    await link.hover()
    await expectText(page.getByRole('tooltip'), second)
    await page.mouse.move(0, 0)
    await expectGone(page.getByRole('tooltip'))
    await link.focus()
    await expectText(page.getByRole('tooltip'), second)
  })

  test('the badge depends on clicks over impressions, not on the displayed CTR', { tags: ['full'] }, async ({ desk, open }) => {
    answerLists(desk, {
      pages: [
        pageOf(at('excellent'), figuresOf(50, 1_000, 2)),
        // 4.9998 percent, displayed as 5.00%.
        pageOf(at('good'), figuresOf(24_999, 500_000, 2)),
        pageOf(at('average'), figuresOf(10, 1_000, 2)),
        pageOf(at('needs-work'), figuresOf(9, 1_000, 2)),
        pageOf(at('unseen'), figuresOf(0, 1, 90)),
      ],
    })
    const page = await open(`${screen}?compare=none`, wide)
    const rows = new Map((await rowsOf(page, 'Pages')).map(({ shown, cells }) => [shown, [cells[2], cells[4]]]))
    expect(rows.get('/excellent')).toEqual(['5.00%', 'Excellent'])
    expect(rows.get('/good')).toEqual(['5.00%', 'Good'])
    expect(rows.get('/average')).toEqual(['1.00%', 'Average'])
    expect(rows.get('/needs-work')).toEqual(['0.90%', 'Needs Work'])
    expect(rows.get('/unseen')).toEqual(['0.00%', 'Needs Work'])
  })

  test(
    'search, range, sort and order apply to all pages, stay in the URL, and the back button undoes them',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerLists(desk, { pages: manyPages })
      const page = await open(screen, wide)
      const shows = async (search: string, question: string, days = '7') => {
        await expectAddress(page, `${screen}${search}`)
        await expect.poll(() => namesOf(page, 'Pages')).toEqual(listedBy(manyPages, question).map((row) => row.page))
        const { sort, order } = Object.fromEntries(new URLSearchParams(question))
        await expect
          .poll(() => desk.asked('GET /api/pages').map(({ query }) => Object.fromEntries(query)))
          .toContainEqual(expect.objectContaining({ days, sort, order }))
      }
      await shows('', 'sort=clicks&order=desc')
      await choose(page, page, 'Sort By', 'Impressions')
      await shows('?sort=impressions', 'sort=impressions&order=desc')
      await choose(page, page, 'Order', 'Ascending')
      await shows('?sort=impressions&order=asc', 'sort=impressions&order=asc')
      await choose(page, page, 'Time Range', 'Last 28 days')
      await shows('?sort=impressions&order=asc&range=28d', 'sort=impressions&order=asc', '28')
      await page.goBack()
      await shows('?sort=impressions&order=asc', 'sort=impressions&order=asc')
      await page.goBack()
      await page.goBack()
      await shows('', 'sort=clicks&order=desc')

      // Column headers do the same; the best position is the smallest.
      await page.getByRole('button', { name: 'Avg Position', exact: true }).click()
      await shows('?sort=position&order=asc', 'sort=position&order=asc')
      await expectAttribute(page.getByRole('columnheader', { name: 'Avg Position' }), 'aria-sort', 'ascending')
      await page.getByRole('button', { name: 'CTR', exact: true }).click()
      await shows('?sort=ctr', 'sort=ctr&order=desc')
      await page.getByRole('button', { name: 'CTR', exact: true }).click()
      await shows('?sort=ctr&order=asc', 'sort=ctr&order=asc')
      await page.reload()
      await shows('?sort=ctr&order=asc', 'sort=ctr&order=asc')
    },
  )

  test(
    'a search finds pages beyond the first 100, regardless of case, and the cards cover its results',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerLists(desk, { pages: manyPages })
      const page = await open(screen, wide)
      const field = page.getByRole('textbox', { name: 'Search pages' })
      await field.fill('/LAMPS/119')
      await expect.poll(() => namesOf(page, 'Pages')).toEqual([at('lamps/119')])
      expect(top.map((row) => row.page)).not.toContain(at('lamps/119'))
      await expectText(figureOf(page, 'Total Pages'), '1')
      await expectText(figureOf(page, 'Total Clicks'), '48')

      await field.fill('no such page')
      await expectVisible(
        page.getByRole('heading', { name: 'No page data available. Please ensure your Google Search Console is connected.', exact: true }),
        page.getByText('No page with “no such page” in its URL had impressions on these days.'),
      )
      for (const name of ['Avg CTR', 'Avg Position']) await expectText(figureOf(page, name), /^–/)
      await page.getByRole('button', { name: 'Clear search' }).click()
      await expectAddress(page, screen)
      await expect.poll(async () => (await namesOf(page, 'Pages')).length).toBe(manyPages.length)
      await expectText(field, '')
    },
  )

  test('slow typing loses nothing, although the list follows after every pause', { tags: ['full'] }, async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages })
    const page = await open(screen, wide)
    const field = page.getByRole('textbox', { name: 'Search pages' })
    await field.focus()
    const text = 'oak lamp 27 walnut'
    // Each character arrives about when the previous one is passed on.
    for (const [index, character] of [...text].entries()) await page.keyboard.type(character, { delay: 245 + 4 * (index % 6) })
    await expectAddress(page, `${screen}?search=${text.replaceAll(' ', '+')}`)
    await expectValue(field, text)
    await page.keyboard.press('Escape')
    await expectAddress(page, screen)
    await expectValue(field, '')
  })

  test('a spinner while the first rows load, the old ones dimmed while others do', { tags: ['full'] }, async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages })
    const first = desk.hold('GET /api/pages')
    const page = await open(screen, wide)
    await expectVisible(page.getByRole('status').filter({ hasText: 'Loading pages' }))
    first.release()
    await expect.poll(async () => (await namesOf(page, 'Pages')).length).toBe(manyPages.length)

    const next = desk.hold('GET /api/pages')
    await choose(page, page, 'Sort By', 'CTR')
    const rows = page.locator('[aria-busy=true]').filter({ has: page.getByRole('table') })
    await expectVisible(rows)
    await expect.poll(() => rows.evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(1)
    expect(await namesOf(page, 'Pages')).toEqual(listedBy(manyPages, '').map((row) => row.page))
    next.release()
    await expectGone(rows)
    expect(await namesOf(page, 'Pages')).toEqual(listedBy(manyPages, 'sort=ctr').map((row) => row.page))
  })

  test('a failed load says so, names the property, and can be retried', { tags: ['full'] }, async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages })
    const page = await open(screen, wide)
    await expect.poll(async () => (await namesOf(page, 'Pages')).length).toBe(manyPages.length)
    desk.cut('GET /api/pages')
    await choose(page, page, 'Time Range', 'Last 90 days')
    const problem = page.getByRole('alert')
    await expectVisible(problem.getByRole('heading', { name: 'Unable to load pages' }), problem.getByText(shopName))
    await expectText(figureOf(page, 'Total Pages'), '–')
    answerLists(desk, { pages: manyPages.slice(0, 20) })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(async () => (await namesOf(page, 'Pages')).length).toBe(20)
  })

  test('without a stored comparison, nothing is called new', { tags: ['full'] }, async ({ desk, open }) => {
    answerLists(desk, { pages: manyPages.map((row) => ({ ...row, previous: null })) })
    desk.answer('GET /api/analytics/summary', ({ query }) => summaryWithoutBefore(query))
    const page = await open(`${screen}?range=90d`, wide)
    await expectVisible(page.getByText(/No comparison data for /))
    for (const { cells } of await rowsOf(page, 'Pages')) expect(cells[0]).toMatch(/^[\d,]+$/)
  })
})

test('days that only have totals are described as such, and not as a missing connection to Google', async ({ desk, open }) => {
  answerLists(desk, {})
  desk.answer('GET /api/analytics/summary', ({ query }) => summaryWithTotals(query))
  const page = await open(`${screen}?range=28d`, wide)
  await expectVisible(
    page.getByRole('heading', { name: 'No page data for these days', exact: true }),
    page.getByText('Totals are stored for 17 Feb–16 Mar 2026, but page data isn’t.', { exact: true }),
  )
  await expectCount(page.getByText('Google Search Console is connected'), 0)
  await page.getByRole('button', { name: 'Show last 7 days' }).click()
  await expectAddress(page, `${screen}?range=7d`)
})

test('days that are not stored are described as such: their figures are not 0', async ({ desk, open }) => {
  answerLists(desk, {})
  desk.answer('GET /api/analytics/summary', ({ query }) => summaryOfNothing(query))
  const page = await open(screen, wide)
  await expectVisible(
    page.getByRole('heading', { name: 'No page data for these days', exact: true }),
    page.getByText('No data is stored for 10–16 Mar 2026.', { exact: true }),
  )
  for (const name of ['Total Pages', 'Total Clicks', 'Avg CTR', 'Avg Position']) await expectText(figureOf(page, name), '–')
  await expectCount(page.getByText(/^Whole site: /), 0)
  await page.getByRole('tab', { name: 'Performance Insights' }).click()
  await expectVisible(page.getByText('No data is stored for 10–16 Mar 2026.', { exact: true }))
  await expectCount(page.getByText('No high-performing pages found'), 0)
})

test("pages of other days don't get the previous days' context", { tags: ['full'] }, async ({ desk, open }) => {
  answerLists(desk, { pages: manyPages })
  const page = await open(screen, wide)
  await expectVisible(page.getByText(/10–16 Mar, complete/))
  const held = desk.hold('GET /api/analytics/summary')
  await choose(page, page, 'Compare', 'No comparison')
  await expect.poll(async () => (await rowsOf(page, 'Pages'))[0]?.cells.join(' ')).not.toMatch(/previously/)
  await expectGone(page.getByText(/10–16 Mar, complete/))
  await expectGone(page.getByText(/^Whole site: /).first())
  held.release()
  await expectVisible(page.getByText(/10–16 Mar, complete/))
})

test("a file that can't be fetched is reported", { tags: ['full'] }, async ({ desk, open }) => {
  answerLists(desk, { pages: manyPages })
  const page = await open(screen, wide)
  await expectVisible(page.getByRole('table', { name: 'Pages' }))
  await page.getByRole('button', { name: 'Export' }).click()
  await page.context().setOffline(true)
  await page.getByRole('menuitem', { name: 'Pages', exact: true }).click()
  await expectToast(page, 'error', 'Export Failed', `Pages for ${shopName} could not be exported. Please try again.`)
})

test('without a property the screen asks for one', { tags: ['full'] }, async ({ signIn, open }) => {
  signIn({ selectedProperty: null, gscProperties: [], sitesMonitored: 0 })
  const page = await open(screen, wide)
  await expectVisible(page.getByRole('heading', { name: 'Property Required' }))
  await expectCount(page.getByRole('button', { name: 'Export' }), 0)
})
