import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recoveryCodes, twoFactorSetup } from '../../src/contract/account.ts'
import { user } from '../../src/contract/user.ts'
import type { TestApp, Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { throughConsent } from '../support/consent.ts'
import { newPerson, registered, select } from '../support/people.ts'
import { totp } from '../support/totp.ts'

const password = 'a-good-password'
let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let people = 0
let name: string
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())
// Attempts are counted for each account: every test has one of its own.
beforeEach(() => void (name = `person${++people}`))

const mailbox = () => `${name}@example.test`
const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const wrong = (page: Page, label: string, message: string) => page.getByRole('textbox', { name: label, exact: true, description: message })
const userOf = async (visitor: Visitor) => user.parse((await visitor.get('/api/user')).body)

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await box(page, label).fill(value)
}

async function logIn(page: Page, username = name, secret = password): Promise<void> {
  await fill(page, { Username: username, Password: secret })
  await button(page, 'Login').click()
}

async function logOut(page: Page): Promise<void> {
  await button(page, 'Account menu').click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expectAddress(page, '/login')
}

/** The link of the newest mail of this kind to the person, as an address of this app. */
async function linkIn(kind: 'confirm-address' | 'reset-password'): Promise<string> {
  const { links } = await app.mail.mailTo(mailbox(), { kind })
  const link = links.find((each) => each.includes('?token='))
  if (link === undefined) throw new Error(`The mail to ${mailbox()} has no link`)
  const { pathname, search } = new URL(link)
  return pathname + search
}

describe('registering', () => {
  test('a link opens the tab, and so does the keyboard', async () => {
    const page = await browser.visit('/login?tab=register')
    await expectVisible(page.getByRole('tab', { name: 'Register', selected: true }), button(page, 'Create Account'))
    await page.goto('/login')
    await expectVisible(button(page, 'Login'))
    await page.getByRole('tab', { name: 'Login', selected: true }).focus()
    await page.keyboard.press('ArrowRight')
    await expectFocused(page.getByRole('tab', { name: 'Register' }))
    await page.keyboard.press('Enter')
    await expectAddress(page, '/login?tab=register')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expectFocused(box(page, 'Username'))
  })

  test('says what is wrong at each field and begins with the first', async () => {
    const page = await browser.visit('/login?tab=register')
    await fill(page, { Username: 'ab', Email: 'nobody', Password: '12345', 'Confirm password': '123456' })
    await page.keyboard.press('Enter')
    await expectVisible(
      wrong(page, 'Username', 'Username must be at least 3 characters'),
      wrong(page, 'Email', 'Please enter a valid email address'),
      wrong(page, 'Password', 'Password must be at least 6 characters'),
      wrong(page, 'Confirm password', 'Passwords do not match'),
    )
    await expectFocused(box(page, 'Username'))
    await fill(page, { Username: name, Email: mailbox(), Password: password })
    await button(page, 'Create Account').click()
    await expectFocused(wrong(page, 'Confirm password', 'Passwords do not match'))
    await fill(page, { 'Confirm password': password })
    await expectGone(page.getByText('Passwords do not match'))
  })

  test('makes an account, and the plan is chosen next', async () => {
    const page = await browser.visit('/login?tab=register')
    await fill(page, { Username: name, Email: mailbox(), Password: password, 'Confirm password': password })
    const kinds = ['Username', 'Email', 'Password', 'Confirm password'].map((label) => box(page, label).getAttribute('autocomplete'))
    expect(await Promise.all(kinds)).toEqual(['username', 'email', 'new-password', 'new-password'])
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Registration Successful', 'Your account has been created successfully.')
    await expectAddress(page, '/onboarding/plan')
    // Nothing is barred until the address is confirmed.
    await page.goto('/account')
    await expectVisible(page.getByText(`we sent a mail to ${mailbox()}`))
  })

  test('a name that is taken is said at its field, in the words of the server', async () => {
    await registered(app, name)
    const page = await browser.visit('/login?tab=register')
    await fill(page, { Username: name, Email: `other-${mailbox()}`, Password: password, 'Confirm password': password })
    await button(page, 'Create Account').click()
    await expectToast(page, 'error', 'Registration Failed', 'This username is taken. Please choose another one.')
    await expectFocused(wrong(page, 'Username', 'This username is taken. Please choose another one.'))
  })

  test('without an answer from the server it says that it failed', async () => {
    const page = await browser.visit('/login?tab=register')
    await fill(page, { Username: name, Email: mailbox(), Password: password, 'Confirm password': password })
    await page.context().setOffline(true)
    await button(page, 'Create Account').click()
    await expectToast(page, 'error', 'Registration Failed', 'There was an error creating your account')
  })
})

