import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, eachDay } from '../../src/core/analytics/days.ts'
import { sites, type TestApp, type Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-screens.ts'
import { newPerson, ownerOf } from '../support/people.ts'

const site = 'https://palette.example/'
const longPage = `${site}lamps/floor-lamps/arched-oak-reading-lamp-with-linen-shade-and-a-rather-long-name?colour=natural`
const sofas = `${site}sofas?sort=price&order=asc`
/** Each day, of 28. */
const rows = [
  { query: 'reading lamp', page: longPage, clicks: 50, impressions: 500, position: 4 },
  { query: 'oak lamp', page: longPage, clicks: 5, impressions: 100, position: 6 },
  { query: 'sofa & lamp 50%', page: sofas, clicks: 1, impressions: 40, position: 9 },
]

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let owner: Visitor
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
  const through = '2026-03-15'
  await app.google.account('palette@example.test', { [site]: 'empty' })
  for (const date of eachDay(addDays(through, -27), addDays(through, 3))) await app.google.setRows(site, date, rows)
  await app.google.call('PUT', 'late', { site, days: 3 })
  owner = await ownerOf(app, site, { days: 31, email: 'palette@example.test' })
})
afterAll(() => demo.close())

const placeholder = 'Search keywords, pages or metrics...'
const header = (page: Page): Locator => page.getByRole('banner')
const box = (page: Page): Locator => header(page).getByRole('searchbox', { name: 'Search' })
const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Search' })
const field = (page: Page): Locator => palette(page).getByRole('combobox', { name: 'Search' })
const option = (page: Page, name: string): Locator => palette(page).getByRole('option', { name, exact: true })
const group = (page: Page, name: string): Locator => palette(page).getByRole('group', { name })
const optionsOf = async (page: Page, name: string): Promise<string[]> =>
  (await group(page, name).getByRole('option').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))

/** The panel of one keyword or page. */
const everythingAbout = (page: Page, name: string): Locator => page.getByRole('dialog').filter({ hasText: name })

async function expectInside(dialog: Locator): Promise<void> {
  await expectVisible(dialog)
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement)), { timeout: 15_000 }).toBe(true)
}

async function open(page: Page, typed = ''): Promise<void> {
  await expectVisible(header(page))
  await page.keyboard.press('Control+k')
  await expectFocused(field(page))
  if (typed === '') await expectVisible(palette(page).getByRole('option'))
  else await field(page).fill(typed)
}

