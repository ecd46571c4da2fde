// SPEC §2 "Page Analytics", §4 performance badge, §7, §8, §9; OPEN-POINTS 10; content decay and the panels of pages and queries.
import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyticsSummary } from '../../src/contract/analytics.ts'
import { keywordPages, pageKeywords } from '../../src/contract/keywords.ts'
import { decay, pages, type Page as PageRow } from '../../src/contract/pages.ts'
import { formatCount } from '../../src/web/lib/format.ts'
import type { TestApp, Visitor } from '../support/app.ts'
import { sites } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser, type VisitOptions } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { hold } from '../support/browser-hold.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-screens.ts'
import { readCsv } from '../support/csv.ts'
import { oddQuery, type PageSite, pageSite } from '../support/page-site.ts'
import { newPerson, select } from '../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let shop: Visitor
let odd: PageSite
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
  shop = await app.demo()
  await select(shop, sites.shop)
  odd = await pageSite(app, 'odd-pages')
})
afterAll(() => demo.close())

// Screens change when they are ready.
const patience = { timeout: 15_000 }
const desk: VisitOptions = { width: 1_440, height: 900 }
const phone: VisitOptions = { width: 375, height: 812, touch: true }
const screen = '/page-analytics'
const open = async (who: Visitor, search = '', options: VisitOptions = desk): Promise<Page> => {
  const page = await browser.visitAs(who, `${screen}${search}`, options)
  await expectVisible(page.getByRole('heading', { name: 'Page Analytics', level: 1, includeHidden: true }))
  return page
}
const pagesOf = async (who: Visitor, query = ''): Promise<PageRow[]> => pages.parse((await who.get(`/api/pages?${query}`)).body)
const namesOf = (rows: readonly PageRow[]): string[] => rows.map(({ page }) => page)
const pathOf = (page: string): string => new URL(page).pathname + new URL(page).search

type Row = { name: string; shown: string; cells: string[] }

/** The rows of a table as somebody reads them: the whole name, what is shown of it, and what the cells say. */
async function rowsOf(within: Page | Locator, name: string): Promise<Row[]> {
  const table = within.getByRole('table', { name })
  // A long list is drawn in two steps.
  await expectVisible(table.and(within.locator('[data-whole=true]')))
  return table.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const link = row.querySelector('th a')
      const cells = [...row.querySelectorAll('td')].map((cell) => cell.innerText.replaceAll(/\s+/g, ' ').trim())
      return { name: link?.getAttribute('aria-label') ?? '', shown: link?.textContent ?? '', cells }
    }),
  )
}
const listed = async (page: Page, name = 'Pages') => (await rowsOf(page, name)).map((row) => row.name)
const choose = async (within: Page | Locator, page: Page, label: string, option: string): Promise<void> => {
  await within.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true }).getByRole('paragraph')
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const address = (kind: 'page' | 'keyword', name: string, more = ''): string =>
  `${more || '?'}${more ? '&' : ''}${new URLSearchParams({ [kind]: name })}`
const panel = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true })

async function fileOf(page: Page, entry: string): Promise<{ name: string; rows: Record<string, string>[] }> {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
  const file: Download = await waiting
  const [header = [], ...lines] = readCsv((await readFile(await file.path(), 'utf8')).replace('\uFEFF', ''))
  const rows = lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])))
  return { name: file.suggestedFilename(), rows }
}

