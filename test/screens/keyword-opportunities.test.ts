// SPEC §2 "Keyword Opportunities", §4 opportunity priority, §7, §8; the two lists. Other tabs: ./keyword-tabs, ./keyword-brand.
import type { Page } from 'playwright-core'
import type { Keyword } from '../../src/contract/keywords.ts'
import { formatMetric } from '../../src/web/lib/format.ts'
import { choose, namesOf, rowsOf, wide } from '../support/analytics-screens.ts'
import {
  answerLists,
  answerPanels,
  at,
  figuresOf,
  keywordOf,
  listedBy,
  manyKeywords,
  summaryWithoutBefore,
  summaryWithTotals,
} from '../support/answers/analytics.ts'
import type { Desk } from '../support/answers/desk.ts'
import { shop, shopName } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectGone,
  expectText,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const screen = '/keyword-opportunities'
const opportunities = manyKeywords.filter(({ opportunityScore }) => opportunityScore > 0)
const opportunitiesOf = (page: Page) => namesOf(page, 'Optimization Opportunities')
const askedFor = (desk: Desk, route: 'GET /api/keywords' | 'GET /api/keywords/opportunities') =>
  Object.fromEntries(desk.asked(route).at(-1)?.query ?? [])
const queriesOf = (rows: readonly Keyword[]) => rows.map(({ query }) => query)

/** What a keyword's row must show. */
function asRow({ query, page, position, clicks, impressions, ctr, opportunityScore, previous }: Keyword): unknown {
  const said = (metric: 'position' | 'clicks' | 'impressions' | 'ctr', now: number) =>
    expect.stringMatching(
      new RegExp(
        `^${formatMetric(metric, now)} ${previous === null ? 'new$' : `previously ${formatMetric(metric, previous[metric])}( |$)`}`,
      ),
    )
  const priority = opportunityScore >= 20 ? 'High' : opportunityScore >= 10 ? 'Medium' : 'Low'
  return {
    names: [query, page],
    shown: query,
    cells: [
      said('position', position),
      said('clicks', clicks),
      said('impressions', impressions),
      said('ctr', ctr),
      opportunityScore.toFixed(1),
      priority,
    ],
  }
}

test(
  'Optimization Opportunities requests 100 of the last 7 days at positions 5-15, then the others, each with its priority',
  { tags: ['full'] },
  async ({ desk, open }) => {
    answerLists(desk, { keywords: manyKeywords })
    const page = await open('/dashboard', wide)
    await page.getByRole('link', { name: 'Keyword Opportunities' }).click()
    await expectVisible(page.getByRole('tab', { name: 'Optimization Opportunities', selected: true }))
    const expected = listedBy(opportunities, 'positionMin=5&positionMax=15&sort=opportunityScore')
    expect(await rowsOf(page, 'Optimization Opportunities')).toEqual(expected.map(asRow))
    const [first, next] = desk.asked('GET /api/keywords/opportunities').map(({ query }) => Object.fromEntries(query))
    expect(next).toEqual({ ...first, offset: '100' })
    expect(first).toEqual({
      property: shop,
      days: '7',
      compare: 'previous',
      positionMin: '5',
      positionMax: '15',
      limit: '100',
      sort: 'opportunityScore',
      order: 'desc',
    })
    const clicks = expected.reduce((sum, row) => sum + row.clicks, 0)
    await expectVisible(
      page.getByText(`${expected.length} opportunities`, { exact: true }),
      page.getByText(
        `10–16 Mar, complete through 16 Mar. Showing ${expected.length} of 1,200 keywords (${Math.min(100, Math.round(clicks / 200))}% of 20,000 clicks). 20% of clicks are from anonymized queries.`,
      ),
    )
  },
)

test(
  'Keyword Analysis requests 200 of the last 7 days, then the others, with scores and priorities too',
  { tags: ['full'] },
  async ({ desk, open }) => {
    answerLists(desk, { keywords: manyKeywords })
    const page = await open(screen, wide)
    await page.getByRole('tab', { name: 'Keyword Analysis' }).click()
    await expectAddress(page, `${screen}?tab=analysis`)
    expect(await rowsOf(page, 'Keyword Analysis')).toEqual(listedBy(manyKeywords, 'sort=opportunityScore').map(asRow))
    expect(desk.asked('GET /api/keywords').map(({ query }) => [query.get('days'), query.get('limit'), query.get('offset')])).toEqual([
      ['7', '200', null],
      ['7', '200', '200'],
    ])
    // It has every keyword, including those with nothing to gain.
    await choose(page.getByRole('tabpanel', { name: 'Keyword Analysis' }), page, 'Sort By', 'Position')
    await expectVisible(page.getByRole('row').filter({ hasText: '0.0' }).getByText('Low', { exact: true }))
  },
)

