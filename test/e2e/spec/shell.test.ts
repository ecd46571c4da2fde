// SPEC §2, "Shell". OPEN-POINTS 1 to 4 say what its search box, buttons and figures do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sites, type TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectAddress, expectGone, expectText, expectVisible } from '../../support/browser-expect.ts'
import { newPerson, ownerOf, registered } from '../../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const phone = { width: 375, height: 812, touch: true }

describe('header', () => {
  test('on small screens a menu toggle opens the way everywhere', async () => {
    const page = await browser.visitAs(await app.demo(), '/settings', phone)
    await page.getByRole('button', { name: 'Open menu' }).tap()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await expectVisible(menu.getByRole('link', { name: 'Dashboard', exact: true }))
    const links = await menu
      .getByRole('link')
      .evaluateAll((found) => found.map((link) => [link.textContent, link.getAttribute('href')] as const))
    const addresses = Object.fromEntries(links)
    expect(addresses).toMatchObject({
      Dashboard: '/',
      'Alert Settings': '/alert-settings',
      'Alert History': '/alert-history',
      Settings: '/settings',
      Account: '/account',
    })
    await menu.getByRole('link', { name: 'Dashboard', exact: true }).tap()
    await expectAddress(page, '/dashboard')
    await expectGone(menu)
  })

  test('on small screens an icon leads to /account, on large ones there is neither it nor the toggle', async () => {
    const page = await browser.visitAs(await app.demo(), '/settings', phone)
    const account = page.getByRole('banner').getByRole('link', { name: 'Account', exact: true })
    await account.tap()
    await expectAddress(page, '/account')
    await page.setViewportSize({ width: 1_280, height: 800 })
    await expectGone(account)
    await expectGone(page.getByRole('button', { name: 'Open menu' }))
  })

  test('a search box, help and notifications', async () => {
    const page = await browser.visitAs(await app.demo(), '/settings')
    const header = page.getByRole('banner')
    await expectVisible(
      header
        .getByText('Search keywords, pages or metrics...', { exact: true })
        .or(header.getByPlaceholder('Search keywords, pages or metrics...')),
      header.getByRole('button', { name: /^Help/ }),
      header.getByRole('button', { name: /^Notifications/ }),
    )
  })

  test('the property bar names the property, when its data came, through which day it is complete, and refreshes it', async () => {
    const site = 'https://shell.example/'
    const page = await browser.visitAs(await ownerOf(app, site, { days: 3, email: 'shell@example.test' }), '/settings')
    const header = page.getByRole('banner')
    await expectVisible(
      header.getByText('Property:', { exact: true }),
      header.getByRole('button', { name: `Property: ${site}` }),
      header.getByText(/^Last updated: Today, 20:00, complete through \d+ Mar$/),
    )
    const before = (await app.google.requests()).length
    await header.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(async () => (await app.google.requests()).length, { timeout: 15_000 }).toBeGreaterThan(before)
    await expectVisible(header.getByText(/^Last updated: Today, 20:00, complete through \d+ Mar$/))
  })

  test('without a property it says so and leads to where one is selected', async () => {
    const page = await browser.visitAs(await newPerson(app, { email: 'no-property@example.test' }), '/settings')
    const header = page.getByRole('banner')
    await expectVisible(header.getByText('Property:', { exact: true }), header.getByText('No property selected', { exact: true }))
    expect(await header.getByText('Last updated').count()).toBe(0)
    expect(await header.getByRole('button', { name: 'Refresh' }).count()).toBe(0)
    await header.getByRole('link', { name: 'Select a property →', exact: true }).click()
    await expectAddress(page, '/onboarding/sites')
  })
})

describe('footer', () => {
  test('on Free: the plan, the sites that are monitored, and the way to more', async () => {
    const site = 'https://footer.example/'
    const page = await browser.visitAs(await ownerOf(app, site, { days: 1, email: 'footer@example.test' }), '/account')
    const footer = page.getByRole('contentinfo')
    await expectVisible(footer.getByText('Free Plan', { exact: true }), footer.getByText('1/1 sites monitored', { exact: true }))
    await footer.getByRole('link', { name: 'Upgrade to Pro', exact: true }).click()
    await expectAddress(page, '/settings')
  })

  test('on Pro and Agency: the real plan and the real number', async () => {
    const page = await browser.visitAs(await app.demo(), '/settings')
    const footer = page.getByRole('contentinfo')
    await expectVisible(footer.getByText('Pro Plan', { exact: true }), footer.getByText('3/5 sites monitored', { exact: true }))
    expect(Object.keys(sites)).toHaveLength(3)
    expect(await footer.getByRole('link', { name: 'Upgrade to Pro' }).count()).toBe(0)
    const other = await browser.visitAs(await newPerson(app, { email: 'agency@example.test', plan: 'agency' }), '/settings')
    const theirs = other.getByRole('contentinfo')
    await expectVisible(theirs.getByText('Agency Plan', { exact: true }), theirs.getByText('0/25 sites monitored', { exact: true }))
  })

  test('help, privacy and terms lead to pages with something in them; the copyright is of this year', async () => {
    const page = await browser.visitAs(await registered(app, 'reader'), '/settings')
    const footer = page.getByRole('contentinfo')
    for (const [label, address] of [
      ['Help Center', '/help'],
      ['Privacy Policy', '/privacy'],
      ['Terms of Service', '/terms'],
    ] as const) {
      expect(await footer.getByRole('link', { name: label, exact: true }).getAttribute('href')).toBe(address)
      expect((await app.visitor().get(address)).status).toBe(200)
    }
    await expectText(footer.getByText('Ranklark'), '© 2026 Ranklark')
  })
})