/** By the keyboard: types, moves down until it is the one, and opens it. */
async function choose(page: Page, typed: string, name: string): Promise<void> {
  await open(page, typed)
  await expectVisible(option(page, name))
  for (let moves = 0; (await option(page, name).getAttribute('data-highlighted')) === null; moves += 1) {
    if (moves > 40) throw new Error(`${name} cannot be reached`)
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expectGone(palette(page))
}

describe('search box', () => {
  test('stands in the header between the property and help, and says what can be looked for', async () => {
    const page = await browser.visitAs(await app.demo(), '/account')
    await expectVisible(box(page))
    expect(await box(page).getAttribute('placeholder')).toBe(placeholder)
    const names = await header(page)
      .locator('button:visible, a:visible, input:visible')
      .evaluateAll((found) => found.map((each) => each.getAttribute('aria-label')?.replace(/:.*|,.*/, '')))
    expect(names).toEqual(['Property', 'Refresh', 'Search', 'Help', 'Notifications', 'Theme', 'Account menu'])
  })

  test('opens by a click, by what is typed into it and by its keys, and gives the focus back', async () => {
    const page = await browser.visitAs(await app.demo(), '/account')
    await box(page).click()
    await expectFocused(field(page))
    expect(await field(page).getAttribute('placeholder')).toBe(placeholder)
    await page.keyboard.press('Escape')
    await expectGone(palette(page))
    await expectFocused(box(page))

    await page.keyboard.type('ctr')
    await expectVisible(option(page, 'CTR Dashboard'))
    expect(await field(page).inputValue()).toBe('ctr')
    await page.keyboard.press('Escape')
    await expectFocused(box(page))
    expect(await box(page).inputValue()).toBe('')

    const profile = page.getByRole('link', { name: 'Profile', exact: true })
    for (const keys of ['/', 'Control+k', 'Meta+k']) {
      await profile.focus()
      await page.keyboard.press(keys)
      await expectFocused(field(page))
      expect(await field(page).inputValue()).toBe('')
      await page.keyboard.press('Escape')
      await expectFocused(profile)
    }

    const name = page.getByRole('textbox', { name: 'Username' })
    await name.focus()
    await page.keyboard.press('End')
    await page.keyboard.type('/')
    expect(await name.inputValue()).toBe('demo/')
    await page.keyboard.press('Control+k')
    await expectFocused(field(page))
    await page.keyboard.press('Control+k')
    await expectGone(palette(page))
    await expectFocused(name)
  })
})

describe('keywords and pages', () => {
  test('of the selected property, most clicks first, with what was found marked and their clicks in 28 days', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    await open(page, 'LAMP')
    await expectVisible(option(page, 'reading lamp 1,400 clicks'))
    expect(await optionsOf(page, 'Keywords')).toEqual(['reading lamp 1,400 clicks', 'oak lamp 140 clicks', 'sofa & lamp 50% 28 clicks'])
    expect(await group(page, 'Keywords').locator('mark').allInnerTexts()).toEqual(['lamp', 'lamp', 'lamp'])
    await expectVisible(option(page, `${longPage} 1,540 clicks`), palette(page).getByText('Clicks of the last 28 complete days'))
    expect(await group(page, 'Pages').getByRole('option').count()).toBe(1)
    // Cut in its middle, on one line, its end to be read.
    const { height } = (await group(page, 'Pages').getByRole('option').boundingBox()) ?? { height: 0 }
    expect(height).toBeLessThanOrEqual(40)
    await expectVisible(group(page, 'Pages').getByText('lour=natural', { exact: true }))
    await expectText(palette(page).getByRole('status').last(), '4 results')
  })

  test('a keyword opens the keyword analysis, filtered and with everything about it', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    await open(page, '50%')
    await option(page, 'sofa & lamp 50% 28 clicks').click()
    await expectAddress(page, '/keyword-opportunities?tab=analysis&days=28&search=sofa+%26+lamp+50%25&keyword=sofa+%26+lamp+50%25')
    await expectGone(palette(page))
    await expectInside(everythingAbout(page, 'sofa & lamp 50%'))
  })

  test('a page opens the page analytics, filtered and with everything about it', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    await choose(page, 'sofas', `${sofas} 28 clicks`)
    const name = encodeURIComponent(sofas)
    await expectAddress(page, `/page-analytics?days=28&search=${name}&page=${name}`)
    await expectInside(everythingAbout(page, sofas))
  })

  test('what was opened before is offered again, until the page is left', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    await choose(page, 'oak', 'oak lamp 140 clicks')
    await expectInside(everythingAbout(page, 'oak lamp'))
    await page.keyboard.press('Escape')
    await expectGone(everythingAbout(page, 'oak lamp'))
    await open(page)
    expect(await optionsOf(page, 'Recent')).toEqual(['oak lamp'])
    await page.keyboard.press('Enter')
    await expectAddress(page, '/keyword-opportunities?tab=analysis&days=28&search=oak+lamp&keyword=oak+lamp')
    await page.goto('/dashboard')
    await open(page)
    expect(await group(page, 'Recent').count()).toBe(0)
  })

  test('nothing found says what was looked for, and where', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    await open(page, '  no such thing ')
    await expectVisible(palette(page).getByText(`No keywords or pages of ${site} with “no such thing” in the last 28 days.`))
    expect(await palette(page).getByRole('option').count()).toBe(0)
    await page.keyboard.press('Enter')
    await expectVisible(palette(page))
  })

  test('a failed search says so, and can be tried again; the rest goes on', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    await page.route('**/api/search?*', (route) => route.abort())
    await open(page, 'ctr')
    await expectVisible(palette(page).getByText('Unable to search keywords and pages'), option(page, 'CTR Dashboard'))
    await page.unroute('**/api/search?*')
    await field(page).fill('oak')
    await expectVisible(option(page, 'oak lamp 140 clicks'))

    await page.route('**/api/search?*', (route) => route.fulfill({ status: 502, json: { message: 'The figures cannot be read now.' } }))
    await field(page).fill('reading')
    await expectVisible(palette(page).getByText(`${site}: The figures cannot be read now.`))
    await page.unroute('**/api/search?*')
    await palette(page).getByRole('button', { name: 'Try again' }).click()
    await expectVisible(option(page, 'reading lamp 1,400 clicks'))
  })

  test('while an answer is on its way, what still fits of the one before stays, dimmed; an answer nobody waits for is given up', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    await open(page, 'la')
    await expectVisible(option(page, 'oak lamp 140 clicks'))
    const given: string[] = []
    page.on('requestfailed', (request) => given.push(new URL(request.url()).searchParams.get('q') ?? ''))
    await page.route('**/api/search?*', async (route) => {
      if (new URL(route.request().url()).searchParams.get('q') === 'lamp') await route.continue()
    })
    const asked = page.waitForRequest((request) => request.url().endsWith('q=lam'))
    await field(page).fill('lam')
    await asked
    const first = group(page, 'Keywords').getByRole('option').first()
    await expect.poll(() => first.evaluate((element) => getComputedStyle(element).opacity)).toBe('0.5')
    await field(page).fill('lamp')
    await expect.poll(() => first.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
    expect(given).toEqual(['lam'])
    await page.unroute('**/api/search?*')
  })

  test('without a property it says so, and everything else still works', async () => {
    const page = await browser.visitAs(await newPerson(app, { email: 'nobody@example.test' }), '/account')
    await open(page, 'settings')
    await expectVisible(palette(page).getByText('No property selected. Select one to find its keywords and pages.'))
    await page.keyboard.press('Enter')
    await expectAddress(page, '/settings')
    await choose(page, 'property', 'Select a property')
    await expectAddress(page, '/onboarding/sites')
  })
})