test('each filter changes the request, stays in the URL, and is undone by the back button', { tags: ['full'] }, async ({ desk, open }) => {
  answerLists(desk, { keywords: manyKeywords })
  const page = await open(screen, wide)
  const shows = async (address: string, question: string) => {
    await expectAddress(page, `${screen}${address}`)
    await expect.poll(() => opportunitiesOf(page)).toEqual(queriesOf(listedBy(opportunities, question)))
  }
  const bounds = 'positionMin=5&positionMax=15'
  const byScore = 'sort=opportunityScore'
  await shows('', `${byScore}&${bounds}`)
  await choose(page, page, 'Position Range', 'Positions 11-20')
  await shows('?position=11-20', `${byScore}&positionMin=11&positionMax=20`)
  await choose(page, page, 'Position Range', 'All positions')
  await shows('?position=all', byScore)
  await page.goBack()
  await page.goBack()
  await shows('', `${byScore}&${bounds}`)
  await choose(page, page, 'Brand', 'Non-brand')
  await choose(page, page, 'Sort By', 'Impressions')
  await shows('?brand=non-brand&sort=impressions', `brand=non-brand&sort=impressions&${bounds}`)
  const clicks = page.getByRole('button', { name: 'Clicks', exact: true })
  await clicks.click()
  await shows('?brand=non-brand&sort=clicks', `brand=non-brand&sort=clicks&${bounds}`)
  await clicks.click()
  await shows('?brand=non-brand&sort=clicks&order=reversed', `brand=non-brand&sort=clicks&order=asc&${bounds}`)
  await expectVisible(page.locator('th[aria-sort=ascending]', { hasText: 'Clicks' }))
  await page.getByRole('textbox', { name: 'Keyword' }).fill('LAMP 7')
  const searched = '?brand=non-brand&sort=clicks&order=reversed&search=LAMP+7'
  await shows(searched, `brand=non-brand&sort=clicks&order=asc&search=lamp+7&${bounds}`)
  await page.reload()
  await shows(searched, `brand=non-brand&sort=clicks&order=asc&search=lamp+7&${bounds}`)
  await expectValue(page.getByRole('textbox', { name: 'Keyword' }), 'LAMP 7')
  expect(askedFor(desk, 'GET /api/keywords/opportunities')).toMatchObject({
    brand: 'non-brand',
    sort: 'clicks',
    order: 'asc',
    search: 'LAMP 7',
  })
})

test('without a comparison there are only the figures', { tags: ['full'] }, async ({ desk, open }) => {
  answerLists(desk, { keywords: manyKeywords })
  const page = await open(screen, wide)
  const cells = async () => (await rowsOf(page, 'Optimization Opportunities')).flatMap((row) => row.cells).join(' ')
  expect(await cells()).toMatch(/before|new/)
  await choose(page, page, 'Compare', 'No comparison')
  await expectAddress(page, `${screen}?compare=none`)
  await expect.poll(cells).not.toMatch(/before|new/)
  // Nothing is stored for last year, so nothing is called new.
  desk.answer('GET /api/analytics/summary', ({ query }) => summaryWithoutBefore(query))
  await choose(page, page, 'Compare', 'vs previous year')
  await expectAddress(page, `${screen}?compare=year`)
  await expectVisible(page.getByText(/10–16 Mar, complete/))
  expect(await cells()).not.toMatch(/before|new/)
})

test(
  'filters without matches, and a property without keywords, say so in the words of the specification',
  { tags: ['full'] },
  async ({ desk, open }) => {
    answerLists(desk, { keywords: manyKeywords })
    const page = await open(`${screen}?search=no-such-keyword`, wide)
    await expectVisible(page.getByText('No optimization opportunities found. Try adjusting your filters.'))
    await page.getByRole('button', { name: 'Show all positions and keywords' }).click()
    await expectAddress(page, `${screen}?position=all`)
    await page.goto(`${screen}?tab=analysis&search=no-such-keyword`)
    await page.getByRole('button', { name: 'Show all keywords' }).click()
    await expectAddress(page, `${screen}?tab=analysis`)
    await expect.poll(async () => (await rowsOf(page, 'Keyword Analysis')).length).toBe(manyKeywords.length)

    answerLists(desk, {})
    await page.reload()
    await expectVisible(page.getByText('No keyword data available. Please ensure your Google Search Console is connected.'))
    await expectVisible(page.getByRole('main').getByRole('link', { name: 'Check connection' }))
  },
)

