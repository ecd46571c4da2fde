import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { deliverySettingsAnswer } from '../../src/contract/delivery/delivery.ts'
import { deliveryChannels } from '../../src/contract/delivery/channels.ts'
import type { PlanId } from '../../src/contract/user.ts'
import type { TestApp } from '../support/app.ts'
import { expectAddress, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { newPerson, select, shortenHistory } from '../support/people.ts'
import type { Visitor } from '../support/visitor.ts'

const test = journeyTest({ figures: false })
const path = '/alert-settings'

/** A user on a given plan, with a property. */
async function somebody(app: TestApp, name: string, plan: PlanId): Promise<Visitor> {
  const site = `https://${name}.example/`
  const person = await newPerson(app, { email: `${name}@example.test`, sites: { [site]: 'empty' }, plan })
  await shortenHistory(app, site, 3)
  await select(person, site)
  return person
}

const settingsOf = async (person: Visitor) => deliverySettingsAnswer.parse((await person.get('/api/delivery-settings')).body)
const channelsOf = async (person: Visitor) => deliveryChannels.parse((await person.get('/api/delivery-channels')).body)

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const turn = (page: Page, name: string) => card(page, name).getByRole('switch', { name, exact: true })
const press = (page: Page, of: string, name: string) => card(page, of).getByRole('button', { name, exact: true }).click()
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save Settings' }).click()

/** Where a link in an email leads, for the person who clicks it. */
function linkIn(links: readonly string[], screen: string): string {
  const found = links.map((link) => new URL(link)).find(({ pathname }) => pathname === screen)
  if (!found) throw new Error(`There is no link to ${screen} in ${links.join(' ')}`)
  return found.pathname + found.search
}

test('Slack, a phone and a user’s own server are connected, and messages arrive there', { tags: ['full'] }, async ({ app, visitAs }) => {
  const person = await somebody(app, 'teller', 'agency')
  const page = await visitAs(person, path)
  await turn(page, 'Slack').click()
  await press(page, 'Slack', 'Use the demo URL')
  const address = await field(page, 'Webhook').inputValue()
  await press(page, 'Slack', 'Connect')
  await expectToast(page, 'success', 'Slack Connected')
  await press(page, 'Slack', 'Send test message')
  await expectToast(page, 'success', 'Test message sent', /^Sent to 127\.0\.0\.1:\d+\/…\/uvwx$/)
  const { hook, shown } = await app.slack.message()
  expect(address).toContain(hook)
  expect(shown.text).toContain('test')
  // It no longer exists at Slack: the screen says so, and another one fixes it.
  await app.slack.setHook('T00000001/B00000001/abcdefghijklmnopqrstuvwx', 'revoked')
  await press(page, 'Slack', 'Send test message')
  await expectVisible(card(page, 'Slack').getByText(/Create a new incoming webhook in Slack and paste its URL/))
  await press(page, 'Slack', 'Replace webhook')
  await field(page, 'Webhook').fill(app.slack.hookUrl('T00000001/B00000002/zyxwvutsrqponmlkjihgfedc'))
  await press(page, 'Slack', 'Connect')
  await expectVisible(card(page, 'Slack').getByText(/\/…\/fedc/))

  const number = '+442079460018'
  await turn(page, 'SMS').click()
  await field(page, 'Mobile number').fill('+44 20 7946 0018')
  await press(page, 'SMS', 'Send code')
  await expectToast(page, 'success', 'Code Sent')
  const code = /^\d{6}/.exec((await app.sms.messageTo(number)).body)?.[0] ?? ''
  await field(page, 'Code').fill(code === '000000' ? '111111' : '000000')
  await press(page, 'SMS', 'Confirm number')
  await expectVisible(card(page, 'SMS').getByText('This code is incorrect. Check it and try again.'))
  await field(page, 'Code').fill(code)
  await field(page, 'Code').press('Enter')
  await expectToast(page, 'success', 'Number Confirmed')
  await app.sms.clear()
  await press(page, 'SMS', 'Send test message')
  await expectToast(page, 'success', 'Test message sent', 'Sent to +44 •••• 0018')
  expect((await app.sms.messageTo(number)).body).toContain('test')

  await turn(page, 'Webhook').click()
  await press(page, 'Webhook', 'Use the demo URL')
  await press(page, 'Webhook', 'Connect')
  const secret = await card(page, 'Your secret (shown only once)')
    .getByText(/^whsec_/)
    .innerText()
  await press(page, 'Webhook', 'Send test message')
  await expectToast(page, 'success', 'Test message sent', /^Sent to http:/)
  const { headers, bodyBase64 } = await app.webhook.message()
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${Buffer.from(bodyBase64, 'base64').toString()}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)

  await page.reload()
  await expectVisible(card(page, 'Webhook').getByText(/^http:\/\/127\.0\.0\.1:\d+\/…$/))
  const content = await page.content()
  for (const secretText of [address, secret]) expect(content).not.toContain(secretText)
  expect(await settingsOf(person)).toMatchObject({ slackEnabled: true, smsEnabled: true, webhookEnabled: true, timeZone: 'UTC' })
})

test(
  "email goes to another address once its reader has confirmed it, until they unsubscribe with an email's link",
  { tags: ['full'] },
  async ({ app, visit, visitAs }) => {
    const person = await somebody(app, 'reader', 'free')
    const [account, alerts] = ['reader@example.test', 'reader+alerts@example.test']
    const page = await visitAs(person, path)
    await field(page, 'Email address').fill(alerts)
    await save(page)
    await expectToast(page, 'success', 'Settings Saved')
    await expectVisible(card(page, `Waiting for ${alerts} to be confirmed`))
    expect((await channelsOf(person)).email).toMatchObject({ to: account, waitingFor: alerts })

    // Its reader may be someone other than the account's owner.
    const asked = await app.mail.mailTo(alerts, { kind: 'confirm-delivery-address' })
    const reader = await visit(linkIn(asked.links, '/confirm-delivery'))
    await reader.getByRole('button', { name: `Confirm ${alerts}` }).click()
    await expectVisible(reader.getByRole('heading', { name: 'Address confirmed' }))
    expect((await channelsOf(person)).email).toMatchObject({ to: alerts, waitingFor: null })

    await page.reload()
    await press(page, 'Email', 'Test Email')
    await expectToast(page, 'success', 'Test email sent', `Email sent successfully to ${alerts}`)
    const mail = await app.mail.mailTo(alerts, { kind: 'test' })
    const stopping = await visit(linkIn(mail.links, '/unsubscribe'))
    await expectVisible(stopping.getByText('Alerts and digests go to r•••@example.test.'))
    await stopping.getByRole('button', { name: 'Unsubscribe' }).click()
    await expectVisible(stopping.getByRole('heading', { name: "You're unsubscribed" }))
    expect(await settingsOf(person)).toMatchObject({ emailEnabled: false })

    // Once more: there is nothing left to stop; their owner wants them again.
    const again = await visitAs(person, linkIn(mail.links, '/unsubscribe'))
    await again.getByRole('link', { name: 'Turn them back on in Settings' }).click()
    await expectAddress(again, '/settings')
    await again.getByRole('switch', { name: 'Email notifications' }).click()
    await expectToast(again, 'success', 'Email preferences updated')
    expect(await settingsOf(person)).toMatchObject({ emailEnabled: true })
  },
)