describe('Page Performance', () => {
  test('asks for 100 pages of the last 7 days; the cards count, add up and take the means of just those', async () => {
    const page = await browser.visitAs(shop, '/dashboard', desk)
    const asked = page.waitForRequest(/\/api\/pages\?/)
    await page.getByRole('link', { name: 'Page Analytics' }).click()
    expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toMatchObject({ days: '7', limit: '100' })
    await expectAddress(page, screen)
    const answer = await pagesOf(shop, 'days=7&limit=100')
    await expectText(card(page, 'Total Pages'), String(answer.length))
    await expectText(card(page, 'Total Clicks'), formatCount(answer.reduce((sum, { clicks }) => sum + clicks, 0)))
    await expectText(card(page, 'Avg CTR'), `${mean(answer.map(({ ctr }) => Number(ctr))).toFixed(2)}%`)
    await expectText(card(page, 'Avg Position'), mean(answer.map(({ position }) => Number(position))).toFixed(1))
    const summary = analyticsSummary.parse((await shop.get('/api/analytics/summary?days=7')).body)
    await expectVisible(
      page.getByText(`Shown are 100 of ${summary.pages.count} pages. They explain`),
      page.getByText(`of all ${formatCount(summary.totals.clicks)} clicks.`),
    )
  })

  test('the table has the first 50, with their figures as the API tells them, beside what they were', async () => {
    const page = await open(shop)
    const answer = (await pagesOf(shop, 'days=7&limit=100')).slice(0, 50)
    const rows = await rowsOf(page, 'Pages')
    expect(rows.map(({ name, shown }) => [name, shown])).toEqual(answer.map((row) => [row.page, pathOf(row.page)]))
    for (const [index, row] of answer.entries()) {
      const { previous } = row
      const said = (now: string, before: string | undefined) =>
        expect.stringMatching(new RegExp(`^${now} ${before === undefined ? 'new' : `before: ${before}`}`))
      const cells = [
        said(formatCount(row.clicks), previous === null ? undefined : formatCount(previous.clicks)),
        said(formatCount(row.impressions), previous === null ? undefined : formatCount(previous.impressions)),
        said(`${row.ctr}%`, previous === null ? undefined : `${previous.ctr}%`),
        said(row.position, previous === null ? undefined : previous.position),
        expect.stringMatching(/^(Excellent|Good|Average|Needs Work)$/),
      ]
      expect(rows[index]?.cells).toEqual(cells)
    }
    await expectVisible(page.getByText('The first 50 are shown.'))
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Page',
      'Clicks',
      'Impressions',
      'CTR',
      'Avg Position',
      'Performance',
    ])

    // Without a comparison there is only the figure.
    await choose(page, page, 'Compare', 'No comparison')
    await expectAddress(page, `${screen}?compare=none`)
    await expect.poll(async () => (await rowsOf(page, 'Pages'))[0]?.cells[0], patience).toBe(formatCount(answer[0]?.clicks ?? 0))
  })

  test('the whole address of a page is told on hover and focus', async () => {
    const page = await open(shop)
    const [, second] = await pagesOf(shop, 'days=7')
    const link = page.getByRole('link', { name: second?.page ?? '', exact: true })
    await link.hover()
    await expectText(page.getByRole('tooltip'), second?.page ?? '')
    await page.mouse.move(0, 0)
    await expectGone(page.getByRole('tooltip'))
    await link.focus()
    await expectText(page.getByRole('tooltip'), second?.page ?? '')
  })

  test('the badge goes by clicks over impressions, not by the CTR that is shown', async () => {
    const page = await open(odd.owner, '?compare=none')
    const rows = new Map((await rowsOf(page, 'Pages')).map(({ shown, cells }) => [shown, [cells[2], cells[4]]]))
    expect(rows.get('/excellent')).toEqual(['5.00%', 'Excellent'])
    expect(rows.get('/good')).toEqual(['5.00%', 'Good'])
    expect(rows.get('/average')).toEqual(['1.00%', 'Average'])
    expect(rows.get('/needs-work')).toEqual(['0.90%', 'Needs Work'])
    expect(rows.get('/unseen')).toEqual(['0.00%', 'Needs Work'])
  })

  test('search, range, sort and order are asked for all pages, stay in the address, and the back button undoes them', async () => {
    const page = await open(shop)
    const shows = async (search: string, query: string) => {
      await expectAddress(page, `${screen}${search}`)
      const expected = namesOf(await pagesOf(shop, `${query}&limit=50`))
      await expect.poll(() => listed(page), patience).toEqual(expected)
    }
    await shows('', 'days=7')
    await choose(page, page, 'Sort By', 'Impressions')
    await shows('?sort=impressions', 'days=7&sort=impressions')
    await choose(page, page, 'Order', 'Ascending')
    await shows('?sort=impressions&order=asc', 'days=7&sort=impressions&order=asc')
    await choose(page, page, 'Time Range', 'Last 28 days')
    await shows('?sort=impressions&order=asc&days=28', 'days=28&sort=impressions&order=asc')
    await page.goBack()
    await shows('?sort=impressions&order=asc', 'days=7&sort=impressions&order=asc')
    await page.goBack()
    await page.goBack()
    await shows('', 'days=7')

    // The names of the columns do the same; the best position is the smallest one.
    await page.getByRole('button', { name: 'Avg Position' }).click()
    await shows('?sort=position&order=asc', 'days=7&sort=position&order=asc')
    expect(await page.getByRole('columnheader', { name: 'Avg Position' }).getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('button', { name: 'CTR' }).click()
    await shows('?sort=ctr', 'days=7&sort=ctr')
    await page.getByRole('button', { name: 'CTR' }).click()
    await shows('?sort=ctr&order=asc', 'days=7&sort=ctr&order=asc')
    await page.reload()
    await shows('?sort=ctr&order=asc', 'days=7&sort=ctr&order=asc')
  })

  test('a search finds pages beyond the first 100, whatever their capitals, and the cards are of what it found', async () => {
    const everything = await pagesOf(shop, 'days=7&limit=1000')
    const last = everything[100]?.page ?? ''
    expect(last).not.toBe('')
    const page = await open(shop)
    const field = page.getByRole('textbox', { name: 'Search pages' })
    await field.fill(pathOf(last).toUpperCase())
    const found = everything.filter(({ page: each }) => each.toLowerCase().includes(pathOf(last).toLowerCase()))
    await expect.poll(() => listed(page), patience).toEqual(namesOf(found))
    await expectText(card(page, 'Total Pages'), String(found.length))
    await expectText(card(page, 'Total Clicks'), formatCount(found.reduce((sum, { clicks }) => sum + clicks, 0)))

    await field.fill('no such page')
    await expectVisible(
      page.getByRole('heading', { name: 'No page data available. Please ensure your Google Search Console is connected.', exact: true }),
      page.getByText('No page with “no such page” in its address was shown on these days.'),
    )
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await expectAddress(page, screen)
    await expect.poll(async () => (await listed(page)).length, patience).toBe(50)
    await expectText(field, '')
  })

  test('whoever types slowly loses nothing, although the list follows after every pause', async () => {
    const page = await open(shop)
    const field = page.getByRole('textbox', { name: 'Search pages' })
    await field.focus()
    const text = 'oak desk lamp in walnut'
    // Each character comes about when the one before is passed on.
    for (const [index, character] of [...text].entries()) {
      await page.keyboard.type(character)
      await page.waitForTimeout(245 + 4 * (index % 6))
    }
    await expectAddress(page, `${screen}?search=${text.replaceAll(' ', '+')}`)
    expect(await field.inputValue()).toBe(text)
    await page.keyboard.press('Escape')
    await expectAddress(page, screen)
    expect(await field.inputValue()).toBe('')
  })

  test('a spinner while the first rows are on their way, the old ones dimmed while others are', async () => {
    const page = await browser.visitAs(shop, '/dashboard', desk)
    const first = await hold(page, /\/api\/pages\?/)
    await page.getByRole('link', { name: 'Page Analytics' }).click()
    await expectVisible(page.getByRole('status').filter({ hasText: 'Loading pages' }))
    await first.release()
    await expect.poll(async () => (await listed(page)).length, patience).toBe(50)

    const next = await hold(page, /\/api\/pages\?.*sort=ctr/)
    await choose(page, page, 'Sort By', 'CTR')
    const rows = page.locator('[aria-busy=true]').filter({ has: page.getByRole('table') })
    await expectVisible(rows)
    await expect.poll(() => rows.evaluate((element) => Number(getComputedStyle(element).opacity)), patience).toBeLessThan(1)
    expect(await listed(page)).toHaveLength(50)
    await next.release()
    await expectGone(rows)
    expect(await listed(page)).toEqual(namesOf(await pagesOf(shop, 'sort=ctr&limit=50')))
  })

  test('a load that failed says so, of which property, and can be tried again', async () => {
    const page = await open(shop)
    await expect.poll(async () => (await listed(page)).length, patience).toBe(50)
    await page.context().setOffline(true)
    await choose(page, page, 'Time Range', 'Last 90 days')
    await expectVisible(page.getByRole('alert').getByRole('heading', { name: 'Unable to load pages' }))
    await expectVisible(page.getByRole('alert').getByText(sites.shop))
    await expectText(card(page, 'Total Pages'), '–')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => listed(page), patience).toEqual(namesOf(await pagesOf(shop, 'days=90&limit=50')))
  })

  test('where nothing is stored to compare with, nothing is called new', async () => {
    const page = await open(shop, '?days=90')
    await expectVisible(page.getByText(/to compare with, none are stored\./))
    for (const { cells } of await rowsOf(page, 'Pages')) expect(cells[0]).toMatch(/^[\d,]+$/)
  })
})

