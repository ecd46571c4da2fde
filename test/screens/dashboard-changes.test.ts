import type { Page } from 'playwright-core'
import type { OfSearchTypes } from '../../src/contract/analytics.ts'
import type { SearchType } from '../../src/contract/common.ts'
import type { ExploreRow } from '../../src/contract/explore/explore.ts'
import { figuresOf } from '../support/answers/analytics.ts'
import type { Desk } from '../support/answers/desk.ts'
import { changesFrom, exploredFrom } from '../support/answers/explore.ts'
import { completeThrough, shop } from '../support/answers/usual.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { expectAttribute, expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// The biggest changes on the dashboard, and who clicked, over the days of its chart.

const row = (name: string, clicks: number, before: number | null): ExploreRow => ({
  name,
  ...figuresOf(clicks, clicks * 20, 4),
  previous: before === null ? null : figuresOf(before, before * 20, 5),
})
const rows: Record<string, ExploreRow[]> = {
  page: [
    row('https://lumenandloom.example/lamps/oak', 900, 300),
    row('https://lumenandloom.example/new', 40, null),
    row('https://lumenandloom.example/still', 70, 70),
    row('https://lumenandloom.example/lamps/desk', 50, 1_250),
  ],
  query: [row('oak <b>lamp</b>', 500, 100), row('desk lamp', 10, 700)],
  device: [row('MOBILE', 1_500_000, 1_200_000), row('DESKTOP', 750_000, 800_000)],
  country: [row('deu', 2_000_000, 1_500_000)],
}

const period = { start: '2025-12-17', end: completeThrough }
const typeOf = (type: SearchType, clicks: number, before: number | null): OfSearchTypes[number] => {
  const { previous, ...figures } = row('', clicks, before)
  return { type, period, compared: { start: '2024-12-18', end: '2025-03-17' }, ...figures, previous }
}

