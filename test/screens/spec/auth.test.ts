// SPEC §2, "Auth screen", with its validation (§5) and messages (§8). See also: ../signing-in, ../registering; with a server:
// ../../journeys/accounts.
import type { Page } from 'playwright-core'
import { letsIn, password } from '../../support/answers/account.ts'
import { registeredOf } from '../../support/answers/shell.ts'
import { signIn as signInAt, userOf } from '../../support/answers/usual.ts'
import { expectAddress, expectDisabled, expectGone, expectText, expectToast, expectVisible } from '../../support/browser-expect.ts'
import { describe, expect, test } from '../../support/screen-test.ts'

const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const wrong = (page: Page, label: string, message: string) => page.getByRole('textbox', { name: label, exact: true, description: message })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const rosa = { Username: 'rosa', Email: 'rosa@example.test', Password: password, 'Confirm password': password }

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await box(page, label).fill(value)
}

describe('tab Login', () => {
  test('username at least 3 characters, password at least 6', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/login')
    await fill(page, { Username: 'ab', Password: '12345' })
    await button(page, 'Login').click()
    await expectVisible(
      wrong(page, 'Username', 'Username must be at least 3 characters'),
      wrong(page, 'Password', 'Password must be at least 6 characters'),
    )
    await fill(page, { Username: 'abc', Password: '123456' })
    await expectGone(page.getByText('must be at least'))
  })

  test('"Login Failed" with the server\'s message, or otherwise "Invalid username or password"', async ({ desk, signIn, open }) => {
    signIn(null)
    const page = await open('/login')
    await fill(page, { Username: 'nobody', Password: 'a-password' })
    desk.refuse('POST /api/auth/login', 400, { message: 'Words of the server.' })
    await button(page, 'Login').click()
    await expectToast(page, 'error', 'Login Failed', 'Words of the server.')
    desk.say('POST /api/auth/login', '', { status: 401 })
    await button(page, 'Login').click()
    await expectToast(page, 'error', 'Login Failed', 'Invalid username or password')
  })

  test('"Logging in..." until it leads to /dashboard', async ({ desk, open }) => {
    letsIn(desk, userOf())
    const page = await open('/login')
    await fill(page, { Username: 'ann', Password: password })
    const { release } = desk.hold('POST /api/auth/login')
    await button(page, 'Login').click()
    await expectVisible(button(page, 'Logging in...'))
    await expectDisabled(button(page, 'Logging in...'))
    release()
    await expectAddress(page, '/dashboard')
  })
})

describe('tab Register', () => {
  test('username at least 3, a valid address, password at least 6, both passwords the same', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/login')
    await page.getByRole('tab', { name: 'Register' }).click()
    await expectVisible(button(page, 'Create Account'))
    await expectGone(button(page, 'Login'))
    await fill(page, { Username: 'ab', Email: 'nobody', Password: '12345', 'Confirm password': '123456' })
    await button(page, 'Create Account').click()
    await expectVisible(
      wrong(page, 'Username', 'Username must be at least 3 characters'),
      wrong(page, 'Email', 'Please enter a valid email address'),
      wrong(page, 'Password', 'Password must be at least 6 characters'),
      wrong(page, 'Confirm password', 'Passwords do not match'),
    )
  })

  test('"Registration Failed" with the server\'s message, or otherwise "There was an error creating your account"', async ({
    desk,
    signIn,
    open,
  }) => {
    signIn(null)
    const page = await open('/login?tab=register')
    await fill(page, rosa)
    desk.refuse('POST /api/auth/register', 409, { message: 'Words of the server.' })
    await button(page, 'Create Account').click()
    await expectToast(page, 'error', 'Registration Failed', 'Words of the server.')
    desk.say('POST /api/auth/register', '', { status: 500 })
    await button(page, 'Create Account').click()
    await expectToast(page, 'error', 'Registration Failed', 'There was an error creating your account')
  })

  test('"Creating Account..." until it leads to /onboarding/plan, with a message', async ({ desk, signIn, open }) => {
    signIn(null)
    const user = registeredOf({ username: 'rosa', email: 'rosa@example.test' })
    desk.answer('POST /api/auth/register', () => {
      signInAt(desk, user)
      return { user }
    })
    const page = await open('/login?tab=register')
    await fill(page, rosa)
    const { release } = desk.hold('POST /api/auth/register')
    await button(page, 'Create Account').click()
    await expectVisible(button(page, 'Creating Account...'))
    release()
    await expectToast(page, 'success', 'Registration Successful', 'Your account has been created successfully.')
    await expectAddress(page, '/onboarding/plan')
  })
})

test('the button that connects with the search console leaves for /api/auth/google', async ({ signIn, open }) => {
  signIn(null)
  const page = await open('/login')
  // The server decides where it leads from there.
  await page.route('**/api/auth/google', (route) => route.fulfill({ body: 'Google' }))
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.isNavigationRequest()),
    button(page, 'Connect with Google Search Console').click(),
  ])
  expect(request.url()).toBe(new URL('/api/auth/google', page.url()).href)
})

test('error=auth_failed is reported, and removed from the URL', async ({ signIn, open }) => {
  signIn(null)
  const page = await open('/login?error=auth_failed')
  await expectToast(page, 'error', 'Authentication Failed', 'There was an issue connecting with Google. Please try again.')
  await expectAddress(page, '/login')
})

test('a legal line on both tabs', async ({ signIn, open }) => {
  signIn(null)
  const page = await open('/login')
  for (const tab of ['Login', 'Register']) {
    await page.getByRole('tab', { name: tab }).click()
    await expectVisible(page.getByRole('tab', { name: tab, selected: true }))
    const line = page.getByText(/^By continuing, you agree/)
    await expectText(line, 'By continuing, you agree to our Terms of Service and Privacy Policy.')
  }
})

test('a failed logout: "Logout Failed"', async ({ desk, open }) => {
  desk.answer('GET /api/user/sessions', [])
  desk.say('POST /api/auth/logout', '', { status: 500 })
  const page = await open('/account')
  await button(page, 'Account menu').click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expectToast(page, 'error', 'Logout Failed', 'There was an error logging out.')
  await expectAddress(page, '/account')
})
