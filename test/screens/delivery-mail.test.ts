import type { Page } from 'playwright-core'
import { keepDelivery } from '../support/answers/delivery.ts'
import { keepRules } from '../support/answers/rules.ts'
import { settingsOf } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectDisabled,
  expectFocused,
  expectGone,
  expectText,
  expectToast,
  expectValue,
  expectVisible,
  pathOf,
} from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { describe, expect, test } from '../support/screen-test.ts'

// Alerts by email: to another address, tested, and ended with an email's link.

const path = '/alert-settings'
const account = 'ann@example.test'
const alerts = 'ann+alerts@example.test'
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const address = (page: Page) => page.getByRole('textbox', { name: 'Email address' })
const save = (page: Page) => page.getByRole('button', { name: 'Save Settings' }).click()
const testEmail = (page: Page) => card(page, 'Email').getByRole('button', { name: 'Test Email', exact: true }).click()

/** An email's link that asks for the consent of an address; only the server can tell whether it is genuine. */
const confirmation = `/confirm-delivery?token=${Buffer.from(JSON.stringify({ address: alerts })).toString('base64url')}.signed`

/** Screens only reached by an email's link: in both themes, on a phone and on a desktop. */
async function expectBarsNobody(page: Page): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => (document.documentElement.className = name), theme)
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 320, height: 800 })
  await expectWithinWindow(page)
  await page.setViewportSize({ width: 1_280, height: 800 })
}

describe('another address', () => {
  test(
    'waits until its reader has confirmed it, which can be requested again; with an empty one email goes to the account',
    { tags: ['full'] },
    async ({ desk, open }) => {
      keepRules(desk)
      const kept = keepDelivery(desk)
      const page = await open(path)
      await address(page).fill('nobody')
      await save(page)
      await expectVisible(card(page, 'Email').getByText('Please enter a valid email address'))
      await expectFocused(address(page))
      await address(page).fill(alerts)
      await save(page)
      await expectToast(page, 'success', 'Settings Saved')
      const waiting = card(page, `Waiting for ${alerts} to be confirmed`)
      await expectVisible(waiting.getByText(`Until it's opened, notifications go to ${account}.`, { exact: false }))
      await waiting.getByRole('button', { name: 'Send again' }).click()
      await expectToast(page, 'success', 'Email Sent', `We sent a confirmation email to ${alerts}.`)
      const put = { address: alerts }
      await expect.poll(() => desk.asked('PUT /api/delivery-channels/email').map(({ body }) => body)).toEqual([put, put])

      kept.channels = { ...kept.channels, email: { ...kept.channels.email, to: alerts, waitingFor: null } }
      await page.reload()
      await expect.poll(() => address(page).inputValue()).toBe(alerts)
      await expectGone(waiting)
      desk.answer('POST /api/alerts/test-email', { email: alerts })
      await testEmail(page)
      await expectToast(page, 'success', 'Test email sent', `Email sent successfully to ${alerts}`)
      await address(page).fill('')
      await save(page)
      await expectToast(page, 'success', 'Settings Saved')
      expect(kept.channels.email.to).toBe(account)
    },
  )

  test('can stay as it is while it waits', { tags: ['full'] }, async ({ desk, open }) => {
    keepRules(desk)
    const kept = keepDelivery(desk)
    const page = await open(path)
    await address(page).fill(alerts)
    await save(page)
    const waiting = card(page, `Waiting for ${alerts} to be confirmed`)
    await expectVisible(waiting)
    await waiting.getByRole('button', { name: 'Cancel' }).click()
    await expectGone(waiting)
    await expectValue(address(page), '')
    expect(kept.channels.email).toMatchObject({ to: account, waitingFor: null })
  })

  test("is confirmed by its reader, who may not be the account's owner", { tags: ['full'] }, async ({ desk, signIn, open }) => {
    signIn(null)
    desk.answer('POST /api/delivery-channels/email/confirm', { address: alerts })
    const page = await open(confirmation, { theme: 'dark' })
    const confirm = page.getByRole('button', { name: `Confirm ${alerts}` })
    await expectVisible(confirm)
    await expectBarsNobody(page)
    // It requires the press of a button: mail scanners open links as well.
    expect(desk.asked('POST /api/delivery-channels/email/confirm')).toEqual([])
    await confirm.click()
    await expectVisible(page.getByRole('heading', { name: 'Address confirmed' }))
    await expectBarsNobody(page)
    expect(pathOf(page)).toBe('/confirm-delivery')
  })

  test('that was removed in the meantime says so when its link is opened', { tags: ['full'] }, async ({ desk, signIn, open }) => {
    signIn(null)
    const message = "Another address was chosen after this email was sent, so notifications won't be sent here."
    desk.refuse('POST /api/delivery-channels/email/confirm', 400, { message, field: 'token' })
    const page = await open(confirmation)
    await page.getByRole('button', { name: `Confirm ${alerts}` }).click()
    await expectFocused(page.getByRole('heading', { name: "This link doesn't work" }))
    await expectVisible(page.getByText(message))
  })
})

