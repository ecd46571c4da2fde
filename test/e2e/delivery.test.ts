import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliverySettingsAnswer } from '../../src/contract/delivery.ts'
import { deliveryChannels } from '../../src/contract/delivery-channels.ts'
import type { PlanId } from '../../src/contract/user.ts'
import type { TestApp, Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible, pathOf } from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { newPerson, select, shortenHistory } from '../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let people = 0
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())
beforeEach(async () => {
  await Promise.all([app.mail.reset(), app.slack.reset(), app.sms.reset(), app.webhook.reset()])
})

type Somebody = { person: Visitor; email: string }

/** Somebody on a plan, with a property. */
async function somebody(plan: PlanId): Promise<Somebody> {
  const name = `teller${++people}`
  const [email, site] = [`${name}@example.test`, `https://${name}.example/`]
  const person = await newPerson(app, { email, sites: { [site]: 'empty' }, plan })
  await shortenHistory(app, site, 3)
  await select(person, site)
  return { person, email }
}

const path = '/alert-settings'
const settingsOf = async (person: Visitor) => deliverySettingsAnswer.parse((await person.get('/api/delivery-settings')).body)
const channelsOf = async (person: Visitor) => deliveryChannels.parse((await person.get('/api/delivery-channels')).body)

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const turn = (page: Page, name: string) => card(page, name).getByRole('switch', { name, exact: true })
const press = (page: Page, of: string, name: string) => card(page, of).getByRole('button', { name, exact: true }).click()
const type = (page: Page, label: string, text: string) => page.getByRole('textbox', { name: label, exact: true }).fill(text)
const save = (page: Page) => page.getByRole('button', { name: 'Save Settings' }).click()
const onAndOff = (page: Page, name: string) => turn(page, name).getAttribute('aria-checked')

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Where a link of a mail leads, as whoever clicks it gets there. */
function linkIn(links: readonly string[], screen: string): string {
  const found = links.map((link) => new URL(link)).find(({ pathname }) => pathname === screen)
  if (!found) throw new Error(`There is no link to ${screen} in ${links.join(' ')}`)
  return found.pathname + found.search
}

/** Screens to which only the link of a mail leads: in both themes, on a phone and at a desk. */
async function expectBarsNobody(page: Page): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => (document.documentElement.className = name), theme)
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 320, height: 800 })
  await expectWithinWindow(page)
  await page.setViewportSize({ width: 1_280, height: 800 })
}

describe('on Free', () => {
  test('Slack, SMS and a webhook can be seen but not had', async () => {
    const { person } = await somebody('free')
    const page = await browser.visitAs(person, path)
    for (const [name, button, plans] of [
      ['Slack', 'Connect', 'Available on Pro and Agency plans'],
      ['SMS', 'Send code', 'Available on Pro and Agency plans'],
      ['Webhook', 'Connect', 'Available on the Agency plan'],
    ] as const) {
      await expectVisible(card(page, name).getByText(plans, { exact: true }))
      expect(await turn(page, name).isDisabled()).toBe(true)
      expect(await card(page, name).getByRole('button', { name: button, exact: true }).isDisabled()).toBe(true)
      for (const field of await card(page, name).getByRole('textbox').all()) expect(await field.isDisabled()).toBe(true)
    }
    await card(page, 'Slack').getByRole('link', { name: 'See plans' }).click()
    await expectAddress(page, '/settings')
  })

  test('a digest comes each week; more often is for other plans, which is said', async () => {
    const { person } = await somebody('free')
    const page = await browser.visitAs(person, path)
    await expectText(page.getByRole('combobox', { name: 'Frequency' }), 'Weekly digest')
    await expectVisible(
      page.getByText('Your Free plan has no daily alerts. Available on Pro and Agency plans.'),
      page.getByText('Your Free plan has no real-time alerts. Available on the Agency plan.'),
    )
    await page.getByRole('combobox', { name: 'Frequency' }).click()
    for (const name of ['Daily digest', 'Instant alerts'])
      expect(await page.getByRole('option', { name }).getAttribute('aria-disabled')).toBe('true')
  })
})