describe('Export', () => {
  test('the file has every page that the filters let through, in their order, also those that are not on screen', async () => {
    const page = await open(shop, '?sort=impressions&order=asc&search=lamp&days=28')
    await expectVisible(page.getByRole('table', { name: 'Pages' }))
    const answer = await pagesOf(shop, 'sort=impressions&order=asc&search=lamp&days=28&limit=1000')
    const { name, rows } = await fileOf(page, 'Pages')
    expect(name).toMatch(/lumenandloom.*pages.*2026-02-16.*2026-03-15.*\.csv$/)
    expect(rows.map((row) => row['page'])).toEqual(namesOf(answer))
    expect(rows.map((row) => [Number(row['clicks']), Number(row['impressions'])])).toEqual(
      answer.map(({ clicks, impressions }) => [clicks, impressions]),
    )
    expect(answer.every(({ page: each }) => each.includes('lamp'))).toBe(true)
  })

  test('every day of every page adds up to the pages of the period', async () => {
    const page = await open(shop)
    const { rows } = await fileOf(page, 'Every day, all pages')
    const answer = await pagesOf(shop, 'days=7&limit=1000')
    const sums = new Map<string, number>()
    for (const row of rows) sums.set(row['page'] ?? '', (sums.get(row['page'] ?? '') ?? 0) + Number(row['clicks']))
    for (const row of answer) expect([row.page, sums.get(row.page)]).toEqual([row.page, row.clicks])
  })

  test('a failure is told of', async () => {
    const page = await open(shop)
    await expectVisible(page.getByRole('table', { name: 'Pages' }))
    await page.getByRole('button', { name: 'Export' }).click()
    await page.context().setOffline(true)
    await page.getByRole('menuitem', { name: 'Pages', exact: true }).click()
    await expectToast(page, 'error', 'Export Failed', `The pages of ${sites.shop} could not be exported. Please try again.`)
    await page.context().setOffline(false)
  })
})

