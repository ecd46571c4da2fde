import type { Page } from 'playwright-core'
import { keepDelivery } from '../support/answers/delivery.ts'
import { firstRules, keepRules, ruleOf } from '../support/answers/rules.ts'
import { demoOf } from '../support/answers/shell.ts'
import { expectCount, expectFocused, expectGone, expectVisible } from '../support/browser-expect.ts'
import { expectInside } from '../support/palette.ts'
import { expect, test } from '../support/screen-test.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const step = (page: Page, at: number) => dialog(page).getByText(`Step ${at} of 4`, { exact: true })
const completed = (page: Page) => page.evaluate(() => localStorage.getItem('ranklark_onboarding_completed'))

test('a new user is guided through four steps, once', async ({ signIn, open }) => {
  signIn(demoOf())
  const page = await open('/dashboard', { newHere: true })
  await expectVisible(step(page, 1), dialog(page).getByRole('button', { name: 'Skip' }))
  await expectFocused(dialog(page).getByRole('button', { name: 'Next' }))
  await page.keyboard.press('Enter')
  // It names what this account is connected to.
  await expectVisible(step(page, 2), dialog(page).getByText('sc-domain:lumenandloom.example'))
  await dialog(page).getByRole('button', { name: 'Next' }).click()
  await expectVisible(step(page, 3))
  for (const metric of ['Clicks', 'Impressions', 'CTR', 'Position']) await expectVisible(dialog(page).getByText(metric, { exact: true }))
  await dialog(page).getByRole('button', { name: 'Back' }).click()
  await expectVisible(step(page, 2))
  await dialog(page).getByRole('button', { name: 'Next' }).click()
  await dialog(page).getByRole('button', { name: 'Next' }).click()
  await expectVisible(step(page, 4))
  await dialog(page).getByRole('button', { name: 'Get Started' }).click()
  await expectGone(dialog(page))
  expect(await completed(page)).not.toBeNull()
  await page.reload()
  await expectVisible(page.getByRole('region', { name: 'Clicks' }))
  await expectCount(dialog(page), 0)
})

test.for([
  ['Skip', (page: Page) => dialog(page).getByRole('button', { name: 'Skip' }).click()],
  ['closing', (page: Page) => dialog(page).getByRole('button', { name: 'Close' }).click()],
  ['Escape', (page: Page) => page.keyboard.press('Escape')],
] as const)('%s ends it for good', async ([, end], { open }) => {
  const page = await open('/dashboard', { newHere: true })
  await expectVisible(step(page, 1))
  await end(page)
  await expectGone(dialog(page))
  expect(await completed(page)).not.toBeNull()
})

test('next to a dialog opened by a link, each closes separately, and the focus goes to the remaining one', async ({ desk, open }) => {
  keepDelivery(desk)
  keepRules(desk, [...firstRules(), ruleOf({ type: 'clicks', title: 'Drop of a folder' }, { id: 'folder' })])
  const page = await open('/alert-settings?rule=folder', { newHere: true })
  await expectVisible(page.getByRole('dialog', { name: 'Edit Alert' }), step(page, 1))
  // Which of them is on top depends on what came first.
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog(page).count()).toBe(1)
  await expectInside(dialog(page))
  await page.keyboard.press('Escape')
  await expectGone(dialog(page))
})
