// The tabs "New and lost" and "Cannibalization" of Keyword Opportunities, and what holds for all of its tabs.
import type { Locator, Page } from 'playwright-core'
import type { Keyword } from '../../src/contract/keywords.ts'
import { namesOf, rowsOf, wide } from '../support/analytics-screens.ts'
import {
  answerLists,
  answerPanels,
  at,
  competingOf,
  figuresOf,
  keywordOf,
  listed,
  summaryOf,
  summaryWithoutBefore,
} from '../support/answers/analytics.ts'
import { keepBrand } from '../support/answers/brand.ts'
import type { Desk } from '../support/answers/desk.ts'
import { oddQueries } from '../support/answers/odd-names.ts'
import {
  expectAddress,
  expectCount,
  expectDisabled,
  expectFocused,
  expectGone,
  expectText,
  expectVisible,
} from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-accessible.ts'
import { readCsv } from '../support/csv.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const screen = '/keyword-opportunities'

/** The odd ones are new this week. */
const odd = Object.values(oddQueries).map((query, index) => keywordOf(query, figuresOf(7, 280 + index * 7, 10), { page: at('odd') }))
const oak = keywordOf('oak lamp', figuresOf(56, 770, 7.5), {
  page: at('oak'),
  pages: 3,
  opportunityScore: 22.4,
  previous: figuresOf(56, 770, 7.5),
})
/** Lost keywords have no figures of their own, only their previous ones. */
const old = keywordOf('old lamp', figuresOf(0, 0, 0), { page: at('old'), previous: figuresOf(21, 210, 8) })

const competing = () =>
  competingOf(
    'oak lamp',
    {
      [at('oak')]: figuresOf(42, 420, 6),
      [at('lamps?wood=oak')]: figuresOf(14, 210, 9),
      [at('guide')]: figuresOf(0, 140, 12),
    },
    { previous: figuresOf(56, 770, 8) },
  )

/** Responds for all tabs. */
function answerTabs(desk: Desk): void {
  const scored: Keyword[] = odd.map((each) => ({ ...each, opportunityScore: 3.2 }))
  answerLists(desk, { keywords: [oak, ...scored] })
  keepBrand(desk, { terms: ['loom'], suggested: false })
  answerPanels(desk)
  desk.answer('GET /api/keywords', ({ query }) => {
    const presence = query.get('presence')
    return listed(presence === 'new' ? odd : presence === 'lost' ? [old] : [oak, ...odd], query)
  })
  desk.answer('GET /api/keywords/competing', [competing()])
}

