import type { Page } from 'playwright-core'
import { keepDelivery } from '../support/answers/delivery.ts'
import { keepRules } from '../support/answers/rules.ts'
import { settingsOf } from '../support/answers/usual.ts'
import { expectAttribute, expectCount, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// When messages are sent, and how preferences are saved.

const path = '/alert-settings'
const save = (page: Page) => page.getByRole('button', { name: 'Save Settings' }).click()
const turn = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('time zone, digest and quiet hours are saved with the page and are back after a reload', async ({ desk, open }) => {
  keepRules(desk)
  const kept = keepDelivery(desk)
  const page = await open(path)
  const zone = page.getByRole('combobox', { name: 'Time zone', exact: true })
  // Nothing saved yet: the browser provides the time zone.
  await expectText(zone, 'UTC')
  await zone.click()
  await page.getByRole('combobox', { name: 'Search for a city or region' }).fill('new yor')
  await page.getByRole('option', { name: 'America/New York' }).click()
  await choose(page, 'Frequency', 'Weekly digest')
  await choose(page, 'Digest day', 'Friday')
  await choose(page, 'Digest time', '17:00')
  await turn(page, 'Send a digest even when there are no alerts').click()
  await turn(page, 'Quiet hours').click()
  await choose(page, 'From', '23:00')
  await page.getByRole('combobox', { name: 'Until', exact: true }).click()
  await expectCount(page.getByRole('option', { name: '23:00', exact: true }), 0)
  await page.getByRole('option', { name: '06:00', exact: true }).click()
  expect(kept.settings).toBeNull()
  await save(page)
  await expectToast(page, 'success', 'Settings Saved')
  expect(kept.settings).toMatchObject({
    emailEnabled: true,
    criticalAlerts: true,
    warningAlerts: true,
    positiveAlerts: false,
    slackEnabled: false,
    frequency: 'weekly',
    timeZone: 'America/New_York',
    digestHour: 17,
    digestWeekday: 5,
    digestWhenQuiet: false,
    quietHours: { from: 23, until: 6 },
  })

  await page.reload()
  await expectText(zone, 'America/New York')
  for (const [label, value] of [
    ['Frequency', 'Weekly digest'],
    ['Digest day', 'Friday'],
    ['Digest time', '17:00'],
    ['From', '23:00'],
    ['Until', '06:00'],
  ] as const)
    await expectText(page.getByRole('combobox', { name: label, exact: true }), value)
  await turn(page, 'Quiet hours').click()
  await save(page)
  await expectToast(page, 'success', 'Settings Saved')
  expect(kept.settings).toMatchObject({ quietHours: null, timeZone: 'America/New_York' })
})

test('only changes are sent', async ({ desk, open }) => {
  keepRules(desk)
  keepDelivery(desk, { settings: settingsOf() })
  const page = await open(path)
  await expectVisible(page.getByRole('region', { name: 'When', exact: true }))
  await turn(page, 'Warning alerts').click()
  await turn(page, 'Positive alerts').click()
  await turn(page, 'Positive alerts').click()
  await save(page)
  await expectToast(page, 'success', 'Settings Saved')
  await expect.poll(() => desk.asked('PATCH /api/delivery-settings').map(({ body }) => body)).toEqual([{ warningAlerts: false }])
  expect(desk.asked('POST /api/delivery-settings')).toEqual([])
})

test("input that can't be saved stays on screen, and says why", async ({ desk, open }) => {
  keepRules(desk)
  keepDelivery(desk, { settings: settingsOf() })
  desk.cut('PATCH /api/delivery-settings')
  const page = await open(path)
  await turn(page, 'Positive alerts').click()
  await save(page)
  await expectToast(page, 'error', 'Failed to update preferences', 'Could not save email preferences')
  await expectAttribute(turn(page, 'Positive alerts'), 'aria-checked', 'true')
  const kept = keepDelivery(desk, { settings: settingsOf() })
  await save(page)
  await expectToast(page, 'success', 'Settings Saved')
  expect(kept.settings).toMatchObject({ positiveAlerts: true })
})

test('an unknown time zone is reported on every screen, until another is selected', async ({ desk, open }) => {
  keepRules(desk)
  const kept = keepDelivery(desk, { settings: settingsOf({ unknownTimeZone: '+05:17' }) })
  const page = await open('/dashboard')
  const notice = page.getByRole('region', { name: 'Time zone' })
  const text = "We don't recognize the time zone “+05:17”. Digests and quiet hours use UTC until you choose another."
  await expectVisible(notice.getByText(`Choose your time zone: ${text}`))
  await notice.getByRole('link', { name: 'Alert Settings' }).click()
  await expectVisible(page.getByRole('region', { name: 'When', exact: true }).getByText(text))
  await page.getByRole('combobox', { name: 'Time zone' }).click()
  await page.getByRole('option', { name: 'UTC', exact: true }).click()
  await save(page)
  await expectToast(page, 'success', 'Settings Saved')
  await expectGone(page.getByText(text))
  expect(kept.settings).toMatchObject({ timeZone: 'UTC' })
})