describe('logging in', () => {
  test('without an answer from the server it says that it failed', async () => {
    const page = await browser.visit('/login')
    // Offline, the browser could not fetch the rest of a page that is still arriving.
    await expectVisible(box(page, 'Username'))
    await page.context().setOffline(true)
    await logIn(page)
    await expectToast(page, 'error', 'Login Failed', 'Invalid username or password')
  })

  test('too many wrong passwords: the message says how long to wait', async () => {
    await registered(app, name)
    const guess = { username: name, password: 'not-the-password' }
    for (let attempt = 0; attempt < 10; attempt += 1) await app.visitor().send('POST', '/api/auth/login', guess)
    const page = await browser.visit('/login')
    await logIn(page)
    await expectToast(page, 'error', 'Login Failed')
    await expectVisible(page.getByRole('alert').getByText(/^Too many attempts\. Please try again in \d+ minutes\.$/))
  })

  test('somebody who comes from Google with an address of another account is told what to do', async () => {
    await registered(app, name)
    await app.google.account(mailbox(), {})
    const place = await throughConsent(app.visitor(), { account: mailbox() })
    const page = await browser.visit(place)
    await expectToast(
      page,
      'error',
      'Log in to connect Google',
      'An account with this address exists already. Log in with its password, or use "Forgot password?" to show that the address is yours.',
    )
    await expectAddress(page, '/login')
  })

  test('logging out without an answer says so, and nobody is logged out', async () => {
    const page = await browser.visitAs(await registered(app, name), '/account')
    await expectVisible(button(page, 'Save changes'))
    await button(page, 'Account menu').click()
    await expectVisible(page.getByRole('menuitem', { name: 'Log out' }))
    await page.context().setOffline(true)
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await expectToast(page, 'error', 'Logout Failed', 'There was an error logging out.')
    await expectAddress(page, '/account')
  })
})

describe('a forgotten password', () => {
  test('is replaced by the link of a mail, with the keyboard alone', async () => {
    await registered(app, name)
    const page = await browser.visit('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).focus()
    await page.keyboard.press('Enter')
    await expectAddress(page, '/forgot-password')
    await box(page, 'Email').focus()
    await page.keyboard.type('nobody')
    await page.keyboard.press('Enter')
    await expectFocused(wrong(page, 'Email', 'Please enter a valid email address'))
    await box(page, 'Email').fill(mailbox())
    await page.keyboard.press('Enter')
    await expectVisible(page.getByText('If an account uses this address, a mail with a link is on its way.', { exact: true }))
    await expectFocused(page.getByRole('heading', { name: 'Check your mail' }))

    const link = await linkIn('reset-password')
    await page.goto(link)
    await expectVisible(page.getByRole('heading', { name: 'Choose a new password' }))
    await expectAddress(page, '/reset-password')
    await fill(page, { 'New password': 'another-password', 'Confirm new password': 'a-different-one' })
    await page.keyboard.press('Enter')
    await expectFocused(wrong(page, 'Confirm new password', 'Passwords do not match'))
    await box(page, 'Confirm new password').fill('another-password')
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Password Changed', 'Log in with your new password.')
    await expectAddress(page, '/login')
    await logIn(page, name, 'another-password')
    await expectAddress(page, '/dashboard')

    // The link has done what it was for.
    await page.goto(link)
    await fill(page, { 'New password': 'third-password', 'Confirm new password': 'third-password' })
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('heading', { name: 'This link does not work' }))
    await expectVisible(page.getByText('This link was used already or has expired.'))
    await page.getByRole('link', { name: 'Ask for a new link' }).click()
    await expectAddress(page, '/forgot-password')
  })

  test('of an address without an account gets the same answer', async () => {
    const page = await browser.visit('/forgot-password')
    await box(page, 'Email').fill(mailbox())
    await button(page, 'Send link').click()
    await expectVisible(page.getByText('If an account uses this address, a mail with a link is on its way.', { exact: true }))
    expect(await app.mail.mails(mailbox())).toEqual([])
  })

  test('asked for too often it says how long to wait', async () => {
    for (let time = 0; time < 5; time += 1) await app.visitor().send('POST', '/api/auth/forgot-password', { email: mailbox() })
    const page = await browser.visit('/forgot-password')
    await box(page, 'Email').fill(mailbox())
    await button(page, 'Send link').click()
    await expectToast(page, 'error', 'Mail Not Sent')
    await expectVisible(page.getByRole('alert').getByText(/^Too many attempts\./))
  })

  test('a link without its token leads to a new one', async () => {
    const page = await browser.visit('/reset-password')
    await expectVisible(
      page.getByRole('heading', { name: 'This link does not work' }),
      page.getByRole('link', { name: 'Ask for a new link' }),
    )
  })
})

