// What holds for all static pages: light, still, accessible, and without the app. The landing page's content: spec/landing.
import type { Page } from 'playwright-core'
import { expectAttribute, expectFocused, expectVisible } from '../support/browser-expect.ts'
import type { VisitOptions } from '../support/browser-page.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-accessible.ts'
import { describe, expect, test } from '../support/screen-test.ts'
import { articles, cutOff, pathOfRequest, scrollThrough, staticPages, visit, visitListening, vitalsOf } from '../support/static-pages.ts'

describe.for(staticPages)('%s', (address) => {
  test('is accessible, in light on a desktop and in dark on a phone', { tags: ['full'] }, async ({ open }) => {
    const page = await visit(open, address, { theme: 'light', width: 1_440, height: 900 })
    await expectAccessible(page)
    await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
    await page.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(page, ['color-contrast'])
  })

  test('fits every window, with large enough touch targets', { tags: ['full'] }, async ({ open }) => {
    const page = await visit(open, address)
    for (const width of [1_920, 1_440, 1_024, 768, 640, 375, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await expectWithinWindow(page)
      expect(await cutOff(page), `${width} px`).toEqual([])
    }
    await page.setViewportSize({ width: 375, height: 812 })
    expect(await tooSmallForFingers(page)).toEqual([])
  })

  test('loads without the app, and is small', { tags: ['full'] }, async ({ open }) => {
    const { page, requests } = await visitListening(open, address, { width: 1_440, height: 900, emptyCache: true })
    await page.waitForLoadState('networkidle')
    const sizes = await Promise.all(requests.map((request) => request.sizes()))
    expect(requests.map(pathOfRequest).filter((path) => path.endsWith('.js'))).toEqual(['/boot.js'])
    // Page, stylesheet, font, theme, icon; on the landing page also the pictures near the viewport.
    expect(requests.length).toBeLessThanOrEqual(address === '/' ? 8 : 5)
    expect(sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)).toBeLessThan((address === '/' ? 220 : 90) * 1024)
  })

  test('is painted quickly, and nothing moves afterwards', { tags: ['full'] }, async ({ open }) => {
    const page = await visit(open, address, { width: 1_440, height: 900, emptyCache: true })
    await scrollThrough(page)
    const { largestPaint, shift } = await vitalsOf(page)
    expect(largestPaint).toBeGreaterThan(0)
    expect(largestPaint).toBeLessThan(2_500)
    expect(shift).toBeLessThan(0.02)
  })

  test(
    'describes itself in its head, without external links',
    { tags: ['/', '/api/docs'].includes(address) ? [] : ['full'] },
    async ({ open }) => {
      const page = await visit(open, address)
      await expectAttribute(page.locator('html'), 'lang', 'en')
      expect(await page.title()).toMatch(/Ranklark/)
      const content = (name: string) => page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content')
      for (const name of ['description', 'og:description']) expect((await content(name))?.length).toBeGreaterThan(50)
      expect(await content('og:title')).toBe(await page.title())
      await expectAttribute(page.locator('link[rel=icon]'), 'href', '/favicon.svg')
      const hrefs = await page
        .locator('head link, a')
        .evaluateAll((elements) => elements.map((element) => element.getAttribute('href') ?? ''))
      expect(hrefs.filter((href) => !/^[/#]/.test(href))).toEqual([])
    },
  )
})

describe('the pictures on the landing page', { tags: ['full'] }, () => {
  const shown = (page: Page) =>
    page.evaluate(() => [...document.images].filter((image) => image.checkVisibility()).map((image) => new URL(image.currentSrc).pathname))

  test.for([
    ['light', { theme: 'light', width: 1_440 }, 'desk-light'],
    ['dark', { theme: 'dark', width: 1_440 }, 'desk-dark'],
    ['light on a phone', { theme: 'light', width: 375, scale: 2 }, 'phone-light'],
    ['dark on a phone', { theme: 'dark', width: 375, scale: 2 }, 'phone-dark'],
  ] satisfies [string, VisitOptions, string][])(
    '%s: the product of that installation, and no other',
    async ([_name, options, look], { open }) => {
      const { page, requests } = await visitListening(open, '/', { height: 900, emptyCache: true, ...options })
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
    },
  )
})

describe('by keyboard', { tags: ['full'] }, () => {
  test('the landing page can be tabbed through from top to bottom, and the first stop skips the header', async ({ open }) => {
    const page = await visit(open, '/')
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
      'Terms of Service',
    ])
    await page.reload()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('main'))
  })
})

describe.for(articles)('%s', (address) => {
  test('has a list of its chapters, which all link to them', { tags: ['full'] }, async ({ open }) => {
    const page = await visit(open, address)
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

  test('has no broken links', { tags: address === '/help' ? [] : ['full'] }, async ({ open }) => {
    const page = await visit(open, address)
    const hrefs = await page.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    for (const href of new Set(hrefs.filter((each) => each.startsWith('/')))) {
      expect([href, (await page.request.get(href)).status()]).toEqual([href, 200])
    }
  })
})

describe('the help', () => {
  test("covers people's questions", async ({ open }) => {
    const page = await visit(open, '/help')
    await expectVisible(
      ...[
        'Getting started',
        'How alerts work',
        'Today so far, and hourly alerts',
        'What the metrics mean',
        'Keyword opportunities',
        'Notifications',
        'Reports',
        'API, assistants and webhooks',
        'Keyboard shortcuts',
        'Import and export',
        'Plans',
        'Troubleshooting',
        'Contacting support',
        'Self-hosting',
      ].map((name) => page.getByRole('heading', { level: 2, name, exact: true })),
    )
  })

  test('lists the keys', { tags: ['full'] }, async ({ open }) => {
    const page = await visit(open, '/help')
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
        'e Acknowledge the focused alert',
      ]),
    )
  })
})
