import type { Locator, Page } from 'playwright-core'
import { accountDeletion } from '../../src/contract/account/profile.ts'
import { Refusal } from '../../src/server/common/errors.ts'
import { letsIn, password } from '../support/answers/account.ts'
import { signIn, userOf } from '../support/answers/usual.ts'
import { expectAddress, expectFocused, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test as screenTest } from '../support/screen-test.ts'

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Delete your account?' })
const typed = (page: Page) => dialog(page).getByRole('textbox', { name: 'Your username' })
const secret = (page: Page) => dialog(page).getByLabel('Your password')
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Delete my account' })

const test = screenTest
  .extend('settings', ({ desk, open }) => () => {
    desk.answer('GET /api/audit-log', { events: [], next: null })
    return open('/settings')
  })
  /** Ann, who is asked whether to delete her account; the server deletes it for her name and password. */
  .extend('asking', ({ desk, settings }) => async () => {
    desk.answer('DELETE /api/user', ({ body }) => {
      if (accountDeletion.parse(body).password !== password) throw new Refusal(400, 'Incorrect password.', 'password')
      signIn(desk, null)
      return null
    })
    const page = await settings()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await expectVisible(dialog(page))
    return page
  })

describe('export my data', { tags: ['full'] }, () => {
  test('too many requests say when to come back, and save nothing', async ({ desk, settings }) => {
    const page = await settings()
    const message = "You've exported your data 5 times in the last hour. Please try again later."
    desk.refuse('GET /api/user/export', 429, { message })
    let saved = 0
    page.on('download', () => (saved += 1))
    await page.getByRole('button', { name: 'Export my data' }).click()
    await expectToast(page, 'error', 'Export Failed', message)
    await expectVisible(page.getByRole('button', { name: 'Export my data' }))
    expect(saved).toBe(0)
  })
})

describe('delete account', () => {
  test('names what is deleted, asks for name and password, and ends at the login', async ({ desk, asking }) => {
    const page = await asking()
    await expectVisible(
      dialog(page).getByText(/Deleting the account ann removes:/),
      dialog(page).getByText('all stored data'),
      dialog(page).getByText('your Pro plan'),
    )
    await typed(page).fill('ann')
    await secret(page).fill(password)
    await confirm(page).click()
    await expectAddress(page, '/login')
    await expectToast(page, 'success', 'Account Deleted', 'The account ann and all its data have been deleted.')
    await expect.poll(() => desk.asked('DELETE /api/user').map(({ body }) => body)).toEqual([{ username: 'ann', password }])
    // Whoever logs in next begins at their dashboard, not on the screen that the account was deleted on.
    letsIn(desk, userOf())
    await page.getByRole('textbox', { name: 'Username', exact: true }).fill(userOf().username)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expectAddress(page, '/dashboard')
    signIn(desk, null)
    await page.goto('/settings')
    await expectAddress(page, '/login')
  })

  test('requires the exact name and the correct password', { tags: ['full'] }, async ({ desk, asking }) => {
    const page = await asking()
    await confirm(page).click()
    await expectVisible(dialog(page).getByText('Type your username to confirm.'), dialog(page).getByText('Enter your password.'))
    await expectFocused(typed(page))
    await typed(page).fill('ANN')
    await secret(page).fill('not-the-password')
    await confirm(page).click()
    await expectVisible(dialog(page).getByText('Type your username to confirm.'))
    expect(desk.asked('DELETE /api/user')).toEqual([])
    await typed(page).fill('ann')
    await confirm(page).click()
    await expectVisible(dialog(page).getByText('Incorrect password.'))
    await expectFocused(secret(page))
  })

  test('can be left with Escape, and nothing has happened', { tags: ['full'] }, async ({ desk, asking }) => {
    const page = await asking()
    await page.keyboard.press('Escape')
    await expectGone(dialog(page))
    await expectFocused(page.getByRole('button', { name: 'Delete account' }))
    expect(desk.asked('DELETE /api/user')).toEqual([])
  })

  test("says so if it doesn't reach the server", { tags: ['full'] }, async ({ desk, asking }) => {
    const page = await asking()
    desk.cut('DELETE /api/user')
    await typed(page).fill('ann')
    await secret(page).fill(password)
    await confirm(page).click()
    await expectVisible(dialog(page).getByText("Couldn't delete your account. Please try again."))
  })
})
