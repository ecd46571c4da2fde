import type { Page } from 'playwright-core'
import { knows, letsIn } from '../support/answers/account.ts'
import { keepDelivery } from '../support/answers/delivery.ts'
import { keepRules } from '../support/answers/rules.ts'
import { registeredOf } from '../support/answers/shell.ts'
import { channelsOf, settingsOf } from '../support/answers/usual.ts'
import { expectAddress, expectCount, expectFocused, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const banner = (page: Page) => page.getByRole('region', { name: 'Email address' })
const rita = () => registeredOf({ username: 'rita', email: 'rita@example.test', planChosen: true })

test('it is confirmed by a button behind the link, not by the link itself', async ({ desk, open }) => {
  const known = knows(desk, rita())
  desk.answer('GET /api/user/sessions', [])
  desk.answer('POST /api/auth/verify-email', () => ({ email: known.change({ emailVerified: true }).email }))
  const page = await open('/verify-email?token=a-token')
  await expectVisible(button(page, 'Confirm address'))
  await expectAddress(page, '/verify-email')
  expect(desk.asked('POST /api/auth/verify-email')).toEqual([])
  await button(page, 'Confirm address').click()
  await expectFocused(page.getByRole('heading', { name: 'Address confirmed' }))
  await expectVisible(page.getByText('rita@example.test is confirmed.'))
  await expect.poll(() => desk.asked('POST /api/auth/verify-email').map(({ body }) => body)).toEqual([{ token: 'a-token' }])
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await expectAddress(page, '/dashboard')
  await page.goto('/account')
  await expectVisible(page.getByText('Confirmed', { exact: true }))
  await expectCount(banner(page), 0)
})

test('it requires a login to the account: others log in first, and return', async ({ desk, open }) => {
  letsIn(desk, rita(), 'a-good-password')
  const page = await open('/verify-email?token=a-token')
  await expectVisible(page.getByRole('heading', { name: 'Log in to confirm your email address' }))
  await expectCount(button(page, 'Confirm address'), 0)
  await page.getByRole('link', { name: 'Log in', exact: true }).click()
  await expectAddress(page, '/login')
  await page.getByRole('textbox', { name: 'Username' }).fill('rita')
  await page.getByRole('textbox', { name: 'Password' }).fill('a-good-password')
  await button(page, 'Login').click()
  await expectAddress(page, '/verify-email')
  await expectVisible(button(page, 'Confirm address'))
})

test('another email is sent from the notice and from the profile', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn(rita())
  desk.answer('GET /api/user/sessions', [])
  desk.answer('POST /api/auth/verify-email/send', null)
  const page = await open('/account')
  await expectVisible(
    banner(page).getByText('Confirm your email address: we sent a link to rita@example.test. Alert emails are held until you open it.'),
  )
  await button(page, 'Send again').click()
  await expectToast(page, 'success', 'Email Sent', 'We sent a confirmation email to rita@example.test.')
  await expect.poll(() => desk.asked('POST /api/auth/verify-email/send')).toHaveLength(1)
  await button(page, 'Resend email').click()
  await expect.poll(() => desk.asked('POST /api/auth/verify-email/send').length).toBe(2)
})

test('the notice stays dismissed for as long as the window is open', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn(rita())
  desk.answer('GET /api/user/sessions', [])
  const page = await open('/account')
  await button(page, 'Dismiss email notice').click()
  await expectGone(banner(page))
  await page.reload()
  await expectVisible(button(page, 'Save changes'))
  await expectCount(banner(page), 0)
})

test('an invalid link offers a new one to its owner', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn(rita())
  const message = 'This link has expired or was already used. Request a new one under Profile.'
  desk.refuse('POST /api/auth/verify-email', 400, { message, field: 'token' })
  desk.answer('POST /api/auth/verify-email/send', null)
  const page = await open('/verify-email?token=made-up')
  await button(page, 'Confirm address').click()
  await expectFocused(page.getByRole('heading', { name: "This link doesn't work" }))
  await button(page, 'Send a new link').click()
  await expectToast(page, 'success', 'Email Sent')
  await expect.poll(() => desk.asked('POST /api/auth/verify-email/send')).toHaveLength(1)
})

test("what waits for it is shown until it is confirmed, and can't be dismissed", async ({ desk, signIn, open }) => {
  signIn({ emailVerified: false })
  keepRules(desk)
  const { email, ...others } = channelsOf()
  const channels = { ...others, email: { ...email, unconfirmed: { alerts: 2 } } }
  keepDelivery(desk, { settings: settingsOf(), channels })
  desk.answer('POST /api/auth/verify-email/send', null)
  const page = await open('/alert-settings')
  const text = '2 alerts will be emailed when you open it.'
  await expectVisible(banner(page).getByText(`Confirm your email address: we sent a link to ann@example.test. ${text}`))
  await expectCount(button(page, 'Dismiss email notice'), 0)
  const waiting = page.getByRole('region', { name: 'Waiting for ann@example.test to be confirmed' })
  await expectVisible(waiting.getByText(`We sent a confirmation link to this address. ${text}`))
  await waiting.getByRole('button', { name: 'Send again' }).click()
  await expectToast(page, 'success', 'Email Sent', 'We sent a confirmation email to ann@example.test.')
})