function changes(desk: Desk): void {
  desk.answer('GET /api/explore', ({ query }) => ({ ...exploredFrom(query), rows: rows[query.get('by') ?? '']! }))
  desk.answer('GET /api/explore/changes', ({ query }) => ({
    ...changesFrom(query, rows[query.get('by') ?? '']!),
    trendDays: { start: '2026-01-20', end: completeThrough },
  }))
  desk.answer('GET /api/analytics/search-types', [typeOf('web', 9_000, 10_000), typeOf('discover', 120, null)])
}
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** Scrolls to a part: what is further down the screen is not requested before. */
const reach = async (page: Page, name: string) => {
  // Nothing above it moves anymore.
  await expectVisible(page.getByRole('figure').first(), page.getByRole('heading', { name, exact: true }))
  await page.getByRole('heading', { name, exact: true }).scrollIntoViewIfNeeded()
}
const items = (page: Page, name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem')

for (const [width, theme, tags] of [
  [1_440, 'light', []],
  [375, 'dark', ['full']],
] as const) {
  test(
    `pages and queries with the largest gains and losses lead to the explorer, ${width} pixels wide`,
    { tags: [...tags] },
    async ({ desk, open }) => {
      changes(desk)
      const page = await open('/dashboard?range=3m&compare=year', { width, theme })
      await reach(page, 'Biggest changes')
      await expectText(items(page, 'Gained clicks').nth(0), '/lamps/oak 300 → 900 Gained 600')
      await expectText(items(page, 'Gained clicks').nth(1), '/new 0 → 40 Gained 40')
      expect(await items(page, 'Gained clicks').count()).toBe(2)
      await expectText(items(page, 'Lost clicks').nth(0), '/lamps/desk 1,250 → 50 Lost 1,200')
      expect(await items(page, 'Lost clicks').count()).toBe(1)
      await expectAttribute(
        items(page, 'Lost clicks').nth(0).getByRole('link'),
        'href',
        `/explore?${new URLSearchParams({ property: shop, range: '3m', compare: 'year', by: 'query', where: 'page is https://lumenandloom.example/lamps/desk' })}`,
      )
      await expectAttribute(
        page.getByRole('link', { name: 'See all pages that lost clicks' }),
        'href',
        `/explore?property=${encodeURIComponent(shop)}&range=3m&compare=year&by=page&sort=clicksChange&order=asc`,
      )
      await page.getByRole('tab', { name: 'Keywords', exact: true }).click()
      await expectText(items(page, 'Gained clicks').nth(0), 'oak <b>lamp</b> 100 → 500 Gained 400')
      await reach(page, 'Countries')
      await expectText(items(page, 'Devices').nth(0), 'Mobile 1,500,000 (60%) previously 1,200,000 Up 25.0%')
      await expectText(items(page, 'Countries').nth(0), /^Germany 2,000,000 \(80%\)/)
      const line = items(page, 'Gained clicks').nth(0).getByRole('img', { name: 'Clicks over time, 20 Jan–16 Mar 2026: 100 to 500' })
      await (width < 640 ? expectGone(line) : expectVisible(line))
      await expectWithinWindow(page)
      await expectAccessible(page)
    },
  )

  test(`search types are compared, and lead to the explorer, ${width} pixels wide`, { tags: ['full'] }, async ({ desk, open }) => {
    changes(desk)
    const page = await open('/dashboard?range=3m&compare=year', { width, theme })
    await reach(page, 'Search types')
    const types = section(page, 'Search types').getByRole('row')
    await expectText(types.nth(1), /^Web 9,000 previously 10,000 Down 10\.0% 180,000 previously 200,000 not comparable/)
    await expectText(types.nth(2), 'Discover 120 new 2,400 new')
    await expectAttribute(
      types.nth(2).getByRole('link'),
      'href',
      `/explore?${new URLSearchParams({ property: shop, range: '3m', compare: 'year', by: 'page', type: 'discover' })}`,
    )
    await expectWithinWindow(page)
    await expectAccessible(page)
  })
}

test(
  'whether a search type is comparable depends only on what Google counted differently in that type',
  { tags: ['full'] },
  async ({ desk, open }) => {
    changes(desk)
    const over = (now: { start: string; end: string }, before: { start: string; end: string }) =>
      desk.answer(
        'GET /api/analytics/search-types',
        (['web', 'discover'] as const).map((type) => ({ ...typeOf(type, 90, 100), period: now, compared: before })),
      )
    const typeRow = (page: Page, at: number) => section(page, 'Search types').getByRole('row').nth(at)
    // Web search's impressions were corrected on 28 April; Discover's clicks of 13 August were not logged.
    over({ start: '2026-04-28', end: '2026-05-04' }, { start: '2026-04-21', end: '2026-04-27' })
    const page = await open('/dashboard')
    await reach(page, 'Search types')
    await expectText(typeRow(page, 1), /^Web 90 previously 100 Down 10\.0% 1,800 previously 2,000 not comparable/)
    await expectText(typeRow(page, 2), 'Discover 90 previously 100 Down 10.0% 1,800 previously 2,000 Down 10.0%')
    over({ start: '2026-08-11', end: '2026-08-17' }, { start: '2026-08-04', end: '2026-08-10' })
    await page.reload()
    await reach(page, 'Search types')
    await expectText(typeRow(page, 1), 'Web 90 previously 100 Down 10.0% 1,800 previously 2,000 Down 10.0%')
    await expectText(typeRow(page, 2), /^Discover 90 previously 100 not comparable.* 1,800 previously 2,000 not comparable/)
  },
)

test('a chart without a comparison still has changes since the previous period', { tags: ['full'] }, async ({ desk, open }) => {
  changes(desk)
  const page = await open('/dashboard?compare=none')
  await reach(page, 'Countries')
  await expectVisible(items(page, 'Gained clicks').first(), items(page, 'Countries').first())
  expect(
    new Set((['GET /api/explore', 'GET /api/explore/changes'] as const).flatMap(desk.asked).map(({ query }) => query.get('compare'))),
  ).toEqual(new Set(['previous']))
})

test(
  'without earlier days there is nothing to compare; without any days, devices and countries have no card',
  { tags: ['full'] },
  async ({ desk, open }) => {
    desk.answer('GET /api/explore/changes', ({ query }) => ({ ...changesFrom(query, []), compared: null }))
    const page = await open('/dashboard')
    await reach(page, 'Biggest changes')
    await expectVisible(
      section(page, 'Biggest changes').getByText('Some days in these periods are missing, so there’s nothing to compare.'),
    )
    desk.answer('GET /api/explore/changes', null)
    await page.reload()
    await reach(page, 'Search types')
    await expectVisible(section(page, 'Search types').getByText('No data for this period.'))
    await expectVisible(section(page, 'Biggest changes').getByText('There’s no data yet, so there’s nothing to compare.'))
    for (const name of ['Devices', 'Countries']) await expectGone(section(page, name))
  },
)

test('a failed load says so, and can be retried', async ({ desk, open }) => {
  desk.refuse('GET /api/explore', 502, { message: 'The figures cannot be read.' })
  const page = await open('/dashboard')
  await reach(page, 'Countries')
  const problem = section(page, 'Countries').getByRole('button', { name: 'Try again' })
  await expectVisible(problem)
  changes(desk)
  await problem.click()
  await expectText(items(page, 'Countries').nth(0), /^Germany/)
})

test('what is below the first screen is requested when somebody gets there, the changes in one request', async ({ desk, signIn, open }) => {
  signIn({ plan: 'agency', siteLimit: 25 })
  changes(desk)
  const page = await open('/dashboard', { width: 1_440, height: 900 })
  const asked = () =>
    [
      ...desk.asked('GET /api/explore').map(({ query }) => query.get('by')),
      ...desk.asked('GET /api/explore/changes').map(() => 'changes'),
      ...desk.asked('GET /api/analytics/search-types').map(({ query }) => (query.get('range') === 'all' ? 'types to choose' : 'types')),
      ...desk.asked('GET /api/today').map(() => 'today'),
    ].toSorted()
  await expectVisible(items(page, 'Lost clicks').first(), page.getByText(/^Clicks .* from the week before/))
  // The devices are in the sentence above, once they are known.
  await expect.poll(asked).toContain('device')
  expect(asked()).toEqual(['changes', 'device', 'types to choose'])
  await reach(page, 'Today so far')
  await expectVisible(items(page, 'Countries').first())
  await expect.poll(asked).toEqual(['changes', 'country', 'device', 'today', 'types', 'types to choose'])
})
