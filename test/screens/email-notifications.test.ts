import type { Page } from 'playwright-core'
import type { PlanId } from '../../src/contract/user.ts'
import { plans } from '../../src/core/billing/plans.ts'
import { type KeptDelivery, keepDelivery } from '../support/answers/delivery.ts'
import { settingsOf, subscriptionOf } from '../support/answers/usual.ts'
import { expectDisabled, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, test as screenTest } from '../support/screen-test.ts'

/** Opens the settings of a user on Pro with no choices made, unless specified otherwise; `kept` is the server's state. */
const test = screenTest.extend('openSettings', ({ desk, signIn, open }) => async ({ plan = 'pro', settings = null }: Start = {}) => {
  signIn({ plan, siteLimit: plans[plan].siteLimit })
  desk.answer('GET /api/subscription', subscriptionOf({ plan }))
  desk.answer('GET /api/audit-log', { events: [], next: null })
  const kept = keepDelivery(desk, { plan, settings })
  return { page: await open('/settings'), kept }
})
type Start = { plan?: PlanId; settings?: KeptDelivery['settings'] }

const emailCard = (page: Page) => page.getByRole('region', { name: 'Email notifications' })
const toggle = (page: Page, label: string) => emailCard(page).getByRole('switch', { name: label })
const frequency = (page: Page) => emailCard(page).getByRole('combobox', { name: 'Frequency' })
const defaults = { 'Email notifications': true, 'Critical alerts': true, 'Warning alerts': true, 'Positive alerts': false }

async function expectSwitches(page: Page, on: Record<string, boolean>): Promise<void> {
  for (const [label, checked] of Object.entries(on))
    await expect.poll(() => toggle(page, label).getAttribute('aria-checked')).toBe(String(checked))
}

test(
  'show the defaults until something is chosen; the first change creates them, later ones change one field',
  { tags: ['full'] },
  async ({ openSettings }) => {
    const { page, kept } = await openSettings()
    await expectSwitches(page, defaults)
    await expectVisible(
      emailCard(page).getByText('Changes over 30%'),
      emailCard(page).getByText('Changes of 15% to 30%'),
      emailCard(page).getByText('Improvements and ended alerts'),
      emailCard(page).getByText('ann@example.test'),
    )
    await toggle(page, 'Positive alerts').click()
    await expectToast(page, 'success', 'Email preferences created')
    await expectSwitches(page, { ...defaults, 'Positive alerts': true })
    expect(kept.settings).toMatchObject({ emailEnabled: true, criticalAlerts: true, warningAlerts: true, positiveAlerts: true })

    await toggle(page, 'Warning alerts').click()
    await expectToast(page, 'success', 'Email preferences updated')
    expect(kept.settings).toMatchObject({ warningAlerts: false, positiveAlerts: true })
    await page.reload()
    await expectSwitches(page, { ...defaults, 'Warning alerts': false, 'Positive alerts': true })
  },
)

test('work by keyboard, and by clicking their labels', { tags: ['full'] }, async ({ openSettings }) => {
  const { page, kept } = await openSettings()
  await toggle(page, 'Positive alerts').focus()
  await page.keyboard.press('Space')
  await expectToast(page, 'success', 'Email preferences created')
  await emailCard(page).getByText('Critical alerts', { exact: true }).click()
  await expectToast(page, 'success', 'Email preferences updated')
  expect(kept.settings).toMatchObject({ positiveAlerts: true, criticalAlerts: false })
})

test('changed in quick succession all arrive', async ({ desk, openSettings }) => {
  const { page, kept } = await openSettings()
  const { release } = desk.hold('POST /api/delivery-settings')
  for (const label of ['Positive alerts', 'Critical alerts', 'Warning alerts']) await toggle(page, label).click()
  const all = { ...defaults, 'Positive alerts': true, 'Critical alerts': false, 'Warning alerts': false }
  await expectSwitches(page, all)
  release()
  await expect.poll(() => kept.settings).toMatchObject({ positiveAlerts: true, criticalAlerts: false, warningAlerts: false })
  // The second waited for the first, which created what it changes.
  await expect.poll(() => desk.asked('POST /api/delivery-settings')).toHaveLength(1)
  await page.reload()
  await expectSwitches(page, all)
})