describe('metrics and screens', () => {
  test('all screens of the sidebar, in its order', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await expectVisible(links)
    const sidebar = await links.allInnerTexts()
    await open(page)
    const offered = await group(page, 'Go to').getByRole('option').allInnerTexts()
    expect(offered.map((text) => text.split('\n')[0])).toEqual(sidebar)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Escape')
    await choose(page, 'hist', 'Alert History')
    await expectAddress(page, '/alert-history')
    await expectFocused(page.getByRole('main'))
  })

  test('a metric leads to its card, from elsewhere and from the dashboard itself', async () => {
    const page = await browser.visitAs(owner, '/account')
    for (const metric of ['Clicks', 'Impressions', 'CTR', 'Position']) {
      await choose(page, metric, `${metric} Dashboard`)
      await expectAddress(page, '/dashboard')
      expect(new URL(page.url()).hash).toBe(`#${metric.toLowerCase()}`)
      await expectFocused(page.getByRole('region', { name: metric, exact: true }))
    }
  })

  test('and to the pages in its order', async () => {
    const page = await browser.visitAs(owner, '/account')
    for (const [name, query] of [
      ['Pages by impressions', 'sort=impressions'],
      ['Pages by position', 'sort=position&order=asc'],
    ] as const) {
      await choose(page, name, `${name} Page Analytics`)
      await expectAddress(page, `/page-analytics?${query}`)
    }
  })
})

describe('actions', () => {
  test('another property', async () => {
    const page = await browser.visitAs(await app.demo(), '/account')
    await choose(page, 'switch property', sites.blog)
    await expectToast(page, 'success', 'Property Selected', sites.blog)
    await expectVisible(page.getByRole('button', { name: `Property: ${sites.blog}` }))
    await choose(page, 'lumen', sites.shop)
    await expectVisible(page.getByRole('button', { name: `Property: ${sites.shop}` }))
  })

  test('refresh, theme, shortcuts, tour', async () => {
    const page = await browser.visitAs(owner, '/account')
    const synced = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/sync'))
    await choose(page, 'refresh', 'Refresh data')
    expect((await synced).postDataJSON()).toEqual({ property: site })

    await choose(page, 'switch theme', 'Switch theme to dark')
    expect(await page.evaluate(() => document.documentElement.classList.value)).toBe('dark')
    await choose(page, 'light', 'Switch theme to light')
    expect(await page.evaluate(() => document.documentElement.classList.value)).toBe('light')

    await box(page).focus()
    await choose(page, 'keys', 'Show keyboard shortcuts')
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expectInside(shortcuts)
    await page.keyboard.press('Escape')
    await expectGone(shortcuts)
    await expectFocused(box(page))

    await choose(page, 'tour', 'Show the welcome tour again')
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByText('Step 1 of 4'))
  })

  test('a new alert rule, from any screen', async () => {
    const page = await browser.visitAs(owner, '/account')
    await choose(page, 'new', 'New alert rule')
    const dialog = page.getByRole('dialog', { name: 'New Alert' })
    await expectVisible(dialog.getByText(`For ${site}`))
    await dialog.getByRole('textbox', { name: 'Title' }).fill('From the palette')
    await dialog.getByRole('button', { name: 'Create Alert' }).click()
    await expectGone(dialog)
    await page.goto('/alert-settings')
    await expectVisible(page.getByText('From the palette'))
  })

  test('log out', async () => {
    const visitor = await newPerson(app, { email: 'leaves@example.test' })
    const page = await browser.visitAs(visitor, '/account')
    await choose(page, 'log out', 'Log out')
    await expectAddress(page, '/login')
  })
})

