import type { Page } from 'playwright-core'
import type { PlanId } from '../../src/contract/user.ts'
import { channelsOn, type KeptDelivery, keepDelivery, rightCode, secrets } from '../support/answers/delivery.ts'
import { keepRules } from '../support/answers/rules.ts'
import { settingsOf, subscriptionOf } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectDisabled,
  expectFocused,
  expectGone,
  expectText,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { describe, expect, test as screenTest } from '../support/screen-test.ts'

// Where alerts go besides email: Slack, text messages, and one's own server.

const path = '/alert-settings'
const hook = 'https://hooks.slack.com/services/T00000001/B00000001/abcdefghijklmnopqrstuvwx'

/** Opens the alert settings of a user on a given plan; `kept` is the server's state. */
const test = screenTest.extend('openDelivery', ({ desk, signIn, open }) => async (plan: PlanId, first: Partial<KeptDelivery> = {}) => {
  signIn({ plan })
  desk.answer('GET /api/subscription', subscriptionOf({ plan }))
  desk.answer('GET /api/audit-log', { events: [], next: null })
  keepRules(desk)
  const kept = keepDelivery(desk, { plan, ...first })
  return { page: await open(path), kept }
})

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const turn = (page: Page, name: string) => card(page, name).getByRole('switch', { name, exact: true })
const press = (page: Page, of: string, name: string) => card(page, of).getByRole('button', { name, exact: true }).click()
const type = (page: Page, label: string, text: string) => page.getByRole('textbox', { name: label, exact: true }).fill(text)
const save = (page: Page) => page.getByRole('button', { name: 'Save Settings' }).click()
const onAndOff = (page: Page, name: string) => turn(page, name).getAttribute('aria-checked')

describe('on Free', { tags: ['full'] }, () => {
  test('Slack, SMS and a webhook are visible but unavailable', async ({ openDelivery }) => {
    const { page } = await openDelivery('free')
    for (const [name, button, plans] of [
      ['Slack', 'Connect', 'Available on Pro and Agency plans'],
      ['SMS', 'Send code', 'Available on Pro and Agency plans'],
      ['Webhook', 'Connect', 'Available on the Agency plan'],
    ] as const) {
      await expectVisible(card(page, name).getByText(plans, { exact: true }))
      await expectDisabled(turn(page, name))
      await expectDisabled(card(page, name).getByRole('button', { name: button, exact: true }))
      for (const field of await card(page, name).getByRole('textbox').all()) await expectDisabled(field)
    }
    await card(page, 'Slack').getByRole('link', { name: 'See plans' }).click()
    await expectAddress(page, '/settings')
  })

  test('digests are weekly; the screen says that more frequent ones need another plan', async ({ openDelivery }) => {
    const { page } = await openDelivery('free')
    await expectText(page.getByRole('combobox', { name: 'Frequency' }), 'Weekly digest')
    await expectVisible(
      page.getByText("Your Free plan doesn't include daily alerts. Available on Pro and Agency plans."),
      page.getByText("Your Free plan doesn't include real-time alerts. Available on the Agency plan."),
    )
    await page.getByRole('combobox', { name: 'Frequency' }).click()
    for (const name of ['Daily digest', 'Instant alerts'])
      await expectAttribute(page.getByRole('option', { name }), 'aria-disabled', 'true')
  })
})

