import { afterAll, beforeAll, expect, test } from 'vitest'
import { sites, type TestApp } from '../support/app.ts'
import type { TestBrowser } from '../support/browser.ts'
import { cardOf, cardsAtGoogle, expectCards, finalDay, metrics, spoken } from '../support/browser-cards.ts'
import { type DemoInBrowser, startDemoInBrowser } from '../support/browser-demo.ts'
import { expectAddress, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser()
  app = demo.app
  browser = demo.browser
})
afterAll(() => demo.close())

const cards = async (site: string) => cardsAtGoogle(app.google, site, await finalDay(app.google, site))

test('somebody signs in as demo and sees the figures that Google has for the same dates', async () => {
  const page = await browser.visit('/')
  await page.getByLabel('Username').fill('demo')
  await page.getByLabel('Password').fill('demo-password')
  await page.getByRole('button', { name: 'Login' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('button', { name: `Property: ${sites.shop}` }), page.getByRole('region', { name: 'Demo' }))
  await expectCards(page, await cards(sites.shop))
})
