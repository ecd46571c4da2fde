// SPEC §2, "Account Settings", with §6 (plans) and §8 (messages). Changing a plan, export and deletion: ../settings, ../settings-data.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectAddress, expectText, expectToast, expectVisible } from '../../support/browser-expect.ts'
import { newPerson, registered } from '../../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const plan = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const power = (page: Page, name: string) => part(page, 'Email notifications').getByRole('switch', { name, exact: true })

test('the screen has its cards: subscription, email notifications, data and privacy', async () => {
  const page = await browser.visitAs(await newPerson(app, { email: 'cards@example.test' }), '/settings')
  await expectVisible(
    page.getByRole('heading', { level: 1, name: 'Account Settings', exact: true }),
    part(page, 'Subscription'),
    part(page, 'Email notifications'),
    part(page, 'Data and privacy').getByRole('button', { name: 'Export my data', exact: true }),
    part(page, 'Data and privacy').getByRole('button', { name: 'Delete account', exact: true }),
  )
})

describe('subscription', () => {
  test('Free $0, Pro $9, Agency $29 a month, with what each covers; the plan in force comes from the server', async () => {
    const page = await browser.visitAs(await newPerson(app, { email: 'plans@example.test' }), '/settings')
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
    const onAgency = await browser.visitAs(await newPerson(app, { email: 'agency@example.test', plan: 'agency' }), '/settings')
    await expectVisible(plan(onAgency, 'Agency').getByText('Current plan', { exact: true }))
  })

  test('choosing a better plan leads to its payment', async () => {
    const page = await browser.visitAs(await newPerson(app, { email: 'better@example.test' }), '/settings')
    await plan(page, 'Agency').getByRole('button', { name: 'Upgrade to Agency', exact: true }).click()
    await expectAddress(page, '/onboarding/payment')
    await expectVisible(page.getByRole('region', { name: 'Order Summary' }).getByText('Agency Plan', { exact: true }))
  })
})

describe('email notifications', () => {
  const route = '**/api/delivery-settings'

  test('email, critical and warning on, positive off; over 30 % is critical, 15 to 30 % a warning', async () => {
    const page = await browser.visitAs(await registered(app, 'defaults'), '/settings')
    await expectVisible(
      part(page, 'Email notifications').getByText('Changes over 30 %', { exact: true }),
      part(page, 'Email notifications').getByText(/^Changes of 15 to 30 %/),
    )
    const names = ['Email notifications', 'Critical alerts', 'Warning alerts', 'Positive alerts']
    expect(await Promise.all(names.map((name) => power(page, name).isChecked()))).toEqual([true, true, true, false])
  })

  test('the first change creates the preferences, the next updates one field of them', async () => {
    const page = await browser.visitAs(await registered(app, 'chooser'), '/settings')
    const [created] = await Promise.all([
      page.waitForRequest((each) => each.url().endsWith('/api/delivery-settings') && each.method() !== 'GET'),
      power(page, 'Positive alerts').click(),
    ])
    expect([created.method(), created.postDataJSON()]).toEqual([
      'POST',
      expect.objectContaining({ emailEnabled: true, criticalAlerts: true, warningAlerts: true, positiveAlerts: true, slackEnabled: false }),
    ])
    await expectToast(page, 'success', 'Email preferences created')
    const [updated] = await Promise.all([
      page.waitForRequest((each) => each.url().endsWith('/api/delivery-settings') && each.method() !== 'GET'),
      power(page, 'Critical alerts').click(),
    ])
    expect([updated.method(), updated.postDataJSON()]).toEqual(['PATCH', { criticalAlerts: false }])
    await expectToast(page, 'success', 'Email preferences updated')
    await page.route(route, (call) => call.fulfill({ status: 500, body: '' }))
    await power(page, 'Warning alerts').click()
    await expectToast(page, 'error', 'Failed to update preferences', 'Could not save email preferences')
  })

  test('what cannot be created is said, too', async () => {
    const page = await browser.visitAs(await registered(app, 'unlucky'), '/settings')
    await expectVisible(power(page, 'Critical alerts'))
    await page.route(route, (call) => call.fulfill({ status: 500, body: '' }))
    await power(page, 'Critical alerts').click()
    await expectToast(page, 'error', 'Failed to create preferences', 'Could not create email preferences')
  })
})