describe('Performance Insights', () => {
  test('bars of the ten pages with most clicks, their names cut to 30 characters and told whole', async () => {
    const page = await open(shop)
    await page.getByRole('tab', { name: 'Performance Insights' }).click()
    await expectAddress(page, `${screen}?tab=insights`)
    const top = (await pagesOf(shop, 'days=7&limit=10')).map((row) => ({ ...row, path: pathOf(row.page) }))
    const bars = page.getByRole('list', { name: 'Page: Clicks' }).getByRole('link')
    await expectVisible(bars)
    expect(await bars.count()).toBe(10)
    // What is shown comes after what is said.
    const texts = (await bars.allInnerTexts()).map((text) => text.split(/\s+/).slice(-2))
    expect(texts).toEqual(top.map(({ path, clicks }) => [path.length > 30 ? `${path.slice(0, 30)}...` : path, formatCount(clicks)]))
    const cut = top.findIndex(({ path }) => path.length > 30)
    expect(cut).toBeGreaterThanOrEqual(0)
    await bars.nth(cut).hover()
    await expectVisible(page.getByRole('tooltip').getByText(top[cut]?.page ?? '', { exact: true }))
    await page.mouse.move(0, 0)
    await bars.nth(cut).focus()
    await expectVisible(page.getByRole('tooltip').getByText(top[cut]?.page ?? '', { exact: true }))
    await page.keyboard.press('Enter')
    await expectVisible(panel(page, top[cut]?.page ?? ''))
  })

  test('High Opportunity and Top Performing Pages: who is in, in which order, and a way to each', async () => {
    const page = await open(shop, '?tab=insights')
    const all = await pagesOf(shop, 'days=7&limit=1000')
    const items = (name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem')
    await expectVisible(items('High Opportunity Pages'), items('Top Performing Pages'))
    const low = all
      .filter(({ impressions, ctr }) => impressions > 100 && Number(ctr) < 2)
      .toSorted((a, b) => b.impressions - a.impressions)
      .slice(0, 5)
    expect(low.length).toBe(5)
    const texts = (name: string) =>
      items(name).evaluateAll((rows) =>
        rows.map((row) => [
          row.querySelector('a')?.getAttribute('aria-label'),
          row.querySelector('a')?.textContent,
          row.querySelector('p')?.textContent,
          row.lastElementChild?.textContent,
        ]),
      )
    expect(await texts('High Opportunity Pages')).toEqual(
      low.map(({ page: each, impressions, ctr }) => [
        each,
        pathOf(each),
        `${formatCount(impressions)} impressions · ${ctr}% CTR`,
        'Optimize',
      ]),
    )
    const best = all
      .slice(0, 100)
      .filter(({ ctr }) => Number(ctr) >= 5)
      .toSorted((a, b) => Number(b.ctr) - Number(a.ctr))
      .slice(0, 5)
    expect(await texts('Top Performing Pages')).toEqual(
      best.map(({ page: each, impressions, ctr }) => [
        each,
        pathOf(each),
        `${ctr}% CTR · ${formatCount(impressions)} impressions`,
        'Excellent',
      ]),
    )
    await items('High Opportunity Pages').first().getByRole('link').click()
    await expectAddress(page, `${screen}${address('page', low[0]?.page ?? '', '?tab=insights')}`)
    await expectVisible(panel(page, low[0]?.page ?? ''))
  })

  test('each says when there is nothing in it', async () => {
    const page = await open(shop, '?tab=insights&search=no-such-page')
    await expectVisible(
      page.getByText('No data available for chart visualization', { exact: true }).last(),
      page.getByText('No optimization opportunities found', { exact: true }),
      page.getByText('No high-performing pages found', { exact: true }),
    )
  })
})

describe('Content decay', () => {
  test('lists pages that fell three times in a row, with the clicks of the four periods and what is lost', async () => {
    const page = await open(odd.owner)
    await page.getByRole('tab', { name: 'Content decay' }).click()
    await expectAddress(page, `${screen}?tab=decay`)
    expect(await rowsOf(page, 'Content decay')).toEqual([
      { name: odd.page('fading'), shown: '/fading', cells: ['', '280', '210', '140', '70', '210 75% less'] },
    ])
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Page',
      'Trend',
      '16–22 Feb',
      '23 Feb–1 Mar',
      '2–8 Mar',
      '9–15 Mar',
      'Lost clicks',
    ])
    await page.getByRole('textbox', { name: 'Search pages' }).fill('steady')
    await expectVisible(page.getByRole('heading', { name: 'No page fell three times in a row' }))
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('link', { name: odd.page('fading'), exact: true }).click()
    await expectVisible(panel(page, odd.page('fading')))
  })

  test('says when too little history is stored, and leads back to a range that has enough', async () => {
    const page = await open(shop, '?tab=decay&days=28')
    await expectVisible(page.getByRole('heading', { name: 'Too little history is stored' }))
    await page.getByRole('button', { name: 'Show last 7 days' }).click()
    await expectAddress(page, `${screen}?tab=decay`)
    const answer = decay.parse((await shop.get('/api/pages/decay?days=7')).body)
    expect(answer.pages.length).toBeGreaterThan(0)
    await expect.poll(() => listed(page, 'Content decay'), patience).toEqual(answer.pages.map((row) => row.page))
    const { rows } = await fileOf(page, 'Content decay')
    expect(rows.map((row) => row['page'])).toEqual(answer.pages.map((row) => row.page))
  })
})

