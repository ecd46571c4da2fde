import type { Page } from 'playwright-core'
import { twelveAlerts } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// How figures are coloured and which theme they are shown in, as somebody chooses under Settings.

const colours = (page: Page) => page.locator('[data-colour]').evaluateAll((all) => all.map((each) => each.getAttribute('data-colour')))
const clicks = (page: Page) => page.getByRole('region', { name: 'Clicks', exact: true }).locator('[data-colour]')
const severe = (page: Page) => page.getByRole('region', { name: 'Open alerts' }).locator('[data-colour]')

test('changes are coloured by outcome when somebody wants that, everywhere and at once', async ({ desk, open }) => {
  keepAlerts(desk, twelveAlerts())
  desk.answer('GET /api/audit-log', { events: [], next: null })
  const page = await open('/dashboard')
  await expectVisible(clicks(page), severe(page), page.getByRole('region', { name: 'Recent Alerts' }).locator('[data-colour]'))
  // Every part of the screen is fetched by itself: all of them are there once nothing holds a place.
  await expect.poll(() => page.locator('main .animate-pulse').count()).toBe(0)
  const all = await colours(page)
  const before = await clicks(page).getAttribute('data-colour')
  const settings = await page.context().newPage()
  await settings.goto('/settings')
  const preference = settings.getByRole('switch', { name: 'Colour by outcome' })
  expect(await preference.getAttribute('aria-checked')).toBe('false')
  await preference.click()
  // The other window follows without being loaded again.
  await expect.poll(() => clicks(page).getAttribute('data-colour')).toBe(before === 'red' ? 'green' : 'red')
  await page.reload()
  await expect.poll(() => clicks(page).getAttribute('data-colour')).toBe(before === 'red' ? 'green' : 'red')
  await settings.reload()
  await expect.poll(() => preference.getAttribute('aria-checked')).toBe('true')
  await preference.click()
  await expect.poll(() => colours(page)).toEqual(all)
})

test('the theme is chosen there as well, and the menu of the header knows it', async ({ desk, open }) => {
  desk.answer('GET /api/audit-log', { events: [], next: null })
  const page = await open('/settings')
  await page.getByRole('combobox', { name: 'Theme', exact: true }).click()
  await page.getByRole('option', { name: 'Dark', exact: true }).click()
  await expect.poll(() => page.evaluate(() => document.documentElement.classList.value)).toBe('dark')
  expect(await page.evaluate(() => localStorage.getItem('ranklark-ui-theme'))).toBe('dark')
  await page.getByRole('button', { name: 'Theme' }).click()
  await expectVisible(page.getByRole('menuitemradio', { name: 'Dark', checked: true }))
})
