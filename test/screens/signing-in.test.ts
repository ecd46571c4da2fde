import type { Page } from 'playwright-core'
import { letsIn, letsOut, password } from '../support/answers/account.ts'
import { demoOf } from '../support/answers/shell.ts'
import { sessionOf, userOf } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectFocused,
  expectGone,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { englishExport } from '../support/browser-files.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })

async function logIn(page: Page, username: string, secret = password): Promise<void> {
  // The URL changes before the form appears, and the previous screen may have a field with that name.
  await expectVisible(button(page, 'Login'))
  await box(page, 'Username').fill(username)
  await box(page, 'Password').fill(secret)
  await button(page, 'Login').click()
}

async function logOut(page: Page): Promise<void> {
  await button(page, 'Account menu').click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
}

describe('logging in', { tags: ['full'] }, () => {
  test('a visitor is redirected to the login, and afterwards to where they wanted', async ({ desk, open }) => {
    letsIn(desk, userOf())
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/account?from=mail')
    await expectAddress(page, '/login')
    await expectVisible(
      page.getByRole('tab', { name: 'Login', selected: true }),
      page.getByText('Terms of Service'),
      page.getByText('Privacy Policy'),
    )
    await logIn(page, 'ann')
    await expectAddress(page, '/account?from=mail')
    await expectVisible(page.getByRole('heading', { name: 'Account', level: 1 }))
  })

  test('the form shows what is missing only after submission, each field by name', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/login')
    const [shortName, shortPassword] = [
      page.getByText('Username must be at least 3 characters'),
      page.getByText('Password must be at least 6 characters'),
    ]
    await box(page, 'Username').fill('ab')
    await box(page, 'Password').fill('12345')
    expect([await shortName.count(), await shortPassword.count()]).toEqual([0, 0])

    await button(page, 'Login').click()
    await expectVisible(shortName, shortPassword)
    const username = page.getByRole('textbox', { name: 'Username', description: 'Username must be at least 3 characters' })
    await expectFocused(username)
    await expectAttribute(username, 'aria-invalid', 'true')

    await box(page, 'Username').fill('abc')
    await expectGone(shortName)
    await expectVisible(shortPassword)
  })

  test("each refusal is shown, in the server's words, and the form stays", async ({ desk, open }) => {
    letsIn(desk, userOf())
    const page = await open('/login')
    for (const username of ['ann', 'nobody']) {
      await logIn(page, username, 'wrong-password')
      await expectToast(page, 'error', 'Login Failed', 'Invalid username or password')
      await button(page, 'Dismiss').click()
      await expectGone(page.getByText('Login Failed'))
    }
    await expectAddress(page, '/login')
    await expectValue(box(page, 'Username'), 'nobody')
  })

  test("a server error, an outage or a missing network isn't a wrong password", async ({ desk, signIn, open }) => {
    signIn(null)
    desk.cut('POST /api/auth/login')
    const page = await open('/login')
    await logIn(page, 'ann')
    await expectToast(page, 'error', 'Login Failed', 'Ranklark could not be reached. Check your connection and try again.')
    desk.say('POST /api/auth/login', '<h1>Bad Gateway</h1>', { status: 502, type: 'text/html' })
    await button(page, 'Login').click()
    await expectToast(page, 'error', 'Login Failed', 'Something went wrong on the server (502). Please try again in a moment.')
    await page.context().setOffline(true)
    await button(page, 'Login').click()
    await expectToast(page, 'error', 'Login Failed', 'You are offline. Check your connection and try again.')
    await page.context().setOffline(false)
  })

  test('too many wrong passwords: the message says how long to wait', async ({ desk, signIn, open }) => {
    signIn(null)
    desk.refuse('POST /api/auth/login', 429, { message: 'Too many attempts. Please try again in 15 minutes.' })
    const page = await open('/login')
    await logIn(page, 'ann')
    await expectToast(page, 'error', 'Login Failed', 'Too many attempts. Please try again in 15 minutes.')
  })

  test('the demo fills in its own login', async ({ desk, open }) => {
    letsIn(desk, demoOf(), 'demo-password')
    desk.answer('GET /api/auth/session', { ...sessionOf(null), demo: true })
    const page = await open('/login')
    await button(page, 'Fill in').click()
    await expectFocused(box(page, 'Username'))
    await page.keyboard.press('Enter')
    await expectAddress(page, '/dashboard')
  })

  test('signed-in users are redirected past the form', async ({ open }) => {
    const page = await open('/login')
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByRole('heading', { name: 'Dashboard', level: 1 }))
  })

  test("signing in with Google using another account's address says what to do", async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/login?error=confirm_first')
    await expectToast(
      page,
      'error',
      'Log in to connect Google',
      'An account with this address already exists. Log in with its password, or use "Forgot password?" to prove the address is yours.',
    )
    await expectAddress(page, '/login')
  })
})

