// SPEC §2, "Keyword Opportunities", with §4 (priority) and §9 (limits). Other tabs and filters: ../keyword-opportunities.
import type { Page } from 'playwright-core'
import { choose, optionsOf, rowsOf, wide } from '../../support/analytics-screens.ts'
import { answerLists } from '../../support/answers/analytics.ts'
import { answerFound, found } from '../../support/answers/found.ts'
import { shop } from '../../support/answers/usual.ts'
import { expectAttribute, expectText, expectVisible } from '../../support/browser-expect.ts'
import { expect, test } from '../../support/screen-test.ts'

const screen = '/keyword-opportunities'
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const filter = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const rows = (page: Page, caption: string) => page.getByRole('table', { name: caption }).locator('tbody').getByRole('row')

test('position range, time range and sort, with their defaults', async ({ desk, open }) => {
  answerFound(desk)
  const page = await open(screen, wide)
  await expectText(filter(page, 'Position Range'), 'Positions 5-15')
  expect(await optionsOf(page, 'Position Range')).toEqual(['Positions 5-15', 'Positions 11-20', 'All positions'])
  await expectText(filter(page, 'Time Range'), 'Last 7 days')
  expect(await optionsOf(page, 'Time Range')).toEqual(['Last 7 days', 'Last 28 days', 'Last 90 days'])
  await expectText(filter(page, 'Sort By'), 'Opportunity Score')
  expect(await optionsOf(page, 'Sort By')).toEqual(['Opportunity Score', 'Impressions', 'Position', 'Clicks'])

  const first = () => rows(page, 'Optimization Opportunities').first().getByRole('rowheader')
  await expectText(first(), /^floor lamp/)
  await choose(page, page, 'Sort By', 'Clicks')
  await expectText(first(), /^reading lamp for a small desk/)
  await choose(page, page, 'Position Range', 'Positions 11-20')
  await expectText(first(), /^floor lamp/)
})

test('each row shows its priority by its score; another time range is requested immediately', async ({ desk, open }) => {
  answerFound(desk)
  const page = await open(screen, wide)
  await expectVisible(rows(page, 'Optimization Opportunities'))
  const columns = await page.getByRole('columnheader').allInnerTexts()
  const [scoreAt, priorityAt] = ['Score', 'Priority'].map((name) => columns.findIndex((text) => text.trim() === name))
  const shown = await rows(page, 'Optimization Opportunities').evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent)),
  )
  for (const cells of shown) {
    const score = Number(cells[scoreAt ?? -1])
    expect(cells[priorityAt ?? -1]).toBe(score >= 20 ? 'High' : score >= 10 ? 'Medium' : 'Low')
  }
  expect(new Set(shown.map((cells) => cells[priorityAt ?? -1]))).toEqual(new Set(['High', 'Medium', 'Low']))

  await choose(page, page, 'Time Range', 'Last 28 days')
  await expect
    .poll(() => desk.asked('GET /api/keywords/opportunities').map(({ query }) => Object.fromEntries(query)))
    .toMatchObject([{ days: '7' }, { property: shop, days: '28', positionMin: '5', positionMax: '15' }])
})

test('two tabs: 100 opportunities and 200 keywords are requested, and all of them can be reached', async ({ desk, open }) => {
  answerFound(desk)
  const page = await open(screen, wide)
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Keyword Opportunities', exact: true }))
  await expectAttribute(tab(page, 'Optimization Opportunities'), 'aria-selected', 'true')
  await expectVisible(rows(page, 'Optimization Opportunities'))
  await tab(page, 'Keyword Analysis').click()
  expect(await rowsOf(page, 'Keyword Analysis')).toHaveLength(found.length)
  await tab(page, 'Optimization Opportunities').click()
  // All but the one that has nothing to gain, the one beyond position 15, and the one at position 18.
  expect(await rowsOf(page, 'Optimization Opportunities')).toHaveLength(found.length - 3)
  expect(found.length).toBeGreaterThan(100)
  const limits = (['GET /api/keywords/opportunities', 'GET /api/keywords'] as const).map((route) =>
    desk.asked(route).map(({ query }) => [query.get('limit'), query.get('offset')]),
  )
  expect(limits[0]).toEqual([
    ['100', null],
    ['100', '100'],
  ])
  expect(limits[1]).toEqual([['200', null]])
})

test('without keywords both tabs say so', async ({ desk, open }) => {
  answerLists(desk, {})
  const page = await open(screen)
  await expectVisible(page.getByText('No optimization opportunities found. Try adjusting your filters.', { exact: true }))
  await tab(page, 'Keyword Analysis').click()
  await expectVisible(page.getByText('No keyword data available. Please ensure your Google Search Console is connected.', { exact: true }))
})