describe('new and lost', () => {
  test('new are those shown in this period and not in the previous one, lost are the reverse; it says which days', async ({
    desk,
    open,
  }) => {
    answerTabs(desk)
    const page = await open(`${screen}?tab=movement`, wide)
    await expectVisible(page.getByText('Appeared in search results 10–16 Mar, but not 3–9 Mar.'))
    const rows = await rowsOf(page, 'New keywords')
    expect(new Set(rows.map(({ names }) => names[0]))).toEqual(new Set(Object.values(oddQueries)))
    expect(rows[0]?.cells).toEqual(['10.0', '7', '280', '2.50%'])

    await page.getByText('Lost', { exact: true }).click()
    await expectAddress(page, `${screen}?tab=movement&presence=lost`)
    await expectVisible(page.getByText('Appeared in search results 3–9 Mar, but not 10–16 Mar. Metrics are from 3–9 Mar.'))
    await expect
      .poll(() => rowsOf(page, 'Lost keywords'))
      .toEqual([{ names: ['old lamp', at('old')], shown: 'old lamp', cells: ['8.0', '21', '210', '10.00%'] }])
    await expectVisible(page.getByText('Total: 21 clicks, 3–9 Mar 2026.'))
    await expect.poll(() => desk.asked('GET /api/keywords').map(({ query }) => query.get('presence'))).toEqual(['new', 'lost'])
  })

  test('columns hidden in one list stay visible in the other', async ({ desk, open }) => {
    answerTabs(desk)
    const page = await open(`${screen}?tab=movement`, wide)
    const column = (list: string) => page.getByRole('table', { name: list }).getByRole('columnheader', { name: 'Impressions' })
    await expectVisible(column('New keywords'))
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Impressions' }).uncheck()
    await page.keyboard.press('Escape')
    await expectGone(column('New keywords'))
    await page.getByText('Lost', { exact: true }).click()
    await expectVisible(column('Lost keywords'))
  })

  test("lost keywords of other days are neither counted nor copied as these days'", async ({ desk, open }) => {
    answerTabs(desk)
    const lost = Array.from({ length: 230 }, (_, index) =>
      keywordOf(`lost ${index}`, figuresOf(0, 0, 0), { previous: figuresOf(1, 10, 4) }),
    )
    desk.answer('GET /api/keywords', ({ query }) => listed(lost, query))
    const page = await open(`${screen}?tab=movement&presence=lost`, wide)
    const region = page.getByRole('region', { name: 'Lost keywords' })
    await expectVisible(region.getByText('First 200 keywords: 200 clicks, 3–9 Mar 2026.'))
    const held = desk.hold('GET /api/keywords')
    await page.getByText('New', { exact: true }).click()
    const outdated = page.getByRole('region', { name: 'New keywords' })
    await expectVisible(outdated.getByText('First 200 new keywords'))
    await expectDisabled(outdated.getByRole('button', { name: 'Copy as CSV' }))
    await page.getByText('Lost', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Sort by' }).click()
    await page.getByRole('option', { name: 'Impressions' }).click()
    await expectVisible(region.getByText('First 200 lost keywords'))
    await expectGone(region.getByText(/200 clicks/))
    held.release()
    await expectVisible(region.getByText('First 200 keywords: 200 clicks, 3–9 Mar 2026.'))
  })

  test(
    'asks for a comparison if there is none, and says when nothing is stored to compare with',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerTabs(desk)
      desk.answer('GET /api/analytics/summary', ({ query }) =>
        query.get('compare') === 'year' ? summaryWithoutBefore(query) : summaryOf(query),
      )
      const page = await open(`${screen}?tab=movement&compare=none`, wide)
      await expectVisible(page.getByText('Choose a comparison'))
      await expectDisabled(page.getByRole('button', { name: 'Export' }))
      await page.getByRole('main').getByRole('button', { name: 'Same period last year' }).click()
      await expectVisible(
        page
          .getByRole('region', { name: /keywords$/ })
          .getByText('No keyword data is stored for 11–17 Mar 2025, so Ranklark can’t tell which keywords are new.'),
      )
      await page.getByRole('button', { name: 'Compare with previous period' }).click()
      await expect.poll(async () => (await rowsOf(page, 'New keywords')).length).toBe(5)
    },
  )
})

test(
  "Cannibalization lists keywords whose impressions several pages share, with each page's share",
  { tags: ['full'] },
  async ({ desk, open }) => {
    answerTabs(desk)
    const page = await open(`${screen}?tab=competing`, wide)
    const table = page.getByRole('table', { name: 'Keywords with competing pages' })
    await expectVisible(table)
    // A name that may be cut is there for screen readers, too, and in two parts.
    const text = async (row: Locator) =>
      (await row.innerText())
        .replaceAll('\n', '')
        .replace(/^(\S+)\1/, '$1')
        .replaceAll(/\s+/g, ' ')
        .replace('%of', '% of')
        .trim()
    expect(await Promise.all((await table.locator('tbody tr').all()).map(text))).toEqual([
      expect.stringMatching(/^oak lamp 350 at stake 770previously770Unchanged,0\.0% 56previously56Unchanged/),
      '/oak 55% of impressions 420 42 10.00% 6.0',
      '/lamps?wood=oak 27% of impressions 210 14 6.67% 9.0',
      '/guide 18% of impressions 140 0 0.00% 12.0',
    ])
    await table.getByRole('link', { name: at('guide') }).click()
    await expectVisible(page.getByRole('dialog', { name: at('guide') }))
  },
)