describe('help', () => {
  const menu = (page: Page): Locator => page.getByRole('menu', { name: 'Help' })
  const shortcuts = (page: Page): Locator => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

  test('a help page, the shortcuts, the tour, and which version this is', async () => {
    const page = await browser.visitAs(owner, '/settings')
    const button = page.getByRole('button', { name: 'Help', exact: true })
    await button.click()
    await expectVisible(menu(page).getByRole('menuitem'))
    expect(await menu(page).getByRole('menuitem').allInnerTexts()).toEqual([
      'Help page',
      'Contact support',
      'Keyboard shortcuts',
      'Show the welcome tour again',
    ])
    await expectVisible(menu(page).getByText(/^Ranklark \d+\.\d+\.\d+$/))
    expect(await menu(page).getByRole('menuitem', { name: 'Help page' }).getAttribute('href')).toBe('/help')
    await expectAccessible(page)

    await menu(page).getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await expectVisible(shortcuts(page))
    await page.keyboard.press('Escape')
    await expectGone(shortcuts(page))
    await expectFocused(button)

    await button.focus()
    await page.keyboard.press('ArrowDown')
    await menu(page).getByRole('menuitem', { name: 'Show the welcome tour again' }).click()
    await expectAddress(page, '/dashboard')
    const welcome = page.getByRole('dialog').filter({ hasText: 'Step 1 of 4' })
    await expectInside(welcome)
    await page.keyboard.press('Escape')
    await expectGone(welcome)
    expect(await page.evaluate(() => localStorage.getItem('ranklark_onboarding_completed'))).toBe('true')
  })

  test('a message to support takes along what was ticked, and says where the answer goes', async () => {
    const page = await browser.visitAs(owner, '/settings')
    await page.getByRole('button', { name: 'Help', exact: true }).click()
    await menu(page).getByRole('menuitem', { name: 'Contact support' }).click()
    await expectAddress(page, '/contact')
    await expectVisible(page.getByText('A person reads what you write, and answers within 5 working days.'))
    await expectVisible(page.getByRole('checkbox', { name: `Property ${site}` }))
    await expectAccessible(page)
    await expectWithinWindow(page)

    await page.getByRole('button', { name: 'Send message' }).click()
    await expectVisible(page.getByText('Please say what it is about'))
    await page.getByRole('textbox', { name: 'Subject' }).fill('An alert I do not understand')
    await page.getByRole('textbox', { name: 'Your message' }).fill('It fired on Sunday.\nNothing had changed on the page.')
    await page.getByRole('checkbox', { name: /^Browser/ }).uncheck()
    await page.getByRole('button', { name: 'Send message' }).click()
    await expectVisible(page.getByRole('heading', { name: 'Your message is on its way' }))

    const mail = await app.mail.mailTo('support@ranklark.example', { kind: 'support-request' })
    expect(mail.header('reply-to')).toBe('palette@example.test')
    for (const told of ['It fired on Sunday.', 'Nothing had changed on the page.', site, 'Free']) expect(mail.text).toContain(told)
    expect(mail.text).not.toContain('Mozilla')
    await app.mail.mailTo('palette@example.test', { kind: 'support-received' })
  })

  test('every key of the list does what it says', async () => {
    const page = await browser.visitAs(await app.demo(), '/account')
    await expectVisible(header(page))
    await page.keyboard.press('?')
    await expectVisible(shortcuts(page))
    const listed = async (title: string): Promise<string[]> =>
      (await shortcuts(page).getByRole('table', { name: title }).getByRole('row').allInnerTexts())
        .slice(1)
        .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    expect(await listed('Everywhere')).toEqual(['Search Ctrl + K or /', 'Keyboard shortcuts ?', 'Close what is open Esc'])
    expect(await listed('Alerts')).toEqual(['Next alert j', 'Previous alert k', 'Open the alert Enter', 'Acknowledge the alert e'])
    expect(await listed('Search results')).toEqual(['Next or previous result ↓ or ↑', 'Open the result Enter'])
    expect(await listed('Charts')).toEqual(['Next or previous day → or ←', 'First or last day Home or End'])
    const screens = (await listed('Go to')).map((text) => /^(.+) (\w) then (\w)$/.exec(text)?.slice(1) ?? [])
    expect(screens.map(([name]) => name)).toEqual(expect.arrayContaining(['Dashboard', 'Active Alerts', 'Alert History', 'Settings']))
    await page.keyboard.press('Escape')
    await expectGone(shortcuts(page))

    for (const [name = '', first = '', second = ''] of screens) {
      await page.goto('/account')
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
      await expectVisible(link)
      await page.keyboard.press(first)
      await page.keyboard.press(second)
      await expectAddress(page, (await link.getAttribute('href')) ?? '')
    }

    await page.goto('/alerts')
    const links = page.locator('[data-alert-link]')
    await expectVisible(links)
    await page.keyboard.press('j')
    await expectFocused(links.nth(0))
    await page.keyboard.press('j')
    await expectFocused(links.nth(1))
    await page.keyboard.press('k')
    await expectFocused(links.nth(0))
    const acknowledged = page.waitForRequest((request) => request.url().endsWith('/api/alerts/acknowledge'))
    await page.keyboard.press('e')
    await acknowledged
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/alerts\/\d+$/)
  })

  test('the keys rest while something is typed, or a dialog is open', async () => {
    const page = await browser.visitAs(owner, '/account')
    await page.getByRole('textbox', { name: 'Username' }).pressSequentially('?')
    expect(await shortcuts(page).count()).toBe(0)
    await page.getByRole('heading', { name: 'Account', level: 1 }).click()
    await page.keyboard.press('?')
    await expectVisible(shortcuts(page))
    for (const keys of ['/', 'Control+k', 'g', 'd']) await page.keyboard.press(keys)
    expect(await palette(page).count()).toBe(0)
    await expectAddress(page, '/account')
  })
})