describe('the panel', () => {
  const figuresOf = (dialog: Locator) =>
    dialog
      .getByRole('group', { name: 'Metric of the chart' })
      .evaluate((group) => [...group.querySelectorAll('label')].map((label) => label.innerText.replaceAll(/\s+/g, ' ').trim()))

  test('of a page: its figures are those of the list, and the queries explain a part of its clicks', async () => {
    const [first] = await pagesOf(shop, 'days=7&limit=1')
    if (!first?.previous) throw new Error('The demo has no page')
    const page = await open(shop)
    const link = page.getByRole('link', { name: first.page, exact: true })
    await link.click()
    await expectAddress(page, `${screen}${address('page', first.page)}`)
    const dialog = panel(page, first.page)
    await expectVisible(dialog.getByRole('table', { name: 'Which queries bring this page?' }))
    const figures = await figuresOf(dialog)
    expect(figures[0]).toMatch(new RegExp(`^Clicks ${formatCount(first.clicks)} before: ${formatCount(first.previous.clicks)} `))
    expect(figures[1]).toMatch(
      new RegExp(`^Impressions ${formatCount(first.impressions)} before: ${formatCount(first.previous.impressions)} `),
    )
    expect(figures[2]).toMatch(new RegExp(`^CTR ${first.ctr}% before: ${first.previous.ctr}% `))
    expect(figures[3]).toMatch(new RegExp(`^Position ${first.position} before: ${first.previous.position} `))

    const queries = pageKeywords.parse(
      (await shop.get(`/api/pages/keywords?${new URLSearchParams({ page: first.page, limit: '1000' })}`)).body,
    )
    const rows = await rowsOf(dialog, 'Which queries bring this page?')
    expect(rows.map(({ name }) => name)).toEqual(queries.slice(0, 50).map(({ query }) => query))
    expect(rows.map(({ cells }) => cells[0])).toEqual(queries.slice(0, 50).map(({ share }) => `${(share * 100).toFixed(1)}%`))
    const named = queries.reduce((sum, { clicks }) => sum + clicks, 0)
    await expectVisible(
      dialog.getByText(
        `Google names ${queries.length} queries; they explain ${Math.round((named / first.clicks) * 100)}% of the page’s ${formatCount(first.clicks)} clicks.`,
      ),
    )
    const site = dialog.getByRole('link', { name: 'Open page (new tab)' })
    expect([await site.getAttribute('href'), await site.getAttribute('rel')]).toEqual([first.page, 'noopener noreferrer'])
    expect(await dialog.getByRole('link', { name: 'View in GSC (new tab)' }).getAttribute('href')).toBe(
      `https://search.google.com/search-console?resource_id=${encodeURIComponent(sites.shop)}`,
    )

    await page.keyboard.press('Escape')
    await expectGone(dialog)
    await expectAddress(page, screen)
    await expectFocused(link)
  })

  test('the chart shows the chosen metric, positions downwards, and the address keeps which', async () => {
    const page = await open(odd.owner, address('page', odd.page('steady')))
    const dialog = panel(page, odd.page('steady'))
    await expectVisible(dialog.getByRole('figure', { name: 'How many clicks did it bring?' }))
    await dialog.getByText('Position', { exact: true }).click()
    await expectAddress(page, `${screen}${address('page', odd.page('steady'))}&chart=position`)
    const figure = dialog.getByRole('figure', { name: 'Where did it stand in the results?' })
    await expectVisible(figure)
    const ticks = await figure.locator('svg text').evaluateAll((texts) =>
      texts
        .filter((text) => /^\d+$/.test(text.textContent ?? ''))
        .map((text) => [Number(text.textContent), text.getBoundingClientRect().top])
        .toSorted(([a = 0], [b = 0]) => a - b),
    )
    expect(ticks[0]?.[0]).toBe(1)
    expect(ticks.map(([, top]) => top)).toEqual(ticks.map(([, top]) => top ?? 0).toSorted((a, b) => a - b))
    // (12 + 4) × 7 clicks at positions 3 and 5, by impressions.
    expect((await figuresOf(dialog))[3]).toMatch(/^Position 3\.3/)
    await dialog.getByRole('button', { name: 'Show as table: Where did it stand in the results?' }).click()
    await expectVisible(page.getByRole('dialog').getByRole('row', { name: '15 Mar 2026 3.3 3.3' }))
  })

  test('leads from a page to a query and on to another page, and the back button leads back', async () => {
    const page = await open(odd.owner, '?sort=impressions&days=28')
    await page.getByRole('link', { name: odd.page('steady'), exact: true }).click()
    await panel(page, odd.page('steady')).getByRole('link', { name: 'oak lamp', exact: true }).click()
    const ofQuery = panel(page, 'oak lamp')
    await expectVisible(
      ofQuery.getByText('2 pages were shown for this query. Both compete for it: each has at least a tenth of the impressions.'),
    )
    await expectFocused(ofQuery.getByRole('heading', { name: 'oak lamp' }))
    const answer = keywordPages.parse((await odd.owner.get('/api/keywords/pages?query=oak%20lamp&days=28')).body)
    const rows = await rowsOf(ofQuery, 'Which pages compete for this query?')
    expect(rows.map(({ name, cells }) => [name, cells[0]])).toEqual(answer.map((row) => [row.page, `${(row.share * 100).toFixed(1)}%`]))
    await ofQuery.getByRole('link', { name: odd.page('other?colour=red#top'), exact: true }).click()
    await expectVisible(panel(page, odd.page('other?colour=red#top')))
    await page.goBack()
    await expectVisible(ofQuery)
    await page.goBack()
    await expectVisible(panel(page, odd.page('steady')))
    await page.goBack()
    await expectGone(page.getByRole('dialog'))
    await expectAddress(page, `${screen}?sort=impressions&days=28`)
  })

  test('its range and comparison are those of the screen', async () => {
    const page = await open(odd.owner, address('page', odd.page('fading'), '?compare=none'))
    const dialog = panel(page, odd.page('fading'))
    await expectVisible(dialog.getByText('9–15 Mar, complete through 15 Mar.'))
    expect((await figuresOf(dialog))[0]).toBe('Clicks 70')
    await choose(dialog, page, 'Compare', 'vs previous period')
    await expectVisible(dialog.getByText('9–15 Mar vs 2–8 Mar, complete through 15 Mar.'))
    await expect.poll(async () => (await figuresOf(dialog))[0], patience).toBe('Clicks 70 before: 140 Down 50.0%')
    await choose(dialog, page, 'Time Range', 'Last 28 days')
    await expectAddress(page, `${screen}${address('page', odd.page('fading'))}&days=28`)
    await expect.poll(async () => (await figuresOf(dialog))[0], patience).toBe('Clicks 700')
    await expectVisible(dialog.getByText(/to compare with, none are stored\./))
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await expectAddress(page, `${screen}?days=28`)
    await expectText(page.getByRole('combobox', { name: 'Time Range' }), 'Last 28 days')
  })

  test('opens, stays and closes with the keyboard alone', async () => {
    const page = await open(odd.owner, '?tab=decay')
    const link = page.getByRole('link', { name: odd.page('fading'), exact: true })
    await link.focus()
    await page.keyboard.press('Enter')
    const dialog = panel(page, odd.page('fading'))
    await expectFocused(dialog.getByRole('heading', { name: odd.page('fading') }))
    await expectVisible(dialog.getByRole('table'))
    for (let stop = 0; stop < 25; stop += 1) {
      await page.keyboard.press('Tab')
      await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement)), patience).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expectGone(dialog)
    await expectFocused(link)
    await expectAddress(page, `${screen}?tab=decay`)
  })

  test('a bookmarked query opens its panel, and closing keeps the rest of the address', async () => {
    const page = await open(odd.owner, address('keyword', 'oak lamp', '?tab=insights&days=28'))
    const dialog = panel(page, 'oak lamp')
    await expectVisible(dialog.getByRole('figure', { name: 'How many clicks did it bring?' }))
    expect((await figuresOf(dialog))[0]).toBe('Clicks 392')
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await expectAddress(page, `${screen}?tab=insights&days=28`)
    await expectVisible(page.getByRole('tab', { name: 'Performance Insights', selected: true }))
  })

  test('of something that was never shown it says so', async () => {
    const page = await open(odd.owner, address('page', odd.page('never-there')))
    const dialog = panel(page, odd.page('never-there'))
    await expectVisible(dialog.getByRole('heading', { name: 'This page was not shown' }), dialog.getByText(/on 9–15 Mar and 2–8 Mar/))
    expect(await dialog.getByRole('table').count()).toBe(0)
  })

  test('each part that failed can be tried again', async () => {
    const page = await open(odd.owner)
    await expectVisible(page.getByRole('table', { name: 'Pages' }))
    await page.getByRole('link', { name: odd.page('steady'), exact: true }).click()
    const dialog = panel(page, odd.page('steady'))
    await expectVisible(dialog.getByRole('table'))
    await page.context().setOffline(true)
    await choose(dialog, page, 'Time Range', 'Last 28 days')
    const problems = dialog.getByRole('alert')
    await expectVisible(problems.getByRole('heading', { name: 'Unable to load the days of this page' }))
    await expectVisible(problems.getByRole('heading', { name: 'Unable to load keywords' }))
    await page.context().setOffline(false)
    await problems.first().getByRole('button', { name: 'Try again' }).click()
    await expectVisible(dialog.getByRole('figure'))
    await problems.first().getByRole('button', { name: 'Try again' }).click()
    await expectVisible(dialog.getByRole('table'))
    expect(await problems.count()).toBe(0)
  })

  test('sets up an alert for the page', async () => {
    const page = await open(odd.owner, address('page', odd.page('steady')))
    await panel(page, odd.page('steady')).getByRole('button', { name: 'Set up an alert for this' }).click()
    const form = page.getByRole('dialog', { name: 'New Alert' })
    await expect.poll(() => form.getByRole('textbox', { name: 'Title' }).inputValue(), patience).toBe('Clicks drop: /steady')
    expect(await form.getByRole('textbox', { name: 'Pages, one per line' }).inputValue()).toBe(odd.page('steady'))
    await form.getByRole('button', { name: 'Create Alert' }).click()
    await expectToast(page, 'success', 'Rule Created', 'Clicks drop: /steady')
    await expectGone(form)
    await expectVisible(panel(page, odd.page('steady')))
  })
})

