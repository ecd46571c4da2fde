// SPEC §2 "Keyword Opportunities", §4 opportunity priority, §7, §8; OPEN-POINTS 10 and 18; the further tabs of this product.
import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brandList, brandSplit } from '../../src/contract/brand.ts'
import { competingKeywords, keywords, type Opportunity, opportunities } from '../../src/contract/keywords.ts'
import { formatMetric } from '../../src/web/lib/format.ts'
import type { TestApp, Visitor } from '../support/app.ts'
import { sites } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser, type VisitOptions } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { hold } from '../support/browser-hold.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-screens.ts'
import { readCsv } from '../support/csv.ts'
import { keywordSite, oddQueries } from '../support/keyword-site.ts'
import { newPerson, select } from '../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let shop: Visitor
let acme: Awaited<ReturnType<typeof keywordSite>>
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
  shop = await app.demo()
  await select(shop, sites.shop)
  acme = await keywordSite(app, 'acme')
})
afterAll(() => demo.close())

const desk: VisitOptions = { width: 1_440, height: 900 }
const screen = '/keyword-opportunities'
const open = async (who: Visitor, search = '', options: VisitOptions = desk): Promise<Page> => {
  const page = await browser.visitAs(who, `${screen}${search}`, options)
  await expectVisible(page.getByRole('heading', { name: 'Keyword Opportunities', level: 1 }))
  return page
}

type Row = { query: string; page: string; cells: string[] }

/** The rows of a table as somebody reads them: which keyword and page they are about, and what their cells say. */
async function rowsOf(page: Page, name: string): Promise<Row[]> {
  const table = page.getByRole('table', { name })
  // A long list is drawn in two steps.
  await expectVisible(table.and(page.locator('[data-whole=true]')))
  return table.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const [query = '', about = ''] = [...row.querySelectorAll('th a')].map((link) => link.getAttribute('aria-label') ?? '')
      const cells = [...row.querySelectorAll('td')].map((cell) => cell.innerText.replaceAll(/\s+/g, ' ').trim())
      return { query, page: about, cells }
    }),
  )
}
const queriesOf = async (page: Page, name: string) => (await rowsOf(page, name)).map(({ query }) => query)
const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const openTab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click()
const all = async (who: Visitor, query: string): Promise<Opportunity[]> =>
  opportunities.parse((await who.get(`/api/keywords/opportunities?${query}`)).body)