test(
  'days that only have totals are described as such, and not as a missing connection to Google',
  { tags: ['full'] },
  async ({ desk, open }) => {
    answerLists(desk, {})
    desk.answer('GET /api/analytics/summary', ({ query }) => summaryWithTotals(query))
    const page = await open(`${screen}?tab=analysis`, wide)
    await expectVisible(
      page.getByRole('heading', { name: 'No keyword data for these days', exact: true }),
      page.getByText('Totals are stored for 10–16 Mar 2026, but keyword data isn’t.', { exact: true }),
    )
    await expectCount(page.getByText('Google Search Console is connected'), 0)
  },
)

test(
  'old rows are dimmed while new ones load; a failure says what failed, and can be retried',
  { tags: ['full'] },
  async ({ desk, open }) => {
    answerLists(desk, { keywords: manyKeywords })
    const page = await open(screen, wide)
    const before = await opportunitiesOf(page)
    const held = desk.hold('GET /api/keywords/opportunities')
    await choose(page, page, 'Time Range', 'Last 28 days')
    const rows = page.locator('[aria-busy=true]').filter({ has: page.getByRole('table') })
    await expectVisible(rows)
    await expect.poll(() => rows.evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(1)
    expect(await opportunitiesOf(page)).toEqual(before)
    held.release()
    await expectGone(rows)

    desk.cut('GET /api/keywords/opportunities')
    desk.cut('GET /api/analytics/summary')
    await choose(page, page, 'Time Range', 'Last 90 days')
    const problem = page.getByRole('alert').filter({ hasText: 'Unable to load opportunities' })
    await expectVisible(problem.getByText(shopName))
    answerLists(desk, { keywords: manyKeywords })
    await problem.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByRole('table', { name: 'Optimization Opportunities' }))
    // The rows' share of the total had failed along with them.
    await expectVisible(page.getByText(/^17 Dec 2025–16 Mar 2026, complete through 16 Mar 2026\./))
  },
)

test('a popover explains the score, and leads to the help', { tags: ['full'] }, async ({ desk, open }) => {
  answerLists(desk, { keywords: manyKeywords })
  const page = await open(screen, wide)
  await page.getByRole('button', { name: 'How the score is calculated' }).click()
  const popover = page.getByRole('dialog', { name: 'How the score is calculated' })
  await expectVisible(popover.getByText('Priority is High at 20 or more, Medium at 10 or more and Low below that.'))
  await popover.getByRole('link', { name: 'More about the score' }).click()
  await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/help#opportunity-score')
  await expectVisible(page.locator('#opportunity-score'))
})

test('a keyword and its page open their details', { tags: ['full'] }, async ({ desk, open }) => {
  const oak = keywordOf('oak lamp', figuresOf(56, 770, 7), { page: at('oak'), pages: 3 })
  answerLists(desk, { keywords: [oak, keywordOf('bed lamp', figuresOf(5, 100, 9))] })
  answerPanels(desk)
  const page = await open(`${screen}?tab=analysis`, wide)
  await page.getByRole('link', { name: 'oak lamp', exact: true }).click()
  await expectVisible(page.getByRole('dialog', { name: 'oak lamp' }))
  await expectAddress(page, `${screen}?tab=analysis&keyword=oak+lamp`)
  await page.goBack()
  await expectGone(page.getByRole('dialog'))
  await page
    .getByRole('row')
    .filter({ hasText: 'oak lamp' })
    .getByRole('link', { name: at('oak'), exact: true })
    .click()
  await expectVisible(page.getByRole('dialog', { name: at('oak') }))
})

describe('without a property', { tags: ['full'] }, () => {
  test('the gate replaces the screen', async ({ signIn, open }) => {
    signIn({ selectedProperty: null, gscProperties: [], sitesMonitored: 0 })
    const page = await open(screen, wide)
    await expectVisible(
      page.getByRole('heading', { name: 'Keyword Opportunities', level: 1 }),
      page.getByRole('heading', { name: 'Property Required' }),
    )
    const main = page.getByRole('main')
    await expectAttribute(main.getByRole('link', { name: 'Select Property' }), 'href', '/account')
    await expectAttribute(main.getByRole('link', { name: 'Go to Settings' }), 'href', '/settings')
    await expectCount(page.getByRole('tab'), 0)
    await expectText(main.getByText('No property selected').first(), 'No property selected')
  })
})