describe('the e-mail address', () => {
  const banner = (page: Page) => page.getByRole('region', { name: 'E-mail address' })

  test('is confirmed by a button behind the link, not by the link itself', async () => {
    const person = await registered(app, name)
    const page = await browser.visitAs(person, '/account')
    await expectVisible(banner(page).getByText(`Confirm your e-mail address: we sent a mail to ${mailbox()}.`))
    const link = await linkIn('confirm-address')
    await page.goto(link)
    await expectVisible(button(page, 'Confirm address'))
    await expectAddress(page, '/verify-email')
    expect((await userOf(person)).emailVerified).toBe(false)
    await button(page, 'Confirm address').click()
    await expectFocused(page.getByRole('heading', { name: 'Address confirmed' }))
    await expectVisible(page.getByText(`${mailbox()} is confirmed.`))
    expect((await userOf(person)).emailVerified).toBe(true)
    await page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await expectAddress(page, '/dashboard')
    await page.goto('/account')
    await expectVisible(page.getByText('Confirmed', { exact: true }))
    expect(await banner(page).count()).toBe(0)

    await page.goto(link)
    await button(page, 'Confirm address').click()
    await expectFocused(page.getByRole('heading', { name: 'This link does not work' }))
  })

  test('another mail is sent from the notice and from the profile', async () => {
    const page = await browser.visitAs(await registered(app, name), '/account')
    await linkIn('confirm-address')
    await app.mail.clear()
    await button(page, 'Send again').click()
    await expectToast(page, 'success', 'Mail Sent', `A mail to confirm ${mailbox()} is on its way.`)
    await linkIn('confirm-address')
    await app.mail.clear()
    await button(page, 'Send the mail again').click()
    await linkIn('confirm-address')
  })

  test('the notice goes away for as long as the window is open', async () => {
    const page = await browser.visitAs(await registered(app, name), '/account')
    await button(page, 'Dismiss e-mail notice').click()
    await expectGone(banner(page))
    await page.reload()
    await expectVisible(button(page, 'Save changes'))
    expect(await banner(page).count()).toBe(0)
  })

  test('a link that does not work offers a new one to whom it may concern', async () => {
    const page = await browser.visitAs(await registered(app, name), '/verify-email?token=made-up')
    await linkIn('confirm-address')
    await app.mail.clear()
    await button(page, 'Confirm address').click()
    await button(page, 'Send a new link').click()
    await expectToast(page, 'success', 'Mail Sent')
    await linkIn('confirm-address')
  })
})