describe('Slack', () => {
  /** Switches Slack on, fills in an address and connects. */
  async function connect(page: Page, address: string): Promise<void> {
    await turn(page, 'Slack').click()
    await type(page, 'Webhook', address)
    await press(page, 'Slack', 'Connect')
  }

  test('is connected with the address of a webhook, which is not shown again, and a test message arrives', async () => {
    const { person } = await somebody('pro')
    const page = await browser.visitAs(person, path)
    expect(await onAndOff(page, 'Slack')).toBe('false')
    expect(await page.getByRole('textbox', { name: 'Webhook' }).isDisabled()).toBe(true)
    await turn(page, 'Slack').click()
    await press(page, 'Slack', 'Fill in the demo address')
    const address = await page.getByRole('textbox', { name: 'Webhook' }).inputValue()
    await press(page, 'Slack', 'Connect')
    await expectToast(page, 'success', 'Slack Connected')
    await expectVisible(card(page, 'Slack').getByText(/\/…\/uvwx/))
    expect(await settingsOf(person)).toMatchObject({ slackEnabled: true, timeZone: 'UTC' })

    await press(page, 'Slack', 'Send test message')
    await expectToast(page, 'success', 'Test message sent', /^Sent to 127\.0\.0\.1:\d+\/…\/uvwx$/)
    const { hook, shown } = await app.slack.message()
    expect(address).toContain(hook)
    expect(shown.text).toContain('test')
    await expectVisible(card(page, 'Slack').getByText('Last one: Today', { exact: false }))

    await page.reload()
    await expectVisible(card(page, 'Slack').getByText(/\/…\/uvwx/))
    expect(await onAndOff(page, 'Slack')).toBe('true')
    expect(await page.content()).not.toContain(address)
    expect(JSON.stringify(await person.get('/api/delivery-settings'))).not.toContain(address)
  })

  test('refuses what is no webhook at the field, which has the focus', async () => {
    const { person } = await somebody('pro')
    const page = await browser.visitAs(person, path)
    await connect(page, '')
    await expectVisible(card(page, 'Slack').getByText('Paste the address of an incoming webhook', { exact: true }))
    const field = page.getByRole('textbox', { name: 'Webhook' })
    await expectFocused(field)
    await field.fill('https://example.com/services/T1/B1/abc')
    expect(await card(page, 'Slack').getByText('Paste the address of an incoming webhook', { exact: true }).count()).toBe(0)
    await field.press('Enter')
    await expectVisible(card(page, 'Slack').getByText(/^Only Slack's own addresses can be used/))
    await expectFocused(field)
    expect((await channelsOf(person)).slack.to).toBeNull()

    await type(page, 'Channel', 'two words')
    await type(page, 'Webhook', app.slack.hookUrl())
    await press(page, 'Slack', 'Connect')
    await expectVisible(card(page, 'Slack').getByText('A channel is one word, such as #seo-alerts'))
    await type(page, 'Channel', '#seo')
    await press(page, 'Slack', 'Connect')
    await expectToast(page, 'success', 'Slack Connected')
    expect((await channelsOf(person)).slack).toMatchObject({ channel: '#seo' })
  })

  test('that fails says so, and one that is gone says on every screen what to do', async () => {
    const { person } = await somebody('pro')
    const page = await browser.visitAs(person, path)
    await connect(page, app.slack.hookUrl())
    await expectToast(page, 'success', 'Slack Connected')
    await app.slack.fail({ error: 'service_unavailable' })
    await press(page, 'Slack', 'Send test message')
    await expectToast(page, 'error', 'Slack test failed', /^Slack could not take the message/)
    // It may pass: nothing is closed.
    expect((await channelsOf(person)).slack.problem).toBeNull()

    await app.slack.setHook('T00000001/B00000001/abcdefghijklmnopqrstuvwx', 'revoked')
    await press(page, 'Slack', 'Send test message')
    await expectToast(page, 'error', 'Slack test failed', /the webhook was revoked/)
    await expectVisible(card(page, 'Slack').getByText(/Make a new incoming webhook in Slack and paste its address/))

    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    const banner = page.getByRole('region', { name: 'Slack alerts' })
    await expectVisible(banner.getByText(/^Slack alerts are off: Slack says: the webhook was revoked/))
    await banner.getByRole('link', { name: 'Alert settings' }).click()
    await expectAddress(page, path)
    await expectGone(banner)

    await press(page, 'Slack', 'Replace webhook')
    await type(page, 'Webhook', app.slack.hookUrl('T00000001/B00000002/zyxwvutsrqponmlkjihgfedc'))
    await press(page, 'Slack', 'Connect')
    await expectVisible(card(page, 'Slack').getByText(/\/…\/fedc/))
    await expectGone(card(page, 'Slack').getByText(/the webhook was revoked/))
    await press(page, 'Slack', 'Send test message')
    await expectToast(page, 'success', 'Test message sent')
  })

  test('is disconnected only after a question', async () => {
    const { person } = await somebody('pro')
    const page = await browser.visitAs(person, path)
    await connect(page, app.slack.hookUrl())
    await expectToast(page, 'success', 'Slack Connected')
    await press(page, 'Slack', 'Disconnect')
    await page.getByRole('alertdialog', { name: 'Disconnect Slack?' }).getByRole('button', { name: 'Cancel' }).click()
    expect((await channelsOf(person)).slack.to).not.toBeNull()
    await press(page, 'Slack', 'Disconnect')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect Slack' }).click()
    await expectToast(page, 'success', 'Slack Disconnected')
    await expect.poll(() => onAndOff(page, 'Slack')).toBe('false')
    expect((await channelsOf(person)).slack.to).toBeNull()
    expect(await settingsOf(person)).toMatchObject({ slackEnabled: false })
  })

  test('switched on needs somewhere to send to before it is saved', async () => {
    const { person } = await somebody('pro')
    const page = await browser.visitAs(person, path)
    await turn(page, 'Slack').click()
    await save(page)
    await expectVisible(card(page, 'Slack').getByText('Paste the address of an incoming webhook', { exact: true }))
    await expectFocused(page.getByRole('textbox', { name: 'Webhook' }))
    expect(await settingsOf(person)).toBeNull()

    // What was typed is connected with the rest.
    await type(page, 'Webhook', app.slack.hookUrl())
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    expect(await settingsOf(person)).toMatchObject({ slackEnabled: true })
    expect((await channelsOf(person)).slack.to).not.toBeNull()
  })
})

describe('SMS', () => {
  const number = '+44 20 7946 0018'
  const sentTo = '+442079460018'

  /** The code of the newest message to the number. */
  async function code(): Promise<string> {
    const { body } = await app.sms.messageTo(sentTo)
    return /^\d{6}/.exec(body)?.[0] ?? ''
  }

  test('goes to a number whose owner gave back its code', async () => {
    const { person } = await somebody('pro')
    const page = await browser.visitAs(person, path)
    await turn(page, 'SMS').click()
    await type(page, 'Mobile number', 'my phone')
    await press(page, 'SMS', 'Send code')
    await expectVisible(card(page, 'SMS').getByText('Enter the number with its country, such as +44 20 7946 0000'))
    await expectFocused(page.getByRole('textbox', { name: 'Mobile number' }))
    await type(page, 'Mobile number', number)
    await press(page, 'SMS', 'Send code')
    await expectToast(page, 'success', 'Code Sent')
    const field = page.getByRole('textbox', { name: 'Code' })
    await expectFocused(field)
    const right = await code()
    expect((await settingsOf(person))?.smsEnabled ?? false).toBe(false)

    await field.fill(right === '000000' ? '111111' : '000000')
    await press(page, 'SMS', 'Confirm number')
    await expectVisible(card(page, 'SMS').getByText('This is not the code that was sent. Check it and try again.'))
    // The code outlives a reload, and what is shown of the number is little.
    await page.reload()
    await expectVisible(card(page, 'SMS').getByText(/^Six digits, sent to \+44 •••• 0018/))
    await turn(page, 'SMS').click()
    await field.fill(right)
    await field.press('Enter')
    await expectToast(page, 'success', 'Number Confirmed')
    expect(await settingsOf(person)).toMatchObject({ smsEnabled: true })
    await expectVisible(card(page, 'SMS').getByText('+44 •••• 0018'))

    await app.sms.clear()
    await press(page, 'SMS', 'Send test message')
    await expectToast(page, 'success', 'Test message sent', 'Sent to +44 •••• 0018')
    expect((await app.sms.messageTo(sentTo)).body).toContain('test')
  })

  test('that cannot be sent says so at the number', async () => {
    const { person } = await somebody('pro')
    const page = await browser.visitAs(person, path)
    await turn(page, 'SMS').click()
    await app.sms.setNumber(sentTo, 21_211)
    await type(page, 'Mobile number', number)
    await press(page, 'SMS', 'Send code')
    await expectFocused(page.getByRole('textbox', { name: 'Mobile number' }))
    expect(await page.getByRole('textbox', { name: 'Mobile number' }).getAttribute('aria-invalid')).toBe('true')

    await app.sms.setNumber(sentTo, null)
    await app.sms.fail({ status: 503 })
    await press(page, 'SMS', 'Send code')
    await expectToast(page, 'error', 'Code Not Sent')
  })
})

describe('a webhook, on Agency', () => {
  test('gets signed messages; its secret is shown once', async () => {
    const { person } = await somebody('agency')
    const page = await browser.visitAs(person, path)
    await turn(page, 'Webhook').click()
    await type(page, 'Address of your server', 'https://192.168.1.10/hook')
    await press(page, 'Webhook', 'Connect')
    await expectVisible(card(page, 'Webhook').getByText(/^This address leads into a private network/))
    await press(page, 'Webhook', 'Fill in the demo address')
    await press(page, 'Webhook', 'Connect')
    const told = card(page, 'Your secret, shown only now')
    await expectFocused(told.getByRole('heading'))
    const secret = await told.getByText(/^whsec_/).innerText()

    await press(page, 'Webhook', 'Send test message')
    await expectToast(page, 'success', 'Test message sent')
    const { headers, bodyBase64 } = await app.webhook.message()
    const body = Buffer.from(bodyBase64, 'base64')
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body.toString()}`
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)

    await press(page, 'Your secret, shown only now', 'I have it')
    await expectGone(told)
    await page.reload()
    await expectVisible(card(page, 'Webhook').getByText(/^http:\/\/127\.0\.0\.1:\d+\/…$/))
    expect(await page.content()).not.toContain(secret)

    await press(page, 'Webhook', 'New secret')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make a new secret' }).click()
    await expectVisible(told.getByText(/^whsec_/))
    expect(await told.getByText(/^whsec_/).innerText()).not.toBe(secret)
    expect(await settingsOf(person)).toMatchObject({ webhookEnabled: true })
  })

  test('that refuses says what it answered', async () => {
    const { person } = await somebody('agency')
    const page = await browser.visitAs(person, path)
    await turn(page, 'Webhook').click()
    await press(page, 'Webhook', 'Fill in the demo address')
    await press(page, 'Webhook', 'Connect')
    await expectVisible(card(page, 'Your secret, shown only now'))
    await app.webhook.fail({ status: 500 })
    await press(page, 'Webhook', 'Send test message')
    await expectToast(page, 'error', 'Webhook test failed', 'Your server answered 500.')
    await card(page, 'Webhook').getByText('How your server knows that a message is ours').click()
    await expectVisible(card(page, 'Webhook').getByText('webhook-signature', { exact: true }))
  })
})

describe('when messages come', () => {
  test('time zone, digest and quiet hours are saved with the page and are back after a reload', async () => {
    const { person } = await somebody('pro')
    const page = await browser.visitAs(person, path)
    const zone = page.getByRole('combobox', { name: 'Time zone', exact: true })
    // Nothing was saved yet: the browser says where somebody is.
    await expectText(zone, 'UTC')
    await zone.click()
    await page.getByRole('combobox', { name: 'Search for a city or region' }).fill('new yor')
    await page.getByRole('option', { name: 'America/New York' }).click()
    await choose(page, 'Frequency', 'Weekly digest')
    await choose(page, 'Digest on', 'Friday')
    await choose(page, 'Digest at', '17:00')
    await page.getByRole('switch', { name: 'Send a digest when nothing happened' }).click()
    await page.getByRole('switch', { name: 'Quiet hours' }).click()
    await choose(page, 'From', '23:00')
    await page.getByRole('combobox', { name: 'Until', exact: true }).click()
    expect(await page.getByRole('option', { name: '23:00', exact: true }).count()).toBe(0)
    await page.getByRole('option', { name: '06:00', exact: true }).click()
    expect(await settingsOf(person)).toBeNull()
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    expect(await settingsOf(person)).toMatchObject({
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
      ['Digest on', 'Friday'],
      ['Digest at', '17:00'],
      ['From', '23:00'],
      ['Until', '06:00'],
    ] as const)
      await expectText(page.getByRole('combobox', { name: label, exact: true }), value)
    await page.getByRole('switch', { name: 'Quiet hours' }).click()
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    expect(await settingsOf(person)).toMatchObject({ quietHours: null, timeZone: 'America/New_York' })
  })

  test('only what was changed is sent', async () => {
    const { person } = await somebody('pro')
    await person.send('POST', '/api/delivery-settings', {})
    const page = await browser.visitAs(person, path)
    await expectVisible(card(page, 'When'))
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET' && request.url().includes('/api/delivery')) sent.push([request.method(), request.postDataJSON()])
    })
    await page.getByRole('switch', { name: 'Warning alerts' }).click()
    await page.getByRole('switch', { name: 'Positive alerts' }).click()
    await page.getByRole('switch', { name: 'Positive alerts' }).click()
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    expect(sent).toEqual([['PATCH', { warningAlerts: false }]])
  })

  test('what cannot be saved stays on screen, and says why', async () => {
    const { person } = await somebody('pro')
    await person.send('POST', '/api/delivery-settings', {})
    const page = await browser.visitAs(person, path)
    await page.getByRole('switch', { name: 'Positive alerts' }).click()
    await page.context().setOffline(true)
    await save(page)
    await expectToast(page, 'error', 'Failed to update preferences', 'Could not save email preferences')
    expect(await page.getByRole('switch', { name: 'Positive alerts' }).getAttribute('aria-checked')).toBe('true')
    await page.context().setOffline(false)
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    expect(await settingsOf(person)).toMatchObject({ positiveAlerts: true })
  })
})

describe('mail', () => {
  test('goes to another address once whoever reads it has said so', async () => {
    const { person, email } = await somebody('free')
    const alerts = email.replace('@', '+alerts@')
    const page = await browser.visitAs(person, path)
    const field = page.getByRole('textbox', { name: 'Email address' })
    await field.fill('nobody')
    await save(page)
    await expectVisible(card(page, 'Email').getByText('Please enter a valid email address'))
    await expectFocused(field)
    await field.fill(alerts)
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    const waiting = card(page, `Waiting for confirmation at ${alerts}`)
    await expectVisible(waiting.getByText(`Until it is opened, messages go to ${email}.`, { exact: false }))
    expect((await channelsOf(person)).email).toMatchObject({ to: email, waitingFor: alerts })

    const first = await app.mail.mailTo(alerts, { kind: 'confirm-delivery-address' })
    await app.mail.clear()
    await waiting.getByRole('button', { name: 'Send again' }).click()
    await expectToast(page, 'success', 'Mail Sent', `A mail to confirm ${alerts} is on its way.`)
    await app.mail.mailTo(alerts, { kind: 'confirm-delivery-address' })

    // Its reader need not be the one who has the account.
    const reader = await browser.visit(linkIn(first.links, '/confirm-delivery'), { theme: 'dark' })
    expect((await channelsOf(person)).email.to).toBe(email)
    await expectBarsNobody(reader)
    await reader.getByRole('button', { name: `Confirm ${alerts}` }).click()
    await expectVisible(reader.getByRole('heading', { name: 'Address confirmed' }))
    await expectBarsNobody(reader)
    expect(pathOf(reader)).toBe('/confirm-delivery')
    expect((await channelsOf(person)).email).toMatchObject({ to: alerts, waitingFor: null })

    await page.reload()
    expect(await field.inputValue()).toBe(alerts)
    await expectGone(waiting)
    await press(page, 'Email', 'Test Email')
    await expectToast(page, 'success', 'Test email sent', `Email sent successfully to ${alerts}`)
    await app.mail.mailTo(alerts, { kind: 'test' })
    await field.fill('')
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    expect((await channelsOf(person)).email.to).toBe(email)
  })

  test('that waits for another address can be left where it is, and the link then works no more', async () => {
    const { person, email } = await somebody('free')
    const alerts = email.replace('@', '+later@')
    const page = await browser.visitAs(person, path)
    await type(page, 'Email address', alerts)
    await save(page)
    const waiting = card(page, `Waiting for confirmation at ${alerts}`)
    await expectVisible(waiting)
    await waiting.getByRole('button', { name: 'Cancel' }).click()
    await expectGone(waiting)
    expect(await page.getByRole('textbox', { name: 'Email address' }).inputValue()).toBe('')
    const { links } = await app.mail.mailTo(alerts, { kind: 'confirm-delivery-address' })
    const reader = await browser.visit(linkIn(links, '/confirm-delivery'))
    await reader.getByRole('button', { name: `Confirm ${alerts}` }).click()
    await expectFocused(reader.getByRole('heading', { name: 'This link does not work' }))
    await expectVisible(reader.getByText('Another address was chosen since this mail was sent: messages do not go here.'))
    expect((await channelsOf(person)).email).toMatchObject({ to: email, waitingFor: null })
  })

  test('that is refused says so, and on every screen when the address takes none', async () => {
    const { person, email } = await somebody('free')
    const page = await browser.visitAs(person, path)
    await app.mail.fail({ error: 'message451' })
    await press(page, 'Email', 'Test Email')
    await expectToast(page, 'error', 'Email test failed', /^The mail server could not take the mail for now/)
    await app.mail.fail({ error: 'recipient550', to: email })
    await press(page, 'Email', 'Test Email')
    await expectToast(page, 'error', 'Email test failed', /^The mail server of example\.test refuses this address/)
    await expectVisible(card(page, 'Email').getByText(/Enter another one under Alert settings/))
    await page.goto('/settings')
    await expectVisible(
      page.getByRole('region', { name: 'Email alerts' }).getByText(/^Email alerts are off: The mail server of example\.test/),
    )
    await page.goto(path)
    await press(page, 'Email', 'Test Email')
    await expectToast(page, 'success', 'Test email sent', `Email sent successfully to ${email}`)
    await expectGone(card(page, 'Email').getByText(/Enter another one under Alert settings/))
  })

  test('is tried from the dashboard as well', async () => {
    const { person, email } = await somebody('pro')
    const page = await browser.visitAs(person, '/dashboard')
    const button = card(page, 'Manual Alert Evaluation').getByRole('button', { name: /^(Test Email|Sending\.\.\.)$/ })
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/alerts/test-email', async (route) => {
      await held
      await route.continue()
    })
    await button.click()
    await expectText(button, 'Sending...')
    expect(await button.isDisabled()).toBe(true)
    answer()
    await expectToast(page, 'success', 'Test email sent', `Email sent successfully to ${email}`)
    await expectText(button, 'Test Email')
    expect((await app.mail.mailTo(email, { kind: 'test' })).links).not.toEqual([])

    await page.context().setOffline(true)
    await button.click()
    await expectToast(page, 'error', 'Email test failed', 'Failed to send test email')
  })

  test('ends with the link that stands in each, without logging in', async () => {
    const { person, email } = await somebody('free')
    await person.send('POST', '/api/alerts/test-email')
    const { links } = await app.mail.mailTo(email, { kind: 'test' })
    const address = linkIn(links, '/unsubscribe')
    const masked = `${email.slice(0, 1)}•••@example.test`
    const reader = await browser.visit(address)
    await expectVisible(reader.getByText(`Alerts and digests go to ${masked}.`))
    expect(await settingsOf(person)).toBeNull()
    await expectBarsNobody(reader)
    await reader.getByRole('button', { name: 'Stop alert emails' }).click()
    await expectFocused(reader.getByRole('heading', { name: 'No more alert emails' }))
    await expectBarsNobody(reader)
    expect(await settingsOf(person)).toMatchObject({ emailEnabled: false })

    // Once more: there is nothing left to stop.
    const again = await browser.visitAs(person, address)
    await expectVisible(again.getByText(`No alerts or digests go to ${masked} at present, so there is nothing to stop.`))
    await again.getByRole('link', { name: 'Switch them on again in the settings' }).click()
    await expectAddress(again, '/settings')
    const mails = again.getByRole('switch', { name: 'Email notifications' })
    await expect.poll(() => mails.getAttribute('aria-checked')).toBe('false')
    await mails.click()
    await expectToast(again, 'success', 'Email preferences updated')
    expect(await settingsOf(person)).toMatchObject({ emailEnabled: true })
  })

  test('is not ended by a link that is not ours', async () => {
    const page = await browser.visit('/unsubscribe?token=made-up')
    await expectVisible(page.getByRole('heading', { name: 'This link does not work' }))
    await page.goto('/unsubscribe')
    await expectVisible(page.getByRole('heading', { name: 'This link does not work' }))
    await page.goto('/confirm-delivery?token=made-up')
    await page.getByRole('button', { name: 'Confirm this address' }).click()
    await expectVisible(page.getByText('This link is not complete. Open it from the mail once more.'))
  })
})

describe('display', () => {
  const colours = (page: Page) => page.locator('[data-colour]').evaluateAll((all) => all.map((each) => each.getAttribute('data-colour')))
  const clicks = (page: Page) => page.getByRole('region', { name: 'Clicks', exact: true }).locator('[data-colour]')
  const alerts = (page: Page) => page.getByRole('region', { name: 'Open alerts' }).locator('[data-colour]')
  /** Every part of the screen is fetched by itself: all of them are there once nothing holds a place and no more colours come. */
  const allColours = async (page: Page) => {
    await expectVisible(clicks(page), alerts(page).first())
    let seen = await colours(page)
    const isSettled = async () => {
      const before = seen.length
      seen = await colours(page)
      return seen.length === before && (await page.locator('main .animate-pulse').count()) === 0
    }
    await expect.poll(isSettled, { interval: 500 }).toBe(true)
    return seen
  }

  test('changes are coloured by outcome when somebody wants that, everywhere and at once', async () => {
    const page = await browser.visitAs(await app.demo(), '/dashboard')
    const all = await allColours(page)
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

  test('the theme is chosen there as well, and the menu of the header knows it', async () => {
    const page = await browser.visitAs(await app.demo(), '/settings')
    await choose(page, 'Theme', 'Dark')
    await expect.poll(() => page.evaluate(() => document.documentElement.classList.value)).toBe('dark')
    expect(await page.evaluate(() => localStorage.getItem('ranklark-ui-theme'))).toBe('dark')
    await page.getByRole('button', { name: 'Theme' }).click()
    await expectVisible(page.getByRole('menuitemradio', { name: 'Dark', checked: true }))
  })
})
