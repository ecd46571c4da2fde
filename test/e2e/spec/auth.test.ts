// SPEC §2, "Auth screen", with its validation (§5) and messages (§8). The journeys are in ../signing-in and ../accounts.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectAddress, expectGone, expectText, expectToast, expectVisible } from '../../support/browser-expect.ts'
import { hold } from '../../support/browser-hold.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const wrong = (page: Page, label: string, message: string) => page.getByRole('textbox', { name: label, exact: true, description: message })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await box(page, label).fill(value)
}

describe('tab Login', () => {
  test('username at least 3 characters, password at least 6', async () => {
    const page = await browser.visit('/login')
    await fill(page, { Username: 'ab', Password: '12345' })
    await button(page, 'Login').click()
    await expectVisible(
      wrong(page, 'Username', 'Username must be at least 3 characters'),
      wrong(page, 'Password', 'Password must be at least 6 characters'),
    )
    await fill(page, { Username: 'abc', Password: '123456' })
    await expectGone(page.getByText('must be at least'))
  })

  test('"Login Failed" with the server\'s message, or else with "Invalid username or password"', async () => {
    const page = await browser.visit('/login')
    await fill(page, { Username: 'nobody', Password: 'a-password' })
    await page.route('**/api/auth/login', (route) => route.fulfill({ status: 400, json: { message: 'Words of the server.' } }), {
      times: 1,
    })
    await button(page, 'Login').click()
    await expectToast(page, 'error', 'Login Failed', 'Words of the server.')
    await page.route('**/api/auth/login', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await button(page, 'Login').click()
    await expectToast(page, 'error', 'Login Failed', 'Invalid username or password')
  })

  test('"Logging in..." until it leads to /dashboard', async () => {
    const page = await browser.visit('/login')
    await fill(page, { Username: 'demo', Password: 'demo-password' })
    const { release } = await hold(page, '**/api/auth/login')
    await button(page, 'Login').click()
    await expectVisible(button(page, 'Logging in...'))
    expect(await button(page, 'Logging in...').isDisabled()).toBe(true)
    release()
    await expectAddress(page, '/dashboard')
  })
})

describe('tab Register', () => {
  test('username at least 3, a valid address, password at least 6, both passwords the same', async () => {
    const page = await browser.visit('/login')
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

  test('"Registration Failed" with the server\'s message, or else with "There was an error creating your account"', async () => {
    const page = await browser.visit('/login?tab=register')
    await fill(page, { Username: 'rita', Email: 'rita@example.test', Password: 'a-password', 'Confirm password': 'a-password' })
    await page.route('**/api/auth/register', (route) => route.fulfill({ status: 409, json: { message: 'Words of the server.' } }), {
      times: 1,
    })
    await button(page, 'Create Account').click()
    await expectToast(page, 'error', 'Registration Failed', 'Words of the server.')
    await page.route('**/api/auth/register', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await button(page, 'Create Account').click()
    await expectToast(page, 'error', 'Registration Failed', 'There was an error creating your account')
  })

  test('"Creating Account..." until it leads to /onboarding/plan, with a message', async () => {
    const page = await browser.visit('/login?tab=register')
    await fill(page, { Username: 'rosa', Email: 'rosa@example.test', Password: 'a-password', 'Confirm password': 'a-password' })
    const { release } = await hold(page, '**/api/auth/register')
    await button(page, 'Create Account').click()
    await expectVisible(button(page, 'Creating Account...'))
    release()
    await expectToast(page, 'success', 'Registration Successful', 'Your account has been created successfully.')
    await expectAddress(page, '/onboarding/plan')
  })
})

test('the button that connects with the search console leaves for /api/auth/google', async () => {
  const page = await browser.visit('/login')
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.isNavigationRequest()),
    button(page, 'Connect with Google Search Console').click(),
  ])
  expect(request.url()).toBe(`${app.url}/api/auth/google`)
})

test('error=auth_failed is told, and gone from the address', async () => {
  const page = await browser.visit('/login?error=auth_failed')
  await expectToast(page, 'error', 'Authentication Failed', 'There was an issue connecting with Google. Please try again.')
  await expectAddress(page, '/login')
})

test('a legal line on both tabs', async () => {
  for (const address of ['/login', '/login?tab=register']) {
    const page = await browser.visit(address)
    const line = page.getByText(/^By continuing, you agree/)
    await expectText(line, 'By continuing, you agree to our Terms of Service and Privacy Policy.')
  }
})

test('a logout that fails: "Logout Failed"', async () => {
  const page = await browser.visitAs(await app.demo(), '/account')
  await page.route('**/api/auth/logout', (route) => route.fulfill({ status: 500, body: '' }))
  await button(page, 'Account menu').click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expectToast(page, 'error', 'Logout Failed', 'There was an error logging out.')
  await expectAddress(page, '/account')
})
