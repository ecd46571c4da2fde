import type { Page } from 'playwright-core'
import { z } from 'zod'
import { firstRules, keepRules } from '../support/answers/rules.ts'
import { propertyOf, shop, shopName, userOf } from '../support/answers/usual.ts'
import { expectAddress, expectGone, expectValue, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'
import { shownProperty } from '../support/shown-property.ts'

// Leaving Alert Configuration with unsaved changes.

const path = '/alert-settings'
const card = (page: Page) => page.getByRole('region', { name: 'Clicks drop', exact: true })
const threshold = (page: Page) => card(page).getByRole('spinbutton')
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' })
const toDashboard = (page: Page) => page.getByRole('link', { name: 'Dashboard' }).click()

test('asks for confirmation, and only then', async ({ desk, open }) => {
  keepRules(desk)
  const page = await open('/dashboard')
  await page.getByRole('link', { name: 'Alert Settings' }).click()
  await expectVisible(card(page))
  await toDashboard(page)
  await expectAddress(page, '/dashboard')
  await page.goBack()

  await threshold(page).fill('31')
  await toDashboard(page)
  await expectVisible(question(page).getByText('Unsaved changes: Clicks drop.'))
  await page.keyboard.press('Escape')
  await expectGone(question(page))
  await expectAddress(page, path)
  await expectValue(threshold(page), '31')

  await page.goBack()
  await expectVisible(question(page))
  await question(page).getByRole('button', { name: 'Leave without saving' }).click()
  await expectAddress(page, '/dashboard')
  await page.goForward()
  await expectVisible(card(page))
  await expectValue(threshold(page), '15')
})

test('the browser asks too before the page is closed', async ({ desk, open }) => {
  keepRules(desk)
  const page = await open(path)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  await expectVisible(card(page))
  await page.reload()
  expect(asked).toEqual([])
  await threshold(page).click()
  await threshold(page).fill('31')
  await expectVisible(page.getByText(/^Unsaved changes/))
  await page.evaluate(() => location.reload()).catch(() => {})
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await expectValue(threshold(page), '31')
})

test("switching the property isn't leaving: the input is still there afterwards", async ({ desk, signIn, open }) => {
  const blog = 'https://thecrumbjournal.example/'
  const both = { gscProperties: [propertyOf(), propertyOf({ id: '2', name: blog })], sitesMonitored: 2 }
  signIn(both)
  desk.answer('POST /api/gsc-properties/select', ({ body }) => {
    const chosen = { ...both, ...z.object({ selectedProperty: z.string() }).parse(body) }
    signIn(chosen)
    return { user: userOf(chosen) }
  })
  keepRules(desk, [...firstRules(), ...firstRules(blog)])
  const page = await open(path)
  const goOver = async (from: string, to: string) => {
    await page.getByRole('button', { name: `Property: ${shownProperty(from)}` }).click()
    await page.getByRole('menuitemradio', { name: shownProperty(to) }).click()
    await expectVisible(page.getByRole('button', { name: `Property: ${shownProperty(to)}` }))
    await expectVisible(card(page))
  }
  await threshold(page).fill('31')
  await goOver(shop, blog)
  await expectValue(threshold(page), '15')
  await expectVisible(page.getByText(`Also unsaved (will be lost if you leave this page): Clicks drop (${shopName})`))
  await toDashboard(page)
  await expectVisible(question(page).getByText(`Unsaved changes: Clicks drop (${shopName}).`))
  await page.keyboard.press('Escape')
  await goOver(blog, shop)
  await expectValue(threshold(page), '31')
  await threshold(page).fill('15')
  await toDashboard(page)
  await expectAddress(page, '/dashboard')
})

test("logging out doesn't ask", async ({ desk, signIn, open }) => {
  keepRules(desk)
  desk.answer('POST /api/auth/logout', () => {
    signIn(null)
    return null
  })
  const page = await open(path)
  await threshold(page).fill('31')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expectVisible(page.getByRole('button', { name: 'Login' }))
})