/** What a row has to say of a keyword. */
const figuresOf = ({ position, clicks, impressions, ctr, opportunityScore, previous }: Opportunity): unknown[] => {
  const said = (metric: 'position' | 'clicks' | 'impressions' | 'ctr', now: number) =>
    expect.stringMatching(
      new RegExp(`^${formatMetric(metric, now)} ${previous === null ? 'new$' : `before: ${formatMetric(metric, previous[metric])}( |$)`}`),
    )
  const priority = opportunityScore >= 20 ? 'High' : opportunityScore >= 10 ? 'Medium' : 'Low'
  return [
    said('position', position),
    said('clicks', clicks),
    said('impressions', impressions),
    said('ctr', ctr),
    opportunityScore.toFixed(1),
    priority,
  ]
}
/** Other tests keep the machine busy meanwhile. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 15_000, interval: 50 })
const asRows = (answer: readonly Opportunity[]) => answer.map((row) => ({ query: row.query, page: row.page, cells: figuresOf(row) }))

async function fileOf(page: Page, entry?: string): Promise<{ name: string; rows: Record<string, string>[] }> {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  if (entry !== undefined) await page.getByRole('menuitem', { name: entry, exact: true }).click()
  const file: Download = await waiting
  const [header = [], ...lines] = readCsv((await readFile(await file.path(), 'utf8')).replace('\uFEFF', ''))
  const rows = lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])))
  return { name: file.suggestedFilename(), rows }
}

describe('the two lists', () => {
  test('Optimization Opportunities asks for 100 of the last 7 days at positions 5-15 and shows the top 50, each with its priority', async () => {
    const page = await browser.visitAs(shop, '/dashboard', desk)
    const asked = page.waitForRequest(/\/api\/keywords\/opportunities\?/)
    await page.getByRole('link', { name: 'Keyword Opportunities' }).click()
    const query = new URL((await asked).url()).searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      days: '7',
      positionMin: '5',
      positionMax: '15',
      limit: '100',
      sort: 'opportunityScore',
    })
    await expectVisible(page.getByRole('tab', { name: 'Optimization Opportunities', selected: true }))
    const answer = await all(shop, 'days=7&positionMin=5&positionMax=15&limit=100')
    expect(answer).toHaveLength(100)
    await eventually(async () => (await rowsOf(page, 'Optimization Opportunities')).length).toBe(50)
    expect(await rowsOf(page, 'Optimization Opportunities')).toEqual(asRows(answer.slice(0, 50)))
    await expectVisible(page.getByText('These are the first 50 that match. Export has all of them.'))
    await expectVisible(
      page.getByText(/^9–15 Mar, complete through 15 Mar\. Shown are 50 of [\d,]+ keywords\. They explain \d+% of all [\d,]+ clicks\./),
    )
  })

  test('Keyword Analysis asks for 200 of the last 7 days and shows the top 100, with scores and priorities too', async () => {
    const page = await open(shop)
    const asked = page.waitForRequest(/\/api\/keywords\?/)
    await openTab(page, 'Keyword Analysis')
    expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toMatchObject({ days: '7', limit: '200' })
    await expectAddress(page, `${screen}?tab=analysis`)
    const answer = keywords.parse((await shop.get('/api/keywords?days=7&limit=200&sort=opportunityScore')).body)
    expect(await rowsOf(page, 'Keyword Analysis')).toEqual(asRows(answer.slice(0, 100)))
    // Every keyword is in it, also those that have nothing to gain.
    await choose(page, 'Sort By', 'Position')
    await eventually(async () => (await rowsOf(page, 'Keyword Analysis'))[0]?.cells.slice(-2)).toEqual(['0.0', 'Low'])
  })

  test('each filter changes what is asked, stays in the address, and is undone by the back button', async () => {
    const page = await open(shop)
    const shows = async (address: string, query: string) => {
      await expectAddress(page, `${screen}${address}`)
      const expected = (await all(shop, `${query}&limit=50`)).map((row) => row.query)
      await eventually(() => queriesOf(page, 'Optimization Opportunities')).toEqual(expected)
    }
    const bounds = 'positionMin=5&positionMax=15'
    await shows('', `days=7&${bounds}`)
    await choose(page, 'Position Range', 'Positions 11-20')
    await shows('?position=11-20', 'days=7&positionMin=11&positionMax=20')
    await choose(page, 'Position Range', 'All positions')
    await shows('?position=all', 'days=7')
    await page.goBack()
    await page.goBack()
    await shows('', `days=7&${bounds}`)
    await choose(page, 'Brand', 'Non-brand')
    await choose(page, 'Sort By', 'Impressions')
    await shows('?brand=non-brand&sort=impressions', `days=7&brand=non-brand&sort=impressions&${bounds}`)
    await page.getByRole('columnheader', { name: 'Clicks' }).getByRole('button').click()
    await shows('?brand=non-brand&sort=clicks', `days=7&brand=non-brand&sort=clicks&${bounds}`)
    await page.getByRole('columnheader', { name: 'Clicks' }).getByRole('button').click()
    await shows('?brand=non-brand&sort=clicks&order=reversed', `days=7&brand=non-brand&sort=clicks&order=asc&${bounds}`)
    await expectVisible(page.locator('th[aria-sort=ascending]', { hasText: 'Clicks' }))
    await page.getByRole('textbox', { name: 'Keyword' }).fill('LAMP')
    await shows(
      '?brand=non-brand&sort=clicks&order=reversed&search=LAMP',
      `days=7&brand=non-brand&sort=clicks&order=asc&search=lamp&${bounds}`,
    )
    await page.reload()
    await shows(
      '?brand=non-brand&sort=clicks&order=reversed&search=LAMP',
      `days=7&brand=non-brand&sort=clicks&order=asc&search=lamp&${bounds}`,
    )
    expect(await page.getByRole('textbox', { name: 'Keyword' }).inputValue()).toBe('LAMP')
  })

  test('without a comparison the figures stand alone', async () => {
    const page = await open(shop)
    await choose(page, 'Compare', 'No comparison')
    await expectAddress(page, `${screen}?compare=none`)
    await expect
      .poll(async () => (await rowsOf(page, 'Optimization Opportunities')).flatMap(({ cells }) => cells).join(' '))
      .not.toMatch(/before|new/)
    // Nothing of last year is stored: nothing is called new for that.
    await choose(page, 'Compare', 'vs same period last year')
    await expectVisible(page.getByText(/9–15 Mar, complete/))
    expect((await rowsOf(page, 'Optimization Opportunities')).flatMap(({ cells }) => cells).join(' ')).not.toMatch(/before|new/)
  })

  test('filters that let nothing through, and a property without keywords, are said in the words of the specification', async () => {
    const page = await open(shop, '?search=no-such-keyword')
    await expectVisible(page.getByText('No optimization opportunities found. Try adjusting your filters.'))
    await page.getByRole('button', { name: 'Show all positions and keywords' }).click()
    await expectAddress(page, `${screen}?position=all`)
    await page.goto(`${screen}?tab=analysis&search=no-such-keyword`)
    await page.getByRole('button', { name: 'Show all keywords' }).click()
    await expectAddress(page, `${screen}?tab=analysis`)
    expect(await rowsOf(page, 'Keyword Analysis')).toHaveLength(100)

    const site = 'https://nothing.example/'
    const newcomer = await newPerson(app, { email: 'nothing@example.test', sites: { [site]: 'empty' } })
    await select(newcomer, site)
    const empty = await open(newcomer, '?tab=analysis')
    await expectVisible(empty.getByText('No keyword data available. Please ensure your Google Search Console is connected.'))
    await expectVisible(empty.getByRole('main').getByRole('link', { name: 'Check the connection' }))
  })

  test('old rows are dimmed while new ones are on their way; a failure says of what, and can be tried again', async () => {
    const page = await open(shop)
    const before = await queriesOf(page, 'Optimization Opportunities')
    const held = await hold(page, '**/api/keywords/opportunities?*days=28*')
    await choose(page, 'Time Range', 'Last 28 days')
    const rows = page.locator('[aria-busy=true]').filter({ has: page.getByRole('table') })
    await expectVisible(rows)
    await eventually(() => rows.evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(1)
    expect(await queriesOf(page, 'Optimization Opportunities')).toEqual(before)
    held.release()
    await expectGone(rows)

    await page.context().setOffline(true)
    await choose(page, 'Time Range', 'Last 90 days')
    const problem = page.getByRole('alert').filter({ hasText: 'Unable to load opportunities' })
    await expectVisible(problem.getByText(sites.shop))
    await page.context().setOffline(false)
    await problem.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByRole('table', { name: 'Optimization Opportunities' }))
    // What the rows explain of the total had failed with them.
    await expectVisible(page.getByText(/^16 Dec 2025–15 Mar 2026, complete through 15 Mar\./))
  })

  test('a popover says how the score is made, and leads to the help', async () => {
    const page = await open(shop)
    await page.getByRole('button', { name: 'How the score is made' }).click()
    const popover = page.getByRole('dialog', { name: 'How the score is made' })
    await expectVisible(popover.getByText('From 20 on the priority is High, from 10 on Medium, below that Low.'))
    await popover.getByRole('link', { name: 'More about the score' }).click()
    await eventually(() => new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/help#opportunity-score')
    await expectVisible(page.locator('#opportunity-score'))
  })

  test('a keyword and its page open what there is to say about them', async () => {
    const page = await open(acme.owner, '?tab=analysis')
    await page.getByRole('link', { name: 'oak lamp', exact: true }).click()
    await expectVisible(page.getByRole('dialog', { name: 'oak lamp' }))
    await expectAddress(page, `${screen}?tab=analysis&keyword=oak+lamp`)
    await page.goBack()
    await expectGone(page.getByRole('dialog'))
    await page
      .getByRole('row')
      .filter({ hasText: 'oak lamp' })
      .getByRole('link', { name: acme.page('oak'), exact: true })
      .click()
    await expectVisible(page.getByRole('dialog', { name: acme.page('oak') }))
  })
})

