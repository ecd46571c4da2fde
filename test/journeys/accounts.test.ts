import type { Page } from 'playwright-core'
import { user } from '../../src/contract/user.ts'
import type { TestApp } from '../support/app.ts'
import { expectAddress, expectFocused, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { newPerson, registered } from '../support/people.ts'
import { totp } from '../support/totp.ts'
import { shownProperty } from '../support/shown-property.ts'

const test = journeyTest({ figures: false })
const password = 'a-good-password'
const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await box(page, label).fill(value)
}

async function logIn(page: Page, username: string, secret = password): Promise<void> {
  // The URL changes before the form appears, and the previous screen may have a field with that name.
  await expectVisible(button(page, 'Login'))
  await fill(page, { Username: username, Password: secret })
  await button(page, 'Login').click()
}

async function logOut(page: Page): Promise<void> {
  await button(page, 'Account menu').click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expectAddress(page, '/login')
}

/** The link in the newest email of this kind to the user, as a path of this app. */
async function linkIn(app: TestApp, to: string, kind: 'confirm-address' | 'reset-password'): Promise<string> {
  const { links } = await app.mail.mailTo(to, { kind })
  const link = links.find((each) => each.includes('?token='))
  if (link === undefined) throw new Error(`The mail to ${to} has no link`)
  const { pathname, search } = new URL(link)
  return pathname + search
}

test('the landing page leads to login, and login to the dashboard, until logout', { tags: ['full'] }, async ({ visit }) => {
  const page = await visit('/')
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await expectAddress(page, '/login')
  await logIn(page, 'Demo', 'demo-password')
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('heading', { name: 'Dashboard', level: 1 }))
  await page.goto('/login')
  await expectAddress(page, '/dashboard')
  await page.goto('/')
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('heading', { name: 'Dashboard', level: 1 }))

  await logOut(page)
  await page.goto('/account?from=mail')
  await expectAddress(page, '/login')
  await logIn(page, 'demo', 'demo-password')
  await expectAddress(page, '/account?from=mail')
})

test(
  'an account is created, its address confirmed, its name changed, and it is deleted with everything',
  { tags: ['full'] },
  async ({ app, visit }) => {
    const page = await visit('/login?tab=register')
    await fill(page, { Username: 'rita', Email: 'rita@example.test', Password: password, 'Confirm password': password })
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Registration Successful', 'Your account has been created successfully.')
    await expectAddress(page, '/onboarding/plan')
    await page.goto('/account')
    await expectVisible(page.getByText('we sent a link to rita@example.test'))

    // Only opening the link confirms nothing.
    const whoAmI = async () => user.parse(await (await page.request.get('/api/user')).json())
    const link = await linkIn(app, 'rita@example.test', 'confirm-address')
    await page.goto(link)
    await expectVisible(button(page, 'Confirm address'))
    expect((await whoAmI()).emailVerified).toBe(false)
    await button(page, 'Confirm address').click()
    await expectVisible(page.getByText('rita@example.test is confirmed.'))
    expect((await whoAmI()).emailVerified).toBe(true)
    await page.goto(link)
    await button(page, 'Confirm address').click()
    await expectFocused(page.getByRole('heading', { name: "This link doesn't work" }))

    await page.goto('/account')
    await expectVisible(page.getByText('Confirmed', { exact: true }))
    await box(page, 'Username').fill('rita-renamed')
    await button(page, 'Save changes').click()
    await expectToast(page, 'success', 'Profile Updated', 'Your profile has been saved.')
    expect((await whoAmI()).username).toBe('rita-renamed')

    await page.goto('/settings')
    await expectVisible(page.getByRole('list', { name: 'Account activity' }).getByText('Username changed from rita to rita-renamed'))
    await button(page, 'Delete account').click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByRole('textbox', { name: 'Your username' }).fill('rita-renamed')
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await expectToast(page, 'success', 'Account Deleted', 'The account rita-renamed and all its data have been deleted.')
    await expectAddress(page, '/login')
    expect((await page.request.get('/api/user')).status()).toBe(401)
    await logIn(page, 'rita-renamed')
    await expectToast(page, 'error', 'Login Failed', 'Invalid username or password')
  },
)

