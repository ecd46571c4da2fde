// SPEC §2, "Account Settings", with §6 (plans) and §8 (messages). See also: ../changing-plans, ../email-notifications, ../account-data.
import type { Page } from 'playwright-core'
import { keepDelivery } from '../../support/answers/delivery.ts'
import { unpaidOf } from '../../support/answers/onboarding.ts'
import { newcomerOf } from '../../support/answers/shell.ts'
import { subscriptionOf, userOf } from '../../support/answers/usual.ts'
import { expectAddress, expectText, expectToast, expectVisible } from '../../support/browser-expect.ts'
import { describe, expect, test as screenTest } from '../../support/screen-test.ts'

/** A user on Free who has never changed anything. */
const test = screenTest.extend('settings', ({ desk, signIn, open }) => () => {
  signIn(newcomerOf())
  desk.answer('GET /api/subscription', unpaidOf())
  desk.answer('GET /api/audit-log', { events: [], next: null })
  return open('/settings')
})

const plan = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const power = (page: Page, name: string) => part(page, 'Email notifications').getByRole('switch', { name, exact: true })

test('the screen has its cards: subscription, email notifications, data and privacy', async ({ settings }) => {
  const page = await settings()
  await expectVisible(
    page.getByRole('heading', { level: 1, name: 'Account Settings', exact: true }),
    part(page, 'Subscription'),
    part(page, 'Email notifications'),
    part(page, 'Data and privacy').getByRole('button', { name: 'Export my data', exact: true }),
    part(page, 'Data and privacy').getByRole('button', { name: 'Delete account', exact: true }),
  )
})

describe('subscription', () => {
  test('Free $0, Pro $9, Agency $29 a month, with what each covers; the current plan comes from the server', async ({
    desk,
    signIn,
    settings,
  }) => {
    const page = await settings()
    for (const [name, price, ...features] of [
      ['Free', '$0 /month', '1 site', 'Weekly alerts', 'Email', 'Basic reporting'],
      ['Pro', '$9 /month', '5 sites', 'Daily and weekly alerts', 'Email and Slack', 'Advanced reporting', 'Priority support'],
      [
        'Agency',
        '$29 /month',
        '25 sites',
        'Real-time, daily and weekly alerts',
        'Email and Slack',
        'White-label reports',
        'API access',
        'Dedicated support',
      ],
    ] as const) {
      await expectText(plan(page, name).getByRole('paragraph').first(), price)
      expect((await plan(page, name).getByRole('listitem').allInnerTexts()).map((text) => text.trim())).toEqual(features)
    }
    await expectVisible(
      plan(page, 'Free').getByText('Current plan', { exact: true }),
      plan(page, 'Pro').getByText('Most Popular', { exact: true }),
    )
    signIn(userOf({ plan: 'agency', siteLimit: 25 }))
    desk.answer('GET /api/subscription', subscriptionOf({ plan: 'agency' }))
    await page.reload()
    await expectVisible(plan(page, 'Agency').getByText('Current plan', { exact: true }))
  })

  test('choosing a better plan leads to its payment', async ({ desk, settings }) => {
    desk.hold('POST /api/create-subscription')
    const page = await settings()
    await plan(page, 'Agency').getByRole('button', { name: 'Upgrade to Agency', exact: true }).click()
    await expectAddress(page, '/onboarding/payment')
    await expectVisible(page.getByRole('region', { name: 'Order Summary' }).getByText('Agency Plan', { exact: true }))
  })
})

describe('email notifications', () => {
  test('email, critical and warning on, positive off; over 30% is critical, 15% to 30% a warning', async ({ desk, settings }) => {
    keepDelivery(desk, { plan: 'free' })
    const page = await settings()
    await expectVisible(
      part(page, 'Email notifications').getByText('Changes over 30%', { exact: true }),
      part(page, 'Email notifications').getByText(/^Changes of 15% to 30%/),
    )
    const names = ['Email notifications', 'Critical alerts', 'Warning alerts', 'Positive alerts']
    expect(await Promise.all(names.map((name) => power(page, name).isChecked()))).toEqual([true, true, true, false])
  })

  test('the first change creates the preferences, the next updates one field of them', async ({ desk, settings }) => {
    keepDelivery(desk, { plan: 'free' })
    const page = await settings()
    await power(page, 'Positive alerts').click()
    await expectToast(page, 'success', 'Email preferences created')
    await expect
      .poll(() => desk.asked('POST /api/delivery-settings').map(({ body }) => body))
      .toEqual([
        expect.objectContaining({
          emailEnabled: true,
          criticalAlerts: true,
          warningAlerts: true,
          positiveAlerts: true,
          slackEnabled: false,
        }),
      ])
    await power(page, 'Critical alerts').click()
    await expectToast(page, 'success', 'Email preferences updated')
    await expect.poll(() => desk.asked('PATCH /api/delivery-settings').map(({ body }) => body)).toEqual([{ criticalAlerts: false }])
    desk.say('PATCH /api/delivery-settings', '', { status: 500 })
    await power(page, 'Warning alerts').click()
    await expectToast(page, 'error', 'Failed to update preferences', 'Could not save email preferences')
    await expect.poll(() => desk.asked('POST /api/delivery-settings')).toHaveLength(1)
  })

  test('a failed creation is reported, too', async ({ desk, settings }) => {
    keepDelivery(desk, { plan: 'free' })
    desk.say('POST /api/delivery-settings', '', { status: 500 })
    const page = await settings()
    await power(page, 'Critical alerts').click()
    await expectToast(page, 'error', 'Failed to create preferences', 'Could not create email preferences')
  })
})
