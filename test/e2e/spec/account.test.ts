// SPEC §2, "Account", with §5 (profile form) and §8 (messages). Password, second factor, sessions: ../accounts; consent: ../connecting.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectAddress, expectText, expectToast, expectVisible } from '../../support/browser-expect.ts'
import { newPerson, registered, select } from '../../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const box = (page: Page, label: string) => part(page, 'Profile').getByRole('textbox', { name: label, exact: true })
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true })

describe('profile form', () => {
  test('username, email and selected property, saved as "Profile Updated"', async () => {
    const site = 'https://profile.example/'
    const person = await newPerson(app, { email: 'profile@example.test', sites: { [site]: 'empty' } })
    await select(person, site)
    const page = await browser.visitAs(person, '/account')
    expect(await box(page, 'Email').inputValue()).toBe('profile@example.test')
    await expectText(part(page, 'Profile').getByRole('combobox', { name: 'Property', exact: true }), site)
    await box(page, 'Username').fill('renamed')
    await button(page, 'Save changes').click()
    await expectToast(page, 'success', 'Profile Updated')
    await expectVisible(page.getByRole('complementary').getByText('renamed', { exact: true }))
  })

  test('username at least 3 characters, a valid address; what fails is "Update Failed"', async () => {
    const page = await browser.visitAs(await registered(app, 'petra'), '/account')
    await box(page, 'Username').fill('ab')
    await box(page, 'Email').fill('nobody')
    await button(page, 'Save changes').click()
    await expectVisible(
      part(page, 'Profile').getByText('Username must be at least 3 characters', { exact: true }),
      part(page, 'Profile').getByText('Please enter a valid email address', { exact: true }),
    )
    await box(page, 'Username').fill('petra2')
    await box(page, 'Email').fill('petra@example.test')
    await page.route('**/api/user', (route) => route.fulfill({ status: 500, body: '' }))
    await button(page, 'Save changes').click()
    await expectToast(page, 'error', 'Update Failed', 'There was an error updating your profile.')
  })
})

test('account security: the password is changed by whoever knows the current one', async () => {
  const page = await browser.visitAs(await registered(app, 'sonja', 'a-good-password'), '/account')
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
})

describe('Google Integration', () => {
  const card = (page: Page) => part(page, 'Google Integration')

  test('"Not connected": connecting says "Connecting..." and leaves for /api/auth/google?redirect=/account', async () => {
    const page = await browser.visitAs(await registered(app, 'gerda'), '/account')
    await expectVisible(card(page).getByText('Not connected', { exact: true }))
    const leaving = page.waitForRequest((each) => each.isNavigationRequest())
    const connect = card(page).getByRole('button', { name: 'Connect Google Search Console', exact: true })
    // Read in the page itself, which is left a moment later.
    const said = await connect.evaluate(async (element: HTMLButtonElement) => {
      element.click()
      await new Promise(requestAnimationFrame)
      return [element.textContent, element.disabled]
    })
    expect(said).toEqual(['Connecting...', true])
    const { pathname, searchParams } = new URL((await leaving).url())
    expect([pathname, searchParams.get('redirect')]).toEqual(['/api/auth/google', '/account'])
  })

  test('after Google: connected=true and connected=false are told, and gone from the address', async () => {
    const page = await browser.visitAs(await registered(app, 'greta'), '/account?connected=true')
    await expectToast(page, 'success', 'Connected Successfully')
    await expectAddress(page, '/account')
    await page.goto('/account?connected=false')
    await expectToast(page, 'error', 'Connection Failed', 'There was an issue connecting to Google Search Console. Please try again.')
    await expectAddress(page, '/account')
  })

  test('"Connected": a property is selected, "Property Selected"; disconnecting ends in "Disconnected"', async () => {
    const [first, second] = ['https://first.example/', 'https://second.example/'] as const
    const person = await newPerson(app, { email: 'gina@example.test', plan: 'pro', sites: { [first]: 'empty', [second]: 'empty' } })
    await select(person, first)
    const page = await browser.visitAs(person, '/account')
    await expectVisible(card(page).getByText('Connected', { exact: true }))
    const property = card(page).getByRole('combobox', { name: 'Selected property', exact: true })
    const choose = async (name: string) => {
      await property.click()
      await page.getByRole('option', { name }).click()
    }
    await page.route('**/api/gsc-properties/select', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await choose(second)
    await expectToast(page, 'error', 'Error', 'Failed to update property selection')
    await choose(second)
    await expectToast(page, 'success', 'Property Selected', second)

    const disconnect = async () => {
      await card(page).getByRole('button', { name: 'Disconnect', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect Search Console' }).click()
    }
    await page.route('**/api/user', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await disconnect()
    await expectToast(page, 'error', 'Error', 'Failed to disconnect Google Search Console.')
    await disconnect()
    await expectToast(page, 'success', 'Disconnected')
    await expectVisible(card(page).getByText('Not connected', { exact: true }), page.getByText('No property selected').first())
  })
})