describe('Slack', { tags: ['full'] }, () => {
  /** Switches Slack on, fills in a URL and connects. */
  async function connect(page: Page, address: string): Promise<void> {
    await turn(page, 'Slack').click()
    await type(page, 'Webhook', address)
    await press(page, 'Slack', 'Connect')
  }

  test("is connected with a webhook's URL, which isn't shown again, and tested", async ({ openDelivery }) => {
    const channels = channelsOn('pro')
    const { page, kept } = await openDelivery('pro', { channels: { ...channels, slack: { ...channels.slack, example: hook } } })
    await expectVisible(turn(page, 'Slack'))
    expect(await onAndOff(page, 'Slack')).toBe('false')
    await expectDisabled(page.getByRole('textbox', { name: 'Webhook' }))
    await turn(page, 'Slack').click()
    await press(page, 'Slack', 'Use the demo URL')
    await expectValue(page.getByRole('textbox', { name: 'Webhook' }), hook)
    await press(page, 'Slack', 'Connect')
    await expectToast(page, 'success', 'Slack Connected')
    await expectVisible(card(page, 'Slack').getByText(/\/…\/uvwx/))
    expect(kept.settings).toMatchObject({ slackEnabled: true, timeZone: 'UTC' })

    await press(page, 'Slack', 'Send test message')
    await expectToast(page, 'success', 'Test message sent', 'Sent to hooks.slack.com/…/uvwx')
    await expectVisible(card(page, 'Slack').getByText('Last sent: Today', { exact: false }))

    await page.reload()
    await expectVisible(card(page, 'Slack').getByText(/\/…\/uvwx/))
    expect(await onAndOff(page, 'Slack')).toBe('true')
    expect(await page.content()).not.toContain(hook)
  })

  test('refuses an invalid webhook at the field, which gets the focus', async ({ desk, openDelivery }) => {
    const { page, kept } = await openDelivery('pro')
    await connect(page, '')
    const asked = 'Paste an incoming webhook URL'
    await expectVisible(card(page, 'Slack').getByText(asked, { exact: true }))
    expect(desk.asked('PUT /api/delivery-channels/slack')).toEqual([])
    const field = page.getByRole('textbox', { name: 'Webhook' })
    await expectFocused(field)
    await field.fill('https://example.com/services/T1/B1/abc')
    await expectCount(card(page, 'Slack').getByText(asked, { exact: true }), 0)
    await field.press('Enter')
    await expectVisible(card(page, 'Slack').getByText(/^Only Slack URLs work here/))
    await expectFocused(field)
    expect(kept.channels.slack.to).toBeNull()

    await type(page, 'Channel', 'two words')
    await type(page, 'Webhook', hook)
    await press(page, 'Slack', 'Connect')
    await expectVisible(card(page, 'Slack').getByText('Enter a channel name without spaces, such as #seo-alerts'))
    await type(page, 'Channel', '#seo')
    await press(page, 'Slack', 'Connect')
    await expectToast(page, 'success', 'Slack Connected')
    expect(kept.channels.slack).toMatchObject({ channel: '#seo' })
  })

  test('that fails says so, and one that is gone says on every screen what to do', async ({ desk, openDelivery }) => {
    const { page, kept } = await openDelivery('pro')
    await connect(page, hook)
    await expectToast(page, 'success', 'Slack Connected')
    desk.refuse('POST /api/delivery-channels/slack/test', 502, { message: "Slack couldn't accept the message (service_unavailable)." })
    await press(page, 'Slack', 'Send test message')
    await expectToast(page, 'error', 'Slack test failed', /^Slack couldn't accept the message/)

    const problem = 'Slack says: the webhook was revoked. Create a new incoming webhook in Slack and paste its URL.'
    const { slack, ...others } = kept.channels
    kept.channels = { ...others, slack: { ...slack, problem } }
    desk.refuse('POST /api/delivery-channels/slack/test', 409, { message: problem })
    await press(page, 'Slack', 'Send test message')
    await expectToast(page, 'error', 'Slack test failed', /the webhook was revoked/)
    await expectVisible(card(page, 'Slack').getByText(/Create a new incoming webhook in Slack and paste its URL/))

    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    const banner = page.getByRole('region', { name: 'Slack alerts' })
    await expectVisible(banner.getByText(/^Slack alerts are off: Slack says: the webhook was revoked/))
    await banner.getByRole('link', { name: 'Alert Settings' }).click()
    await expectAddress(page, path)
    await expectGone(banner)

    await press(page, 'Slack', 'Replace webhook')
    await type(page, 'Webhook', 'https://hooks.slack.com/services/T00000001/B00000002/zyxwvutsrqponmlkjihgfedc')
    await press(page, 'Slack', 'Connect')
    await expectVisible(card(page, 'Slack').getByText(/\/…\/fedc/))
    await expectGone(card(page, 'Slack').getByText(/the webhook was revoked/))
    desk.answer('POST /api/delivery-channels/slack/test', { to: 'hooks.slack.com/…/fedc' })
    await press(page, 'Slack', 'Send test message')
    await expectToast(page, 'success', 'Test message sent')
  })

  test('is disconnected only after confirmation', async ({ openDelivery }) => {
    const { page, kept } = await openDelivery('pro')
    await connect(page, hook)
    await expectToast(page, 'success', 'Slack Connected')
    await press(page, 'Slack', 'Disconnect')
    await page.getByRole('alertdialog', { name: 'Disconnect Slack?' }).getByRole('button', { name: 'Cancel' }).click()
    expect(kept.channels.slack.to).not.toBeNull()
    await press(page, 'Slack', 'Disconnect')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect Slack' }).click()
    await expectToast(page, 'success', 'Slack Disconnected')
    await expect.poll(() => onAndOff(page, 'Slack')).toBe('false')
    expect(kept.channels.slack.to).toBeNull()
  })

  test('switched on needs a destination before it is saved', async ({ openDelivery }) => {
    const { page, kept } = await openDelivery('pro')
    await turn(page, 'Slack').click()
    await save(page)
    await expectVisible(card(page, 'Slack').getByText('Paste an incoming webhook URL', { exact: true }))
    await expectFocused(page.getByRole('textbox', { name: 'Webhook' }))
    expect(kept.settings).toBeNull()

    // The typed value is connected along with the rest.
    await type(page, 'Webhook', hook)
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    expect(kept.settings).toMatchObject({ slackEnabled: true })
    expect(kept.channels.slack.to).not.toBeNull()
  })
})

describe('SMS', { tags: ['full'] }, () => {
  const number = '+44 20 7946 0018'

  test('goes to a number whose owner entered its code', async ({ desk, openDelivery }) => {
    const { page, kept } = await openDelivery('pro')
    await turn(page, 'SMS').click()
    await type(page, 'Mobile number', 'my phone')
    await press(page, 'SMS', 'Send code')
    await expectVisible(card(page, 'SMS').getByText('Include the country code, such as +1 202 555 0147'))
    await expectFocused(page.getByRole('textbox', { name: 'Mobile number' }))
    await type(page, 'Mobile number', number)
    await press(page, 'SMS', 'Send code')
    await expectToast(page, 'success', 'Code Sent')
    const field = page.getByRole('textbox', { name: 'Code' })
    await expectFocused(field)
    await expect.poll(() => desk.asked('PUT /api/delivery-channels/sms').map(({ body }) => body)).toEqual([{ number: '+442079460018' }])
    expect(kept.settings?.smsEnabled ?? false).toBe(false)

    await field.fill('000000')
    await press(page, 'SMS', 'Confirm number')
    await expectVisible(card(page, 'SMS').getByText('This code is incorrect. Check it and try again.'))
    // The code step survives a reload, and only little of the number is shown.
    await page.reload()
    await expectVisible(card(page, 'SMS').getByText(/^Enter the 6-digit code sent to \+44 •••• 0018/))
    await turn(page, 'SMS').click()
    await field.fill(rightCode)
    await field.press('Enter')
    await expectToast(page, 'success', 'Number Confirmed')
    expect(kept.settings).toMatchObject({ smsEnabled: true })
    await expectVisible(card(page, 'SMS').getByText('+44 •••• 0018'))
    await press(page, 'SMS', 'Send test message')
    await expectToast(page, 'success', 'Test message sent', 'Sent to +44 •••• 0018')
  })

  test("that can't be sent says so at the number", async ({ desk, openDelivery }) => {
    const { page } = await openDelivery('pro')
    await turn(page, 'SMS').click()
    desk.refuse('PUT /api/delivery-channels/sms', 400, { message: "This isn't a valid phone number.", field: 'number' })
    await type(page, 'Mobile number', number)
    await press(page, 'SMS', 'Send code')
    await expectFocused(page.getByRole('textbox', { name: 'Mobile number' }))
    await expectAttribute(page.getByRole('textbox', { name: 'Mobile number' }), 'aria-invalid', 'true')
    await expectVisible(card(page, 'SMS').getByText("This isn't a valid phone number."))

    desk.refuse('PUT /api/delivery-channels/sms', 429, { message: 'You can request up to 5 codes a day.', field: 'number' })
    await press(page, 'SMS', 'Send code')
    await expectVisible(card(page, 'SMS').getByText('You can request up to 5 codes a day.'))
    desk.refuse('PUT /api/delivery-channels/sms', 502, { message: "The SMS service couldn't accept the message (503)." })
    await press(page, 'SMS', 'Send code')
    await expectToast(page, 'error', 'Code Not Sent')
  })

  test('that reached its daily limit says when alerts resume', async ({ desk, openDelivery }) => {
    const problem = 'Your account can send up to 50 text messages a day. Alerts on this channel resume tomorrow (UTC).'
    const channels = channelsOn('pro')
    const sms = { ...channels.sms, to: '+44 •••• 0018', problem }
    const { page } = await openDelivery('pro', { settings: settingsOf({ smsEnabled: true }), channels: { ...channels, sms } })
    desk.refuse('POST /api/delivery-channels/sms/test', 429, { message: problem })
    await expectVisible(card(page, 'SMS').getByText(problem))
    await expectVisible(card(page, 'SMS').getByText(/^Nothing is sent to/))
    await press(page, 'SMS', 'Send test message')
    await expectToast(page, 'error', 'SMS test failed', problem)
  })
})

describe('a webhook, on Agency', () => {
  const address = 'https://hooks.customer.example/ranklark'

  test('is connected; its secret is shown once', { tags: ['full'] }, async ({ openDelivery }) => {
    const { page, kept } = await openDelivery('agency')
    await turn(page, 'Webhook').click()
    await type(page, 'Server URL', 'https://192.168.1.10/hook')
    await press(page, 'Webhook', 'Connect')
    await expectVisible(card(page, 'Webhook').getByText(/^This URL points to a private network/))
    await type(page, 'Server URL', address)
    await press(page, 'Webhook', 'Connect')
    const secretCard = card(page, 'Your secret (shown only once)')
    await expectFocused(secretCard.getByRole('heading'))
    await expectVisible(secretCard.getByText(secrets[0], { exact: true }))
    await press(page, 'Webhook', 'Send test message')
    await expectToast(page, 'success', 'Test message sent', 'Sent to https://hooks.customer.example/…')

    await press(page, 'Your secret (shown only once)', "I've saved it")
    await expectGone(secretCard)
    await page.reload()
    await expectVisible(card(page, 'Webhook').getByText('https://hooks.customer.example/…', { exact: true }))
    expect(await page.content()).not.toContain(secrets[0])

    await press(page, 'Webhook', 'New secret')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create new secret' }).click()
    await expectVisible(secretCard.getByText(secrets[1], { exact: true }))
    expect(kept.settings).toMatchObject({ webhookEnabled: true })
  })

  test('that refuses shows its response, and how to verify that a message is ours', { tags: ['full'] }, async ({ desk, openDelivery }) => {
    const { page } = await openDelivery('agency')
    await turn(page, 'Webhook').click()
    await type(page, 'Server URL', address)
    await press(page, 'Webhook', 'Connect')
    await expectVisible(card(page, 'Your secret (shown only once)'))
    desk.refuse('POST /api/delivery-channels/webhook/test', 502, { message: 'Your server responded with 500.' })
    await press(page, 'Webhook', 'Send test message')
    await expectToast(page, 'error', 'Webhook test failed', 'Your server responded with 500.')
    await card(page, 'Webhook').getByText('How to verify messages').click()
    await expectVisible(card(page, 'Webhook').getByText('webhook-signature', { exact: true }))
  })
})