describe('logging out', { tags: ['full'] }, () => {
  test('logging out turns a user into a visitor', async ({ desk, open }) => {
    letsOut(desk)
    const page = await open('/dashboard')
    await logOut(page)
    await expectAddress(page, '/login')
    await expectVisible(button(page, 'Login'))
    await page.goto('/dashboard')
    await expectAddress(page, '/login')
  })

  test('without a response it says so, and nobody is logged out', async ({ desk, open }) => {
    desk.cut('POST /api/auth/logout')
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/account')
    await logOut(page)
    await expectToast(page, 'error', 'Logout Failed', 'There was an error logging out.')
    await expectAddress(page, '/account')
  })
})

describe('a session', () => {
  test('that ended elsewhere leads to the login on the next action', { tags: ['full'] }, async ({ desk, signIn, open }) => {
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/account')
    await expectVisible(page.getByRole('combobox', { name: 'Selected property' }))
    signIn(null)
    desk.refuse('POST /api/sync', 401, { message: 'Please log in.' })
    await button(page, 'Refresh').click()
    await expectAddress(page, '/login')
  })

  test('that ended: whoever logs in next sees nothing of theirs', async ({ desk, signIn, open }) => {
    signIn({ plan: 'agency' })
    const none = { locked: null, writeLocked: null, keys: [] }
    const times = { createdAt: '2026-03-01T08:00:00.000Z', lastUsedAt: null, expiresAt: null }
    desk.answer('GET /api/keys', { ...none, keys: [{ id: '1', name: 'Key of Ann', scope: 'read', start: 'rk_4fQ2', ...times }] })
    desk.answer('GET /api/webhook-deliveries', { deliveries: [], more: false })
    const page = await open('/developers')
    await expectVisible(page.getByText('Key of Ann'))

    letsIn(desk, userOf({ id: 'ben', username: 'ben', email: 'ben@example.test', plan: 'agency' }))
    desk.refuse('GET /api/user/sessions', 401, { message: 'Please log in.' })
    await page.getByRole('link', { name: 'Profile' }).click()
    await expectAddress(page, '/login')
    desk.answer('GET /api/user/sessions', [])
    desk.answer('GET /api/keys', none)
    await logIn(page, 'ben')
    await page.getByRole('link', { name: 'API & Webhooks' }).click()
    await expectVisible(page.getByText('No keys yet'))
    await expectCount(page.getByText('Key of Ann'), 0)
  })

  test("that can't be checked for a moment logs nobody out, and their input stays", async ({ desk, open }) => {
    desk.answer('GET /api/user/sessions', [])
    const day = { start: '2026-03-14', end: '2026-03-14' }
    desk.answer('POST /api/import', {
      property: 'cleo.example',
      changed: true,
      rows: 1,
      days: 1,
      ...day,
      clicks: 7,
      impressions: 70,
      notes: [],
    })
    const page = await open('/account')
    await box(page, 'Username').fill('cleopatra')
    // Console messages aren't failures here.
    await page.evaluate(() => void Object.assign(console, { error() {} }))
    desk.refuse('GET /api/auth/session', 503)
    // Everything on screen is refetched after an import, including the session.
    const file = englishExport([{ date: '2026-03-14', clicks: 7, impressions: 70, position: 3 }])
    await page.getByLabel('Exported file').setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: file })
    await box(page, 'Property name').fill('cleo.example')
    const checked = desk.asked('GET /api/auth/session').length
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/auth/session'))
    await button(page, 'Import').click()
    await expectVisible(page.getByText('Imported into cleo.example'))
    await (await answered).finished()
    expect(desk.asked('GET /api/auth/session').length).toBeGreaterThan(checked)
    // The response has taken effect once the screen has been rendered again.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await expectAddress(page, '/account')
    await expectValue(box(page, 'Username'), 'cleopatra')
  })
})

test('an unknown URL says so', { tags: ['full'] }, async ({ signIn, open }) => {
  signIn(null)
  const page = await open('/no/such/page')
  expect((await page.request.get('/no/such/page')).status()).toBe(404)
  await expectVisible(
    page.getByRole('heading', { name: '404 Page Not Found', exact: true }),
    page.getByText('Did you forget to add the page to the router?', { exact: true }),
  )
  await page.getByRole('link').click()
  await expectVisible(page.getByRole('heading', { name: 'SEO insights that find you' }))
})
