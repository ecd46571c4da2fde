import { noMailText } from '../../src/core/delivery/no-mail.ts'
import { knows } from '../support/answers/account.ts'
import { keepDelivery } from '../support/answers/delivery.ts'
import { channelsOf, sessionOf, settingsOf, userOf } from '../support/answers/usual.ts'
import { expectCount, expectToast, expectVisible } from '../support/browser-expect.ts'
import { test } from '../support/screen-test.ts'

// An installation without a mail server: no screen claims that an email was sent, and each says why none is.

test('a signed-in user sees it on every screen, and is offered nothing that needs email', { tags: ['full'] }, async ({ desk, open }) => {
  const known = knows(desk, userOf({ emailVerified: false, hasPassword: false }))
  const { email, ...others } = channelsOf()
  const channels = { ...others, email: { ...email, locked: noMailText, unconfirmed: { alerts: 2 } } }
  keepDelivery(desk, { settings: settingsOf(), channels })
  desk.answer('GET /api/auth/session', () => ({ ...sessionOf(known.user()), mail: false }))
  desk.answer('GET /api/user/sessions', [])
  desk.answer('GET /api/audit-log', { events: [], next: null })
  // A link from when there was one.
  desk.refuse('POST /api/auth/verify-email', 400, { message: 'This link is not valid any more.', field: 'token' })
  const page = await open('/verify-email?token=old')
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await expectVisible(page.getByRole('link', { name: 'Go to the dashboard' }))
  await expectCount(page.getByRole('button', { name: 'Send a new link' }), 0)

  await page.goto('/account')
  await expectVisible(page.getByRole('region', { name: 'Email alerts' }).getByText(`Email alerts are off: ${noMailText}`))
  await expectCount(page.getByRole('region', { name: 'Email address' }), 0)
  for (const name of ['Send again', 'Resend email', 'Set a password']) await expectCount(page.getByRole('button', { name }), 0)
  await page.getByRole('textbox', { name: 'Email' }).fill('another@example.test')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'success', 'Profile Updated', 'Your profile has been saved.')

  await page.goto('/settings')
  await expectVisible(page.getByRole('region', { name: 'Email notifications' }).getByText(noMailText))
})

test("a visitor who forgot the password isn't told that a link is on its way", async ({ desk, open }) => {
  desk.answer('GET /api/auth/session', { ...sessionOf(null), mail: false })
  const page = await open('/forgot-password')
  await expectVisible(page.getByText(noMailText, { exact: false }))
  await expectCount(page.getByRole('button', { name: 'Send link' }), 0)
})
