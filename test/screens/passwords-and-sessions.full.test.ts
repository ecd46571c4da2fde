import type { Page } from 'playwright-core'
import { password, signedInOf, takesPassword, wantsProof } from '../support/answers/account.ts'
import { userOf } from '../support/answers/usual.ts'
import { expectCount, expectFocused, expectGone, expectToast, expectValue, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })
const wrong = (page: Page, label: string, message: string) => page.getByRole('textbox', { name: label, exact: true, description: message })
const list = (page: Page) => page.getByRole('region', { name: "Where you're logged in" })
const here = signedInOf()
const elsewhere = signedInOf({ current: false, ipAddress: '203.0.113.99' })

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await box(page, label).fill(value)
}

describe('the password', () => {
  test('is changed with the current one; other sessions end', async ({ desk, open }) => {
    takesPassword(desk)
    desk.answer('GET /api/user/sessions', [here, elsewhere])
    const page = await open('/account')
    const kinds = ['Current password', 'New password', 'Confirm new password'].map((label) => box(page, label).getAttribute('autocomplete'))
    expect(await Promise.all(kinds)).toEqual(['current-password', 'new-password', 'new-password'])
    await expect.poll(() => list(page).getByRole('listitem').count()).toBe(2)

    await fill(page, { 'Current password': 'not-the-password', 'New password': 'another-password', 'Confirm new password': 'other' })
    await button(page, 'Change Password').click()
    await expectFocused(wrong(page, 'Confirm new password', 'Passwords do not match'))
    await fill(page, { 'Confirm new password': 'another-password' })
    await button(page, 'Change Password').click()
    await expectFocused(wrong(page, 'Current password', 'Your current password is incorrect.'))
    await fill(page, { 'Current password': password })
    desk.answer('GET /api/user/sessions', [here])
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Password Changed', "You're logged out everywhere else.")
    await expectValue(box(page, 'New password'), '')
    await expect.poll(() => list(page).getByRole('listitem').count()).toBe(1)
  })

  test('is set by email if there is none', async ({ desk, signIn, open }) => {
    signIn(userOf({ hasPassword: false }))
    desk.answer('GET /api/user/sessions', [])
    desk.answer('POST /api/auth/forgot-password', null)
    const page = await open('/account')
    await button(page, 'Set a password').click()
    await expectToast(page, 'success', 'Email Sent', 'We sent a link to ann@example.test.')
    await expect.poll(() => desk.asked('POST /api/auth/forgot-password').map(({ body }) => body)).toEqual([{ email: 'ann@example.test' }])
    await expectCount(button(page, 'Change Password'), 0)
  })
})

describe('sessions', () => {
  test('are listed, and all others can be ended', async ({ desk, open }) => {
    let sessions = [here, elsewhere]
    const guard = wantsProof(desk)
    desk.answer('GET /api/user/sessions', () => sessions)
    desk.answer('DELETE /api/user/sessions', () => {
      guard.prove()
      sessions = [here]
      return null
    })
    const page = await open('/account')
    await expectVisible(list(page).getByRole('listitem').filter({ hasText: 'This browser' }).getByText('Chrome on Linux'))
    await expect.poll(() => list(page).getByRole('listitem').count()).toBe(2)

    const others = list(page).getByRole('button', { name: 'Log out other sessions' })
    await others.click()
    await expectVisible(page.getByRole('alertdialog'))
    await page.keyboard.press('Escape')
    await expectFocused(others)
    expect(desk.asked('DELETE /api/user/sessions')).toEqual([])
    await others.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out other sessions' }).click()
    const asking = page.getByRole('dialog', { name: "Confirm it's you" })
    await asking.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await expectGone(asking)
    await expectToast(page, 'success', 'Other Sessions Logged Out')
    await expect.poll(() => list(page).getByRole('listitem').count()).toBe(1)
    await expectGone(others)
  })
})
