import type { Locator, Page } from 'playwright-core'
import { blog, clinic, demoOf, answerEveryScreen } from '../support/answers/shell.ts'
import { shop } from '../support/answers/usual.ts'
import { choose } from '../support/analytics-screens.ts'
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
import { shownProperty } from '../support/shown-property.ts'

// Which property a tab shows: the one named in its URL.

const addressOf = (path: string, property: string) => `${path}?property=${encodeURIComponent(property)}`
const expectShown = (page: Page, property: string) =>
  expectVisible(page.getByRole('banner').getByRole('button', { name: `Property: ${shownProperty(property)}` }))

test('the URL of a screen with figures names their property', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/dashboard')
  await expectAddress(page, addressOf('/dashboard', shop))
  await page.goto('/page-analytics?range=28d')
  await expectAddress(page, `/page-analytics?range=28d&property=${encodeURIComponent(shop)}`)
})

test('selected days stay: after a reload, in a second tab, in the panel and on the next screen', async ({ desk, open }) => {
  answerEveryScreen(desk)
  desk.answer('GET /api/pages/keywords', () => [])
  const page = await open('/page-analytics')
  await page.getByRole('button', { name: 'More time ranges' }).click()
  await page.getByRole('button', { name: 'Last 6 months' }).click()
  const ofScreen = `property=${encodeURIComponent(shop)}`
  await expectAddress(page, `/page-analytics?${ofScreen}&range=6m`)
  const expectChosen = async (where: Page) =>
    expectText(where.getByRole('combobox', { name: 'Time Range', exact: true }).last(), 'Last 6 months')
  await expectChosen(page)
  await page.reload()
  await expectChosen(page)
  await expect.poll(() => desk.asked('GET /api/pages').at(-1)?.query.get('range')).toBe('6m')

  const second = await open(page.url())
  await expectChosen(second)
  await page.goto(`${page.url()}&page=${encodeURIComponent('https://www.lumenandloom.example/a')}`)
  await expectChosen(page)
  await expect.poll(() => desk.asked('GET /api/analytics/days').at(-1)?.query.get('range')).toBe('6m')
  await page.goto(`/page-analytics?${ofScreen}&range=6m&compare=year`)
  // The logo is a way to the dashboard, too.
  for (const name of ['Ranklark', 'Ranklark, dashboard'])
    await expectAttribute(
      page.getByRole('link', { name, exact: true, includeHidden: true }),
      'href',
      `/dashboard?${ofScreen}&range=6m&compare=year`,
    )
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Keyword Opportunities' }).click()
  await expectAddress(page, `/keyword-opportunities?${ofScreen}&range=6m&compare=year`)
  await expectChosen(page)
  await expect
    .poll(() => desk.asked('GET /api/keywords/opportunities').map(({ query }) => [query.get('range'), query.get('compare')]))
    .toContainEqual(['6m', 'year'])
})

test(
  'chosen days are always in the URL, so the next screen shows them, whatever its default',
  { tags: ['full'] },
  async ({ desk, open }) => {
    answerEveryScreen(desk)
    const page = await open('/page-analytics')
    const go = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
    const range = page.getByRole('combobox', { name: 'Time Range', exact: true })
    await choose(page, page, 'Time Range', 'Last 28 days')
    await choose(page, page, 'Time Range', 'Last 7 days')
    await expectAddress(page, '/page-analytics?range=7d')
    await go('Dashboard')
    await expectAddress(page, '/dashboard?range=7d')
    await expectText(range, 'Last 7 days')
    await choose(page, page, 'Time Range', 'Last 28 days')
    for (const [name, path] of [
      ['Explore', '/explore'],
      ['SEO Insights', '/insights'],
      ['Page Analytics', '/page-analytics'],
    ] as const) {
      await go(name)
      await expectAddress(page, `${path}?range=28d`)
      await expectText(range, 'Last 28 days')
    }
    await expect.poll(() => desk.asked('GET /api/pages').at(-1)?.query.get('days')).toBe('28')
  },
)

for (const [tags, rows] of [
  [[], [['/dashboard', 'GET /api/analytics/history', true]]],
  [
    ['full'],
    [
      ['/explore?by=date', 'GET /api/explore', true],
      ['/insights?tab=trends', 'GET /api/analytics/days', true],
      ['/insights', 'GET /api/pages', false],
      ['/keyword-opportunities?tab=brand', 'GET /api/brand/split', true],
      ['/keyword-opportunities?tab=competing', 'GET /api/keywords/competing', false],
      ['/page-analytics?tab=decay', 'GET /api/pages/decay', false],
    ],
  ],
] as const)
  test.for([...rows])(
    '%s has days, comparison and interval of the URL in one control in its header',
    { tags: [...tags] },
    async ([path, request, hasInterval], { desk, open }) => {
      answerEveryScreen(desk)
      const page = await open(`${path}${path.includes('?') ? '&' : '?'}range=16m&compare=year&grain=week`, { width: 1_440, height: 900 })
      const control = (name: string) => page.getByRole('combobox', { name, exact: true })
      await expectText(control('Time Range'), 'Last 16 months')
      await expectText(control('Compare'), 'vs previous year')
      if (hasInterval) await expectText(control('Interval'), 'By week')
      else await expectCount(control('Interval'), 0)
      const top = async (of: Locator) => (await of.boundingBox())?.y ?? 0
      const y = await top(control('Time Range'))
      expect(Math.abs(y - (await top(page.getByRole('heading', { level: 1 }))))).toBeLessThan(60)
      if (path.includes('tab=')) expect(y).toBeLessThan(await top(page.getByRole('tablist').first()))
      await expect.poll(() => desk.asked(request).at(-1)?.query.get('range')).toBe('16m')
    },
  )

