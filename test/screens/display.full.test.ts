import type { Page } from 'playwright-core'
import { queryAlert, twelveAlerts } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { expectAttribute, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// How figures are colored and in which theme, as chosen under Settings.

const colors = (page: Page) => page.locator('[data-color]').evaluateAll((all) => all.map((each) => each.getAttribute('data-color')))
const clicks = (page: Page) => page.getByRole('region', { name: 'Clicks', exact: true }).locator('[data-color]')
const severe = (page: Page) => page.getByRole('region', { name: 'Open alerts' }).locator('[data-color]')

test('better is green until the user selects the colors as specified, everywhere and immediately', async ({ desk, open }) => {
  keepAlerts(desk, twelveAlerts())
  desk.answer('GET /api/audit-log', { events: [], next: null })
  const page = await open('/dashboard')
  await expectVisible(clicks(page), severe(page))
  // Each part of the screen loads separately: all are there once no placeholder is left.
  await expect.poll(() => page.locator('main .animate-pulse').count()).toBe(0)
  const all = await colors(page)
  const before = await clicks(page).getAttribute('data-color')
  await expectAttribute(severe(page).first(), 'data-color', 'red')
  const settings = await page.context().newPage()
  await settings.goto('/settings')
  const preference = settings.getByRole('switch', { name: 'Colors as specified' })
  await expectAttribute(preference, 'aria-checked', 'false')
  await preference.click()
  // The other window follows without a reload.
  await expect.poll(() => clicks(page).getAttribute('data-color')).toBe(before === 'red' ? 'green' : 'red')
  await page.reload()
  await expect.poll(() => clicks(page).getAttribute('data-color')).toBe(before === 'red' ? 'green' : 'red')
  await settings.reload()
  await expect.poll(() => preference.getAttribute('aria-checked')).toBe('true')
  await preference.click()
  await expect.poll(() => colors(page)).toEqual(all)
})

test.for([
  ['figure', 'green', 'true'],
  ['outcome', 'red', 'false'],
] as const)('an earlier choice of "%s" is kept: a drop in clicks is %s', async ([stored, color, isOn], { desk, open }) => {
  keepAlerts(desk, [queryAlert('lamp', 10, { type: 'clicks', currentValue: 10, previousValue: 100, change: -90 })])
  desk.answer('GET /api/audit-log', { events: [], next: null })
  const page = await open('/alerts')
  await page.evaluate((choice) => localStorage.setItem('ranklark-ui-color-by', choice), stored)
  await page.reload()
  await expect.poll(() => page.locator('[data-color]').first().getAttribute('data-color')).toBe(color)
  await page.goto('/settings')
  await expectAttribute(page.getByRole('switch', { name: 'Colors as specified' }), 'aria-checked', isOn)
})

test("the theme can be selected there as well, and the header's menu shows it", async ({ desk, open }) => {
  desk.answer('GET /api/audit-log', { events: [], next: null })
  const page = await open('/settings')
  await page.getByRole('combobox', { name: 'Theme', exact: true }).click()
  await page.getByRole('option', { name: 'Dark', exact: true }).click()
  await expect.poll(() => page.evaluate(() => document.documentElement.classList.value)).toBe('dark')
  expect(await page.evaluate(() => localStorage.getItem('ranklark-ui-theme'))).toBe('dark')
  await page.getByRole('button', { name: 'Theme' }).click()
  await expectVisible(page.getByRole('menuitemradio', { name: 'Dark', checked: true }))
})
