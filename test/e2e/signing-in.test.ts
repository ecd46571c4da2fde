import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { daysOfFile, englishExport } from '../support/browser-files.ts'
import { registered } from '../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

test('a visitor is sent to log in, and afterwards to where they wanted', async () => {
  const page = await browser.visit('/account?from=mail')
  await expectAddress(page, '/login')
  await expectVisible(
    page.getByRole('tab', { name: 'Login', selected: true }),
    page.getByText('Terms of Service'),
    page.getByText('Privacy Policy'),
  )
  await logIn(page, 'demo', 'demo-password')
  await expectAddress(page, '/account?from=mail')
  await expectVisible(page.getByRole('heading', { name: 'Account', level: 1 }))
})

test('a visitor of the first page logs in and is on the dashboard, also when coming back', async () => {
  const page = await browser.visit('/')
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await expectAddress(page, '/login')
  await logIn(page, 'Demo', 'demo-password')
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('heading', { name: 'Dashboard', level: 1 }))
  await page.goto('/login')
  await expectAddress(page, '/dashboard')
  await page.goto('/')
  await expectAddress(page, '/dashboard')
})

test('the form says what is missing only once it was sent, and each thing by name', async () => {
  const page = await browser.visit('/login')
  const [shortName, shortPassword] = [
    page.getByText('Username must be at least 3 characters'),
    page.getByText('Password must be at least 6 characters'),
  ]
  await page.getByRole('textbox', { name: 'Username' }).fill('ab')
  await page.getByRole('textbox', { name: 'Password' }).fill('12345')
  expect([await shortName.count(), await shortPassword.count()]).toEqual([0, 0])

  await page.getByRole('button', { name: 'Login' }).click()
  await expectVisible(shortName, shortPassword)
  const username = page.getByRole('textbox', { name: 'Username', description: 'Username must be at least 3 characters' })
  await expectFocused(username)
  expect(await username.getAttribute('aria-invalid')).toBe('true')

  await page.getByRole('textbox', { name: 'Username' }).fill('abc')
  await expectGone(shortName)
  await expectVisible(shortPassword)
})

test('a wrong password and an unknown name get the same answer', async () => {
  const page = await browser.visit('/login')
  for (const username of ['demo', 'nobody']) {
    await logIn(page, username, 'wrong-password')
    await expectToast(page, 'error', 'Login Failed', 'Invalid username or password')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expectGone(page.getByText('Login Failed'))
  }
  await expectAddress(page, '/login')
})

test('the demo fills in its own login', async () => {
  const page = await browser.visit('/login')
  await page.getByRole('button', { name: 'Fill in' }).click()
  await expectFocused(page.getByRole('textbox', { name: 'Username' }))
  await page.keyboard.press('Enter')
  await expectAddress(page, '/dashboard')
})

test('who logs out is a visitor again', async () => {
  const page = await browser.visitAs(await app.demo(), '/dashboard')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expectAddress(page, '/login')
  await page.goto('/dashboard')
  await expectAddress(page, '/login')
})

test('a session that ended elsewhere leads to the login at the next thing somebody does', async () => {
  const person = await app.demo()
  const page = await browser.visitAs(person, '/account')
  await expectVisible(page.getByRole('combobox', { name: 'Selected property' }))
  expect((await person.send('POST', '/api/auth/logout')).status).toBe(204)
  // While the property is being synced the screen itself asks now and then, and may be gone before the click.
  await page
    .getByRole('button', { name: 'Refresh' })
    .click({ timeout: 3_000 })
    .catch(() => {})
  await expectAddress(page, '/login')
})

test('who logs in where somebody’s session has ended sees nothing of theirs', async () => {
  const ann = await registered(app, 'ann')
  await registered(app, 'ben')
  const { sql } = await app.stores()
  await sql(`UPDATE people SET plan = 'agency' WHERE user_id IN (SELECT id FROM users WHERE username IN ('ann', 'ben'))`)
  expect((await ann.send('POST', '/api/keys', { name: 'Key of Ann', scope: 'read', days: null })).status).toBe(201)
  const page = await browser.visitAs(ann, '/developers')
  await expectVisible(page.getByText('Key of Ann'))

  await ann.send('POST', '/api/auth/logout')
  await page.getByRole('link', { name: 'Profile' }).click()
  await expectAddress(page, '/login')
  await logIn(page, 'ben', 'a-good-password')
  await page.getByRole('link', { name: 'API & Webhooks' }).click()
  await expectVisible(page.getByText('No keys yet'))
  expect(await page.getByText('Key of Ann').count()).toBe(0)
})

test('a session that cannot be checked for a moment throws nobody out, and what they have typed stays', async () => {
  const page = await browser.visitAs(await registered(app, 'cleo'), '/account')
  const username = page.getByRole('textbox', { name: 'Username', exact: true })
  await username.fill('cleopatra')
  // What is told to the console is no complaint here.
  await page.evaluate(() => void Object.assign(console, { error() {} }))
  let asked = 0
  await page.route('**/api/auth/session', (route) => {
    asked += 1
    return route.fulfill({ status: 503 })
  })
  // Everything on screen is fetched again after an import, the session too.
  await page
    .getByLabel('Export file')
    .setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: englishExport(daysOfFile('2026-03-14', 1)) })
  await page.getByRole('textbox', { name: 'Property name' }).fill('cleo.example')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectVisible(page.getByText('Imported into cleo.example'))
  await expect.poll(() => asked).toBeGreaterThan(0)
  // Long enough for an answer to have its effect.
  await page.waitForTimeout(500)
  await expectAddress(page, '/account')
  expect(await username.inputValue()).toBe('cleopatra')
})

test('who comes back from Google without success is told, and the address is cleared', async () => {
  const page = await browser.visit('/login?error=auth_failed')
  await expectToast(page, 'error', 'Authentication Failed', 'There was an issue connecting with Google. Please try again.')
  await expectAddress(page, '/login')
})

test('an address that leads nowhere says so', async () => {
  expect((await app.visitor().get('/no/such/page')).status).toBe(404)
  const page = await browser.visit('/no/such/page')
  await expectVisible(
    page.getByRole('heading', { name: '404 Page Not Found', exact: true }),
    page.getByText('Did you forget to add the page to the router?', { exact: true }),
  )
  await page.getByRole('link').click()
  await expectVisible(page.getByRole('heading', { name: 'SEO insights that find you' }))
})
