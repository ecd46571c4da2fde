// What every table of figures can do: all rows, sorting, columns, the keyboard, copying, and its looks at each width.
import type { Locator, Page } from 'playwright-core'
import { consecutivePeriods } from '../../src/core/analytics/periods.ts'
import { choose, compactHeights, tallestRow, wide } from '../support/analytics-screens.ts'
import {
  answerLists,
  answerPanels,
  at,
  competingOf,
  figuresOf,
  keywordOf,
  listedBy,
  listedOf,
  manyKeywords,
  manyPages,
  periodsOf,
  summaryOf,
} from '../support/answers/analytics.ts'
import { keepBrand } from '../support/answers/brand.ts'
import type { Desk } from '../support/answers/desk.ts'
import { exploredFrom, exploredQueries } from '../support/answers/explore.ts'
import { answerInsights } from '../support/answers/insights.ts'
import { reportsOn } from '../support/answers/reports.ts'
import { shop } from '../support/answers/usual.ts'
import { expectWithinWindow } from '../support/browser-accessible.ts'
import { expectAddress, expectCount, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { readCsv } from '../support/csv.ts'
import { describe, expect, test } from '../support/screen-test.ts'

function answerExplore(desk: Desk, rows = exploredQueries): void {
  desk.answer('GET /api/explore', ({ query }) => exploredFrom(query, rows))
  desk.answer('GET /api/explore/saved', [])
  desk.answer('GET /api/brand', { terms: ['lumen'], suggested: true })
}

const boxOf = (page: Page, caption: string): Locator => page.getByRole('region', { name: `${caption}, scrollable` })
const rowAt = (page: Page, index: number): Locator => page.locator(`tbody tr[data-index="${index}"]`)

describe('every row', () => {
  const keywords = Array.from({ length: 1_680 }, (_, index) =>
    keywordOf(`lamp ${index}`, figuresOf(2_000 - index, 40_000 - index, 1 + index / 100), {
      opportunityScore: (1_680 - index) / 100,
      previous: figuresOf(2_000 - ((index * 7) % 1_680), 40_000, 1 + index / 100),
    }),
  )
  const answerKeywords = (desk: Desk) => {
    answerLists(desk, { keywords })
    desk.answer('GET /api/analytics/summary', ({ query }) => summaryOf(query, { keywords: listedOf(keywords.length, 16_000, 400_000) }))
  }

  test('all 1,680 keywords are reached by scrolling, in any order', { tags: ['full'] }, async ({ desk, open }) => {
    answerKeywords(desk)
    const page = await open('/keyword-opportunities?tab=analysis', wide)
    await expectVisible(page.getByText('200 of 1,680 keywords', { exact: true }))
    const box = boxOf(page, 'Keyword Analysis')
    const end = () => box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect.poll(async () => (await end(), rowAt(page, keywords.length - 1).isVisible()), { timeout: 20_000 }).toBe(true)
    await expectVisible(
      rowAt(page, keywords.length - 1).getByRole('link', { name: 'lamp 1679', exact: true }),
      page.getByText('1,680 keywords', { exact: true }),
      page.getByText(/Showing all 1,680 keywords Google reports/),
    )
    const offsets = desk.asked('GET /api/keywords').map(({ query }) => Number(query.get('offset') ?? 0))
    expect(offsets).toEqual(Array.from({ length: 9 }, (_, part) => part * 200))
    for (const [button, sort] of [
      ['CTR', 'sort=ctr'],
      ['Change in Clicks', 'sort=clicksChange'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click()
      await expectAddress(page, `/keyword-opportunities?tab=analysis&${sort}`)
      const first = listedBy(keywords, sort)[0]?.query ?? ''
      await expect.poll(() => rowAt(page, 0).getByRole('link').first().getAttribute('aria-label')).toBe(first)
    }
    await page.getByRole('button', { name: 'Keyword and page', exact: true }).click()
    await expectAddress(page, '/keyword-opportunities?tab=analysis&sort=query')
    await expect.poll(() => desk.asked('GET /api/keywords').at(-1)?.query.get('order')).toBe('asc')
  })

  test('what cannot be loaded can be requested again', { tags: ['full'] }, async ({ desk, open }) => {
    answerKeywords(desk)
    const page = await open('/keyword-opportunities?tab=analysis', wide)
    await expectVisible(page.getByText('200 of 1,680 keywords', { exact: true }))
    desk.cut('GET /api/keywords')
    await boxOf(page, 'Keyword Analysis').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    const problem = page.getByRole('alert').filter({ hasText: 'Unable to load more keywords.' })
    await expectVisible(problem)
    answerKeywords(desk)
    await problem.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByText('400 of 1,680 keywords', { exact: true }))
    await expectGone(problem)
  })
})

describe('copying', () => {
  const copied = async (page: Page): Promise<string[][]> => readCsv(await page.evaluate(() => navigator.clipboard.readText()))

  test('all rows are copied, including those not loaded yet, in the visible columns', async ({ desk, open }) => {
    answerExplore(desk)
    const page = await open('/explore', wide)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await expectVisible(page.getByText('200 of 1,680 keywords', { exact: true }))
    await page.getByRole('button', { name: 'Copy as CSV' }).click()
    await expectVisible(page.getByRole('button', { name: 'Copied 1,680 rows' }))
    const [header, ...lines] = await copied(page)
    expect(header).toEqual(['Keyword', 'Clicks', 'Impressions', 'CTR', 'Position'])
    expect(lines.map(([name]) => name)).toEqual(Array.from({ length: 1_680 }, (_, index) => `oak table lamp ${index}`))
    expect(lines[1]?.slice(1, 3)).toEqual(['1999', '39990'])
    const parts = desk.asked('GET /api/explore').filter(({ query }) => !query.has('trend'))
    expect(parts.map(({ query }) => [query.get('offset'), query.get('limit')])).toEqual([
      ['0', '200'],
      ['200', '1000'],
      ['1200', '1000'],
    ])

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'CTR' }).uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Cop/ }).click()
    await expect.poll(async () => (await copied(page))[0]).toEqual(['Keyword', 'Clicks', 'Impressions', 'Position'])
  })

  test(
    'rows of the explorer are copied with their whole subject: both names, full URLs, and days of weeks',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerExplore(desk)
      for (const [address, header, first] of [
        ['by=query_page', ['Keyword', 'Page'], ['oak table lamp 0', 'https://lumenandloom.example/lamps/0']],
        ['by=page', ['Page'], ['https://lumenandloom.example/lamps/table-lamps/oak-table-lamp-number-0']],
        ['by=date&grain=week&range=28d&sort=name', ['Week', 'To', 'Complete'], ['2026-03-16', '2026-03-16', 'no']],
      ] as const) {
        const page = await open(`/explore?${address}`, wide)
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        await page.getByRole('button', { name: 'Copy as CSV' }).click()
        await expectVisible(page.getByRole('button', { name: /^Copied/ }))
        const [names, line] = await copied(page)
        expect(names).toEqual([...header, 'Clicks', 'Impressions', 'CTR', 'Position'])
        expect(line?.slice(0, first.length)).toEqual(first)
      }
    },
  )

  test('a longer list says how many rows were copied', { tags: ['full'] }, async ({ desk, open }) => {
    answerExplore(desk, 12_000)
    const page = await open('/explore', wide)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy as CSV' }).click()
    await expectToast(page, 'success', 'First 10,000 Rows Copied', 'Use Export to get all of them.')
    expect(await copied(page)).toHaveLength(10_001)
  })

  test('nothing is copied if the other rows cannot be loaded', { tags: ['full'] }, async ({ desk, open }) => {
    answerExplore(desk)
    const page = await open('/explore', wide)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(() => navigator.clipboard.writeText('before'))
    await expectVisible(page.getByText('200 of 1,680 keywords', { exact: true }))
    desk.cut('GET /api/explore')
    await page.getByRole('button', { name: 'Copy as CSV' }).click()
    await expectToast(page, 'error', 'Not Copied', 'The other rows could not be loaded. Please try again.')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('before')
    await expectVisible(page.getByRole('button', { name: 'Copy as CSV' }))
  })
})

