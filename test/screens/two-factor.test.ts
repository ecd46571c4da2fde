import type { Page } from 'playwright-core'
import { twoFactorCode } from '../../src/contract/account/auth.ts'
import { passwordProof, twoFactorConfirm, type TwoFactorSetup } from '../../src/contract/account/profile.ts'
import { Refusal } from '../../src/server/common/errors.ts'
import { knows, password } from '../support/answers/account.ts'
import type { Desk } from '../support/answers/desk.ts'
import { signIn as signInAt, userOf } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectAttribute,
  expectFocused,
  expectGone,
  expectTexts,
  expectToast,
  expectVisible,
} from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const wrong = (page: Page, label: string, message: string) => page.getByRole('textbox', { name: label, exact: true, description: message })
const part = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' })

const code = '123456'
const codes = Array.from({ length: 10 }, (_, index) => `abcd${index}-efgh${index}`)
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const setup: TwoFactorSetup = { uri: `otpauth://totp/Ranklark:ann?secret=${secret}&issuer=Ranklark`, secret, recoveryCodes: codes }

/** Actions that require the password again. */
const proven = (body: unknown): void => {
  if (passwordProof.parse(body).password !== password) throw new Refusal(400, 'Incorrect password.', 'password')
}

describe('setting it up', { tags: ['full'] }, () => {
  /** A user whose app shows `code`. */
  function withApp(desk: Desk): void {
    const known = knows(desk, userOf())
    desk.answer('GET /api/user/sessions', [])
    desk.answer('POST /api/user/two-factor', ({ body }) => {
      proven(body)
      return setup
    })
    desk.answer('POST /api/user/two-factor/confirm', ({ body }) => {
      if (twoFactorConfirm.parse(body).code !== code) throw new Refusal(400, 'Wrong code. Enter the current code from your app.', 'code')
      return { user: known.change({ twoFactorEnabled: true }) }
    })
  }

  test('traps the focus in its dialog, and returns it', async ({ desk, open }) => {
    withApp(desk)
    const page = await open('/account')
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
  })

  test("requires the password and the app's code, by keyboard alone", async ({ desk, open }) => {
    withApp(desk)
    const page = await open('/account')
    await part(page).getByRole('button', { name: 'Set up' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expectFocused(dialog.getByRole('textbox', { name: 'Your password' }))
    await page.keyboard.type('not-the-password')
    await page.keyboard.press('Enter')
    await expectFocused(dialog.getByRole('textbox', { name: 'Your password', description: 'Incorrect password.' }))
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
    await page.keyboard.press('Enter')

    await expectVisible(dialog.getByRole('img', { name: 'QR code for your authenticator app' }))
    const field = dialog.getByRole('textbox', { name: 'Code' })
    await expectFocused(field)
    await expectAttribute(field, 'autocomplete', 'one-time-code')
    expect((await dialog.getByRole('code').innerText()).replaceAll(/\s/g, '')).toBe(secret)
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await expectFocused(dialog.getByRole('textbox', { name: 'Code', description: 'Wrong code. Enter the current code from your app.' }))
    await field.fill(code)
    await page.keyboard.press('Enter')

    await expectFocused(dialog.getByRole('list', { name: 'Recovery codes' }))
    await expectTexts(dialog.getByRole('listitem'), codes)
    await dialog.getByRole('button', { name: 'Done' }).press('Enter')
    await expectToast(page, 'success', 'Two-Factor Authentication On')
    await expectFocused(part(page).getByRole('heading'))
    await expectVisible(part(page).getByText('On', { exact: true }))
  })

  test('ends with recovery codes, which can be saved and copied', async ({ desk, open }) => {
    withApp(desk)
    const page = await open('/account')
    await part(page).getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
    await page.keyboard.press('Enter')
    await dialog.getByRole('textbox', { name: 'Code' }).fill(code)
    await page.keyboard.press('Enter')
    await expectFocused(dialog.getByRole('list', { name: 'Recovery codes' }))
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
  })
})

describe('when it is on', { tags: ['full'] }, () => {
  test('new recovery codes require the password', async ({ desk, signIn, open }) => {
    signIn(userOf({ twoFactorEnabled: true }))
    desk.answer('GET /api/user/sessions', [])
    desk.answer('POST /api/user/two-factor/recovery-codes', ({ body }) => {
      proven(body)
      return { recoveryCodes: codes }
    })
    const page = await open('/account')
    const opener = part(page).getByRole('button', { name: 'New recovery codes' })
    await opener.click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Your password' }).fill(password)
    await page.keyboard.press('Enter')
    const list = page.getByRole('dialog').getByRole('list', { name: 'Recovery codes' })
    await expectFocused(list)
    await expectTexts(list.getByRole('listitem'), codes)
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await expectFocused(opener)
  })

  test('it is switched off with the password', async ({ desk, open }) => {
    const known = knows(desk, userOf({ twoFactorEnabled: true }))
    desk.answer('GET /api/user/sessions', [])
    desk.answer('DELETE /api/user/two-factor', ({ body }) => {
      proven(body)
      return { user: known.change({ twoFactorEnabled: false }) }
    })
    const page = await open('/account')
    await part(page).getByRole('button', { name: 'Turn off' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await expectFocused(dialog.getByRole('textbox', { name: 'Your password', description: 'Enter your password' }))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Two-Factor Authentication Off')
    await expectFocused(part(page).getByRole('heading'))
    await expectVisible(part(page).getByText('Off', { exact: true }))
  })
})

describe('logging in with it', () => {
  /** A login that asks for `code`. */
  function asksForCode(desk: Desk): void {
    const user = userOf({ twoFactorEnabled: true })
    signInAt(desk, null)
    desk.answer('POST /api/auth/login', { twoFactor: true })
    desk.answer('POST /api/auth/two-factor', ({ body }) => {
      if (twoFactorCode.parse(body).code !== code) throw new Refusal(400, 'Wrong code. Enter the current code from your app.', 'code')
      signInAt(desk, user)
      return { user }
    })
  }
  async function logIn(page: Page): Promise<void> {
    await box(page, 'Username').fill('ann')
    await box(page, 'Password').fill(password)
    await button(page, 'Login').click()
  }

  test('asks for a code after the password, which can be corrected', async ({ desk, open }) => {
    asksForCode(desk)
    const page = await open('/login')
    await logIn(page)
    await expectFocused(box(page, 'Code'))
    await expectAttribute(box(page, 'Code'), 'autocomplete', 'one-time-code')
    await box(page, 'Code').fill('12')
    await button(page, 'Log in').click()
    await expectFocused(wrong(page, 'Code', 'Enter the 6-digit code or a recovery code'))
    await box(page, 'Code').fill('000000')
    await button(page, 'Log in').click()
    await expectToast(page, 'error', 'Login Failed', 'Wrong code. Enter the current code from your app.')
    await expectFocused(box(page, 'Code'))
    await button(page, 'Back').click()
    await logIn(page)
    await page.getByRole('checkbox', { name: 'Trust this browser for 30 days' }).check()
    await box(page, 'Code').fill(code)
    await page.keyboard.press('Enter')
    await expectAddress(page, '/dashboard')
    await expect
      .poll(() => desk.asked('POST /api/auth/two-factor').map(({ body }) => body))
      .toEqual([
        { code: '000000', trustDevice: false },
        { code, trustDevice: true },
      ])
  })

  test('is required after Google, too', { tags: ['full'] }, async ({ desk, open }) => {
    asksForCode(desk)
    const page = await open('/login?two-factor=1')
    await expectAddress(page, '/login')
    await box(page, 'Code').fill(code)
    await page.keyboard.press('Enter')
    await expectAddress(page, '/dashboard')
  })

  test('a login started too long ago starts over', { tags: ['full'] }, async ({ desk, signIn, open }) => {
    signIn(null)
    desk.refuse('POST /api/auth/two-factor', 400, { message: 'Your login has expired. Please log in again.', field: 'login' })
    const page = await open('/login?two-factor=1')
    await box(page, 'Code').fill(code)
    await page.keyboard.press('Enter')
    await expectToast(page, 'error', 'Login Failed', 'Your login has expired. Please log in again.')
    await expectVisible(button(page, 'Login'))
  })
})