test(
  'Cannibalization is sorted by any column and by change, and its columns can be hidden and copied',
  { tags: ['full'] },
  async ({ desk, open }) => {
    answerTabs(desk)
    const page = await open(`${screen}?tab=competing`, wide)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const table = page.getByRole('table', { name: 'Keywords with competing pages' })
    const sorted = () => {
      const query = desk.asked('GET /api/keywords/competing').at(-1)?.query
      return [query?.get('sort'), query?.get('order')]
    }
    await expectVisible(table.locator('th[aria-sort=descending]').filter({ hasText: 'Share of impressions' }))
    expect(sorted()).toEqual(['atStake', 'desc'])
    for (const [button, sort, order] of [
      ['Change in Impressions', 'impressionsChange', 'desc'],
      ['Position', 'position', 'asc'],
      ['Keyword and its pages', 'query', 'asc'],
    ] as const) {
      await table.getByRole('button', { name: button, exact: true }).click()
      await expectAddress(page, `${screen}?tab=competing&sort=${sort}`)
      await expect.poll(sorted).toEqual([sort, order])
    }

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'CTR' }).uncheck()
    await page.keyboard.press('Escape')
    await expectCount(table.getByRole('columnheader', { name: 'CTR' }), 0)
    await page.getByRole('button', { name: 'Copy as CSV' }).click()
    const copied = async () => readCsv(await page.evaluate(() => navigator.clipboard.readText()))
    await expect
      .poll(async () => (await copied()).slice(0, 3))
      .toEqual([
        ['Keyword', 'Page', 'Impressions at stake', 'Share of impressions', 'Impressions', 'Clicks', 'Position'],
        ['oak lamp', '', '350', '', '770', '56', '8'],
        ['oak lamp', at('oak'), '', expect.stringMatching(/^0\.545/), '420', '42', '6'],
      ])
  },
)

test('whatever people searched for is text', { tags: ['full'] }, async ({ desk, open }) => {
  answerTabs(desk)
  const page = await open(`${screen}?tab=analysis`, wide)
  const shown = new Set(await namesOf(page, 'Keyword Analysis'))
  for (const query of Object.values(oddQueries)) {
    expect(shown).toContain(query)
    await expectVisible(page.getByRole('table').getByText(query, { exact: true }))
  }
  await expectCount(page.locator('main img'), 0)
  await expectWithinWindow(page)
  await page.getByRole('link', { name: oddQueries.markup, exact: true }).click()
  await expectVisible(page.getByRole('dialog', { name: oddQueries.markup }))
  await expectCount(page.locator('dialog img, [role=dialog] img'), 0)
})

test('arrow keys move between the tabs, which scroll on a phone', { tags: ['full'] }, async ({ desk, open }) => {
  answerTabs(desk)
  const page = await open(screen, { width: 375, height: 812, touch: true })
  await page.getByRole('tab', { name: 'Optimization Opportunities' }).focus()
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
  const last = page.getByRole('tab', { name: 'Brand' })
  await expectFocused(last)
  await page.keyboard.press('Enter')
  await expectAddress(page, `${screen}?tab=brand`)
  const inSight = () => last.evaluate((tab) => tab.getBoundingClientRect().right <= window.innerWidth)
  await expect.poll(inSight).toBe(true)
  await page.reload()
  await expect.poll(inSight).toBe(true)
  await expectWithinWindow(page)
})

const isThere = async (page: Page) => {
  await expectVisible(page.getByRole('main').getByRole('table'))
  await expectText(page.getByRole('tab', { selected: true }), /./)
  await expectGone(page.locator('[aria-busy=true]'))
}

test.for(['opportunities', 'analysis', 'movement', 'competing', 'brand'])(
  '%s: accessible, in either theme, on a desktop or on a phone',
  { tags: ['full'] },
  async (tab, { desk, open }) => {
    answerTabs(desk)
    const page = await open(`${screen}?tab=${tab}`, { ...wide, theme: 'light' })
    await isThere(page)
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