describe('names that mean no good', () => {
  test('are text in the table, in the panel and in the file, and only pages of the web can be opened', async () => {
    const page = await open(odd.owner, '?search=&sort=impressions')
    const rows = await rowsOf(page, 'Pages')
    for (const name of Object.values(odd.odd)) expect(rows.map((row) => row.name)).toContain(name)
    await expectWithinWindow(page)
    for (const name of Object.values(odd.odd)) {
      await page.getByRole('link', { name, exact: true }).click()
      const dialog = panel(page, name)
      await expectVisible(dialog.getByRole('table'))
      expect((await rowsOf(dialog, 'Which queries bring this page?')).map((row) => [row.name, row.shown])).toEqual([[oddQuery, oddQuery]])
      expect(await page.locator('[role=dialog] img, main img').count()).toBe(0)
      expect(await dialog.getByRole('link', { name: 'Open page' }).count()).toBe(name.startsWith('https:') ? 1 : 0)
      for (const href of await dialog.locator('a').evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol)))
        expect(href).toMatch(/^https?:$/)
      await page.reload()
      await expectVisible(dialog)
      await page.keyboard.press('Escape')
      await expectGone(dialog)
    }
    const { rows: lines } = await fileOf(page, 'Pages')
    for (const name of Object.values(odd.odd)) expect(lines.map((line) => line['page'])).toContain(name)
  })
})

