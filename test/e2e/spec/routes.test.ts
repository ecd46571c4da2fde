// SPEC §2, "Route table": who may open which address, and what is there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectAddress, expectVisible } from '../../support/browser-expect.ts'
import { hold } from '../../support/browser-hold.ts'
import { registered } from '../../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

/** Signed in, in the shell. */
const screens = [
  ['/dashboard', 'Dashboard'],
  ['/insights', 'SEO Insights Dashboard'],
  ['/keyword-opportunities', 'Keyword Opportunities'],
  ['/page-analytics', 'Page Analytics'],
  ['/alerts', 'Active Alerts'],
  ['/alert-settings', 'Alert Configuration'],
  ['/alert-history', 'Alert History'],
  ['/settings', 'Account Settings'],
  ['/account', 'Account'],
] as const

describe('signed in, in the shell', () => {
  test('each route shows its screen between sidebar, header and footer', async () => {
    const page = await browser.visitAs(await app.demo(), '/dashboard')
    for (const [address, heading] of screens) {
      await page.goto(address)
      await expectVisible(
        page.getByRole('main').getByRole('heading', { level: 1, name: heading, exact: true }),
        page.getByRole('complementary').getByRole('navigation', { name: 'Main' }),
        page.getByRole('banner'),
        page.getByRole('contentinfo'),
      )
      await expectAddress(page, address)
    }
  })

  test('whoever is not signed in is sent to /login', async () => {
    const page = await browser.visit('/login')
    for (const [address] of screens) {
      await page.goto(address)
      await expectAddress(page, '/login')
    }
  })

  test('"Loading..." stands there while it is not known who is signed in', async () => {
    const page = await browser.visitAs(await app.demo(), '/login')
    const { release } = await hold(page, '**/api/auth/session')
    await page.goto('/alert-history')
    await expectVisible(page.getByRole('status').getByText('Loading...', { exact: true }))
    await expectAddress(page, '/alert-history')
    release()
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Alert History' }))
  })

  test('/ leads on to /dashboard, and so does /login', async () => {
    const page = await browser.visitAs(await app.demo(), '/')
    await expectAddress(page, '/dashboard')
    await page.goto('/login')
    await expectAddress(page, '/dashboard')
  })
})

describe('public', () => {
  test('/login has the tabs Login and Register, Login first', async () => {
    const page = await browser.visit('/login')
    await expectVisible(
      page.getByRole('tab', { name: 'Login', selected: true }),
      page.getByRole('tab', { name: 'Register', selected: false }),
    )
  })

  test('the way in asks for a plan first, whoever comes', async () => {
    for (const page of [await browser.visit('/onboarding/plan'), await browser.visitAs(await registered(app, 'newcomer'), '/')]) {
      for (const address of ['/onboarding/plan', '/onboarding/payment', '/onboarding/sites']) {
        await page.goto(address)
        await expectAddress(page, '/onboarding/plan')
        await expectVisible(page.getByRole('heading', { level: 1, name: 'Choose Your Plan', exact: true }))
      }
    }
  })

  test('payment with a plan asks for somebody who is signed in', async () => {
    const page = await browser.visit('/onboarding/plan')
    await page.getByRole('article', { name: 'Pro' }).getByRole('button', { name: 'Select Plan' }).click()
    await page.goto('/onboarding/payment')
    await expectAddress(page, '/login')
  })

  test('anything else is not found', async () => {
    const page = await browser.visit('/dashboards')
    await expectVisible(
      page.getByRole('heading', { name: '404 Page Not Found', exact: true }),
      page.getByText('Did you forget to add the page to the router?', { exact: true }),
    )
    expect((await app.visitor().get('/dashboards')).status).toBe(404)
  })
})
