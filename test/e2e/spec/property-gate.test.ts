// SPEC §2, "Property Required gate": in the place of every screen that is about one property.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectAddress, expectVisible } from '../../support/browser-expect.ts'
import { newPerson } from '../../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const gated = ['/keyword-opportunities', '/page-analytics', '/insights', '/alerts', '/alert-settings', '/alert-history']

test('"Select Property" leads to /account, "Go to Settings" to /settings', async () => {
  const page = await browser.visitAs(await newPerson(app, { email: 'gate@example.test' }), '/dashboard')
  for (const address of gated) {
    await page.goto(address)
    const main = page.getByRole('main')
    await expectVisible(main.getByRole('heading', { name: 'Property Required', exact: true }))
    expect(await main.getByRole('link', { name: 'Select Property', exact: true }).getAttribute('href')).toBe('/account')
    expect(await main.getByRole('link', { name: 'Go to Settings', exact: true }).getAttribute('href')).toBe('/settings')
  }
  await page.getByRole('link', { name: 'Select Property', exact: true }).click()
  await expectAddress(page, '/account')
  await page.goBack()
  await page.getByRole('link', { name: 'Go to Settings', exact: true }).click()
  await expectAddress(page, '/settings')
})

test('nothing of it stands before somebody with a property', async () => {
  const page = await browser.visitAs(await app.demo(), '/alerts')
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Active Alerts' }))
  expect(await page.getByText('Property Required').count()).toBe(0)
})
