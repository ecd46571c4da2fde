import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlanId } from '../../src/contract/user.ts'
import type { TestApp } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { registered } from '../support/people.ts'
import { unzip } from '../support/unzip.ts'
import type { Visitor } from '../support/visitor.ts'

const path = '/api/delivery-settings'
let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let people = 0
let name: string
let person: Visitor

beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())
beforeEach(async () => {
  name = `person${++people}`
  person = await registered(app, name)
})

const onPlan = async (plan: PlanId) =>
  (await app.stores()).sql('UPDATE people SET plan = $2 WHERE user_id = (SELECT id FROM users WHERE username = $1)', [name, plan])
const settings = async () => (await person.get(path)).body
const emailCard = (page: Page) => page.getByRole('region', { name: 'Email notifications' })
const toggle = (page: Page, label: string) => emailCard(page).getByRole('switch', { name: label })
const frequency = (page: Page) => emailCard(page).getByRole('combobox', { name: 'Frequency' })

async function expectSwitches(page: Page, on: Record<string, boolean>): Promise<void> {
  for (const [label, checked] of Object.entries(on))
    await expect.poll(() => toggle(page, label).getAttribute('aria-checked'), { timeout: 5_000 }).toBe(String(checked))
}
const offLine = async (page: Page, off: boolean) => page.context().setOffline(off)

describe('email notifications', () => {
  const defaults = { 'Email notifications': true, 'Critical alerts': true, 'Warning alerts': true, 'Positive alerts': false }

  test('show the defaults until something is chosen; the first change creates them, later ones change one field', async () => {
    const page = await browser.visitAs(person, '/settings')
    await expectSwitches(page, defaults)
    await expectVisible(
      emailCard(page).getByText('Changes over 30 %'),
      emailCard(page).getByText('Changes of 15 to 30 %'),
      emailCard(page).getByText(`${name}@example.test`),
    )
    await toggle(page, 'Positive alerts').click()
    await expectToast(page, 'success', 'Email preferences created')
    await expectSwitches(page, { ...defaults, 'Positive alerts': true })
    expect(await settings()).toMatchObject({ emailEnabled: true, criticalAlerts: true, warningAlerts: true, positiveAlerts: true })

    await toggle(page, 'Warning alerts').click()
    await expectToast(page, 'success', 'Email preferences updated')
    expect(await settings()).toMatchObject({ warningAlerts: false, positiveAlerts: true })
    await page.reload()
    await expectSwitches(page, { ...defaults, 'Warning alerts': false, 'Positive alerts': true })
  })

  test('work by keyboard, and by their words', async () => {
    const page = await browser.visitAs(person, '/settings')
    await toggle(page, 'Positive alerts').focus()
    await page.keyboard.press('Space')
    await expectToast(page, 'success', 'Email preferences created')
    await emailCard(page).getByText('Critical alerts', { exact: true }).click()
    await expectToast(page, 'success', 'Email preferences updated')
    expect(await settings()).toMatchObject({ positiveAlerts: true, criticalAlerts: false })
  })

  test('changed quickly one after the other all arrive', async () => {
    const page = await browser.visitAs(person, '/settings')
    for (const label of ['Positive alerts', 'Critical alerts', 'Warning alerts']) await toggle(page, label).click()
    const all = { ...defaults, 'Positive alerts': true, 'Critical alerts': false, 'Warning alerts': false }
    await expectSwitches(page, all)
    await expect.poll(settings).toMatchObject({ positiveAlerts: true, criticalAlerts: false, warningAlerts: false })
    await page.reload()
    await expectSwitches(page, all)
  })

  test('off, leave nothing to choose', async () => {
    const page = await browser.visitAs(person, '/settings')
    await toggle(page, 'Email notifications').click()
    await expectToast(page, 'success', 'Email preferences created')
    for (const label of ['Critical alerts', 'Warning alerts', 'Positive alerts']) expect(await toggle(page, label).isDisabled()).toBe(true)
    expect(await frequency(page).isDisabled()).toBe(true)
  })

  test('that cannot be updated go back, and say why', async () => {
    await person.send('POST', path, {})
    const page = await browser.visitAs(person, '/settings')
    await expectSwitches(page, defaults)
    await (await app.stores()).sql('DELETE FROM delivery_settings')
    await toggle(page, 'Critical alerts').click()
    await expectToast(page, 'error', 'Failed to update preferences', 'There are no preferences yet.')
    await expectSwitches(page, defaults)
  })

  test('that do not reach the server go back', async () => {
    await person.send('POST', path, {})
    const page = await browser.visitAs(person, '/settings')
    await expectSwitches(page, defaults)
    await offLine(page, true)
    await toggle(page, 'Critical alerts').click()
    await expectToast(page, 'error', 'Failed to update preferences', 'Could not save email preferences')
    await expectSwitches(page, defaults)
    await offLine(page, false)
    await toggle(page, 'Critical alerts').click()
    await expectToast(page, 'success', 'Email preferences updated')
  })

  test('that cannot be created go back, and say why', async () => {
    const page = await browser.visitAs(person, '/settings')
    await expectSwitches(page, defaults)
    await offLine(page, true)
    await toggle(page, 'Critical alerts').click()
    await expectToast(page, 'error', 'Failed to create preferences', 'Could not create email preferences')
    await expectSwitches(page, defaults)
    await offLine(page, false)
    // Meanwhile in another window.
    await person.send('POST', path, { warningAlerts: false })
    await toggle(page, 'Critical alerts').click()
    await expectToast(page, 'error', 'Failed to create preferences', 'There are preferences already: change those instead.')
    await expectSwitches(page, { ...defaults, 'Warning alerts': false })
  })

  test.each([
    ['free', 'Weekly digest', ['Daily digest', 'Instant alerts'], 'Your Free plan has no daily alerts. Available on Pro and Agency plans.'],
    ['pro', 'Daily digest', ['Instant alerts'], 'Your Pro plan has no real-time alerts. Available on the Agency plan.'],
    ['agency', 'Daily digest', [], null],
  ] as const)('on %s come as %s; what the plan does not allow is shown with the reason', async (plan, chosen, locked, reason) => {
    await onPlan(plan)
    const page = await browser.visitAs(person, '/settings')
    await expectText(frequency(page), chosen)
    if (reason !== null) await expectVisible(emailCard(page).getByText(reason))
    await frequency(page).click()
    const disabled = page.locator('[role=option][aria-disabled=true]')
    await expectVisible(page.getByRole('option', { name: 'Weekly digest' }))
    expect((await disabled.allInnerTexts()).map((text) => text.trim())).toEqual(locked)
  })

  test('come as often as chosen', async () => {
    await onPlan('agency')
    const page = await browser.visitAs(person, '/settings')
    await frequency(page).click()
    await page.getByRole('option', { name: 'Instant alerts' }).click()
    await expectToast(page, 'success', 'Email preferences created')
    await expectText(frequency(page), 'Instant alerts')
    expect(await settings()).toMatchObject({ frequency: 'instant' })
    // A plan that ends while the page is open.
    await onPlan('free')
    await frequency(page).click()
    await page.getByRole('option', { name: 'Daily digest' }).click()
    await expectToast(
      page,
      'error',
      'Failed to update preferences',
      'Your Free plan has no daily alerts. Available on Pro and Agency plans.',
    )
    await expectText(frequency(page), 'Weekly digest')
  })
})

