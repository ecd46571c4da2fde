import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser, type VisitOptions } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectVisible } from '../support/browser-expect.ts'
import {
  type Cast,
  castOf,
  expectAccessible,
  expectWithinWindow,
  type Screen,
  screens,
  tooSmallForFingers,
} from '../support/browser-screens.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let cast: Cast
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
  cast = await castOf(app)
})
afterAll(() => demo.close())

async function open({ who, address, see }: Screen, options: VisitOptions): Promise<Page> {
  const page = who === null ? await browser.visit(address, options) : await browser.visitAs(cast[who], address, options)
  await see(page)
  return page
}

test.each(screens)('$name: nothing bars anybody, in either theme, at a desk or on a phone', async (screen) => {
  const page = await open(screen, { theme: 'light' })
  await expectAccessible(page)
  await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
  await expectAccessible(page, ['color-contrast'])
  for (const width of [1920, 1440, 1024, 768, 640, 320]) {
    await page.setViewportSize({ width, height: 900 })
    await expectWithinWindow(page)
  }
  await page.setViewportSize({ width: 375, height: 812 })
  await expectWithinWindow(page)
  await expectAccessible(page)
  expect(await tooSmallForFingers(page)).toEqual([])
})

describe('theme', () => {
  const classOf = (page: Page) => page.evaluate(() => document.documentElement.classList.value)

  test('light is the default, a choice stays, and is there before anything is painted', async () => {
    const page = await browser.visitAs(await app.demo(), '/dashboard', { systemTheme: 'dark' })
    expect(await classOf(page)).toBe('light')
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect.poll(() => classOf(page)).toBe('dark')
    expect(await page.evaluate(() => localStorage.getItem('ranklark-ui-theme'))).toBe('dark')

    // The class of the root at the moment the body comes into being, before which nothing is drawn.
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (!document.body) return
        observer.disconnect()
        Object.assign(globalThis, { classAtFirst: document.documentElement.classList.value })
      }).observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    expect(await page.evaluate(() => Reflect.get(globalThis, 'classAtFirst'))).toBe('dark')
    await page.goto('/login')
    expect(await classOf(page)).toBe('dark')
  })

  test('system follows the system, also while the page is open', async () => {
    const page = await browser.visitAs(await app.demo(), '/dashboard', { systemTheme: 'dark' })
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitemradio', { name: 'System' }).click()
    await expect.poll(() => classOf(page)).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => classOf(page)).toBe('light')
    expect(await page.evaluate(() => localStorage.getItem('ranklark-ui-theme'))).toBe('system')
  })
})

test('on a phone the menu leads everywhere, closes with Escape and gives the focus back', async () => {
  const page = await browser.visitAs(await app.demo(), '/dashboard', { width: 375, height: 812, touch: true })
  const opener = page.getByRole('button', { name: 'Open menu' })
  await opener.tap()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await expectVisible(menu.getByText('demo@ranklark.example'))
  expect(await menu.getByRole('link').allInnerTexts()).toEqual([
    'Dashboard',
    'SEO Insights',
    'Keyword Opportunities',
    'Page Analytics',
    'Reports',
    'Active Alerts',
    'Alert Settings',
    'Alert History',
    'Settings',
    'API & Webhooks',
    'Account',
  ])
  await expectAccessible(page)
  expect(await tooSmallForFingers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expectGone(menu)
  await expectFocused(opener)

  await opener.tap()
  await menu.getByRole('link', { name: 'Account' }).tap()
  await expectAddress(page, '/account')
  await expectGone(menu)
  await opener.tap()
  await menu.getByRole('link', { name: 'Dashboard' }).tap()
  await expectAddress(page, '/dashboard')
  await page.getByRole('link', { name: 'Account', exact: true }).tap()
  await expectAddress(page, '/account')
})

describe('with the keyboard alone', () => {
  test('the first stop skips the navigation, and the rest come in reading order with a ring around each', async () => {
    const page = await browser.visitAs(await app.demo(), '/dashboard')
    await expectVisible(page.getByRole('region', { name: 'Position' }))
    await page.keyboard.press('Tab')
    await expectFocused(page.getByRole('link', { name: 'Skip to content' }))
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('main'))
    await page.keyboard.press('Tab')
    await expectFocused(page.getByRole('button', { name: 'Notes: Clicks' }))

    await page.goto('/dashboard')
    await expectVisible(page.getByRole('region', { name: 'Position' }))
    const stops: string[] = []
    for (let stop = 0; stop < 27; stop += 1) {
      await page.keyboard.press('Tab')
      const { name, ring } = await page.evaluate(() => {
        const focused = document.activeElement
        const ringed = (element: Element | null) =>
          element !== null && parseFloat(getComputedStyle(element).outlineWidth) >= 2 && getComputedStyle(element).outlineStyle !== 'none'
        return {
          name: focused?.getAttribute('aria-label') ?? focused?.textContent ?? '',
          ring: ringed(focused) || ringed(focused?.parentElement ?? null),
        }
      })
      expect(ring, `ring around ${name}`).toBe(true)
      stops.push(name.replace(/:.*| [\d.]+% vs.*/, ''))
    }
    expect(stops).toEqual([
      'Skip to content',
      'Ranklark',
      'Dashboard',
      'SEO Insights',
      'Keyword Opportunities',
      'Page Analytics',
      'Reports',
      'Active Alerts',
      'Alert Settings',
      'Alert History',
      'Settings',
      'API & Webhooks',
      'Profile',
      'Property',
      'Refresh',
      'Search',
      'Help',
      expect.stringMatching(/^Notifications/),
      'Theme',
      'Account menu',
      'Dismiss demo notice',
      'Notes',
      'Show Clicks as table',
      expect.stringMatching(/^(Up|Down)$/),
      'Clicks by day',
      'Notes',
      'Show Impressions as table',
    ])
  })

  test('g d opens the dashboard, but not while typing', async () => {
    const page = await browser.visitAs(await app.demo(), '/account')
    await page.getByRole('textbox', { name: 'Property name' }).pressSequentially('gd')
    await expectAddress(page, '/account')
    await page.getByRole('heading', { name: 'Account', level: 1 }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await expectAddress(page, '/dashboard')
    await expectFocused(page.getByRole('main'))
  })

  test('menus open with the arrows, dialogs keep the focus, and both give it back', async () => {
    const page = await browser.visitAs(await app.demo(), '/dashboard')
    const property = page.getByRole('button', { name: /^Property:/ })
    await property.focus()
    await page.keyboard.press('ArrowDown')
    await expectVisible(page.getByRole('menu'))
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('menu'))
    await expectFocused(property)

    const table = page.getByRole('button', { name: 'Show Clicks as table' })
    await table.focus()
    await page.keyboard.press('Enter')
    await expectVisible(page.getByRole('table'))
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('table'))
    await expectFocused(table)

    await property.click()
    await page.getByRole('menuitem', { name: 'Import a file…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import a file' })
    await expectVisible(dialog)
    for (let stop = 0; stop < 6; stop += 1) {
      await page.keyboard.press('Tab')
      await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expectGone(dialog)
    await expectFocused(property)
  })
})

test('the demo notice goes away for as long as the window is open', async () => {
  const page = await browser.visitAs(await app.demo(), '/dashboard')
  await page.getByRole('button', { name: 'Dismiss demo notice' }).click()
  await expectGone(page.getByRole('region', { name: 'Demo' }))
  await page.reload()
  await expectVisible(page.getByRole('region', { name: 'Clicks' }))
  expect(await page.getByRole('region', { name: 'Demo' }).count()).toBe(0)
})
