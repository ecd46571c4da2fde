import type { Page } from 'playwright-core'
import { letsIn } from '../support/answers/account.ts'
import { userOf } from '../support/answers/usual.ts'
import { expectAddress, expectFocused, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const wrong = (page: Page, label: string, message: string) => page.getByRole('textbox', { name: label, exact: true, description: message })

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await box(page, label).fill(value)
}

test('a link is requested by keyboard alone, and the response is the same whoever has the address', async ({ desk, signIn, open }) => {
  signIn(null)
  desk.answer('POST /api/auth/forgot-password', null)
  const page = await open('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).focus()
  await page.keyboard.press('Enter')
  await expectAddress(page, '/forgot-password')
  await box(page, 'Email').focus()
  await page.keyboard.type('nobody')
  await page.keyboard.press('Enter')
  await expectFocused(wrong(page, 'Email', 'Please enter a valid email address'))
  await box(page, 'Email').fill('ann@example.test')
  await page.keyboard.press('Enter')
  await expectVisible(page.getByText("If there's an account with this address, we've emailed you a link.", { exact: true }))
  await expectFocused(page.getByRole('heading', { name: 'Check your email' }))
  await expect.poll(() => desk.asked('POST /api/auth/forgot-password').map(({ body }) => body)).toEqual([{ email: 'ann@example.test' }])
})

test('too many requests say how long to wait', async ({ desk, signIn, open }) => {
  signIn(null)
  desk.refuse('POST /api/auth/forgot-password', 429, { message: 'Too many attempts. Please try again in 42 minutes.' })
  const page = await open('/forgot-password')
  await box(page, 'Email').fill('ann@example.test')
  await button(page, 'Send link').click()
  await expectToast(page, 'error', 'Email Not Sent', 'Too many attempts. Please try again in 42 minutes.')
})

test('the link sets a new password, and its token disappears from the URL', async ({ desk, open }) => {
  letsIn(desk, userOf(), 'another-password')
  desk.answer('POST /api/auth/reset-password', null)
  const page = await open('/reset-password?token=a-token')
  await expectVisible(page.getByRole('heading', { name: 'Choose a new password' }))
  await expectAddress(page, '/reset-password')
  await fill(page, { 'New password': 'another-password', 'Confirm new password': 'a-different-one' })
  await page.keyboard.press('Enter')
  await expectFocused(wrong(page, 'Confirm new password', 'Passwords do not match'))
  await box(page, 'Confirm new password').fill('another-password')
  await page.keyboard.press('Enter')
  await expectToast(page, 'success', 'Password Changed', 'Log in with your new password.')
  await expectAddress(page, '/login')
  await expect
    .poll(() => desk.asked('POST /api/auth/reset-password').map(({ body }) => body))
    .toEqual([{ token: 'a-token', password: 'another-password', endAccess: false }])
  await fill(page, { Username: 'ann', Password: 'another-password' })
  await button(page, 'Login').click()
  await expectAddress(page, '/dashboard')
})

test('a used link leads to a new one', async ({ desk, signIn, open }) => {
  signIn(null)
  const message = 'This link has expired or was already used. Please request a new one.'
  desk.refuse('POST /api/auth/reset-password', 400, { message, field: 'token' })
  const page = await open('/reset-password?token=a-token')
  await fill(page, { 'New password': 'third-password', 'Confirm new password': 'third-password' })
  await page.keyboard.press('Enter')
  await expectFocused(page.getByRole('heading', { name: "This link doesn't work" }))
  await expectVisible(page.getByText(message))
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expectAddress(page, '/forgot-password')
})

test('a link without its token leads to a new one', async ({ signIn, open }) => {
  signIn(null)
  const page = await open('/reset-password')
  await expectVisible(page.getByRole('heading', { name: "This link doesn't work" }), page.getByRole('link', { name: 'Request a new link' }))
})