describe('new and lost', () => {
  const quiet = (page: Page): Locator => page.getByRole('region', { name: /keywords$/ })

  test('new are those shown in this period and not in the compared one, lost the other way round; it says which days', async () => {
    const page = await open(acme.owner, '?tab=movement')
    await expectVisible(page.getByText('Shown in search results on 9–15 Mar, and not on 2–8 Mar.'))
    await eventually(async () => new Set(await queriesOf(page, 'New keywords'))).toEqual(new Set(Object.values(oddQueries)))
    const [first] = await rowsOf(page, 'New keywords')
    expect(first?.cells).toEqual(['10.0', '7', '308', '2.27%'])

    await page.getByText('Lost', { exact: true }).click()
    await expectAddress(page, `${screen}?tab=movement&presence=lost`)
    await expectVisible(page.getByText('Shown in search results on 2–8 Mar, and not on 9–15 Mar; the figures are those they had.'))
    await eventually(() => rowsOf(page, 'Lost keywords')).toEqual([
      { query: 'old lamp', page: acme.page('old'), cells: ['8.0', '21', '210', '10.00%'] },
    ])
    await expectVisible(page.getByText('Together they had 21 clicks on 2–8 Mar 2026.'))
  })

  test('asks for a comparison where there is none, and says when nothing is stored to compare with', async () => {
    const page = await open(acme.owner, '?tab=movement&compare=none')
    await expectVisible(page.getByText('Choose what to compare with'))
    expect(await page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true)
    await page.getByRole('main').getByRole('button', { name: 'Same period last year' }).click()
    await expectVisible(quiet(page).getByText('For 10–16 Mar 2025 no figures are stored, so nothing can be said to be new or lost.'))
    await page.getByRole('button', { name: 'Compare with the previous period' }).click()
    await eventually(async () => (await rowsOf(page, 'New keywords')).length).toBe(5)
  })
})

