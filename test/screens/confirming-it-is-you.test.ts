import type { Page } from 'playwright-core'
import type { User } from '../../src/contract/user.ts'
import { newNote } from '../../src/contract/annotations.ts'
import { knows, password, wantsProof } from '../support/answers/account.ts'
import { pays } from '../support/answers/billing.ts'
import { keepDelivery } from '../support/answers/delivery.ts'
import type { Desk } from '../support/answers/desk.ts'
import { keyOf, keepsKeys, secretOf } from '../support/answers/developers.ts'
import { keepNotes, noteOf } from '../support/answers/annotations.ts'
import { logo, reportsOn } from '../support/answers/reports.ts'
import { keepRules } from '../support/answers/rules.ts'
import { shop, subscriptionOf, userOf } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectCount,
  expectFocused,
  expectGone,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const asking = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" })

type Stage = { desk: Desk; signIn(change: Partial<User>): void; open(address: string): Promise<Page> }

/** Fills in the form for a new key, for which the server requires a proof. */
async function askForKey({ desk, signIn, open }: Stage): Promise<Page> {
  signIn({ plan: 'agency' })
  keepsKeys(desk, 'agency')
  const guard = wantsProof(desk)
  desk.answer('POST /api/keys', () => {
    guard.prove()
    return { key: secretOf('Sheets'), apiKey: keyOf({ name: 'Sheets' }) }
  })
  const page = await open('/developers')
  await button(page, 'New key').first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Sheets')
  await page.keyboard.press('Enter')
  return page
}

test('an action that needs the password asks for it, says why, and then completes without another click', async ({
  desk,
  signIn,
  open,
}) => {
  const page = await askForKey({ desk, signIn, open })
  await expectVisible(
    asking(page).getByText(
      /^This change affects who can access your account, data, alerts or payments, or what others see in your reports, including scheduled ones that are turned off\. Enter your password/,
    ),
  )
  await asking(page).getByLabel('Your password').fill('not-it')
  await page.keyboard.press('Enter')
  await expectVisible(asking(page).getByText('Incorrect password.'))
  await asking(page).getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expectGone(asking(page))
  await expectVisible(page.getByRole('dialog', { name: 'Your new key' }))
  await expectValue(page.getByRole('textbox', { name: 'API key' }), secretOf('Sheets'))
  await expect
    .poll(() => desk.asked('POST /api/keys').map(({ body }) => body))
    .toEqual(Array.from({ length: 2 }, () => expect.objectContaining({ name: 'Sheets' })))
})

test('canceling leaves everything unchanged, and the form as filled in', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  const page = await askForKey({ desk, signIn, open })
  await expectFocused(asking(page).getByLabel('Your password'))
  await page.keyboard.press('Escape')
  await expectGone(asking(page))
  await expectVisible(page.getByText("Please confirm it's you and try again."))
  await expectValue(page.getByRole('textbox', { name: 'Name' }), 'Sheets')
})

test('another destination for alerts asks for it, and is then connected', async ({ desk, signIn, open }) => {
  signIn({ plan: 'pro' })
  desk.answer('GET /api/subscription', subscriptionOf({ plan: 'pro' }))
  keepRules(desk)
  const kept = keepDelivery(desk, { plan: 'pro' })
  const guard = wantsProof(desk)
  desk.answer('PUT /api/delivery-channels/slack', () => {
    guard.prove()
    return { ...kept.channels, slack: { ...kept.channels.slack, to: 'hooks.slack.com/…/uvwx' } }
  })
  const page = await open('/alert-settings')
  await page.getByRole('switch', { name: 'Slack', exact: true }).click()
  await page.getByRole('textbox', { name: 'Webhook' }).fill('https://hooks.slack.com/services/T00000001/B00000001/abcdefghijklmnopqrstuvwx')
  await page.getByRole('region', { name: 'Slack', exact: true }).getByRole('button', { name: 'Connect' }).click()
  await asking(page).getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expectGone(asking(page))
  await expectToast(page, 'success', 'Slack Connected')
})

test('so does a report sent to others, or its logo', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({ plan: 'agency' })
  reportsOn(desk, 'agency')
  const weekly = { id: '1', subject: { property: shop }, title: shop, kind: 'week' as const, paper: 'a4' as const, enabled: true }
  const schedule = { ...weekly, recipients: ['oak@clients.example'], waiting: [], nextAt: null, lastSentAt: null, problem: null }
  desk.answer('GET /api/report-schedules', { locked: null, recipientLimit: 10, schedules: [schedule] })
  let guard = wantsProof(desk)
  desk.answer('POST /api/report-runs', () => {
    guard.prove()
    const period = { start: '2026-10-05', end: '2026-10-11' }
    const made = { id: '1', title: shop, kind: 'week' as const, period, state: 'done' as const, done: 1, total: 1 }
    return { ...made, recipients: 1, createdAt: '2026-10-14T08:00:00.000Z', detail: null }
  })
  const page = await open('/reports?tab=schedules')
  await button(page, 'Send now').click()
  await asking(page).getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expectGone(asking(page))
  await expectToast(page, 'success', 'Report Sent')

  guard = wantsProof(desk)
  const brand = { name: 'Northlight', color: '#12a150', senderName: 'Northlight', replyTo: null }
  desk.answer('GET /api/report-brand', { locked: null, brand: { ...brand, logo: null } })
  desk.answer('PUT /api/report-brand/logo', () => {
    guard.prove()
    return { locked: null, brand: { ...brand, logo } }
  })
  await page.getByRole('tab', { name: 'Brand' }).click()
  await page.getByLabel('Add logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('a picture') })
  await asking(page).getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expectGone(asking(page))
  await expectToast(page, 'success', 'Logo Saved')
})

