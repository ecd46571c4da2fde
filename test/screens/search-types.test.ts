import type { Page } from 'playwright-core'
import type { OfSearchTypes } from '../../src/contract/analytics.ts'
import { type SearchType, searchType } from '../../src/contract/common.ts'
import type { Saved } from '../../src/contract/explore/saved.ts'
import { figuresOf } from '../support/answers/analytics.ts'
import type { Desk } from '../support/answers/desk.ts'
import { exploredFrom } from '../support/answers/explore.ts'
import { historyFrom } from '../support/answers/history.ts'
import { completeThrough, metricsOf, shop, userOf } from '../support/answers/usual.ts'
import { choose } from '../support/analytics-screens.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { expectAddress, expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// Search types other than web on the dashboard: in its cards, chart, biggest changes and audience.

const period = { start: '2026-03-10', end: completeThrough }
const clicksOf: Partial<Record<SearchType, number>> = { web: 9_000, discover: 120, image: 80 }

function stores(desk: Desk, types: readonly SearchType[]): void {
  const typed = (query: URLSearchParams) => searchType.parse(query.get('type') ?? 'web')
  desk.answer(
    'GET /api/analytics/search-types',
    types.map((type): OfSearchTypes[number] => {
      return { type, period, compared: null, ...figuresOf(clicksOf[type] ?? 0, 4_000, 4), previous: null }
    }),
  )
  desk.answer('GET /api/analytics/history', ({ query }) => historyFrom(query, { property: shop, completeThrough, days: 487 }))
  desk.answer('GET /api/explore', ({ query }) => exploredFrom(query, 3))
  desk.answer('GET /api/metrics', ({ query }) => {
    const type = typed(query)
    const usual = metricsOf()
    if (!types.includes(type)) return null
    return { ...usual, clicks: clicksOf[type] ?? 0, ...(type === 'discover' && { position: 0, positionPrevious: null }) }
  })
}
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const select = (page: Page) => page.getByRole('combobox', { name: 'Search type' })
const answersAsked = (desk: Desk) =>
  (['GET /api/metrics', 'GET /api/analytics/history', 'GET /api/explore'] as const).map((route) =>
    desk.asked(route).at(-1)?.query.get('type'),
  )

for (const [width, theme] of [
  [1_440, 'light'],
  [375, 'dark'],
] as const)
  test(
    `Discover is chosen: cards, chart, changes and audience have its figures, ${width} pixels wide`,
    { tags: ['full'] },
    async ({ desk, signIn, open }) => {
      signIn(userOf({ plan: 'agency' }))
      stores(desk, ['web', 'discover', 'image'])
      const page = await open('/dashboard?metrics=clicks,position', { width, theme })
      await expectVisible(page.getByRole('figure', { name: 'Clicks and Position by day' }))
      await choose(page, page, 'Search type', 'Discover')
      await expectAddress(page, '/dashboard?metrics=clicks%2Cposition&type=discover')
      await expectText(card(page, 'Clicks'), /120/)
      await expectVisible(page.getByRole('figure', { name: 'Clicks by day', exact: true }), page.getByText(/^Discover clicks (rose|fell)/))
      // Google has no positions for it: its card says so, and isn't a toggle.
      await expectText(card(page, 'Position'), /^Position – not available for this search type$/)
      await expectGone(page.getByRole('button', { name: 'Position', exact: true }))
      await expectGone(page.getByRole('tab', { name: 'Keywords' }))
      await expectText(card(page, 'Devices'), 'Devices Discover has no data for devices.')
      await expectVisible(page.getByText('Today’s data is for web search only.'))
      await card(page, 'Countries').scrollIntoViewIfNeeded()
      await expect.poll(() => answersAsked(desk)).toEqual(['discover', 'discover', 'discover'])
      await expect
        .poll(() => page.getByRole('link', { name: 'See all countries' }).getAttribute('href'))
        .toBe(`/explore?${new URLSearchParams({ property: shop, range: '7d', compare: 'previous', by: 'country', type: 'discover' })}`)
      await expectWithinWindow(page)
      await expectAccessible(page)

      await page.reload()
      await expectText(card(page, 'Clicks'), /120/)
      await choose(page, page, 'Search type', 'Web')
      await expectVisible(page.getByRole('figure', { name: 'Clicks and Position by day' }), page.getByRole('tab', { name: 'Keywords' }))
    },
  )

test('the choice carries over to Explore, which shows its pages, and back', async ({ desk, open }) => {
  stores(desk, ['web', 'discover'])
  const page = await open('/dashboard?type=discover', { width: 1_440 })
  await expectText(card(page, 'Clicks'), /120/)
  await page.getByRole('navigation').getByRole('link', { name: 'Explore' }).first().click()
  await expectAddress(page, '/explore?type=discover')
  await expectVisible(page.getByRole('table', { name: 'Explore results' }))
  expect(desk.asked('GET /api/explore').at(-1)?.query.get('by')).toBe('page')
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).first().click()
  await expectAddress(page, '/dashboard?type=discover')
})

test(
  'there is nothing to choose with web search only; a type without data says so, and leads back',
  { tags: ['full'] },
  async ({ desk, open }) => {
    stores(desk, ['web'])
    const page = await open('/dashboard')
    await expectText(card(page, 'Clicks'), /9,000/)
    await card(page, 'Search types').scrollIntoViewIfNeeded()
    await expectVisible(card(page, 'Search types').getByRole('row').nth(1))
    await expectGone(select(page))
    await page.goto('/dashboard?type=news')
    await expectVisible(
      page.getByRole('heading', { name: 'No data for this search type' }),
      page.getByText('This property has no data for the “News” search type.'),
    )
    await page.getByRole('button', { name: 'Show web search' }).click()
    await expectText(card(page, 'Clicks'), /9,000/)
    await expectAddress(page, '/dashboard')
  },
)

test(
  'a keyword segment is cleared when a type without keywords is chosen; a page segment stays',
  { tags: ['full'] },
  async ({ desk, open }) => {
    stores(desk, ['web', 'discover'])
    const saved = (id: string, name: string, content: string): Saved => ({ id, kind: 'segment', name, content })
    desk.answer('GET /api/explore/saved', [saved('1', 'Lamps', 'page contains lamp'), saved('2', 'Brand words', 'query contains lumen')])
    const page = await open('/dashboard?segment=1')
    await choose(page, page, 'Search type', 'Discover')
    await expectAddress(page, '/dashboard?segment=1&type=discover')
    await page.goto('/dashboard?segment=2')
    await choose(page, page, 'Search type', 'Discover')
    await expectAddress(page, '/dashboard?type=discover')
  },
)