test('Cannibalisation lists keywords whose impressions several pages share, with the share of each', async () => {
  const page = await open(acme.owner, '?tab=competing')
  const table = page.getByRole('table', { name: 'Keywords with competing pages' })
  await expectVisible(table)
  // A name is drawn in two parts, of which the first may be cut.
  const text = async (row: Locator) => (await row.innerText()).replaceAll('\n', '').replaceAll(/\s+/g, ' ').replace('%of', '% of').trim()
  const rows = await Promise.all((await table.locator('tbody tr').all()).map(text))
  const [found] = competingKeywords.parse((await acme.owner.get('/api/keywords/competing?days=7')).body)
  expect(found).toMatchObject({ query: 'oak lamp', impressions: 770, previous: { impressions: 770, clicks: 56 } })
  expect(found?.pages[0]?.page).toBe(acme.page('oak'))
  expect(rows).toEqual([
    expect.stringMatching(/^oak lamp 770before:770Unchanged,0\.0% 56before:56Unchanged/),
    '/oak 55% of the impressions 420 42 10.00% 6.0',
    '/lamps?wood=oak 27% of the impressions 210 14 6.67% 9.0',
    '/guide 18% of the impressions 140 0 0.00% 12.0',
  ])
  await table.getByRole('link', { name: acme.page('guide') }).click()
  await expectVisible(page.getByRole('dialog', { name: acme.page('guide') }))
})

test('whatever people searched for is text, on the screen and in the file', async () => {
  const page = await open(acme.owner, '?tab=analysis')
  const shown = new Set(await queriesOf(page, 'Keyword Analysis'))
  for (const query of Object.values(oddQueries)) {
    expect(shown).toContain(query)
    await expectVisible(page.getByRole('table').getByText(query, { exact: true }))
  }
  expect(await page.locator('main img').count()).toBe(0)
  await expectWithinWindow(page)
  const { rows } = await fileOf(page, 'Keywords')
  expect(rows.map((row) => row['query'])).toContain(`'${oddQueries.formula}`)
  expect(rows.map((row) => row['query'])).toContain(oddQueries.markup)
  await page.getByRole('link', { name: oddQueries.markup, exact: true }).click()
  await expectVisible(page.getByRole('dialog', { name: oddQueries.markup }))
  expect(await page.locator('dialog img, [role=dialog] img').count()).toBe(0)
})

