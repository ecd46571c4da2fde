import { choose } from '../support/analytics-screens.ts'
import { at, figuresOf, keywordOf, pageOf } from '../support/answers/analytics.ts'
import type { Desk } from '../support/answers/desk.ts'
import { answerEveryScreen, blog, clinic, demoOf } from '../support/answers/shell.ts'
import { shop } from '../support/answers/usual.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { expectAddress, expectAttribute, expectGone, expectVisible } from '../support/browser-expect.ts'
import { choose as chooseInPalette } from '../support/palette.ts'
import { expect, test } from '../support/screen-test.ts'
import { shownProperty } from '../support/shown-property.ts'

// The pages, keywords and opportunities of all sites (OPEN-POINTS 22).

const figures = figuresOf(900, 18_000, 7)
const pages = [
  { ...pageOf(at('lamps/oak'), figures), property: shop },
  { ...pageOf(`${blog}post`, figuresOf(40, 900, 3)), property: blog },
]
const keywords = [
  { ...keywordOf('oak lamp', figures, { page: at('lamps/oak'), opportunityScore: 24 }), property: shop },
  { ...keywordOf('how to solder', figuresOf(40, 900, 8), { page: `${blog}post`, opportunityScore: 3 }), property: blog },
]

function lists(desk: Desk): void {
  answerEveryScreen(desk)
  desk.answer('GET /api/pages', ({ query }) => (query.get('property') === 'all' ? pages : []))
  desk.answer('GET /api/keywords', ({ query }) => (query.get('property') === 'all' ? keywords : []))
  desk.answer('GET /api/keywords/opportunities', ({ query }) => (query.get('property') === 'all' ? keywords : []))
}

for (const [tags, rows] of [
  [[], [['/page-analytics', 'Pages across all sites', 'GET /api/pages', at('lamps/oak'), 1_440, 'light']]],
  [
    ['full'],
    [
      ['/page-analytics', 'Pages across all sites', 'GET /api/pages', at('lamps/oak'), 375, 'dark'],
      ['/keyword-opportunities', 'Opportunities across all sites', 'GET /api/keywords/opportunities', 'oak lamp', 1_440, 'dark'],
      ['/keyword-opportunities?tab=analysis', 'Keywords across all sites', 'GET /api/keywords', 'oak lamp', 768, 'light'],
    ],
  ],
] as const)
  test.for([...rows])(
    '%s lists the rows of all sites, each with its site, and says that overlaps are not added twice: %s',
    { tags: [...tags] },
    async ([path, caption, request, first, width, theme], { desk, signIn, open }) => {
      lists(desk)
      signIn(demoOf())
      const page = await open(`${path}${path.includes('?') ? '&' : '?'}property=all&range=28d`, { width, theme })
      await expectVisible(page.getByRole('banner').getByRole('button', { name: 'Property: All sites' }))
      await expectVisible(page.getByText('so nothing is counted twice', { exact: false }))
      const list = page.getByRole('table', { name: caption }).or(page.getByRole('list', { name: caption }))
      await expectVisible(list)
      await expectVisible(list.getByTitle(shop, { exact: true }), list.getByTitle(blog, { exact: true }))
      const asked = desk.asked(request).map(({ query }) => [query.get('property'), query.get('days'), query.get('compare')])
      expect(new Set(asked.map(String))).toEqual(new Set(['all,28,none']))
      const link = list.getByRole('link').first()
      const own = path === '/page-analytics' ? { page: first } : { tab: 'analysis', keyword: first }
      const [target] = path.split('?')
      const days = new URLSearchParams({ ...own, property: shop, range: '28d', compare: 'previous' })
      await expectAttribute(link, 'href', `${target}?${days}`)
      await expectWithinWindow(page)
      await expectAccessible(page)
    },
  )

test('a property that can’t be monitored isn’t shown instead of all sites', async ({ desk, signIn, open }) => {
  lists(desk)
  signIn(demoOf())
  const message = 'Your Free plan allows up to 1 site(s).'
  desk.refuse('POST /api/gsc-properties/select', 403, { message })
  const page = await open('/page-analytics?property=all&range=28d', { width: 1_440 })
  await page.getByRole('banner').getByRole('button', { name: 'Property: All sites' }).click()
  await page.getByRole('menuitemradio', { name: shownProperty(clinic) }).click()
  await expectVisible(page.getByText(message))
  await expectAddress(page, '/page-analytics?property=all&range=28d')
  await expectVisible(page.getByRole('banner').getByRole('button', { name: 'Property: All sites' }))
})