test('so does a note that others see in reports, which stays as it was typed meanwhile', { tags: ['full'] }, async ({ desk, open }) => {
  keepNotes(desk, { notes: [], incidents: [], anomalies: [] })
  const guard = wantsProof(desk)
  desk.answer('POST /api/annotations', ({ body }) => {
    guard.prove()
    return noteOf({ id: 'made', ...newNote.parse(body) })
  })
  const page = await open('/dashboard')
  await page
    .getByRole('button', { name: /^Notes: Clicks( |$)/ })
    .filter({ visible: true })
    .first()
    .click()
  const panel = page.getByRole('dialog', { name: 'Notes' })
  await panel.getByRole('button', { name: 'Add a note' }).click()
  await panel.getByRole('textbox', { name: 'What happened' }).fill('New titles')
  await panel.getByRole('checkbox', { name: 'Show in reports you share' }).check()
  const add = panel.getByRole('button', { name: 'Add note', exact: true })
  await add.click()
  await expectFocused(asking(page).getByLabel('Your password'))
  await page.keyboard.press('Escape')
  await expectGone(asking(page))
  await expectValue(panel.getByRole('textbox', { name: 'What happened' }), 'New titles')
  await add.click()
  await asking(page).getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expectGone(asking(page))
  await expectToast(page, 'success', 'Note Added')
})

test('so does another plan, on top of the price confirmation', { tags: ['full'] }, async ({ desk, open }) => {
  pays(desk, 'pro')
  const guard = wantsProof(desk)
  const user = userOf({ plan: 'agency' })
  desk.answer('POST /api/subscription/change', () => {
    guard.prove()
    return { outcome: 'changed', clientSecret: null, user, subscription: subscriptionOf({ plan: 'agency' }) }
  })
  const page = await open('/settings?change=agency')
  await page.getByRole('dialog').getByRole('button', { name: /^Pay / }).click()
  await asking(page).getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expectGone(asking(page))
  await expectToast(page, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
})

test(
  'an account without a password signs in with Google again, in a separate window',
  { tags: ['full'] },
  async ({ desk, signIn, open }) => {
    signIn({ hasPassword: false, googleSignIns: ['ann@gmail.com'] })
    desk.answer('GET /api/user/sessions', [])
    let isProven = false
    desk.answer('PATCH /api/user', () => {
      if (!isProven) wantsProof(desk).prove()
      return userOf({ accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
    })
    const page = await open('/account')
    await page
      .context()
      .route('**/api/auth/google?for=proof', (route) => route.fulfill({ status: 302, headers: { location: '/proven?proven=false' } }))
    await button(page, 'Disconnect').click()
    await button(page, 'Disconnect Search Console').click()
    await expectVisible(asking(page).getByText('Google opens in a new window. Choose ann@gmail.com.'))
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      asking(page).getByRole('button', { name: 'Continue with Google' }).click(),
    ])
    await expectVisible(popup.getByRole('heading', { name: 'Not confirmed' }))
    await expectVisible(asking(page).getByText("That's not the account you log in with. Choose ann@gmail.com."))
    // The same window again, this time with the right account.
    isProven = true
    await popup.goto('/proven?proven=true').catch(() => {})
    await expectToast(page, 'success', 'Disconnected', 'Google Search Console is no longer connected.')
    await expectCount(asking(page), 0)
    await popup.close()
  },
)

test('a new address waits next to the current one, until confirmed or withdrawn', async ({ desk, open }) => {
  knows(desk, userOf())
  desk.answer('GET /api/user/sessions', [])
  const page = await open('/account')
  await page.getByRole('textbox', { name: 'Email' }).fill('next@example.test')
  await button(page, 'Save changes').click()
  await expectToast(page, 'success', 'Profile Updated', 'We sent a confirmation email to next@example.test.')
  await expectVisible(page.getByText('Waiting for confirmation'))
  await expectVisible(page.getByText(/Your account keeps using ann@example\.test until you open the link we sent to next@example\.test/))
  await page.getByRole('textbox', { name: 'Email' }).fill('ann@example.test')
  await button(page, 'Save changes').click()
  await expectVisible(page.getByText('Confirmed', { exact: true }))
})

test("the email's link undoes a changed address, and leads on to a new password", { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn(null)
  desk.answer('POST /api/auth/undo-email', { email: 'ann@example.test', token: 'for-a-password' })
  desk.answer('POST /api/auth/reset-password', null)
  const page = await open('/undo-email?token=a-token')
  await button(page, 'Undo the change').click()
  await expectToast(page, 'success', 'Change Undone', 'Your account uses ann@example.test. Now choose a new password.')
  await expectAddress(page, '/reset-password')
  expect(await page.getByRole('checkbox', { name: /^Also revoke API keys, shared links and recovery codes/ }).isChecked()).toBe(true)
  await page.getByLabel('New password', { exact: true }).fill('password123')
  await expectVisible(page.getByText('This password is easy to guess. Choose another one.'))
  for (const field of ['New password', 'Confirm new password']) await page.getByLabel(field, { exact: true }).fill('a-new-password')
  await page.keyboard.press('Enter')
  await expectAddress(page, '/login')
  await expect
    .poll(() => desk.asked('POST /api/auth/reset-password').map(({ body }) => body))
    .toEqual([{ token: 'for-a-password', password: 'a-new-password', endAccess: true }])
})
