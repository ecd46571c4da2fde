import type { Page } from 'playwright-core'
import { registration } from '../../src/contract/account/auth.ts'
import { password } from '../support/answers/account.ts'
import { registeredOf } from '../support/answers/shell.ts'
import { signIn as signInAt } from '../support/answers/usual.ts'
import { expectAddress, expectFocused, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const wrong = (page: Page, label: string, message: string) => page.getByRole('textbox', { name: label, exact: true, description: message })
const rita = { Username: 'rita', Email: 'rita@example.test', Password: password, 'Confirm password': password }

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await box(page, label).fill(value)
}

test('a link opens the tab, and so does the keyboard', async ({ signIn, open }) => {
  signIn(null)
  const page = await open('/login?tab=register')
  await expectVisible(page.getByRole('tab', { name: 'Register', selected: true }), button(page, 'Create Account'))
  await page.goto('/login')
  await expectVisible(button(page, 'Login'))
  await page.getByRole('tab', { name: 'Login', selected: true }).focus()
  await page.keyboard.press('ArrowRight')
  await expectFocused(page.getByRole('tab', { name: 'Register' }))
  await page.keyboard.press('Enter')
  // The URL changes before the form appears: keys pressed in between belong to the form still on screen.
  await expectVisible(page.getByRole('tab', { name: 'Register', selected: true }), button(page, 'Create Account'))
  await expectAddress(page, '/login?tab=register')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expectFocused(box(page, 'Username'))
})

test('shows each error at its field and focuses the first', async ({ signIn, open }) => {
  signIn(null)
  const page = await open('/login?tab=register')
  await fill(page, { Username: 'ab', Email: 'nobody', Password: '12345', 'Confirm password': '123456' })
  await page.keyboard.press('Enter')
  await expectVisible(
    wrong(page, 'Username', 'Username must be at least 3 characters'),
    wrong(page, 'Email', 'Please enter a valid email address'),
    wrong(page, 'Password', 'Password must be at least 6 characters'),
    wrong(page, 'Confirm password', 'Passwords do not match'),
  )
  await expectFocused(box(page, 'Username'))
  await fill(page, { ...rita, 'Confirm password': '123456' })
  await button(page, 'Create Account').click()
  await expectFocused(wrong(page, 'Confirm password', 'Passwords do not match'))
  await fill(page, { 'Confirm password': password })
  await expectGone(page.getByText('Passwords do not match'))
})

test('creates an account, the plan is chosen next, and everything is usable until the address is confirmed', async ({
  desk,
  signIn,
  open,
}) => {
  signIn(null)
  desk.answer('GET /api/user/sessions', [])
  desk.answer('POST /api/auth/register', ({ body }) => {
    const { username, email } = registration.parse(body)
    const user = registeredOf({ username, email })
    signInAt(desk, user)
    return { user }
  })
  const page = await open('/login?tab=register')
  await fill(page, rita)
  const kinds = ['Username', 'Email', 'Password', 'Confirm password'].map((label) => box(page, label).getAttribute('autocomplete'))
  expect(await Promise.all(kinds)).toEqual(['username', 'email', 'new-password', 'new-password'])
  await page.keyboard.press('Enter')
  await expectToast(page, 'success', 'Registration Successful', 'Your account has been created successfully.')
  await expectAddress(page, '/onboarding/plan')
  await expect
    .poll(() => desk.asked('POST /api/auth/register').map(({ body }) => body))
    .toEqual([{ username: 'rita', email: 'rita@example.test', password }])
  await page.goto('/account')
  await expectVisible(page.getByText('we sent a link to rita@example.test'))
})

test("a taken name is reported at its field, in the server's words", async ({ desk, signIn, open }) => {
  signIn(null)
  const message = 'This username is taken. Please choose another one.'
  desk.refuse('POST /api/auth/register', 409, { message, field: 'username' })
  const page = await open('/login?tab=register')
  await fill(page, rita)
  await button(page, 'Create Account').click()
  await expectToast(page, 'error', 'Registration Failed', message)
  await expectFocused(wrong(page, 'Username', message))
})

test('without a response from the server it says that it failed', async ({ desk, signIn, open }) => {
  signIn(null)
  desk.cut('POST /api/auth/register')
  const page = await open('/login?tab=register')
  await fill(page, rita)
  await button(page, 'Create Account').click()
  await expectToast(page, 'error', 'Registration Failed', 'There was an error creating your account')
})