test('visible rows have a sparkline of their clicks, which the table does not wait for', { tags: ['full'] }, async ({ desk, open }) => {
  answerExplore(desk)
  const page = await open('/explore?range=3m', wide)
  const lines = page.getByRole('img', { name: /^Clicks over time/ })
  await expectVisible(rowAt(page, 0).getByRole('img', { name: /: 1,000 to 2,000$/ }), rowAt(page, 8).locator(lines))
  const asked = () => desk.asked('GET /api/explore').map(({ query }) => [query.get('trend'), query.get('offset'), query.get('limit')])
  expect((await asked())[0]).toEqual([null, '0', '200'])
  const near = (await asked()).filter(([trend]) => trend !== null)
  expect(near[0]).toEqual(['clicks', '0', '20'])
  expect(near.length).toBeLessThanOrEqual(2)
  await boxOf(page, 'Explore results').evaluate((box) => box.scrollTo(0, 150 * 58))
  await expectVisible(rowAt(page, 152).getByRole('img', { name: /: 924 to 1,848$/ }))
  // What is hidden isn't asked for; neither is what has none.
  await page.getByRole('combobox', { name: 'Group by' }).click()
  await page.getByRole('option', { name: 'By folder' }).click()
  await expectVisible(page.getByText('12 folders', { exact: true }))
  await expectCount(lines, 0)
  await expectCount(page.getByRole('columnheader', { name: 'Clicks over time' }), 0)
})