test('each tab exports all rows of exactly what its filters show', async () => {
  const page = await open(shop, '?search=lamp&days=28')
  await expectVisible(page.getByRole('table'))
  const scored = await all(shop, 'days=28&positionMin=5&positionMax=15&search=lamp&limit=1000')
  expect(scored.length).toBeGreaterThan(50)
  const file = await fileOf(page)
  expect(file.name).toBe('ranklark-sc-domain_lumenandloom.example-keyword-opportunities-2026-02-16-2026-03-15.csv')
  expect(file.rows.map((row) => row['query'])).toEqual(scored.map(({ query }) => query))

  await openTab(page, 'Keyword Analysis')
  await choose(page, 'Sort By', 'Clicks')
  const listed = keywords.parse((await shop.get('/api/keywords?days=28&search=lamp&sort=clicks&limit=1000')).body)
  expect((await fileOf(page, 'Keywords')).rows.map((row) => row['query'])).toEqual(listed.map(({ query }) => query))
  const days = await fileOf(page, 'Every day, all keywords')
  expect(new Set(days.rows.map((row) => row['date'])).size).toBe(28)

  await openTab(page, 'Cannibalisation')
  const competing = competingKeywords.parse((await shop.get('/api/keywords/competing?days=28&search=lamp&limit=1000')).body)
  const pairs = competing.flatMap(({ query, pages }) => pages.map((each) => `${query} ${each.page}`))
  expect((await fileOf(page)).rows.map((row) => `${row['query']} ${row['page']}`)).toEqual(pairs)

  const lost = await open(acme.owner, '?tab=movement&presence=lost')
  await expectVisible(lost.getByRole('table'))
  expect((await fileOf(lost)).rows.map((row) => row['query'])).toEqual(['old lamp'])
  await openTab(lost, 'Brand')
  expect((await fileOf(lost, 'Brand keywords')).rows.map((row) => row['query'])).toEqual(['acme lamps'])
})

describe('brand', () => {
  let brass: Awaited<ReturnType<typeof keywordSite>>
  beforeAll(async () => {
    brass = await keywordSite(app, 'brass')
  })

  const terms = (page: Page) => page.getByRole('list', { name: 'Brand terms' }).getByRole('listitem')
  const field = (page: Page) => page.getByRole('textbox', { name: 'Add a term' })
  const saved = async () => brandList.parse((await brass.owner.get('/api/brand')).body)
  const openBrand = async (options?: VisitOptions) => {
    const page = await open(brass.owner, '?tab=brand', options)
    await expectVisible(page.getByRole('table', { name: 'Brand and other keywords' }), terms(page))
    return page
  }
  const clicksOf = (page: Page, side: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: side }) })
      .getByRole('cell')
      .first()

  test('clicks and impressions of brand, other and hidden keywords, their shares, and the days of the first two', async () => {
    const page = await openBrand()
    const { brand, nonBrand, hidden } = brandSplit.parse((await brass.owner.get('/api/brand/split?days=7')).body)
    expect(brand.clicks).toBe(56)
    const sum = brand.clicks + nonBrand.clicks + hidden.clicks
    for (const [side, figures] of [
      ['Brand Keywords with', brand],
      ['Non-brand', nonBrand],
      ['Hidden', hidden],
    ] as const) {
      const cells = page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: side }) })
        .getByRole('cell')
      await expectText(cells.nth(0), new RegExp(`^${formatMetric('clicks', figures.clicks)}( before: |$)`))
      await expectText(cells.nth(1), `${Math.round((figures.clicks / sum) * 100)}%`)
      await expectText(cells.nth(2), new RegExp(`^${formatMetric('impressions', figures.impressions)}( before: |$)`))
    }
    await page.getByRole('button', { name: 'Show as table: Do clicks come by the brand or by other keywords?' }).click()
    const days = page.getByRole('dialog').getByRole('table')
    await expectVisible(days)
    expect((await days.locator('tbody tr').allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ' ')).at(0)).toMatch(/^15 Mar 2026 8 13$/)
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: 'Metric of the chart' }).getByText('Impressions').click()
    await expectAddress(page, `${screen}?tab=brand&metric=impressions`)
    await expectVisible(page.getByRole('figure', { name: 'Is the property shown for the brand or for other keywords?' }))
  })

  test('suggested terms say so until they are saved; a term that is added counts at once and everywhere', async () => {
    const page = await openBrand()
    await expectVisible(page.getByText('Suggested', { exact: true }))
    await expectText(terms(page), /^brass ?, suggested$/)
    await page.getByRole('button', { name: 'Keep these terms' }).click()
    await expectToast(page, 'success', 'Brand Terms Saved')
    await expectText(terms(page), 'brass')
    expect(await saved()).toEqual({ terms: ['brass'], suggested: false })

    // Asked before the list changes, it has to be asked again.
    await openTab(page, 'Keyword Analysis')
    const oak = page.getByRole('row').filter({ hasText: 'oak lamp' })
    await expectVisible(oak)
    expect(await oak.getByText('Brand', { exact: true }).count()).toBe(0)
    await openTab(page, 'Brand')
    await field(page).fill('  OAK ')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expectText(terms(page).last(), 'oak')
    // 7 days of 8 clicks each, and of the brand as it was.
    await expectText(clicksOf(page, 'Brand Keywords with'), /^112 /)
    await openTab(page, 'Keyword Analysis')
    await expectVisible(oak.getByText('Brand', { exact: true }))
    expect((await saved()).terms).toEqual(['brass', 'oak'])
  })

  test('with the keyboard alone: what is no term is said at the field, what is removed passes the focus on', async () => {
    const page = await openBrand()
    await expectText(terms(page).last(), 'oak')
    await field(page).focus()
    await page.keyboard.type('a')
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('A brand term needs at least 2 characters'))
    expect(await field(page).getAttribute('aria-invalid')).toBe('true')
    await expectFocused(field(page))
    await field(page).fill('Oak')
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('“oak” is on the list already'))
    await field(page).fill('x'.repeat(101))
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('A brand term has at most 100 characters'))
    await field(page).fill('<b>bold</b>')
    await page.keyboard.press('Enter')
    await expectText(terms(page).last(), '<b>bold</b>')
    expect(await field(page).inputValue()).toBe('')

    await page.getByRole('button', { name: 'Remove oak' }).focus()
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('button', { name: 'Remove <b>bold</b>' }))
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('button', { name: 'Remove brass' }))
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('No terms yet: every keyword counts as non-brand.'))
    await expectFocused(field(page))
    await eventually(saved).toEqual({ terms: [], suggested: false })
    await expectText(clicksOf(page, 'Brand Keywords with'), /^0 /)
  })

  test('what could not be saved is taken back, and said', async () => {
    const page = await open(brass.owner, '?tab=brand')
    await expectVisible(page.getByText('No terms yet: every keyword counts as non-brand.'))
    const held = await hold(page, '**/api/brand?*')
    await field(page).fill('brass')
    await page.keyboard.press('Enter')
    // It shows before the server has answered.
    await expectText(terms(page), 'brass')
    await page.context().setOffline(true)
    held.release()
    await expectToast(page, 'error', 'Brand Terms Not Saved', 'The brand terms could not be saved. Please try again.')
    await expectVisible(page.getByText('No terms yet: every keyword counts as non-brand.'))
    await page.context().setOffline(false)
    expect((await saved()).terms).toEqual([])
  })
})

