// SPEC §2, "Shell". OPEN-POINTS 1 to 4 define its search box, buttons and figures.
import { answerEveryScreen, demoOf, newcomerOf, registeredOf } from '../../support/answers/shell.ts'
import { now, shop, syncOf } from '../../support/answers/usual.ts'
import { expectAddress, expectAttribute, expectCount, expectGone, expectText, expectVisible } from '../../support/browser-expect.ts'
import { describe, expect, test } from '../../support/screen-test.ts'
import { shownProperty } from '../../support/shown-property.ts'

const phone = { width: 375, height: 812, touch: true }

describe('header', () => {
  test('on small screens a menu toggle opens the navigation', async ({ desk, open }) => {
    answerEveryScreen(desk)
    const page = await open('/settings', phone)
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

  test('on small screens an icon leads to /account; on large ones there is neither the icon nor the toggle', async ({ desk, open }) => {
    answerEveryScreen(desk)
    const page = await open('/settings', phone)
    const account = page.getByRole('banner').getByRole('link', { name: 'Account', exact: true })
    await account.tap()
    await expectAddress(page, '/account')
    await page.setViewportSize({ width: 1_280, height: 800 })
    await expectGone(account)
    await expectGone(page.getByRole('button', { name: 'Open menu' }))
  })

  test('a search box, help and notifications', async ({ desk, open }) => {
    answerEveryScreen(desk)
    const page = await open('/settings')
    const header = page.getByRole('banner')
    await expectVisible(
      header
        .getByText('Search keywords, pages or metrics...', { exact: true })
        .or(header.getByPlaceholder('Search keywords, pages or metrics...')),
      header.getByRole('button', { name: /^Help/ }),
      header.getByRole('button', { name: /^Notifications/ }),
    )
  })

  test('the property bar names the property, when it was updated, through which day it is complete, and refreshes it', async ({
    desk,
    open,
  }) => {
    answerEveryScreen(desk)
    let status = syncOf({ lastSyncedAt: new Date(now.getTime() - 86_400_000).toISOString(), completeThrough: '2026-03-15' })
    desk.answer('GET /api/sync', () => [status])
    desk.answer('POST /api/sync', () => {
      status = syncOf({ lastSyncedAt: now.toISOString() })
      return { ...status, running: true }
    })
    const page = await open('/settings')
    const header = page.getByRole('banner')
    await expectVisible(
      header.getByText('Property:', { exact: true }),
      header.getByRole('button', { name: `Property: ${shownProperty(shop)}` }),
      header.getByText('Last updated: Yesterday, 19:00, complete through 15 Mar', { exact: true }),
    )
    await header.getByRole('button', { name: 'Refresh' }).click()
    await expectVisible(header.getByText('Last updated: Today, 19:00, complete through 16 Mar', { exact: true }))
    await expect.poll(() => desk.asked('POST /api/sync').map(({ body }) => body)).toEqual([{ property: shop }])
  })

  test(
    'during the first sync it stays on one line of a small laptop, with room for the name, and shows the rest on demand',
    { tags: ['full'] },
    async ({ desk, open }) => {
      answerEveryScreen(desk)
      desk.answer('GET /api/sync', [syncOf({ running: true, daysLeft: 405, daysTotal: 489, secondsLeft: 100 })])
      const page = await open('/settings', { width: 1_024 })
      const header = page.getByRole('banner')
      const line = header.getByRole('button', {
        name: /^Importing history: 84 of 489 days, about 2 minutes left\. Last updated: Today, 18:00$/,
      })
      await expectVisible(line)
      // 56 px, and the hairline below it.
      expect(await header.evaluate((element) => element.getBoundingClientRect().height)).toBe(57)
      const property = header.getByRole('button', { name: `Property: ${shownProperty(shop)}` })
      expect(await property.evaluate((element) => element.clientWidth)).toBeGreaterThan(200)
      await line.focus()
      await expectVisible(header.getByRole('tooltip').getByText('about 2 minutes left. Last updated: Today, 18:00'))
    },
  )

  test('without a property it says so and leads to where one is selected', async ({ desk, signIn, open }) => {
    answerEveryScreen(desk)
    signIn(newcomerOf())
    const page = await open('/settings')
    const header = page.getByRole('banner')
    await expectVisible(header.getByText('Property:', { exact: true }), header.getByText('No property selected', { exact: true }))
    await expectCount(header.getByText('Last updated'), 0)
    await expectCount(header.getByRole('button', { name: 'Refresh' }), 0)
    await header.getByRole('link', { name: 'Select a property →', exact: true }).click()
    await expectAddress(page, '/onboarding/sites')
  })
})

describe('footer', () => {
  test('on Free: the plan, the monitored sites, and the way to more', async ({ desk, signIn, open }) => {
    answerEveryScreen(desk)
    signIn({ plan: 'free', siteLimit: 1 })
    const page = await open('/account')
    const footer = page.getByRole('contentinfo')
    await expectVisible(footer.getByText('Free Plan', { exact: true }), footer.getByText('1/1 sites monitored', { exact: true }))
    await footer.getByRole('link', { name: 'Upgrade to Pro', exact: true }).click()
    await expectAddress(page, '/settings')
  })

  test('on Pro and Agency: the real plan and the real number', async ({ desk, signIn, open }) => {
    answerEveryScreen(desk)
    signIn(demoOf())
    const page = await open('/settings')
    const footer = page.getByRole('contentinfo')
    await expectVisible(footer.getByText('Pro Plan', { exact: true }), footer.getByText('3/5 sites monitored', { exact: true }))
    await expectAttribute(footer.getByRole('link', { name: 'Upgrade to Agency', exact: true }), 'href', '/settings')
    signIn(newcomerOf({ plan: 'agency', siteLimit: 25 }))
    await page.reload()
    await expectVisible(footer.getByText('Agency Plan', { exact: true }), footer.getByText('0/25 sites monitored', { exact: true }))
    await expectCount(footer.getByRole('link', { name: /^Upgrade/ }), 0)
  })

  test('help, privacy and terms lead to pages with content; the copyright has the current year', async ({ desk, signIn, open }) => {
    answerEveryScreen(desk)
    signIn(registeredOf())
    const page = await open('/settings')
    const footer = page.getByRole('contentinfo')
    for (const [label, address] of [
      ['Help Center', '/help'],
      ['Privacy Policy', '/privacy'],
      ['Terms of Service', '/terms'],
    ] as const) {
      await expectAttribute(footer.getByRole('link', { name: label, exact: true }), 'href', address)
      expect((await page.request.get(address)).status()).toBe(200)
    }
    await expectText(footer.getByText('Ranklark'), '© 2026 Ranklark')
  })
})
