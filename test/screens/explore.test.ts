import type { Page } from 'playwright-core'
import { choose, chooseLonger, wide } from '../support/analytics-screens.ts'
import { newSaved, type Saved, savedChange } from '../../src/contract/explore/saved.ts'
import type { Desk } from '../support/answers/desk.ts'
import { exploredFrom } from '../support/answers/explore.ts'
import { historyFrom } from '../support/answers/history.ts'
import { completeThrough, shop } from '../support/answers/usual.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectGone,
  expectText,
  expectToast,
  expectVisible,
} from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// All stored figures by any of their dimensions.

const explores = (desk: Desk): void => {
  desk.answer('GET /api/explore', ({ query }) => exploredFrom(query))
  keeps(desk)
  desk.answer('GET /api/brand', { terms: ['lumen'], suggested: true })
}
/** Segments and views, stored as on the server. */
function keeps(desk: Desk, ...first: Saved[]): void {
  let saved = first
  desk.answer('GET /api/explore/saved', () => saved)
  desk.answer('POST /api/explore/saved', ({ body }) => {
    const added = { ...newSaved.parse(body), id: String(saved.length + 1) }
    saved = [...saved, added]
    return added
  })
  desk.answer('PATCH /api/explore/saved/:id', ({ params, body }) => {
    const { name } = savedChange.parse(body)
    saved = saved.map((each) => (each.id === params['id'] ? { ...each, name } : each))
    return saved.find(({ id }) => id === params['id'])!
  })
  desk.answer('DELETE /api/explore/saved/:id', ({ params }) => {
    saved = saved.filter(({ id }) => id !== params['id'])
    return null
  })
}
const of = `property=${encodeURIComponent(shop)}`
const firstName = (page: Page) => page.getByRole('table').getByRole('rowheader').first().getByRole('link').first()

test("it starts with the queries of 7 days, their totals, and what isn't in any row", async ({ desk, open }) => {
  explores(desk)
  const page = await open('/explore', wide)
  await expectText(firstName(page), 'oak table lamp 0')
  await expectVisible(
    page.getByText('10–16 Mar 2026 vs 3–9 Mar 2026', { exact: true }),
    page.getByText('22% of clicks (550,000) and 38% of impressions (30,000,000) are from anonymized queries and aren’t in this table.', {
      exact: true,
    }),
    page.getByText(/^\d+% of the site’s 2,500,000$/),
  )
  await expectAddress(page, `/explore?${of}`)
  await expectAccessible(page)
})

test('the panel of a row shows the same days as the explorer, and changes both', { tags: ['full'] }, async ({ desk, open }) => {
  explores(desk)
  desk.answer('GET /api/analytics/days', null)
  desk.answer('GET /api/keywords/pages', [])
  desk.answer('GET /api/analytics/summary', null)
  const page = await open('/explore', wide)
  await page
    .getByRole('link', { name: /^Details/ })
    .first()
    .click()
  const panel = page.getByRole('dialog')
  await expectText(panel.getByRole('combobox', { name: 'Time Range' }), 'Last 7 days')
  const asked = () => [
    desk.asked('GET /api/explore').at(-1)?.query.get('range'),
    desk.asked('GET /api/analytics/days').at(-1)?.query.get('days'),
  ]
  await expect.poll(asked).toEqual(['7d', '7'])
  await choose(panel, page, 'Time Range', 'Last 28 days')
  await expect.poll(asked).toEqual(['28d', '28'])
  await choose(panel, page, 'Time Range', 'Last 7 days')
  await expectText(panel.getByRole('combobox', { name: 'Time Range' }), 'Last 7 days')
  await page.keyboard.press('Escape')
  await expectAddress(page, `/explore?${of}&range=7d`)
  await expectVisible(page.getByText('10–16 Mar 2026 vs 3–9 Mar 2026', { exact: true }))
})