test('without a property the gate stands in its place', async () => {
  const page = await open(await newPerson(app, { email: 'no-keywords@example.test' }))
  await expectVisible(page.getByRole('heading', { name: 'Property Required' }))
  expect(await page.getByRole('main').getByRole('link', { name: 'Select Property' }).getAttribute('href')).toBe('/account')
  expect(await page.getByRole('main').getByRole('link', { name: 'Go to Settings' }).getAttribute('href')).toBe('/settings')
  expect(await page.getByRole('tab').count()).toBe(0)
})

test('tabs are moved between with the arrow keys, and on a phone scrolled to', async () => {
  const page = await open(acme.owner, '', { width: 375, height: 812, touch: true })
  await page.getByRole('tab', { name: 'Optimization Opportunities' }).focus()
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
  const last = page.getByRole('tab', { name: 'Brand' })
  await expectFocused(last)
  await page.keyboard.press('Enter')
  await expectAddress(page, `${screen}?tab=brand`)
  const inSight = () => last.evaluate((tab) => tab.getBoundingClientRect().right <= window.innerWidth)
  await eventually(inSight).toBe(true)
  await page.reload()
  await eventually(inSight).toBe(true)
  await expectWithinWindow(page)
})

test.each(['opportunities', 'analysis', 'movement', 'competing', 'brand'])(
  '%s: bars nobody, in either theme, at a desk or on a phone',
  async (tab) => {
    const page = await open(acme.owner, `?tab=${tab}`, { ...desk, theme: 'light' })
    await expectVisible(page.getByRole('main').getByRole('table'))
    await expectText(page.getByRole('tab', { selected: true }), /./)
    await expectGone(page.locator('[aria-busy=true]'))
    await expectAccessible(page)
    await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
    await expectAccessible(page, ['color-contrast'])
    for (const width of [1_920, 1_280, 1_024, 768, 640, 320, 375]) {
      await page.setViewportSize({ width, height: 812 })
      await expectWithinWindow(page)
    }
    await expectAccessible(page)
    expect(await tooSmallForFingers(page)).toEqual([])
  },
)