describe('in either theme, at a desk and on a phone', () => {
  test.each([
    ['empty', ''],
    ['with results', 'lamp'],
    ['with nothing found', 'no such thing'],
  ])('nothing of the palette bars anybody, %s', async (_state, typed) => {
    const page = await browser.visitAs(owner, '/dashboard', { theme: 'light' })
    await open(page, typed)
    if (typed === 'lamp') await expectVisible(option(page, 'oak lamp 140 clicks'))
    if (typed === 'no such thing') await expectVisible(palette(page).getByText(/^No keywords or pages/))
    await expectAccessible(page)
    await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
    await expectAccessible(page, ['color-contrast'])
  })

  test('on a phone it fills the window, and is opened by a button', async () => {
    const page = await browser.visitAs(owner, '/dashboard', { width: 375, height: 812, touch: true })
    await header(page).getByRole('button', { name: 'Search' }).tap()
    await expectFocused(field(page))
    expect(await palette(page).boundingBox()).toEqual({ x: 0, y: 0, width: 375, height: 812 })
    await field(page).fill('lamp')
    await expectVisible(option(page, 'oak lamp 140 clicks'))
    await expectWithinWindow(page)
    await expectAccessible(page)
    expect(await tooSmallForFingers(page)).toEqual([])
    await palette(page).getByRole('button', { name: 'Close' }).tap()
    await expectGone(palette(page))
    await expectFocused(header(page).getByRole('button', { name: 'Search' }))
  })

  test('the list of shortcuts fits as well', async () => {
    const page = await browser.visitAs(owner, '/dashboard', { theme: 'light' })
    await expectVisible(header(page))
    await page.keyboard.press('?')
    await expectVisible(page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    await expectAccessible(page)
    await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
    await expectAccessible(page, ['color-contrast'])
    await page.setViewportSize({ width: 320, height: 700 })
    await expectWithinWindow(page)
  })

  test('the header keeps its height while it learns when data came in, from 320 to 1,920 px', async () => {
    for (const width of [320, 375, 768, 1024, 1920]) {
      const page = await browser.visitAs(owner, '/account', { width })
      let release = (): void => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/api/sync?*', async (route) => {
        await held
        await route.continue()
      })
      await page.reload()
      await expectVisible(page.getByRole('heading', { name: 'Account', level: 1 }))
      const height = async () => (await header(page).boundingBox())?.height
      const before = await height()
      release()
      await expectVisible(page.getByText('complete through'))
      expect(await height(), `at ${width} px`).toBe(before)
      await expectWithinWindow(page)
      await page.unroute('**/api/sync?*')
    }
  })
})
