// SPEC §2, "Account", with §5 (profile form) and §8 (messages). See also: ../profile, ../passwords-and-sessions, ../two-factor; consent:
// ../../journeys/connecting.
import type { Page } from 'playwright-core'
import { knows, takesPassword } from '../../support/answers/account.ts'
import { registeredOf } from '../../support/answers/shell.ts'
import { propertyOf, userOf } from '../../support/answers/usual.ts'
import { expectAddress, expectText, expectToast, expectValue, expectVisible } from '../../support/browser-expect.ts'
import { describe, expect, test } from '../../support/screen-test.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const box = (page: Page, label: string) => part(page, 'Profile').getByRole('textbox', { name: label, exact: true })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })

describe('profile form', () => {
  test('username, email and selected property, saved as "Profile Updated"', async ({ desk, open }) => {
    const site = 'https://profile.example/'
    knows(desk, userOf({ email: 'profile@example.test', selectedProperty: site, gscProperties: [propertyOf({ name: site })] }))
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/account')
    await expectVisible(box(page, 'Email'))
    await expectValue(box(page, 'Email'), 'profile@example.test')
    await expectText(part(page, 'Profile').getByRole('combobox', { name: 'Property', exact: true }), site)
    await box(page, 'Username').fill('renamed')
    await button(page, 'Save changes').click()
    await expectToast(page, 'success', 'Profile Updated')
    await expectVisible(page.getByRole('complementary').getByText('renamed', { exact: true }))
    await expect
      .poll(() => desk.asked('PATCH /api/user').map(({ body }) => body))
      .toEqual([{ username: 'renamed', email: 'profile@example.test' }])
  })

  test('username at least 3 characters, a valid address; what fails is "Update Failed"', async ({ desk, open }) => {
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/account')
    await box(page, 'Username').fill('ab')
    await box(page, 'Email').fill('nobody')
    await button(page, 'Save changes').click()
    await expectVisible(
      part(page, 'Profile').getByText('Username must be at least 3 characters', { exact: true }),
      part(page, 'Profile').getByText('Please enter a valid email address', { exact: true }),
    )
    await box(page, 'Username').fill('petra2')
    await box(page, 'Email').fill('petra@example.test')
    desk.say('PATCH /api/user', '', { status: 500 })
    await button(page, 'Save changes').click()
    await expectToast(page, 'error', 'Update Failed', 'There was an error updating your profile.')
  })
})

test('account security: the password is changed with the current one', async ({ desk, open }) => {
  desk.answer('GET /api/user/sessions', [])
  takesPassword(desk, 'a-good-password')
  const page = await open('/account')
  const security = part(page, 'Account security')
  for (const [label, value] of [
    ['Current password', 'a-good-password'],
    ['New password', 'a-better-password'],
    ['Confirm new password', 'a-better-password'],
  ] as const) {
    await security.getByRole('textbox', { name: label, exact: true }).fill(value)
  }
  await security.getByRole('button', { name: 'Change Password', exact: true }).click()
  await expectToast(page, 'success', 'Password Changed')
  await expect
    .poll(() => desk.asked('POST /api/user/password').map(({ body }) => body))
    .toEqual([{ currentPassword: 'a-good-password', newPassword: 'a-better-password', endAccess: false }])
})

describe('Google Integration', () => {
  const card = (page: Page) => part(page, 'Google Integration')

  test('"Not connected": connecting says "Connecting..." and leaves for /api/auth/google?redirect=/account', async ({
    desk,
    signIn,
    open,
  }) => {
    signIn(registeredOf({ planChosen: true }))
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/account')
    await expectVisible(card(page).getByText('Not connected', { exact: true }))
    // The server decides where it leads from there; it takes until that has been read.
    const { promise: read, resolve: leave } = Promise.withResolvers<void>()
    await page.route(/\/api\/auth\/google/, async (route) => {
      await read
      await route.fulfill({ body: 'Google' })
    })
    const leaving = page.waitForRequest((each) => each.isNavigationRequest())
    const connect = card(page).getByRole('button', { name: 'Connect Google Search Console', exact: true })
    const said = await connect.evaluate(async (element: HTMLButtonElement) => {
      element.click()
      await new Promise(requestAnimationFrame)
      return [element.textContent, element.disabled]
    })
    expect(said).toEqual(['Connecting...', true])
    leave()
    await page.waitForURL(/\/api\/auth\/google/)
    const { pathname, searchParams } = new URL((await leaving).url())
    expect([pathname, searchParams.get('redirect')]).toEqual(['/api/auth/google', '/account'])
  })

  test('after Google: connected=true and connected=false are reported, and removed from the URL', async ({ desk, open }) => {
    desk.answer('GET /api/user/sessions', [])
    const page = await open('/account?connected=true')
    await expectToast(page, 'success', 'Connected Successfully')
    await expectAddress(page, '/account')
    await page.goto('/account?connected=false')
    await expectToast(page, 'error', 'Connection Failed', 'There was an issue connecting to Google Search Console. Please try again.')
    await expectAddress(page, '/account')
  })

  test('"Connected": a property is selected, "Property Selected"; disconnecting ends in "Disconnected"', async ({ desk, open }) => {
    const [first, second] = ['https://first.example/', 'https://second.example/'] as const
    const properties = [propertyOf({ name: first }), propertyOf({ id: '2', name: second, monitored: false })]
    const gina = userOf({ selectedProperty: first, gscProperties: properties })
    knows(desk, gina)
    desk.answer('GET /api/user/sessions', [])
    desk.say('POST /api/gsc-properties/select', '', { status: 500 })
    desk.say('PATCH /api/user', '', { status: 500 })
    const page = await open('/account')
    await expectVisible(card(page).getByText('Connected', { exact: true }))
    const property = card(page).getByRole('combobox', { name: 'Selected property', exact: true })
    const choose = async (name: string) => {
      await property.click()
      await page.getByRole('option', { name }).click()
    }
    await choose(second)
    await expectToast(page, 'error', 'Error', 'Failed to update property selection')
    const disconnect = async () => {
      await card(page).getByRole('button', { name: 'Disconnect', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect Search Console' }).click()
    }
    await disconnect()
    await expectToast(page, 'error', 'Error', 'Failed to disconnect Google Search Console.')

    knows(desk, gina)
    await choose(second)
    await expectToast(page, 'success', 'Property Selected', second)
    await expectText(property, second)
    await disconnect()
    await expectToast(page, 'success', 'Disconnected')
    await expectVisible(card(page).getByText('Not connected', { exact: true }), page.getByText('No property selected').first())
    const nothing = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }
    await expect.poll(() => desk.asked('PATCH /api/user').at(-1)?.body).toEqual(nothing)
  })
})
