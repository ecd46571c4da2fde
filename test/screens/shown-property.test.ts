import type { Page } from 'playwright-core'
import { blog, clinic, demoOf, answerEveryScreen } from '../support/answers/shell.ts'
import { shop } from '../support/answers/usual.ts'
import { expectAddress, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'
import { shownProperty } from '../support/shown-property.ts'

// Which property a tab shows: the one its address names.

const addressOf = (path: string, property: string) => `${path}?property=${encodeURIComponent(property)}`
const expectShown = (page: Page, property: string) =>
  expectVisible(page.getByRole('banner').getByRole('button', { name: `Property: ${shownProperty(property)}` }))

test('the address of a screen with figures names the property they are of', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/dashboard')
  await expectAddress(page, addressOf('/dashboard', shop))
  await page.goto('/page-analytics?days=28')
  await expectAddress(page, `/page-analytics?days=28&property=${encodeURIComponent(shop)}`)
})

test('a link to another property shows that one, here and on the screens that follow, and selects nothing', async ({
  desk,
  signIn,
  open,
}) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open(addressOf('/dashboard', blog))
  await expectShown(page, blog)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Page Analytics' }).click()
  await expectAddress(page, addressOf('/page-analytics', blog))
  await expectShown(page, blog)
  await page.reload()
  await expectShown(page, blog)
  for (const route of ['GET /api/metrics', 'GET /api/pages'] as const)
    expect(new Set(desk.asked(route).map(({ query }) => query.get('property'))), route).toEqual(new Set([blog]))
  expect(desk.asked('POST /api/gsc-properties/select')).toEqual([])
})

test('another property that is selected stands in the address; going back shows the one before', async ({ desk, signIn, open }) => {
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
})

test('a property that is not theirs is said to be that, and the selected one is shown', async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open(addressOf('/dashboard', 'https://somebody-else.example/'))
  await expectToast(page, 'error', 'Property not found', 'https://somebody-else.example/ is not one of your properties.')
  await expectAddress(page, addressOf('/dashboard', shop))
  await expectShown(page, shop)
  expect(desk.asked('GET /api/metrics').map(({ query }) => query.get('property'))).toEqual([shop])
})
