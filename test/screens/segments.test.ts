import type { Page } from 'playwright-core'
import { readFilters } from '../../src/contract/explore/explore.ts'
import type { Saved } from '../../src/contract/explore/saved.ts'
import { choose, namesOf, wide } from '../support/analytics-screens.ts'
import { answerLists, daysOf, figuresOf, manyKeywords, manyPages } from '../support/answers/analytics.ts'
import type { Desk } from '../support/answers/desk.ts'
import { historyFrom } from '../support/answers/history.ts'
import { completeThrough, shop } from '../support/answers/usual.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { expectAddress, expectAttribute, expectCount, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// A segment saved in the explorer narrows the lists of pages and keywords, and the insights built from them.

const saved: readonly Saved[] = [
  { id: '7', kind: 'segment', name: 'Lamps', content: 'page contains lamps/1' },
  { id: '8', kind: 'segment', name: 'Phones', content: 'device is MOBILE' },
  { id: '9', kind: 'view', name: 'Weeks', content: 'by=date' },
]

/** Lists narrowed as on the server. */
function narrows(desk: Desk): void {
  desk.answer('GET /api/explore/saved', [...saved])
  answerLists(desk, { pages: manyPages, keywords: manyKeywords })
  const [{ value } = { value: '' }] = readFilters(saved[0]!.content).filters
  desk.answer('GET /api/pages', ({ query }) => manyPages.filter(({ page }) => query.get('segment') !== '7' || page.includes(value)))
  desk.answer('GET /api/keywords', ({ query }) => (query.get('segment') === '7' ? manyKeywords.slice(0, 5) : [...manyKeywords]))
}

async function isDisabled(page: Page, option: string): Promise<boolean> {
  await page.getByRole('combobox', { name: 'Segment', exact: true }).click()
  const disabled = (await page.getByRole('option', { name: option, exact: true }).getAttribute('aria-disabled')) === 'true'
  await page.keyboard.press('Escape')
  return disabled
}

test('pages of a segment: in the URL, in the list and on every tab', { tags: ['full'] }, async ({ desk, open }) => {
  narrows(desk)
  const page = await open('/page-analytics', wide)
  await choose(page, page, 'Segment', 'Lamps')
  await expectAddress(page, '/page-analytics?segment=7')
  await expect.poll(() => namesOf(page, 'Pages')).toEqual(manyPages.map((row) => row.page).filter((name) => name.includes('lamps/1')))
  expect(await isDisabled(page, 'Phones')).toBe(true)
  await expectCount(page.getByRole('option', { name: 'Weeks' }), 0)
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Performance Insights' }).click()
  await expectAddress(page, '/page-analytics?segment=7&tab=insights')
  await expectVisible(page.getByText('High Opportunity Pages'))
  expect(desk.asked('GET /api/pages').at(-1)?.query.get('segment')).toBe('7')
  desk.refuse('GET /api/pages/decay', 400, {
    message: 'Content decay can’t use a segment that filters by clicks. Choose another segment.',
    field: 'segment',
  })
  await page.getByRole('tab', { name: 'Content decay' }).click()
  await expectVisible(page.getByText('Content decay can’t use a segment that filters by clicks. Choose another segment.', { exact: false }))
  expect(desk.asked('GET /api/pages/decay').at(-1)?.query.get('segment')).toBe('7')

  await choose(page, page, 'Segment', 'All pages')
  await expectAddress(page, '/page-analytics?tab=decay')
})

test('keywords of a segment, and back to all keywords if none are left', async ({ desk, open }) => {
  narrows(desk)
  const page = await open('/keyword-opportunities?tab=analysis', wide)
  await choose(page, page, 'Segment', 'Lamps')
  await expectAddress(page, '/keyword-opportunities?tab=analysis&segment=7')
  await expect.poll(async () => (await namesOf(page, 'Keyword Analysis')).length).toBe(5)
  desk.answer('GET /api/keywords', [])
  await page.reload()
  await page.getByRole('button', { name: 'Show all keywords' }).click()
  await expectAddress(page, '/keyword-opportunities?tab=analysis')
})

test('insights of a segment; tabs about the whole site say so', { tags: ['full'] }, async ({ desk, open }) => {
  narrows(desk)
  const page = await open('/insights', wide)
  await choose(page, page, 'Segment', 'Lamps')
  await expectAddress(page, '/insights?segment=7')
  for (const list of ['GET /api/pages', 'GET /api/keywords', 'GET /api/keywords/opportunities'] as const)
    await expect.poll(() => desk.asked(list).at(-1)?.query.get('segment')).toBe('7')
  // Each card of the tab, also the one about keywords below position 20.
  const gaps = () => desk.asked('GET /api/keywords').filter(({ query }) => query.has('positionMin'))
  await expect.poll(() => gaps().map(({ query }) => query.get('segment'))).toEqual([null, '7'])
  const note = page.getByText('This tab covers the whole site, not just the segment.')
  await expectCount(note, 0)
  await page.getByRole('tab', { name: 'Smart Monitoring' }).click()
  await expectVisible(note)
})