describe('export my data', () => {
  test('saves a ZIP with everything', async () => {
    const page = await browser.visitAs(await app.demo(), '/settings')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export my data' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('ranklark-demo-2026-03-18.zip')
    const files = await unzip(await readFile(await file.path()))
    expect(files.get('facts/sc-domain_lumenandloom.example/total.csv')).toContain('2026-03-15,web,')
    await expectToast(page, 'success', 'Your data was exported', 'ranklark-demo-2026-03-18.zip is in your downloads.')
    await expectVisible(page.getByRole('button', { name: 'Export my data' }))
  })

  test('that is asked for too often says when to come back, and saves nothing', async () => {
    for (let n = 0; n < 5; n += 1) await person.get('/api/user/export')
    const page = await browser.visitAs(person, '/settings')
    await page.getByRole('button', { name: 'Export my data' }).click()
    await expectToast(page, 'error', 'Export Failed', 'Your data was exported 5 times within the hour. Please try again later.')
  })
})

describe('delete account', () => {
  const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Delete your account?' })
  const typed = (page: Page) => dialog(page).getByRole('textbox', { name: 'Your username' })
  const password = (page: Page) => dialog(page).getByLabel('Your password')
  const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Delete my account' })

  async function open(): Promise<Page> {
    const page = await browser.visitAs(person, '/settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await expectVisible(dialog(page))
    return page
  }

  test('names what goes, asks for name and password, and ends at the login', async () => {
    await onPlan('pro')
    const page = await open()
    await expectVisible(
      dialog(page).getByText(`With the account ${name} go`),
      dialog(page).getByText('every figure stored'),
      dialog(page).getByText('your Pro plan'),
    )
    await typed(page).fill(name)
    await password(page).fill('a-good-password')
    await confirm(page).click()
    await expectAddress(page, '/login')
    await expectToast(page, 'success', 'Account deleted', `The account ${name} and everything in it is gone.`)
    await page.goto('/settings')
    await expectAddress(page, '/login')
    expect((await person.get('/api/user')).status).toBe(401)
  })

  test('needs the very name and the right password', async () => {
    const page = await open()
    await confirm(page).click()
    await expectVisible(dialog(page).getByText('Type your username to confirm.'), dialog(page).getByText('Enter your password.'))
    await expectFocused(typed(page))
    await typed(page).fill(name.toUpperCase())
    await password(page).fill('not-the-password')
    await confirm(page).click()
    await expectVisible(dialog(page).getByText('Type your username to confirm.'))
    await typed(page).fill(name)
    await confirm(page).click()
    await expectVisible(dialog(page).getByText('This is not your password.'))
    await expectFocused(password(page))
    expect((await person.get('/api/user')).status).toBe(200)
  })

  test('can be left with Escape, and nothing has happened', async () => {
    const page = await open()
    await page.keyboard.press('Escape')
    await expectGone(dialog(page))
    await expectFocused(page.getByRole('button', { name: 'Delete account' }))
    expect((await person.get('/api/user')).status).toBe(200)
  })

  test('that does not reach the server says so', async () => {
    const page = await open()
    await typed(page).fill(name)
    await password(page).fill('a-good-password')
    await offLine(page, true)
    await confirm(page).click()
    await expectVisible(dialog(page).getByText('Your account could not be deleted. Please try again.'))
    await offLine(page, false)
  })
})