describe('a test email', { tags: ['full'] }, () => {
  test('that is refused says so, and on every screen if the address accepts none', async ({ desk, open }) => {
    keepRules(desk)
    const kept = keepDelivery(desk)
    const page = await open(path)
    desk.refuse('POST /api/alerts/test-email', 502, { message: "The mail server can't accept email right now (451)." })
    await testEmail(page)
    await expectToast(page, 'error', 'Email test failed', /^The mail server can't accept email right now/)
    const problem = 'The mail server at example.test rejects this address (550). Enter another address in Alert Settings.'
    const { email, ...others } = kept.channels
    kept.channels = { ...others, email: { ...email, problem } }
    desk.refuse('POST /api/alerts/test-email', 409, { message: problem })
    await testEmail(page)
    await expectToast(page, 'error', 'Email test failed', /^The mail server at example\.test rejects this address/)
    await expectVisible(card(page, 'Email').getByText(/Enter another address in Alert Settings/))
    await page.goto('/dashboard')
    await expectVisible(
      page.getByRole('region', { name: 'Email alerts' }).getByText(/^Email alerts are off: The mail server at example\.test/),
    )
    await page.goto(path)
    desk.answer('POST /api/alerts/test-email', () => {
      kept.channels = { ...others, email }
      return { email: account }
    })
    await testEmail(page)
    await expectToast(page, 'success', 'Test email sent', `Email sent successfully to ${account}`)
    await expectGone(card(page, 'Email').getByText(/Enter another address in Alert Settings/))
  })

  test('can be sent from the dashboard as well', async ({ desk, open }) => {
    desk.answer('POST /api/alerts/test-email', { email: account })
    const held = desk.hold('POST /api/alerts/test-email')
    const page = await open('/dashboard')
    const button = card(page, 'Manual Alert Evaluation').getByRole('button', { name: /^(Test Email|Sending\.\.\.)$/ })
    await button.click()
    await expectText(button, 'Sending...')
    await expectDisabled(button)
    held.release()
    await expectToast(page, 'success', 'Test email sent', `Email sent successfully to ${account}`)
    await expectText(button, 'Test Email')

    desk.cut('POST /api/alerts/test-email')
    await button.click()
    await expectToast(page, 'error', 'Email test failed', 'Failed to send test email')
  })
})

describe('alert emails', { tags: ['full'] }, () => {
  const link = '/unsubscribe?token=of-a-mail'
  const masked = 'a•••@example.test'

  test('can be stopped with the link in each of them, without logging in', async ({ desk, signIn, open }) => {
    signIn(null)
    desk.answer('GET /api/unsubscribe', { address: masked, subscribed: true })
    desk.answer('POST /api/unsubscribe', { address: masked, subscribed: false })
    const page = await open(link)
    await expectVisible(page.getByText(`Alerts and digests go to ${masked}.`))
    expect(desk.asked('POST /api/unsubscribe')).toEqual([])
    await expectBarsNobody(page)
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await expectFocused(page.getByRole('heading', { name: "You're unsubscribed" }))
    await expectBarsNobody(page)
    await expect.poll(() => desk.asked('POST /api/unsubscribe').map(({ query }) => query.get('token'))).toEqual(['of-a-mail'])
  })

  test('somebody was only asked to get can be blocked with the link in that email', async ({ desk, signIn, open }) => {
    signIn(null)
    desk.answer('GET /api/unsubscribe', { address: masked, subscribed: false, asked: true })
    desk.answer('POST /api/unsubscribe', { address: masked, subscribed: false })
    const page = await open(link)
    await expectVisible(page.getByText(`Stop this account from asking ${masked} to receive its alerts?`))
    expect(desk.asked('POST /api/unsubscribe')).toEqual([])
    await page.getByRole('button', { name: 'Block requests' }).click()
    await expectFocused(page.getByRole('heading', { name: "You're unsubscribed" }))
  })

  test('that have ended leave nothing to stop, and can be switched on again in the settings', async ({ desk, open }) => {
    desk.answer('GET /api/audit-log', { events: [], next: null })
    desk.answer('GET /api/unsubscribe', { address: masked, subscribed: false })
    const kept = keepDelivery(desk, { settings: settingsOf({ emailEnabled: false }) })
    const page = await open(link)
    await expectVisible(page.getByText(`${masked} isn't getting any alerts or digests.`))
    await page.getByRole('link', { name: 'Turn them back on in Settings' }).click()
    await expectAddress(page, '/settings')
    const mails = page.getByRole('switch', { name: 'Email notifications' })
    await expect.poll(() => mails.getAttribute('aria-checked')).toBe('false')
    await mails.click()
    await expectToast(page, 'success', 'Email preferences updated')
    expect(kept.settings).toMatchObject({ emailEnabled: true })
  })

  test("aren't ended by a link that isn't ours", async ({ desk, signIn, open }) => {
    signIn(null)
    const message = 'This link is incomplete. Open it again from the email.'
    desk.refuse('GET /api/unsubscribe', 400, { message, field: 'token' })
    desk.refuse('POST /api/delivery-channels/email/confirm', 400, { message, field: 'token' })
    const page = await open('/unsubscribe?token=made-up')
    await expectVisible(page.getByRole('heading', { name: "This link doesn't work" }))
    await page.goto('/unsubscribe')
    await expectVisible(page.getByRole('heading', { name: "This link doesn't work" }))
    await page.goto('/confirm-delivery?token=made-up')
    await page.getByRole('button', { name: 'Confirm this address' }).click()
    await expectVisible(page.getByText(message))
  })
})