test('a link to another property shows that one, here and on the following screens, and selects nothing', async ({
  desk,
  signIn,
  open,
}) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open(addressOf('/dashboard', blog))
  await expectShown(page, blog)
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Page Analytics' })
  // A link that is opened in a tab of its own shows it, too.
  await expectAttribute(link, 'href', addressOf('/page-analytics', blog))
  await link.click()
  await expectAddress(page, addressOf('/page-analytics', blog))
  await expectShown(page, blog)
  await page.reload()
  await expectShown(page, blog)
  for (const route of ['GET /api/metrics', 'GET /api/pages'] as const)
    await expect
      .poll(() => new Set(desk.asked(route).map(({ query }) => query.get('property'))), { message: route })
      .toEqual(new Set([blog]))
  expect(desk.asked('POST /api/gsc-properties/select')).toEqual([])
})

test(
  'selecting another property puts it in the URL; going back shows the previous one',
  { tags: ['full'] },
  async ({ desk, signIn, open }) => {
    answerEveryScreen(desk)
    signIn(demoOf())
    desk.answer('POST /api/gsc-properties/select', { user: demoOf({ selectedProperty: clinic }) })
    const page = await open(addressOf('/dashboard', blog))
    await page
      .getByRole('banner')
      .getByRole('button', { name: `Property: ${shownProperty(blog)}` })
      .click()
    await page.getByRole('menuitemradio', { name: shownProperty(clinic) }).click()
    await expectToast(page, 'success', 'Property Selected')
    await expectAddress(page, addressOf('/dashboard', clinic))
    await expectShown(page, clinic)
    await page.goto(addressOf('/insights', shop))
    await expectShown(page, shop)
    await page.goBack()
    await expectAddress(page, addressOf('/dashboard', clinic))
    await expectShown(page, clinic)
  },
)

test("a link to another property's report names the property selected since, also after a reload", async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  desk.answer('POST /api/gsc-properties/select', { user: demoOf({ selectedProperty: clinic }) })
  const page = await open(addressOf('/reports', blog))
  await page
    .getByRole('banner')
    .getByRole('button', { name: `Property: ${shownProperty(blog)}` })
    .click()
  await page.getByRole('menuitemradio', { name: shownProperty(clinic) }).click()
  await expectShown(page, clinic)
  await expectAddress(page, addressOf('/reports', clinic))
  await page.reload()
  await expectShown(page, clinic)
})

for (const [tags, rows] of [
  [[], ['/dashboard']],
  [['full'], ['/insights', '/explore', '/alerts']],
] as const)
  test.for([...rows])(
    '%s of all sites leads to their list, whose total row is the sum',
    { tags: [...tags] },
    async (path, { desk, signIn, open }) => {
      answerEveryScreen(desk)
      signIn(demoOf())
      const page = await open(`${path}?property=all&range=28d`)
      await expectAddress(page, '/sites')
      await expectVisible(page.getByRole('heading', { level: 1, name: 'Sites' }))
      await expectGone(page.getByText('Property Not Found'))
      for (const route of ['GET /api/metrics', 'GET /api/explore', 'GET /api/keywords', 'GET /api/pages'] as const)
        expect(desk.asked(route)).toEqual([])
    },
  )

test('all sites can be chosen wherever a property can', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open(addressOf('/insights', shop))
  await page
    .getByRole('banner')
    .getByRole('button', { name: `Property: ${shownProperty(shop)}` })
    .click()
  await page.getByRole('menuitem', { name: 'All sites' }).click()
  await expectAddress(page, '/sites')
})

test("somebody else's property is reported as such, and the selected one is shown", { tags: ['full'] }, async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open(addressOf('/dashboard', 'https://somebody-else.example/'))
  await expectToast(page, 'error', 'Property Not Found', 'https://somebody-else.example/ is not one of your properties.')
  await expectAddress(page, addressOf('/dashboard', shop))
  await expectShown(page, shop)
  expect(desk.asked('GET /api/metrics').map(({ query }) => query.get('property'))).toEqual([shop])
})
