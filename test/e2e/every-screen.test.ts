import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import type { TestBrowser } from '../support/browser.ts'
import { type DemoInBrowser, startDemoInBrowser } from '../support/browser-demo.ts'
import { expectAddress, expectFocused, expectGone, expectVisible } from '../support/browser-expect.ts'
import { everyScreen, expectAccessible, type Screen, sticksOut } from '../support/browser-screens.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let screens: Screen[]
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
  screens = await everyScreen(app, browser)
})
afterAll(() => demo.close())

describe('on every screen', () => {
  test.each(['light', 'dark'] as const)('nothing bars anybody, in the %s theme', { timeout: 120_000 }, async (theme) => {
    for (const screen of screens) {
      const page = await screen.open({ theme })
      expect(await page.evaluate(() => document.documentElement.classList.value)).toBe(theme)
      await expectAccessible(page, screen.name)
      await page.close()
    }
  })

  test('nothing bars anybody on a phone', { timeout: 120_000 }, async () => {
    for (const screen of screens) {
      const page = await screen.open({ width: 375, height: 812, touch: true })
      await expectAccessible(page, screen.name)
      expect(await sticksOut(page), screen.name).toEqual([])
      await page.close()
    }
  })

  test('nothing scrolls sideways, from the smallest phone to a wide desk', { timeout: 120_000 }, async () => {
    for (const screen of screens) {
      const page = await screen.open({ width: 320, height: 640 })
      for (const width of [320, 375, 640, 768, 1024, 1280, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await sticksOut(page), `${screen.name} at ${width}`).toEqual([])
      }
      await page.close()
    }
  })
})

describe('theme', () => {
  const classOf = (page: Awaited<ReturnType<Screen['open']>>) => page.evaluate(() => document.documentElement.classList.value)

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

describe('on a phone', () => {
  const phone = { width: 375, height: 812, touch: true }

  test('the menu leads everywhere, closes with Escape and gives the focus back', async () => {
    const page = await browser.visitAs(await app.demo(), '/dashboard', phone)
    const opener = page.getByRole('button', { name: 'Open menu' })
    await opener.tap()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await expectVisible(menu.getByText('demo@ranklark.example'))
    expect(await menu.getByRole('link').allInnerTexts()).toEqual(['Dashboard', 'Account'])
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

  test('everything to press is as large as a finger', async () => {
    for (const screen of screens) {
      const page = await screen.open(phone)
      const small = await page.evaluate(() => {
        const isIn = (element: Element | null, target: Element) => element !== null && (target.contains(element) || element.contains(target))
        // What reacts to a finger may be larger than what is drawn: so ask the page what lies 19 px off the middle.
        const reacts = (target: Element) => {
          target.scrollIntoView({ block: 'center' })
          const { left, top, width, height } = target.getBoundingClientRect()
          const [x, y] = [left + width / 2, top + height / 2]
          return isIn(document.elementFromPoint(x, y - 19), target) && isIn(document.elementFromPoint(x, y + 19), target) && width >= 38
        }
        // Links within a sentence are as high as its lines; a slider is the chart around it.
        return [...document.querySelectorAll('button, a, [role=menuitem], [role=option], input:not([type=range], [type=checkbox])')]
          .filter((element) => element.closest('p, [aria-hidden=true], [inert]') === null && element.checkVisibility({ opacityProperty: true }))
          .filter((element) => !element.matches('[href="#content"]') && !reacts(element))
          .map((element) => element.outerHTML.slice(0, 160))
      })
      expect(small, screen.name).toEqual([])
      await page.close()
    }
  }, 120_000)
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
    await expectFocused(page.getByRole('button', { name: 'Show Clicks as table' }))

    await page.reload()
    await expectVisible(page.getByRole('region', { name: 'Position' }))
    const stops: string[] = []
    for (let stop = 0; stop < 13; stop += 1) {
      await page.keyboard.press('Tab')
      const { name, ring } = await page.evaluate(() => {
        const focused = document.activeElement
        const ringed = (element: Element | null) => element !== null && parseFloat(getComputedStyle(element).outlineWidth) >= 2 && getComputedStyle(element).outlineStyle !== 'none'
        return { name: focused?.getAttribute('aria-label') ?? focused?.textContent ?? '', ring: ringed(focused) || ringed(focused?.parentElement ?? null) }
      })
      expect(ring, `ring around ${name}`).toBe(true)
      stops.push(name.replace(/:.*| [\d.]+% vs.*/, ''))
    }
    expect(stops).toEqual([
      'Skip to content',
      'Ranklark',
      'Dashboard',
      'Profile',
      'Property',
      'Refresh',
      'Theme',
      'Account menu',
      'Dismiss demo notice',
      'Show Clicks as table',
      expect.stringMatching(/^(Up|Down)$/),
      'Clicks by day',
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
      expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
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