test('pages have the same lines, over the days and in the order of their list', async ({ desk, open }) => {
  answerLists(desk, { pages: manyPages })
  const page = await open('/page-analytics?range=28d&sort=impressions&search=lamps', wide)
  await expectVisible(rowAt(page, 0).getByRole('img', { name: /^Clicks over time, 17 Feb–16 Mar 2026: / }))
  const asked = desk.asked('GET /api/pages').flatMap(({ query }) => (query.has('trend') ? [Object.fromEntries(query)] : []))
  expect(asked[0]).toMatchObject({ trend: 'clicks', days: '28', sort: 'impressions', search: 'lamps', offset: '0', limit: '20' })
})

test('hidden columns stay hidden until they are reset', { tags: ['full'] }, async ({ desk, open }) => {
  answerLists(desk, { keywords: manyKeywords })
  const page = await open('/keyword-opportunities?tab=analysis', wide)
  const score = page.getByRole('columnheader', { name: 'Score' })
  await expectVisible(score)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Score' }).uncheck()
  await page.keyboard.press('Escape')
  await expectVisible(page.getByRole('columnheader', { name: 'Priority' }))
  await expectCount(score, 0)
  await page.reload()
  await expectVisible(page.getByRole('columnheader', { name: 'Priority' }))
  await expectCount(score, 0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Reset columns' }).click()
  await page.keyboard.press('Escape')
  await expectVisible(score)
})

test('arrow keys, Page Up and Down, Home and End move between rows, and Enter opens one', { tags: ['full'] }, async ({ desk, open }) => {
  answerLists(desk, { pages: manyPages })
  answerPanels(desk)
  const page = await open('/page-analytics', wide)
  await expectVisible(rowAt(page, 0))
  await boxOf(page, 'Pages').focus()
  const press = async (key: string, index: number) => {
    await page.keyboard.press(key)
    await expectFocused(rowAt(page, index))
  }
  await press('ArrowDown', 0)
  await press('ArrowDown', 1)
  await press('ArrowDown', 2)
  await press('ArrowUp', 1)
  await page.keyboard.press('PageDown')
  const focused = () => page.evaluate(() => Number(document.activeElement?.getAttribute('data-index')))
  await expect.poll(focused).toBeGreaterThan(5)
  await page.keyboard.press('PageUp')
  await expect.poll(focused).toBe(1)
  // The end of what is loaded, then of what loads as a result.
  await press('End', 99)
  await expectVisible(rowAt(page, 100))
  await press('End', 119)
  await press('Home', 0)
  await press('ArrowDown', 1)
  await page.keyboard.press('Enter')
  await expectVisible(page.getByRole('dialog', { name: listedBy(manyPages, '')[1]?.page ?? '' }))
})

test('a sort order that needs the whole list ends when only part of the list is loaded', async ({ desk, open }) => {
  answerLists(desk, {})
  const decaying = Array.from({ length: 300 }, (_, index) => ({
    page: at(index % 100 === 0 ? `oak-${index}` : `pine-${index}`),
    clicks: [900 - index, 800 - index, 700 - index, 300 - index],
    impressions: [2_800, 2_800, 2_800, 2_800],
  }))
  desk.answer('GET /api/pages/decay', ({ query }) => {
    const offset = Number(query.get('offset') ?? 0)
    const found = decaying.filter(({ page }) => page.includes(query.get('search') ?? ''))
    return {
      periods: consecutivePeriods(periodsOf(query).current, 7, 4),
      complete: true,
      pages: found.slice(offset, offset + Number(query.get('limit'))),
    }
  })
  const page = await open('/page-analytics?tab=decay&search=oak', wide)
  const first = rowAt(page, 0).getByRole('link').first()
  await page.getByRole('button', { name: 'Page', exact: true }).click()
  await page.getByRole('button', { name: 'Page', exact: true }).click()
  await expect.poll(() => first.getAttribute('aria-label')).toBe(at('oak-200'))
  await page.getByRole('textbox', { name: 'Search pages' }).fill('')
  await expectVisible(page.getByText('First 100 pages', { exact: true }))
  expect(await first.getAttribute('aria-label')).toBe(at('oak-0'))
  await expectCount(page.locator('th[aria-sort=ascending], th[aria-sort=descending]'), 0)
})

/** Every list of figures. */
const lists = [
  { name: 'Optimization Opportunities', address: '/keyword-opportunities' },
  { name: 'Keyword Analysis', address: '/keyword-opportunities?tab=analysis' },
  { name: 'New keywords', address: '/keyword-opportunities?tab=movement' },
  { name: 'Keywords with competing pages', address: '/keyword-opportunities?tab=competing' },
  { name: 'Brand and non-brand keywords', address: '/keyword-opportunities?tab=brand' },
  { name: 'Pages', address: '/page-analytics' },
  { name: 'Content decay', address: '/page-analytics?tab=decay' },
  { name: 'Keywords for this page', address: `/page-analytics?page=${encodeURIComponent(at('oak'))}` },
  { name: 'Devices', address: '/insights?tab=audience' },
  { name: 'Countries', address: '/insights?tab=audience' },
  { name: 'Explore results', address: '/explore' },
  { name: 'Top pages', address: '/reports' },
  { name: 'Opportunities', address: '/reports' },
]

function answerAll(desk: Desk): void {
  reportsOn(desk, 'pro')
  answerInsights(desk)
  answerLists(desk, { pages: manyPages, keywords: manyKeywords })
  answerPanels(desk)
  const pair = { ...figuresOf(140, 1_400, 4), previous: figuresOf(150, 1_400, 4.2), share: 0.05 }
  desk.answer(
    'GET /api/pages/keywords',
    Array.from({ length: 20 }, (_, index) => ({ ...pair, query: `oak lamp ${index}` })),
  )
  answerExplore(desk)
  keepBrand(desk, { terms: ['loom'], suggested: false })
  const pages = { [at('oak')]: figuresOf(42, 420, 6), [at('lamps/for-reading/in-bed?wood=oak')]: figuresOf(14, 210, 9) }
  desk.answer(
    'GET /api/keywords/competing',
    Array.from({ length: 30 }, (_, index) => competingOf(`oak lamp ${index}`, pages, { previous: figuresOf(40, 700, 8) })),
  )
  desk.answer('GET /api/pages/decay', ({ query }) => ({
    periods: consecutivePeriods(periodsOf(query).current, 7, 4),
    complete: true,
    pages: manyPages.map(({ page }) => ({ page, clicks: [280, 210, 140, 70], impressions: [2_800, 2_800, 2_800, 2_800] })),
  }))
}

test.for(lists)(
  '$name: a table at 768 and 1,024 px, that fits, and rows of two lines on a phone',
  { tags: ['full'] },
  async (list, { desk, open }) => {
    answerAll(desk)
    const page = await open(list.address, { width: 1_024, height: 900 })
    const table = page.getByRole('table', { name: list.name, exact: true })
    for (const width of [1_024, 768]) {
      await page.setViewportSize({ width, height: 900 })
      await expectVisible(table)
      await expectWithinWindow(page)
      // Neither the table nor a word in it is wider than its place; long names are shortened on purpose.
      expect(
        await table.evaluate((element) => {
          const box = element.parentElement ?? element
          const cells = [...element.querySelectorAll<HTMLElement>('thead th, tbody td')]
          return [
            ...(box.scrollWidth > box.clientWidth ? [`${box.scrollWidth} px in ${box.clientWidth} px`] : []),
            ...cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerText),
          ]
        }),
      ).toEqual([])
      expect(await whereItStays(table)).toEqual({ header: true, firstColumn: true })
    }
    await page.setViewportSize({ width: 375, height: 812 })
    await expectGone(table)
    await expectVisible(page.getByRole('list', { name: list.name, exact: true }))
    // A keyword's competing pages have a line each below it.
    const extra = list.name.includes('competing') ? 2 * 45 : 0
    for (const height of await compactHeights(page)) expect(height - extra).toBeLessThanOrEqual(tallestRow)
    await expectWithinWindow(page)
  },
)