test('off, leave nothing to choose', { tags: ['full'] }, async ({ openSettings }) => {
  const { page } = await openSettings()
  await toggle(page, 'Email notifications').click()
  await expectToast(page, 'success', 'Email preferences created')
  for (const label of ['Critical alerts', 'Warning alerts', 'Positive alerts']) await expectDisabled(toggle(page, label))
  await expectDisabled(frequency(page))
})

test("that can't be updated revert, and say why", { tags: ['full'] }, async ({ openSettings }) => {
  const { page, kept } = await openSettings({ settings: settingsOf() })
  await expectSwitches(page, defaults)
  // They have been deleted meanwhile.
  kept.settings = null
  await toggle(page, 'Critical alerts').click()
  await expectToast(page, 'error', 'Failed to update preferences', 'No preferences exist yet.')
  await expectSwitches(page, defaults)
})

test("that don't reach the server revert", { tags: ['full'] }, async ({ desk, openSettings }) => {
  const { page } = await openSettings({ settings: settingsOf() })
  desk.cut('PATCH /api/delivery-settings')
  await expectSwitches(page, defaults)
  await toggle(page, 'Critical alerts').click()
  await expectToast(page, 'error', 'Failed to update preferences', 'Could not save email preferences')
  await expectSwitches(page, defaults)
  keepDelivery(desk, { settings: settingsOf() })
  await toggle(page, 'Critical alerts').click()
  await expectToast(page, 'success', 'Email preferences updated')
})

test("that can't be created revert, and say why", { tags: ['full'] }, async ({ desk, openSettings }) => {
  const { page } = await openSettings()
  desk.cut('POST /api/delivery-settings')
  await expectSwitches(page, defaults)
  await toggle(page, 'Critical alerts').click()
  await expectToast(page, 'error', 'Failed to create preferences', 'Could not create email preferences')
  await expectSwitches(page, defaults)
  // Meanwhile in another window.
  keepDelivery(desk, { settings: settingsOf({ warningAlerts: false }) })
  await toggle(page, 'Critical alerts').click()
  await expectToast(page, 'error', 'Failed to create preferences', 'Preferences already exist. Update them instead.')
  await expectSwitches(page, { ...defaults, 'Warning alerts': false })
})

test.for([
  [
    'free',
    'Weekly digest',
    ['Daily digest', 'Instant alerts'],
    "Your Free plan doesn't include daily alerts. Available on Pro and Agency plans.",
  ],
  ['pro', 'Daily digest', ['Instant alerts'], "Your Pro plan doesn't include real-time alerts. Available on the Agency plan."],
  ['agency', 'Daily digest', [], null],
] as const)(
  "on %s come as %s; what the plan doesn't allow is shown with the reason",
  { tags: ['full'] },
  async ([plan, chosen, locked, reason], { openSettings }) => {
    const { page } = await openSettings({ plan })
    await expectText(frequency(page), chosen)
    if (reason !== null) await expectVisible(emailCard(page).getByText(reason))
    await frequency(page).click()
    const disabled = page.locator('[role=option][aria-disabled=true]')
    await expectVisible(page.getByRole('option', { name: 'Weekly digest' }))
    expect((await disabled.allInnerTexts()).map((text) => text.trim())).toEqual(locked)
  },
)

test('come as often as selected', { tags: ['full'] }, async ({ desk, openSettings }) => {
  const { page, kept } = await openSettings({ plan: 'agency' })
  await frequency(page).click()
  await page.getByRole('option', { name: 'Instant alerts' }).click()
  await expectToast(page, 'success', 'Email preferences created')
  await expectText(frequency(page), 'Instant alerts')
  expect(kept.settings).toMatchObject({ frequency: 'instant' })
  // A plan that ends while the page is open.
  const reason = "Your Free plan doesn't include daily alerts. Available on Pro and Agency plans."
  desk.answer('GET /api/delivery-settings', settingsOf({ frequency: 'weekly' }))
  desk.refuse('PATCH /api/delivery-settings', 403, { message: reason, field: 'frequency' })
  await frequency(page).click()
  await page.getByRole('option', { name: 'Daily digest' }).click()
  await expectToast(page, 'error', 'Failed to update preferences', reason)
  await expectText(frequency(page), 'Weekly digest')
})
