// Where the command palette leads, and its actions. Its results: palette.
import { knows, letsOut } from '../support/answers/account.ts'
import { keepRules } from '../support/answers/rules.ts'
import { answerSearch, searched } from '../support/answers/search.ts'
import { answerEveryScreen, blog, demoOf } from '../support/answers/shell.ts'
import { shop, syncOf } from '../support/answers/usual.ts'
import { expectAddress, expectFocused, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { box, choose, expectInside, field, group, openPalette, shortcuts } from '../support/palette.ts'
import { describe, expect, test } from '../support/screen-test.ts'
import { shownProperty } from '../support/shown-property.ts'

describe('metrics and screens', () => {
  test('all screens of the sidebar, in order', async ({ desk, open }) => {
    answerSearch(desk)
    const page = await open('/dashboard')
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await expectVisible(links)
    const sidebar = await links.allInnerTexts()
    await openPalette(page)
    const offered = await group(page, 'Go to').getByRole('option').allInnerTexts()
    expect(offered.map((text) => text.split('\n')[0])).toEqual(sidebar)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Escape')
    await choose(page, 'hist', 'Alert History')
    await expectAddress(page, '/alert-history')
    await expectFocused(page.getByRole('main'))
  })

  test('a metric leads to its card, from elsewhere and from the dashboard itself', async ({ desk, open }) => {
    answerSearch(desk)
    const page = await open('/account')
    for (const metric of ['Clicks', 'Impressions', 'CTR', 'Position']) {
      await choose(page, metric, `${metric} Dashboard`)
      await expectAddress(page, '/dashboard')
      expect(new URL(page.url()).hash).toBe(`#${metric.toLowerCase()}`)
      await expectFocused(page.getByRole('region', { name: metric, exact: true }))
    }
  })

  test('for the days, comparison and search type on screen', async ({ desk, open }) => {
    answerSearch(desk)
    const asked = 'range=90d&compare=year&type=image'
    const page = await open(`/explore?${asked}&by=page`)
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Explore' }))
    await choose(page, 'CTR', 'CTR Dashboard')
    await expectAddress(page, `/dashboard?${asked}`)
    expect(new URL(page.url()).hash).toBe('#ctr')
    await expectFocused(page.getByRole('region', { name: 'CTR', exact: true }))
    await choose(page, 'Clicks', 'Clicks Dashboard')
    await expectAddress(page, `/dashboard?${asked}`)
    expect(new URL(page.url()).hash).toBe('#clicks')
  })

  test('and to the pages sorted by it', async ({ desk, open }) => {
    answerSearch(desk)
    const page = await open('/account')
    for (const [name, query] of [
      ['Pages by impressions', 'sort=impressions'],
      ['Pages by position', 'sort=position&order=asc'],
    ] as const) {
      await choose(page, name, `${name} Page Analytics`)
      await expectAddress(page, `/page-analytics?${query}`)
    }
  })
})

test('a palette opened while a screen is still loading keeps the focus when the screen is there', async ({ desk, open }) => {
  answerSearch(desk)
  const page = await open('/settings')
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Account Settings' }))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/PageAnalyticsPage-*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('link', { name: 'Page Analytics', exact: true }).click()
  await openPalette(page)
  release()
  await expectAddress(page, '/page-analytics')
  await expect.poll(() => page.title(), { interval: 15 }).toMatch(/^Page analytics/)
  await expectFocused(field(page))
})

describe('actions', () => {
  test('another property', async ({ desk, open }) => {
    answerSearch(desk)
    knows(desk, demoOf())
    const page = await open('/account')
    await choose(page, 'switch property', blog)
    await expectToast(page, 'success', 'Property Selected', blog)
    await expectVisible(page.getByRole('button', { name: `Property: ${shownProperty(blog)}` }))
    await choose(page, 'lumen', shownProperty(shop))
    await expectVisible(page.getByRole('button', { name: `Property: ${shownProperty(shop)}` }))
  })

  test('refresh, theme, shortcuts, tour', async ({ desk, open }) => {
    answerSearch(desk)
    desk.answer('POST /api/sync', syncOf({ property: searched, running: true }))
    const page = await open('/account')
    await choose(page, 'refresh', 'Refresh data')
    await expect.poll(() => desk.asked('POST /api/sync').map(({ body }) => body), { interval: 15 }).toEqual([{ property: searched }])

    const theme = () => page.evaluate(() => document.documentElement.classList.value)
    await choose(page, 'switch theme', 'Switch theme to dark')
    expect(await theme()).toBe('dark')
    await choose(page, 'light', 'Switch theme to light')
    expect(await theme()).toBe('light')

    await box(page).focus()
    await choose(page, 'keys', 'Show keyboard shortcuts')
    await expectInside(shortcuts(page))
    await page.keyboard.press('Escape')
    await expectGone(shortcuts(page))
    await expectFocused(box(page))

    await choose(page, 'tour', 'Show the welcome tour again')
    await expectVisible(page.getByText('Step 1 of 4'))
  })

  test('a new alert rule, from any screen', async ({ desk, open }) => {
    answerSearch(desk)
    const kept = keepRules(desk, [])
    const page = await open('/account')
    await choose(page, 'new', 'New alert rule')
    const dialog = page.getByRole('dialog', { name: 'New Alert' })
    await expectVisible(dialog.getByText(`For ${searched}`))
    await dialog.getByRole('textbox', { name: 'Title' }).fill('From the palette')
    await dialog.getByRole('button', { name: 'Create Alert' }).click()
    await expectGone(dialog)
    expect(kept.rules.map(({ title, property }) => [title, property])).toEqual([['From the palette', searched]])
    await page.goto('/alert-settings')
    await expectVisible(page.getByText('From the palette'))
  })

  test('log out', async ({ desk, open }) => {
    answerEveryScreen(desk)
    // The search runs when typing takes longer than the palette's delay.
    desk.answer('GET /api/search', { keywords: [], pages: [] })
    letsOut(desk)
    const page = await open('/account')
    await choose(page, 'log out', 'Log out')
    await expectAddress(page, '/login')
    await expect.poll(() => desk.asked('POST /api/auth/logout')).toHaveLength(1)
  })
})