test(
  'the profile selects the property that the screens show, as far as the plan covers it',
  { tags: ['full'] },
  async ({ app, visitAs }) => {
    const [first, second] = ['https://one.petra.example/', 'https://two.petra.example/'] as const
    const petra = await newPerson(app, { email: 'petra@example.test', sites: { [first]: 'empty', [second]: 'empty' } })
    const page = await visitAs(petra, '/account')
    const save = async (property: string) => {
      await page.getByRole('combobox', { name: 'Property', exact: true }).click()
      await page.getByRole('option', { name: shownProperty(property) }).click()
      await button(page, 'Save changes').click()
    }
    await save(first)
    await expectToast(page, 'success', 'Profile Updated', 'Your profile has been saved.')
    await expectText(page.getByRole('combobox', { name: 'Selected property' }), first)
    await save(second)
    await expectToast(page, 'error', 'Update Failed', 'There was an error updating your profile.')
    await expectVisible(page.getByRole('alert').getByText('Your Free plan allows up to 1 site(s).'))
    expect(user.parse((await petra.get('/api/user')).body).selectedProperty).toBe(first)
  },
)

test('a forgotten password is replaced through an emailed link, which works once', { tags: ['full'] }, async ({ app, visit }) => {
  await registered(app, 'fred')
  const page = await visit('/forgot-password')
  await box(page, 'Email').fill('fred@example.test')
  await button(page, 'Send link').click()
  await expectVisible(page.getByText("If there's an account with this address, we've emailed you a link.", { exact: true }))

  const link = await linkIn(app, 'fred@example.test', 'reset-password')
  await page.goto(link)
  await expectAddress(page, '/reset-password')
  await fill(page, { 'New password': 'another-password', 'Confirm new password': 'another-password' })
  await page.keyboard.press('Enter')
  await expectToast(page, 'success', 'Password Changed', 'Log in with your new password.')
  await expectAddress(page, '/login')
  await logIn(page, 'fred', 'another-password')
  await expectAddress(page, '/dashboard')

  // The link has served its purpose.
  await page.goto(link)
  await fill(page, { 'New password': 'third-password', 'Confirm new password': 'third-password' })
  await page.keyboard.press('Enter')
  await expectFocused(page.getByRole('heading', { name: "This link doesn't work" }))
  await expectVisible(page.getByText('This link has expired or was already used.'))
})

test(
  'a user who signed up with Google sets a password and a second factor, logs in with them, and switches it off again',
  { tags: ['full'] },
  async ({ app, visitAs }) => {
    const mailbox = 'greta@example.test'
    const page = await visitAs(await newPerson(app, { email: mailbox }), '/account')
    await button(page, 'Set a password').click()
    await expectToast(page, 'success', 'Email Sent', `We sent a link to ${mailbox}.`)
    await page.goto(await linkIn(app, mailbox, 'reset-password'))
    await fill(page, { 'New password': password, 'Confirm new password': password })
    await page.keyboard.press('Enter')
    await expectAddress(page, '/login')
    await logIn(page, mailbox)
    await expectAddress(page, '/dashboard')

    await page.goto('/account')
    await expectVisible(button(page, 'Change Password'))
    const part = page.getByRole('region', { name: 'Two-factor authentication' })
    const dialog = page.getByRole('dialog')
    await part.getByRole('button', { name: 'Set up' }).click()
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
    await page.keyboard.press('Enter')
    await expectVisible(dialog.getByRole('img', { name: 'QR code for your authenticator app' }))
    const secret = (await dialog.getByRole('code').innerText()).replaceAll(/\s/g, '')
    await dialog.getByRole('textbox', { name: 'Code' }).fill(totp(secret))
    await page.keyboard.press('Enter')
    await expectFocused(dialog.getByRole('list', { name: 'Recovery codes' }))
    const [recoveryCode = ''] = await dialog.getByRole('listitem').allInnerTexts()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expectToast(page, 'success', 'Two-Factor Authentication On')

    const enter = async (code: string) => {
      await box(page, 'Code').fill(code)
      await page.keyboard.press('Enter')
    }
    await logOut(page)
    await logIn(page, mailbox)
    await enter(recoveryCode)
    await expectAddress(page, '/dashboard')
    await logOut(page)
    await logIn(page, mailbox)
    await enter(recoveryCode)
    await expectToast(page, 'error', 'Login Failed', 'This recovery code is wrong or was already used.')
    await page.getByRole('checkbox', { name: 'Trust this browser for 30 days' }).check()
    await enter(totp(secret))
    await expectAddress(page, '/dashboard')
    await logOut(page)
    await logIn(page, mailbox)
    await expectAddress(page, '/dashboard')

    await page.goto('/account')
    await part.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Two-Factor Authentication Off')
    await page.context().clearCookies()
    await page.goto('/login')
    await logIn(page, mailbox)
    await expectAddress(page, '/dashboard')
  },
)