test('all sites can be chosen in the property bar, and then a property again', async ({ desk, signIn, open }) => {
  lists(desk)
  signIn(demoOf())
  desk.answer('POST /api/gsc-properties/select', { user: demoOf({ selectedProperty: clinic }) })
  const page = await open(`/page-analytics?property=${encodeURIComponent(shop)}&range=28d`, { width: 1_440 })
  const bar = page.getByRole('banner')
  await bar.getByRole('button', { name: `Property: ${shownProperty(shop)}` }).click()
  await page.getByRole('menuitem', { name: 'All sites' }).click()
  await expectAddress(page, '/page-analytics?property=all&range=28d')
  await expectGone(bar.getByRole('button', { name: 'Refresh' }))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Keyword Opportunities' }).click()
  await expectAddress(page, '/keyword-opportunities?property=all&range=28d')
  await bar.getByRole('button', { name: 'Property: All sites' }).click()
  await page.getByRole('menuitemradio', { name: shownProperty(clinic) }).click()
  await expectAddress(page, `/keyword-opportunities?property=${encodeURIComponent(clinic)}&range=28d`)
  await expectVisible(bar.getByRole('button', { name: `Property: ${shownProperty(clinic)}` }))
})

test('a list of all sites that is sorted by site can be sorted in any other order again', async ({ desk, signIn, open }) => {
  lists(desk)
  signIn(demoOf())
  const page = await open('/page-analytics?property=all&range=28d', { width: 1_440 })
  const site = page.getByRole('columnheader', { name: 'Site' })
  await site.getByRole('button').click()
  await expectAttribute(site, 'aria-sort', 'ascending')
  await choose(page, page, 'Sort By', 'Impressions')
  await expectAddress(page, '/page-analytics?property=all&range=28d&sort=impressions')
  await expect.poll(() => site.getAttribute('aria-sort')).not.toBe('ascending')
  // Going back isn't sorting by site.
  await page.goBack()
  await expectAddress(page, '/page-analytics?property=all&range=28d')
  await expect.poll(() => site.getAttribute('aria-sort')).not.toBe('ascending')
})

test('the palette leads from the list of all sites to any property, also to the selected one', async ({ desk, signIn, open }) => {
  lists(desk)
  signIn(demoOf())
  desk.answer('GET /api/search', { keywords: [], pages: [] })
  for (const [name, typed] of [
    [blog, 'crumb'],
    [shop, 'lumen'],
  ] as const) {
    desk.answer('POST /api/gsc-properties/select', { user: demoOf({ selectedProperty: name }) })
    const page = await open('/keyword-opportunities?property=all&range=28d', { width: 1_440 })
    await chooseInPalette(page, typed, shownProperty(name))
    await expectAddress(page, `/keyword-opportunities?property=${encodeURIComponent(name)}&range=28d`)
    await expectVisible(page.getByRole('banner').getByRole('button', { name: `Property: ${shownProperty(name)}` }))
  }
})

test('the list of all sites ends after 2,000 rows, and says so', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  lists(desk)
  signIn(demoOf())
  const many = Array.from({ length: 3_000 }, (_, index) => ({ ...pageOf(at(`page-${index}`), figures), property: shop }))
  desk.answer('GET /api/pages', ({ query }) => {
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(query.get(name) ?? 0))
    return many.slice(offset, offset! + limit!)
  })
  const page = await open('/page-analytics?property=all', { width: 1_440 })
  const table = page.getByRole('table', { name: 'Pages across all sites' })
  await expectVisible(table)
  const end = page.getByText('These are the first 2,000 pages. Choose one property to see all of its pages.')
  await expect
    .poll(
      async () => {
        await table.locator('xpath=..').evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
        return end.isVisible()
      },
      { timeout: 30_000 },
    )
    .toBe(true)
  const ends = desk.asked('GET /api/pages').map(({ query }) => Number(query.get('offset') ?? 0) + Number(query.get('limit')))
  expect(Math.max(...ends)).toBe(2_000)
})