describe('the profile', () => {
  test('is saved', async () => {
    const person = await registered(app, name)
    const page = await browser.visitAs(person, '/account')
    await fill(page, { Username: `${name}-renamed` })
    await button(page, 'Save changes').click()
    await expectToast(page, 'success', 'Profile Updated', 'Your profile has been saved.')
    await expectVisible(page.getByRole('complementary').getByText(`${name}-renamed`))
    expect((await userOf(person)).username).toBe(`${name}-renamed`)
  })

  test('with a new address, which has to be confirmed', async () => {
    const person = await registered(app, name)
    await person.send('POST', '/api/auth/verify-email', { token: (await linkIn('confirm-address')).split('=')[1] })
    const page = await browser.visitAs(person, '/account')
    await expectVisible(page.getByText('Confirmed', { exact: true }))
    name = `new-${name}`
    await fill(page, { Email: mailbox() })
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Profile Updated', `A mail to confirm ${mailbox()} is on its way.`)
    await expectVisible(page.getByText('Not confirmed', { exact: true }))
    await linkIn('confirm-address')
  })

  test('says what is wrong at each field', async () => {
    const page = await browser.visitAs(await registered(app, name), '/account')
    await fill(page, { Username: 'ab', Email: 'nobody' })
    await button(page, 'Save changes').click()
    await expectVisible(
      wrong(page, 'Username', 'Username must be at least 3 characters'),
      wrong(page, 'Email', 'Please enter a valid email address'),
    )
    await expectFocused(box(page, 'Username'))
  })

  test('a name that is taken is said at its field', async () => {
    await registered(app, `taken-${name}`)
    const page = await browser.visitAs(await registered(app, name), '/account')
    await fill(page, { Username: `taken-${name}` })
    await button(page, 'Save changes').click()
    await expectToast(page, 'error', 'Update Failed', 'There was an error updating your profile.')
    await expectFocused(wrong(page, 'Username', 'This username is taken. Please choose another one.'))
  })

  test('without an answer from the server it says that it failed', async () => {
    const page = await browser.visitAs(await registered(app, name), '/account')
    await fill(page, { Username: `${name}-renamed` })
    await page.context().setOffline(true)
    await button(page, 'Save changes').click()
    await expectToast(page, 'error', 'Update Failed', 'There was an error updating your profile.')
    await expectVisible(page.getByRole('complementary').getByText(name, { exact: true }))
  })

  async function chooseSecondOfTwo(plan: 'free' | 'pro'): Promise<{ person: Visitor; page: Page; second: string }> {
    const [first, second] = [`https://one.${name}.example/`, `https://two.${name}.example/`]
    const person = await newPerson(app, { email: mailbox(), plan, sites: { [first]: 'empty', [second]: 'empty' } })
    await select(person, first)
    const page = await browser.visitAs(person, '/account')
    await page.getByRole('combobox', { name: 'Property', exact: true }).click()
    await page.getByRole('option', { name: second }).click()
    await button(page, 'Save changes').click()
    return { person, page, second }
  }

  test('chooses the property that the screens show', async () => {
    const { person, page, second } = await chooseSecondOfTwo('pro')
    await expectToast(page, 'success', 'Profile Updated', 'Your profile has been saved.')
    expect((await userOf(person)).selectedProperty).toBe(second)
    await expectText(page.getByRole('combobox', { name: 'Selected property' }), second)
  })

  test('says why, where the plan does not cover another property', async () => {
    const { page } = await chooseSecondOfTwo('free')
    await expectToast(page, 'error', 'Update Failed', 'There was an error updating your profile.')
    await expectVisible(page.getByRole('alert').getByText('Your Free plan allows up to 1 site(s).'))
  })
})

describe('what fails on the Google card without an answer from the server', () => {
  test('is said in the words of the specification', async () => {
    const page = await browser.visitAs(await app.demo(), '/account')
    const property = page.getByRole('combobox', { name: 'Selected property' })
    await property.click()
    await page.context().setOffline(true)
    await page.getByRole('option', { selected: false }).first().click()
    await expectToast(page, 'error', 'Error', 'Failed to update property selection')
    await button(page, 'Disconnect').click()
    await button(page, 'Disconnect Search Console').click()
    await expectToast(page, 'error', 'Error', 'Failed to disconnect Google Search Console.')
  })
})

describe('the password', () => {
  test('is changed by whoever knows the current one; other sessions end', async () => {
    const person = await registered(app, name)
    const page = await browser.visit('/login')
    await logIn(page)
    await expectAddress(page, '/dashboard')
    await page.goto('/account')
    const kinds = ['Current password', 'New password', 'Confirm new password'].map((label) => box(page, label).getAttribute('autocomplete'))
    expect(await Promise.all(kinds)).toEqual(['current-password', 'new-password', 'new-password'])

    await fill(page, { 'Current password': 'not-the-password', 'New password': 'another-password', 'Confirm new password': 'other' })
    await button(page, 'Change Password').click()
    await expectFocused(wrong(page, 'Confirm new password', 'Passwords do not match'))
    await fill(page, { 'Confirm new password': 'another-password' })
    await button(page, 'Change Password').click()
    await expectFocused(wrong(page, 'Current password', 'This is not your current password.'))
    await fill(page, { 'Current password': password })
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Password Changed')
    expect(await box(page, 'New password').inputValue()).toBe('')

    expect((await person.get('/api/user')).status).toBe(401)
    await logOut(page)
    await logIn(page, name, 'another-password')
    await expectAddress(page, '/dashboard')
  })

  test('is set by mail where there is none', async () => {
    const page = await browser.visitAs(await newPerson(app, { email: mailbox() }), '/account')
    await button(page, 'Set a password').click()
    await expectToast(page, 'success', 'Mail Sent', `A mail with a link is on its way to ${mailbox()}.`)
    await page.goto(await linkIn('reset-password'))
    await fill(page, { 'New password': password, 'Confirm new password': password })
    await page.keyboard.press('Enter')
    await expectAddress(page, '/login')
    await logIn(page, mailbox())
    await expectAddress(page, '/dashboard')
    await page.goto('/account')
    await expectVisible(button(page, 'Change Password'))
  })
})