/** Whether the header and the first column keep their place if the box is smaller than the table and scrolls both ways. */
const whereItStays = (table: Locator): Promise<{ header: boolean; firstColumn: boolean }> =>
  table.evaluate(async (element) => {
    const box = element.parentElement
    const [head, first] = [element.querySelector('thead th'), element.querySelector('tbody th')]
    if (!box || !head || !first) return { header: false, firstColumn: false }
    box.style.maxHeight = `${head.getBoundingClientRect().height + 60}px`
    box.style.overflow = 'auto'
    box.style.width = '300px'
    box.scrollTo(80, 40)
    await new Promise(requestAnimationFrame)
    const [outer, header, column] = [box, head, element.querySelector('tbody th') ?? first].map((each) => each.getBoundingClientRect())
    const stays = {
      header: Math.abs((header?.top ?? 0) - (outer?.top ?? 0)) < 2 && box.scrollTop > 0,
      firstColumn: Math.abs((column?.left ?? 0) - (outer?.left ?? 0)) < 2 && box.scrollLeft > 0,
    }
    box.removeAttribute('style')
    box.scrollTo(0, 0)
    return stays
  })

test('without a comparison, no list stays sorted by change, and the order leaves the URL', { tags: ['full'] }, async ({ desk, open }) => {
  answerExplore(desk)
  answerLists(desk, { pages: manyPages, keywords: manyKeywords })
  desk.answer('GET /api/keywords/competing', [])
  const property = encodeURIComponent(shop)
  for (const [screen, order, left] of [
    [`/page-analytics?`, 'sort=clicksChange&order=asc', 'compare=none'],
    [`/keyword-opportunities?tab=analysis&`, 'sort=clicksChange&order=reversed', 'compare=none'],
    [`/keyword-opportunities?tab=competing&`, 'sort=ctrChange', 'compare=none'],
    [`/explore?property=${property}&`, 'sort=clicksChange&order=asc', 'compare=none'],
    [`/explore?property=${property}&by=date&`, 'sort=clicksChange', 'sort=name&compare=none'],
  ] as const) {
    const page = await open(`${screen}${order}`, wide)
    await choose(page, page, 'Compare', 'No comparison')
    await expectAddress(page, `${screen}${left}`)
  }
  // In a link, too.
  const page = await open('/page-analytics?sort=clicksChange&compare=none', wide)
  await expectText(page.getByRole('combobox', { name: 'Sort By' }), 'Clicks')
  expect(desk.asked('GET /api/pages').at(-1)?.query.get('sort')).not.toBe('clicksChange')
})