test('insights of a segment: its trends by day, unless the segment filters by a metric', async ({ desk, open }) => {
  narrows(desk)
  desk.answer('GET /api/explore/saved', [...saved, { id: '6', kind: 'segment', name: 'Seen often', content: 'impressions from 100' }])
  desk.answer('GET /api/analytics/history', ({ query }) => historyFrom(query, { property: shop, completeThrough, days: 487 }))
  desk.answer('GET /api/analytics/days', ({ query }) => daysOf(query, figuresOf(1_234, 50_000, 3)))
  const page = await open('/insights?tab=trends&segment=7&range=28d&compare=year', wide)
  const days = page.getByRole('figure', { name: 'Clicks', exact: true }).getByRole('slider')
  await expectAttribute(days, 'aria-valuetext', /^Mon 16 Mar 2026: /)
  expect(Object.fromEntries(desk.asked('GET /api/analytics/history').at(-1)?.query ?? [])).toEqual({
    property: shop,
    segment: '7',
    range: '28d',
    compare: 'year',
    grain: 'day',
  })
  expect(desk.asked('GET /api/analytics/days')).toEqual([])
  const note = page.getByText('This tab covers the whole site, not just the segment.')
  await expectCount(note, 0)

  await page.goto('/insights?tab=trends&segment=6&range=28d')
  await expectVisible(note)
  await expectAttribute(days, 'aria-valuetext', /Clicks 1,234/)
})

test('the panel of a page or keyword says that the segment is not applied in it', { tags: ['full'] }, async ({ desk, open }) => {
  narrows(desk)
  desk.answer('GET /api/analytics/days', ({ query }) => daysOf(query, figuresOf(200, 2_000, 4)))
  desk.answer('GET /api/pages/keywords', [])
  desk.answer('GET /api/keywords/pages', [])
  const note = 'Metrics for this page without the segment applied.'
  const page = await open('/page-analytics?segment=7', wide)
  await page.getByRole('table', { name: 'Pages' }).getByRole('link').first().click()
  await expectVisible(page.getByRole('dialog').getByText(note, { exact: true }))
  await page.goto('/page-analytics')
  await page.getByRole('table', { name: 'Pages' }).getByRole('link').first().click()
  await expectVisible(page.getByRole('dialog').getByRole('figure'))
  await expectCount(page.getByText(note), 0)
  await page.goto('/keyword-opportunities?tab=analysis&segment=7')
  await page.getByRole('table', { name: 'Keyword Analysis' }).getByRole('link').first().click()
  await expectVisible(page.getByText('Metrics for this keyword without the segment applied.', { exact: true }))
})

test('with no saved segments, the list says where to create them', { tags: ['full'] }, async ({ desk, open }) => {
  narrows(desk)
  desk.answer('GET /api/explore/saved', [])
  const page = await open('/page-analytics', wide)
  await expectVisible(page.getByRole('table', { name: 'Pages' }))
  expect(await isDisabled(page, 'Save filters as segments in Explore')).toBe(true)
})

test.for([375, 768, 1_024])('nothing is cut off at %s px', { tags: ['full'] }, async (width, { desk, open }) => {
  narrows(desk)
  for (const address of ['/page-analytics?segment=7', '/keyword-opportunities?segment=7', '/insights?segment=7']) {
    const page = await open(address, { width })
    await expectVisible(page.getByRole('combobox', { name: 'Segment', exact: true }))
    await expectWithinWindow(page)
  }
})

test('the dashboard of a deleted segment says so instead of asking to authenticate, and leads to the whole site', async ({
  desk,
  open,
}) => {
  narrows(desk)
  desk.refuse('GET /api/metrics', 404, { message: 'This segment doesn’t exist.', field: 'segment' })
  const page = await open('/dashboard?segment=70&range=28d', wide)
  await expectVisible(page.getByRole('alert').getByRole('heading', { name: 'This segment doesn’t exist.', exact: true }))
  await expectCount(page.getByText('Please authenticate'), 0)
  await page.getByRole('button', { name: 'Show the whole site' }).click()
  await expectAddress(page, '/dashboard?range=28d')
})