describe('sessions', () => {
  test('are listed, and all others can be ended', async () => {
    const person = await registered(app, name)
    const page = await browser.visit('/login')
    await logIn(page)
    await expectAddress(page, '/dashboard')
    await page.goto('/account')
    const list = page.getByRole('region', { name: 'Where you are logged in' })
    await expectVisible(list.getByRole('listitem').filter({ hasText: 'This one' }).getByText('Chrome on Linux'))
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2)

    const others = list.getByRole('button', { name: 'Sign out other sessions' })
    await others.click()
    await page.keyboard.press('Escape')
    await expectFocused(others)
    expect((await person.get('/api/user')).status).toBe(200)
    await others.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out other sessions' }).click()
    await expectToast(page, 'success', 'Other Sessions Signed Out')
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    await expectGone(others)
    expect((await person.get('/api/user')).status).toBe(401)
  })
})

describe('two-factor authentication', () => {
  const part = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' })

  /** Neither a code of now nor of the neighbouring half minutes. */
  function wrongCode(secret: string): string {
    const near = [-30_000, 0, 30_000].map((ms) => totp(secret, new Date(Date.now() + ms)))
    return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code))!
  }

  async function withSecondFactor(visitor: Visitor, proof: { password?: string }) {
    const setup = twoFactorSetup.parse((await visitor.send('POST', '/api/user/two-factor', proof)).body)
    const { status } = await visitor.send('POST', '/api/user/two-factor/confirm', { code: totp(setup.secret) })
    expect(status).toBe(200)
    return setup
  }

  test('is set up with an authenticator app, with the keyboard alone', async () => {
    const page = await browser.visitAs(await registered(app, name), '/account')
    const opener = part(page).getByRole('button', { name: 'Set up' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expectFocused(dialog.getByRole('textbox', { name: 'Your password' }))
    for (let stop = 0; stop < 6; stop += 1) {
      await page.keyboard.press('Tab')
      await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expectGone(dialog)
    await expectFocused(opener)

    await page.keyboard.press('Enter')
    await expectFocused(dialog.getByRole('textbox', { name: 'Your password' }))
    await page.keyboard.type('not-the-password')
    await page.keyboard.press('Enter')
    await expectFocused(dialog.getByRole('textbox', { name: 'Your password', description: 'This is not your password.' }))
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
    await page.keyboard.press('Enter')

    await expectVisible(dialog.getByRole('img', { name: 'QR code with the key for your authenticator app' }))
    const code = dialog.getByRole('textbox', { name: 'Code' })
    await expectFocused(code)
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code')
    const secret = (await dialog.getByRole('code').innerText()).replaceAll(/\s/g, '')
    await page.keyboard.type(wrongCode(secret))
    await page.keyboard.press('Enter')
    await expectFocused(
      dialog.getByRole('textbox', { name: 'Code', description: 'This code is not right. Take the one your app shows now.' }),
    )
    await code.fill(totp(secret))
    await page.keyboard.press('Enter')

    await expectFocused(dialog.getByRole('list', { name: 'Recovery codes' }))
    const codes = await dialog.getByRole('listitem').allInnerTexts()
    expect(new Set(codes).size).toBe(10)
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('ranklark-recovery-codes.txt')
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString().trim().split('\n')).toEqual(codes)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expectVisible(dialog.getByText('Copied'))
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expectToast(page, 'success', 'Two-Factor Authentication On')
    await expectFocused(part(page).getByRole('heading'))
    await expectVisible(part(page).getByText('On', { exact: true }))

    await logOut(page)
    await logIn(page)
    await expectFocused(box(page, 'Code'))
    await page.keyboard.type(totp(secret))
    await page.keyboard.press('Enter')
    await expectAddress(page, '/dashboard')
  })

  test('asks for a code after the password, and not again in a browser that is trusted', async () => {
    const { secret } = await withSecondFactor(await registered(app, name), { password })
    const page = await browser.visit('/login')
    await logIn(page)
    expect(await box(page, 'Code').getAttribute('autocomplete')).toBe('one-time-code')
    await box(page, 'Code').fill('12')
    await button(page, 'Log in').click()
    await expectFocused(wrong(page, 'Code', 'Enter the 6-digit code, or a recovery code'))
    await box(page, 'Code').fill(wrongCode(secret))
    await button(page, 'Log in').click()
    await expectToast(page, 'error', 'Login Failed', 'This code is not right. Take the one your app shows now.')
    await expectFocused(box(page, 'Code'))
    await button(page, 'Back').click()
    await logIn(page)
    await page.getByRole('checkbox', { name: 'Trust this browser for 30 days' }).check()
    await box(page, 'Code').fill(totp(secret))
    await page.keyboard.press('Enter')
    await expectAddress(page, '/dashboard')
    await logOut(page)
    await logIn(page)
    await expectAddress(page, '/dashboard')
  })

  test('a recovery code lets in once; new ones take the place of the old', async () => {
    const person = await registered(app, name)
    const [first = '', second = ''] = (await withSecondFactor(person, { password })).recoveryCodes
    const page = await browser.visit('/login')
    await logIn(page)
    await box(page, 'Code').fill(first)
    await page.keyboard.press('Enter')
    await expectAddress(page, '/dashboard')
    await logOut(page)
    await logIn(page)
    await box(page, 'Code').fill(first)
    await page.keyboard.press('Enter')
    await expectToast(page, 'error', 'Login Failed', 'This recovery code is not right, or was used before.')
    await box(page, 'Code').fill(second)
    await page.keyboard.press('Enter')
    await expectAddress(page, '/dashboard')

    await page.goto('/account')
    const opener = part(page).getByRole('button', { name: 'New recovery codes' })
    await opener.click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Your password' }).fill(password)
    await page.keyboard.press('Enter')
    const list = page.getByRole('dialog').getByRole('list', { name: 'Recovery codes' })
    await expectFocused(list)
    const codes = recoveryCodes.shape.recoveryCodes.parse(await list.getByRole('listitem').allInnerTexts())
    expect(codes).toHaveLength(10)
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await expectFocused(opener)
    await logOut(page)
    await logIn(page)
    await box(page, 'Code').fill(codes[0]!)
    await page.keyboard.press('Enter')
    await expectAddress(page, '/dashboard')
  })

  test('is switched off with the password, and then the password is enough', async () => {
    const person = await registered(app, name)
    await withSecondFactor(person, { password })
    const page = await browser.visitAs(person, '/account')
    await part(page).getByRole('button', { name: 'Switch off' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Switch off' }).click()
    await expectFocused(dialog.getByRole('textbox', { name: 'Your password', description: 'Enter your password' }))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Two-Factor Authentication Off')
    await expectFocused(part(page).getByRole('heading'))
    await logOut(page)
    await logIn(page)
    await expectAddress(page, '/dashboard')
  })

  test('is asked for after Google, too', async () => {
    const { secret } = await withSecondFactor(await newPerson(app, { email: mailbox() }), {})
    const visitor = app.visitor()
    const place = await throughConsent(visitor, { account: mailbox() })
    const page = await browser.visitAs(visitor, place)
    await expectAddress(page, '/login')
    await box(page, 'Code').fill(totp(secret))
    await page.keyboard.press('Enter')
    await expectAddress(page, '/dashboard')
  })

  test('a login begun too long ago begins anew', async () => {
    const page = await browser.visit('/login?two-factor=1')
    await box(page, 'Code').fill('123456')
    await page.keyboard.press('Enter')
    await expectToast(page, 'error', 'Login Failed', 'The login has expired. Please log in again.')
    await expectVisible(button(page, 'Login'))
  })
})