test('without a property the screen asks for one', async () => {
  const page = await open(await newPerson(app, { email: 'no-pages@example.test' }))
  await expectVisible(page.getByRole('heading', { name: 'Property Required' }))
  expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0)
})

describe('for everybody', () => {
  const places = [
    { name: 'performance', search: '', see: (page: Page) => page.getByText('The first 50 are shown.') },
    { name: 'insights', search: '?tab=insights', see: (page: Page) => page.getByRole('list', { name: 'Top Performing Pages' }) },
    { name: 'decay', search: '?tab=decay', see: (page: Page) => page.getByText('% less') },
    { name: 'a query', search: address('keyword', 'lumen and loom'), see: (page: Page) => page.getByText('shown for this query') },
    {
      name: 'a page',
      search: address('page', 'https://www.lumenandloom.example/'),
      see: (page: Page) => page.getByText(/^Google names/),
    },
  ]

  test.each(places)('$name: nothing bars anybody in either theme, nor sticks out of any window', async ({ search, see }) => {
    const page = await open(shop, search)
    await expectVisible(see(page))
    await expectAccessible(page)
    await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
    await expectAccessible(page, ['color-contrast'])
    for (const width of [1920, 1280, 1024, 768, 640, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await expectWithinWindow(page)
    }
  })

  test.each(places)('$name: on a phone rows are cards that fingers can use', async ({ search, see }) => {
    const page = await open(shop, search, phone)
    await expectVisible(see(page))
    expect(await page.getByRole('table').count()).toBe(0)
    await expectWithinWindow(page)
    await expectAccessible(page)
    expect(await tooSmallForFingers(page)).toEqual([])
  })
})