test('all choices are in the URL, so a reload or a link shows the same', { tags: ['full'] }, async ({ desk, open }) => {
  explores(desk)
  const page = await open('/explore', wide)
  await chooseLonger(page, 'Last 16 months')
  await choose(page, page, 'Compare', 'vs previous year')
  await choose(page, page, 'Group by', 'By page')
  await page.getByRole('button', { name: 'Add filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  await choose(dialog, page, 'Filter by', 'Page')
  await choose(dialog, page, 'Condition', 'doesn’t contain')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('/blog/')
  await dialog.getByRole('button', { name: 'Add filter' }).click()
  const chip = page.getByRole('button', { name: 'Edit filter: Page doesn’t contain “/blog/”' })
  await expectVisible(chip)
  const address = `/explore?${of}&range=16m&compare=year&by=page&where=page+not+contains+%2Fblog%2F`
  await expectAddress(page, address)
  await page.reload()
  await expectVisible(chip)
  const second = await open(address, wide)
  await expectText(second.getByRole('combobox', { name: 'Time Range' }), 'Last 16 months')
  await expectAttribute(firstName(second), 'title', 'https://lumenandloom.example/lamps/table-lamps/oak-table-lamp-number-0')
  const [asked] = desk.asked('GET /api/explore').slice(-1)
  expect(Object.fromEntries(asked!.query)).toMatchObject({
    property: shop,
    range: '16m',
    compare: 'year',
    by: 'page',
    where: 'page not contains /blog/',
  })
  await page.getByRole('button', { name: 'Remove filter: Page doesn’t contain “/blog/”' }).click()
  await expectAddress(page, `/explore?${of}&range=16m&compare=year&by=page`)
})

for (const [tags, rows] of [
  [[], [['week', '16 Mar 2026', '9–15 Mar 2026', '17–22 Feb 2026']]],
  [['full'], [['month', '1–16 Mar 2026', null, '17–28 Feb 2026']]],
] as const)
  test.for([...rows])(
    'by %s, only rows with missing days are marked incomplete',
    { tags: [...tags] },
    async ([grain, last, whole, first], { desk, open }) => {
      explores(desk)
      const page = await open(`/explore?by=date&grain=${grain}&range=28d`, wide)
      const row = (days: string) => page.getByRole('rowheader').filter({ has: page.getByText(days, { exact: true }) })
      for (const days of [last, first]) await expectVisible(row(days).getByText('incomplete', { exact: true }))
      if (whole !== null) {
        await expectVisible(row(whole))
        await expectCount(row(whole).getByText('incomplete', { exact: true }), 0)
      }
    },
  )

for (const [width, theme] of [
  [1_440, 'light'],
  [375, 'dark'],
] as const)
  test(
    `by date, a chart shows the rows and what they are compared with, ${width} pixels wide`,
    { tags: ['full'] },
    async ({ desk, open }) => {
      explores(desk)
      desk.answer('GET /api/explore/history', ({ query }) => {
        const days = new URLSearchParams([...query].filter(([name]) => ['range', 'compare', 'grain'].includes(name)))
        return { ...historyFrom(days, { property: shop, completeThrough, days: 487 }), expectedClicks: [] }
      })
      const page = await open(`/explore?${of}&range=3m&compare=year&grain=week&by=date`, { width, theme })
      const chart = page.getByRole('figure', { name: 'Clicks and Impressions by week', exact: true })
      await expectVisible(chart)
      const metrics = page.getByRole('group', { name: 'Metrics in the chart' })
      await metrics.getByRole('button', { name: 'CTR', exact: true }).click()
      await metrics.getByRole('button', { name: 'Impressions', exact: true }).click()
      await expectAddress(page, `/explore?${of}&range=3m&compare=year&grain=week&by=date&metrics=clicks%2Cctr`)
      await page.getByRole('button', { name: 'Show as table: Clicks and CTR by week' }).click()
      const heads = page.getByRole('table', { name: 'Clicks and CTR by week' }).getByRole('columnheader')
      await expectVisible(heads.filter({ hasText: 'Clicks' }).nth(1))
      await page.keyboard.press('Escape')
      await page.goto(`/explore?${of}&range=3m&by=date&sort=clicks&where=clicks+from+10`)
      await expectVisible(page.getByText('The lines leave out days that don’t match the filters.', { exact: false }))
      expect(desk.asked('GET /api/explore/history').at(-1)?.query.get('where')).toBe('clicks from 10')
      await expectWithinWindow(page)
      await expectAccessible(page)
      await choose(page, page, 'Group by', 'By page')
      await expectGone(metrics)
    },
  )

test("combinations without stored figures aren't offered; another search type keeps what it supports", async ({ desk, open }) => {
  explores(desk)
  const page = await open(`/explore?${of}&where=query+contains+lamp`, wide)
  await page.getByRole('combobox', { name: 'Group by' }).click()
  const option = (name: string) => page.getByRole('option', { name, exact: true })
  expect(await option('By country').getAttribute('aria-disabled')).toBe('true')
  expect(await option('By folder').getAttribute('aria-disabled')).toBeNull()
  await page.keyboard.press('Escape')
  await choose(page, page, 'Search type', 'Discover')
  await expectAddress(page, `/explore?${of}&type=discover&by=page`)
  await expectGone(page.getByText('Position', { exact: true }))
  await expectVisible(page.getByText('Impressions').first())
})

const edges = {
  // Web search's impressions, and its job listings, before and after.
  april: { period: { start: '2026-04-28', end: '2026-05-04' }, compared: { start: '2026-04-21', end: '2026-04-27' } },
  // Discover's clicks and impressions of 13 August were not fully logged.
  august: { period: { start: '2026-08-11', end: '2026-08-17' }, compared: { start: '2026-08-04', end: '2026-08-10' } },
}
for (const [tags, rows] of [
  [[], [['april', 'web', 'Up', 'not comparable']]],
  [
    ['full'],
    [
      ['april', 'discover', 'Up', 'Up'],
      ['august', 'web', 'Up', 'Up'],
      ['august', 'discover', 'not comparable', 'not comparable'],
    ],
  ],
] as const)
  test.for([...rows])(
    'across the counting change in %s, figures for %s are compared only where Google counted that type the same way',
    { tags: [...tags] },
    async (row, { desk, open }) => {
      const [edge, type, clicks, impressions] = row
      explores(desk)
      desk.answer('GET /api/explore', ({ query }) => ({ ...exploredFrom(query), ...edges[edge] }))
      const page = await open(`/explore?${of}&type=${type}&by=page&compare=previous`, wide)
      const totals = page.getByLabel('Totals')
      await expectText(totals, new RegExp(`Clicks ?[\\d,]+ ?previously [\\d,]+ ?${clicks}`))
      await expectText(totals, new RegExp(`Impressions ?[\\d,]+ ?previously [\\d,]+ ?${impressions}`))
    },
  )

test('a search appearance that Google overcounted is not compared, and others are', { tags: ['full'] }, async ({ desk, open }) => {
  explores(desk)
  const overcounted = { period: { start: '2024-05-22', end: '2024-05-28' }, compared: { start: '2024-05-08', end: '2024-05-14' } }
  desk.answer('GET /api/explore', ({ query }) => ({ ...exploredFrom(query), ...overcounted }))
  const page = await open(`/explore?${of}&by=search_appearance&compare=previous`, wide)
  const clicksOf = (row: number) => page.getByRole('table').getByRole('row').nth(row).getByRole('cell').first()
  await expectText(clicksOf(1), /not comparable/)
  await expectText(clicksOf(2), /Up/)
})

test(
  'search appearances have plain names, the totals of the site, and lead to the days of one',
  { tags: ['full'] },
  async ({ desk, open }) => {
    explores(desk)
    const page = await open(`/explore?${of}&range=3m`, wide)
    await choose(page, page, 'Group by', 'By search appearance')
    await expectAddress(page, `/explore?${of}&range=3m&by=search_appearance`)
    await expectText(firstName(page), 'Product snippets')
    await expectVisible(
      page.getByText('Videos'),
      page.getByText('SOMETHING_NEW'),
      page.getByText('These totals are for the whole site', { exact: false }),
    )
    await firstName(page).click()
    await expectAddress(page, `/explore?${of}&range=3m&by=date&where=search_appearance+is+PRODUCT_SNIPPETS&sort=name`)
    await expectVisible(page.getByRole('button', { name: 'Edit filter: Search appearance is Product snippets' }))
  },
)

test('a row leads to its own details for the same days', async ({ desk, open }) => {
  explores(desk)
  const page = await open(`/explore?${of}&range=3m`, wide)
  await firstName(page).click()
  await expectAddress(page, `/explore?${of}&range=3m&by=page&where=query+is+oak+table+lamp+0`)
  // Cut in the middle, but one word for screen readers.
  await expectVisible(page.getByRole('link', { name: '/lamps/table-lamps/oak-table-lamp-number-0', exact: true }))
  await firstName(page).click()
  await expectVisible(
    page.getByRole('button', { name: /^Edit filter: Page is/ }),
    page.getByRole('button', { name: /^Edit filter: Keyword is/ }),
  )
  await page.goBack()
  await page.goBack()
  await expectAddress(page, `/explore?${of}&range=3m`)
})

test('an invalid filter is refused with a message, in the dialog and by the server', async ({ desk, open }) => {
  explores(desk)
  const page = await open(`/explore?${of}`, wide)
  await page.getByRole('button', { name: 'Add filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  await dialog.getByRole('button', { name: 'Add filter' }).click()
  await expectVisible(dialog.getByText('The keyword filter needs a value.'))
  await choose(dialog, page, 'Filter by', 'Clicks')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('many')
  await dialog.getByRole('button', { name: 'Add filter' }).click()
  await expectVisible(dialog.getByText('The clicks filter needs a number, 0 or higher.'))
  await page.keyboard.press('Escape')

  desk.refuse('GET /api/explore', 400, { message: 'The keyword filter is not a valid regular expression (RE2 syntax)', field: 'where' })
  const linked = await open(`/explore?${of}&where=query+matches+(`, wide)
  await expectVisible(
    linked.getByText('The keyword filter is not a valid regular expression (RE2 syntax)', { exact: false }),
    linked.getByRole('button', { name: 'Edit filter: Keyword matches regex “(”' }),
  )
})

test(
  'a link with filters that can’t be used says so, and shows nothing until they are removed',
  { tags: ['full'] },
  async ({ desk, open }) => {
    const message = 'The page filter can have up to 1,000 characters'
    explores(desk)
    desk.refuse('GET /api/explore', 400, { message, field: 'where' })
    const page = await open(`/explore?${of}&where=query+is+lamp%0Apage+contains+${'a'.repeat(1_001)}`, wide)
    await expectVisible(page.getByText(message, { exact: false }))
    expect(desk.asked('GET /api/explore').at(-1)?.query.get('where')).toContain('page contains')
    explores(desk)
    await page.getByRole('button', { name: 'Remove invalid filters' }).click()
    await expectAddress(page, `/explore?${of}&where=query+is+lamp`)
    await expectVisible(firstName(page))
  },
)

test('by device, the first filter offered is of a device, and can be added as it is', { tags: ['full'] }, async ({ desk, open }) => {
  explores(desk)
  const page = await open(`/explore?${of}&by=device`, wide)
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('dialog', { name: 'Add filter' }).getByRole('button', { name: 'Add filter' }).click()
  await expectAddress(page, `/explore?${of}&by=device&where=device+is+MOBILE`)
})

test('an empty property, and an empty result, say so', async ({ desk, open }) => {
  desk.answer('GET /api/explore', null)
  keeps(desk)
  desk.answer('GET /api/brand', null)
  await expectVisible((await open(`/explore?${of}&type=news`, wide)).getByText('This property has no data for the “News” search type.'))
  desk.answer('GET /api/explore', ({ query }) => exploredFrom(query, 0))
  const page = await open(`/explore?${of}&where=query+is+x`, wide)
  await expectVisible(page.getByText('No keywords match these filters in this period.'))
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expectAddress(page, `/explore?${of}`)
  await page.goto(`/explore?${of}&segment=7`)
  await expectVisible(page.getByText('No keywords match this segment in this period.'))
  await page.getByRole('button', { name: 'Remove segment', exact: true }).click()
  await expectAddress(page, `/explore?${of}`)
  await expectVisible(page.getByText('No keywords had impressions in this period.'))
})

test('compared days without impressions had neither a CTR nor a position', async ({ desk, open }) => {
  explores(desk)
  const previous = { clicks: 0, impressions: 0, ctr: 0, position: 0 }
  desk.answer('GET /api/explore', ({ query }) => {
    const explored = exploredFrom(query)
    return { ...explored, totals: { ...explored.totals, previous }, rows: explored.rows.map((row) => ({ ...row, previous })) }
  })
  const page = await open('/explore?by=date', wide)
  const [row, totals] = [page.getByRole('table').getByRole('row').nth(1), page.getByLabel('Totals')]
  for (const place of [row, totals]) {
    await expectVisible(place.getByText('previously 0', { exact: true }).first())
    await expectCount(place.getByText('previously –', { exact: true }), 2)
    await expectCount(place.getByText('0.00%'), 0)
  }
})

test("days that aren't stored aren't days without impressions", async ({ desk, open }) => {
  keeps(desk)
  desk.answer('GET /api/brand', null)
  const period = { start: '2020-01-01', end: '2020-01-31' }
  desk.answer('GET /api/explore', ({ query }) => ({ ...exploredFrom(query, 0), period, compared: null, missingDays: 31 }))
  const page = await open(`/explore?${of}&range=2020-01-01_2020-01-31`, wide)
  await expectVisible(
    page.getByRole('heading', { name: 'No data for these days' }),
    page.getByText(/^These days aren’t stored\. Data is available for/),
  )
  await expectGone(page.getByText('had impressions in this period'))
  await expectGone(page.getByRole('term').filter({ hasText: 'Clicks' }))
})

test.for([375, 768, 1_024])('nothing is cut off at %s px', { tags: ['full'] }, async (width, { desk, open }) => {
  explores(desk)
  const page = await open(`/explore?${of}&where=page+contains+${'lamps'.repeat(20)}`, { width })
  await expectVisible(page.getByText('oak table lamp 0').first())
  await expectWithinWindow(page)
})

const menu = async (page: Page, button: string, item: string) => {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('filters become a segment, which can then be applied to any view', { tags: ['full'] }, async ({ desk, open }) => {
  explores(desk)
  const page = await open(`/explore?${of}&where=query+contains+lamp`, wide)
  await menu(page, 'Segments', 'Save filters as segment…')
  await page.getByRole('textbox', { name: 'Segment name' }).fill('Lamps')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectAddress(page, `/explore?${of}&segment=1`)
  await expectVisible(page.getByRole('button', { name: 'Segment: Lamps' }))
  expect(desk.asked('GET /api/explore').at(-1)?.query.get('segment')).toBe('1')
  // Its queries aren't known by country.
  await page.getByRole('combobox', { name: 'Group by' }).click()
  expect(await page.getByRole('option', { name: 'By country', exact: true }).getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove segment: Lamps' }).click()
  await expectAddress(page, `/explore?${of}`)
  await menu(page, 'Segments', 'Lamps')
  await expectAddress(page, `/explore?${of}&segment=1`)
  await page.goto(`/explore?${of}&by=country`)
  await page.getByRole('button', { name: 'Segments', exact: true }).click()
  await expectAttribute(page.getByRole('menuitem', { name: 'Lamps', exact: true }), 'aria-disabled', 'true')
})

test('filters next to a segment whose own filters are unknown are not saved as a segment without those', async ({ desk, open }) => {
  explores(desk)
  keeps(desk, { id: '7', kind: 'segment', name: 'Lamps', content: 'query contains lamp' })
  const path = `/explore?${of}&segment=7&where=query+contains+oak`
  const page = await open(path, wide)
  const entry = page.getByRole('menuitem', { name: 'Save filters as segment…', exact: true })
  await page.getByRole('button', { name: 'Segment: Lamps', exact: true }).click()
  await expectVisible(entry)
  desk.refuse('GET /api/explore/saved', 500)
  await page.goto(path)
  await page.getByRole('button', { name: 'Segment: Unknown segment', exact: true }).click()
  await expectVisible(page.getByRole('menu'))
  await expectCount(entry, 0)
})

test('a view is saved, opened, renamed and deleted', async ({ desk, open }) => {
  explores(desk)
  const address = `/explore?${of}&range=16m&compare=year&grain=week&by=date&sort=name`
  const page = await open(address, wide)
  await menu(page, 'Views', 'Save this view…')
  await page.getByRole('textbox', { name: 'View name' }).fill('Weeks')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'success', 'View Saved', 'Weeks')
  const second = await open('/explore', wide)
  await menu(second, 'Views', 'Weeks')
  await expectAddress(second, address)
  await expectVisible(second.getByRole('table').getByRole('rowheader').first())

  await menu(second, 'Views', 'Manage views…')
  const dialog = second.getByRole('dialog', { name: 'Views' })
  await dialog.getByRole('button', { name: 'Rename Weeks' }).click()
  await dialog.getByRole('textbox', { name: 'New name' }).fill('By week')
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete By week' }).click()
  await expectVisible(dialog.getByText('Nothing saved yet. Use the menu to save the current filters or view.'))
})
