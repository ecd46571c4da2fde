// What is true of all static pages: light, still, readable by everybody, and without the app. What the landing says: spec/landing.
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser, type VisitOptions } from '../support/browser.ts'
import { expectFocused, expectVisible } from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-screens.ts'

let demo: DemoInBrowser
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ browser } = demo)
})
afterAll(() => demo.close())

const articles = ['/help', '/privacy', '/terms'] as const
const pages = ['/', ...articles, '/api/docs'] as const
const themes = ['light', 'dark'] as const

/** The same as a visit, and what it asked the server for. */
async function visitListening(address: string, options: VisitOptions): Promise<{ page: Page; requests: Request[] }> {
  // Anything that is no page: the listening begins before the visit.
  const page = await browser.visit('/favicon.svg', options)
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  await page.goto(address)
  return { page, requests }
}

const pathOfRequest = (request: Request): string => new URL(request.url()).pathname

/** Down to the end, so that everything that waits to be seen is there. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += 400) {
      scrollTo({ top, behavior: 'instant' })
      await new Promise(requestAnimationFrame)
    }
  })
  await page.waitForFunction(() => [...document.images].every((image) => image.complete || !image.checkVisibility()))
}

describe.each(pages)('%s', (address) => {
  // The reference is long, and every line of it is looked at.
  test.each(themes)('bars nobody in the %s theme, at a desk or on a phone', { timeout: 180_000 }, async (theme) => {
    const page = await browser.visit(address, { theme, width: 1_440, height: 900 })
    await expectAccessible(page)
    await page.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(page)
  })

  test('fits every window, and fingers', async () => {
    const page = await browser.visit(address)
    for (const width of [1_920, 1_440, 1_024, 768, 640, 375, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await expectWithinWindow(page)
      expect(await cutOff(page), `${width} px`).toEqual([])
    }
    await page.setViewportSize({ width: 375, height: 812 })
    expect(await tooSmallForFingers(page)).toEqual([])
  })

  test('comes without the app, and weighs little', async () => {
    const { page, requests } = await visitListening(address, { width: 1_440, height: 900 })
    await page.waitForLoadState('networkidle')
    const sizes = await Promise.all(requests.map((request) => request.sizes()))
    expect(requests.map(pathOfRequest).filter((path) => path.endsWith('.js'))).toEqual(['/boot.js'])
    // Page, style, font, theme, icon; on the landing the pictures that are near.
    expect(requests.length).toBeLessThanOrEqual(address === '/' ? 8 : 5)
    expect(sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)).toBeLessThan((address === '/' ? 220 : 90) * 1024)
  })

  test('is painted soon, and nothing moves afterwards', async () => {
    const page = await browser.visit(address, { width: 1_440, height: 900 })
    await scrollThrough(page)
    const { largestPaint, shift } = await vitalsOf(page)
    expect(largestPaint).toBeGreaterThan(0)
    expect(largestPaint).toBeLessThan(2_500)
    expect(shift).toBeLessThan(0.02)
  })

  test('says in its head what it is, without leading anywhere else', async () => {
    const page = await browser.visit(address)
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await page.title()).toMatch(/Ranklark/)
    const content = (name: string) => page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content')
    for (const name of ['description', 'og:description']) expect((await content(name))?.length).toBeGreaterThan(50)
    expect(await content('og:title')).toBe(await page.title())
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/favicon.svg')
    const hrefs = await page
      .locator('head link, a')
      .evaluateAll((elements) => elements.map((element) => element.getAttribute('href') ?? ''))
    expect(hrefs.filter((href) => !/^[/#]/.test(href))).toEqual([])
  })
})

/** Text that reaches beyond a box which hides what sticks out of it. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main *, header *, footer *')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr-only, svg'))
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
      .map((element) => element.outerHTML.slice(0, 120)),
  )
}

function vitalsOf(page: Page): Promise<{ largestPaint: number; shift: number }> {
  return page.evaluate(async () => {
    const seen = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
        observer.observe({ type, buffered: true })
        // Where nothing moved there is nothing to wait for.
        setTimeout(() => resolve(observer.takeRecords()), 500)
      })
    const [paints, shifts] = await Promise.all([seen('largest-contentful-paint'), seen('layout-shift')])
    const valueOf = (entry: PerformanceEntry) => ('value' in entry && typeof entry.value === 'number' ? entry.value : 0)
    return { largestPaint: paints.at(-1)?.startTime ?? 0, shift: shifts.reduce((sum, entry) => sum + valueOf(entry), 0) }
  })
}

describe('the pictures of the landing', () => {
  const shown = (page: Page) =>
    page.evaluate(() => [...document.images].filter((image) => image.checkVisibility()).map((image) => new URL(image.currentSrc).pathname))

  test.each([
    ['light', { theme: 'light', width: 1_440 }, 'desk-light'],
    ['dark', { theme: 'dark', width: 1_440 }, 'desk-dark'],
    ['light on a phone', { theme: 'light', width: 375, scale: 2 }, 'phone-light'],
    ['dark on a phone', { theme: 'dark', width: 375, scale: 2 }, 'phone-dark'],
  ] satisfies [string, VisitOptions, string][])('%s: the product as it is there, and no other', async (_name, options, look) => {
    const { page, requests } = await visitListening('/', { height: 900, ...options })
    await scrollThrough(page)
    const names = ['dashboard', 'mail', 'backtest']
    const expected = names.map((name) => expect.stringContaining(`/${name}-${look}-${'scale' in options ? 2 : 1}x-`))
    expect(await shown(page)).toEqual(expected)
    const fetched = requests.map(pathOfRequest).filter((path) => path.endsWith('.webp'))
    expect(fetched.toSorted()).toEqual((await shown(page)).toSorted())
    const drawn = await page.evaluate(() =>
      [...document.images].filter((image) => image.checkVisibility()).map(({ naturalWidth, alt }) => naturalWidth > 0 && alt.length > 40),
    )
    expect(drawn).toEqual([true, true, true])
  })
})

describe('with the keyboard', () => {
  test('the landing is walked through from top to bottom, and the first stop skips the header', async () => {
    const page = await browser.visit('/')
    const stops: string[] = []
    for (let stop = 0; stop < 12; stop += 1) {
      await page.keyboard.press('Tab')
      const { name, ring } = await page.evaluate(() => {
        const focused = document.activeElement
        const style = focused === null ? null : getComputedStyle(focused)
        return {
          name: focused?.textContent ?? '',
          ring: style !== null && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
        }
      })
      expect(ring, `ring around ${name}`).toBe(true)
      stops.push(name)
    }
    expect(stops).toEqual([
      'Skip to content',
      'Log in',
      'Ranklark',
      'Log in',
      'Sign up',
      'Sign up now for $9/month',
      'Help Center',
      'Start now for $9/month',
      'privacy policy',
      'Ranklark',
      'Help Center',
      'Privacy Policy',
    ])
    await page.reload()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('main'))
  })
})

describe.each(articles)('%s', (address) => {
  test('has a list of its chapters, each of which leads there', async () => {
    const page = await browser.visit(address)
    const chapters = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    const titles = await chapters.allInnerTexts()
    expect(titles.length).toBeGreaterThanOrEqual(5)
    for (const [index, title] of titles.entries()) {
      await chapters.nth(index).click()
      const heading = page.getByRole('heading', { level: 2, name: title, exact: true })
      await expect.poll(() => heading.evaluate((element) => Math.round(element.getBoundingClientRect().top) < innerHeight)).toBe(true)
      expect(new URL(page.url()).hash).toBe(`#${await heading.getAttribute('id')}`)
    }
  })

  test('none of its links leads nowhere', async () => {
    const page = await browser.visit(address)
    const hrefs = await page.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    for (const href of new Set(hrefs.filter((each) => each.startsWith('/')))) {
      expect([href, (await page.request.get(href)).status()]).toEqual([href, 200])
    }
  })
})

describe('the help', () => {
  test('covers what people ask', async () => {
    const page = await browser.visit('/help')
    await expectVisible(
      ...[
        'Getting started',
        'How alerts work',
        'Today so far, and instant alerts',
        'What the figures mean',
        'Keyword opportunities',
        'How you are told',
        'Reports',
        'API, assistants and webhooks',
        'Keyboard shortcuts',
        'Import and export',
        'Plans',
        'When something does not work',
        'Contacting support',
        'Running it yourself',
      ].map((name) => page.getByRole('heading', { level: 2, name, exact: true })),
    )
  })

  test('lists the keys', async () => {
    const page = await browser.visit('/help')
    const rows = await page.getByRole('table').getByRole('row').allInnerTexts()
    const read = rows.map((row) => row.replaceAll(/\s+/g, ' ').trim())
    expect(read).toEqual(
      expect.arrayContaining([
        '/ or Ctrl + K or ⌘ + K Search keywords, pages, metrics and screens',
        'g then d Dashboard',
        'g then a Active Alerts',
        'g then i SEO Insights',
        'g then k Keyword Opportunities',
        'g then p Page Analytics',
        'j or k Next or previous alert in a list',
        'e Acknowledge the alert that has the focus',
      ]),
    )
  })
})

test('the privacy policy names every cookie and every key that the browser keeps', async () => {
  const page = await browser.visitAs(await demo.app.demo(), '/dashboard')
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Dashboard' }))
  await page.getByRole('button', { name: 'Dismiss demo notice' }).click()
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
  const cookies = (await page.context().cookies()).map(({ name }) => name)
  expect(kept.length + cookies.length).toBeGreaterThanOrEqual(4)
  await page.goto('/privacy')
  const told = await page.locator('dt').allInnerTexts()
  expect([...kept, ...cookies].filter((name) => !told.includes(name))).toEqual([])
})
