import type { Locator, Page } from 'playwright-core'
import { twelveAlerts } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { answerSearch, searched, supportOf } from '../support/answers/search.ts'
import { answerEveryScreen } from '../support/answers/shell.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectFocused,
  expectGone,
  expectTexts,
  expectVisible,
} from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { expectInside, header, palette, shortcuts } from '../support/palette.ts'
import { expect, test } from '../support/screen-test.ts'

const menu = (page: Page): Locator => page.getByRole('menu', { name: 'Help' })

test('the Help Center, the shortcuts, the tour, and the version', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/settings')
  const button = page.getByRole('button', { name: 'Help', exact: true })
  await button.click()
  await expectVisible(menu(page).getByRole('menuitem'))
  await expectTexts(menu(page).getByRole('menuitem'), [
    'Help Center',
    'Contact support',
    'Keyboard shortcuts',
    'Show the welcome tour again',
  ])
  await expectVisible(menu(page).getByText(/^Ranklark \d+\.\d+\.\d+$/))
  await expectAttribute(menu(page).getByRole('menuitem', { name: 'Help Center' }), 'href', '/help')
  await expectAccessible(page)

  await menu(page).getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expectVisible(shortcuts(page))
  await page.keyboard.press('Escape')
  await expectGone(shortcuts(page))
  await expectFocused(button)

  await button.focus()
  await page.keyboard.press('ArrowDown')
  await menu(page).getByRole('menuitem', { name: 'Show the welcome tour again' }).click()
  const welcome = page.getByRole('dialog').filter({ hasText: 'Step 1 of 4' })
  await expectInside(welcome)
  await page.keyboard.press('Escape')
  await expectGone(welcome)
  expect(await page.evaluate(() => localStorage.getItem('ranklark_onboarding_completed'))).toBe('true')
})

test('a message to support includes what was checked, and says where the reply goes', async ({ desk, open }) => {
  answerSearch(desk)
  const { diagnostics } = supportOf()
  desk.answer('GET /api/support', ({ query }) =>
    supportOf({
      diagnostics: diagnostics.map((each) => (each.id === 'property' ? { ...each, value: query.get('property') ?? '' } : each)),
    }),
  )
  desk.answer('POST /api/support', null)
  const page = await open('/settings')
  await page.getByRole('button', { name: 'Help', exact: true }).click()
  await menu(page).getByRole('menuitem', { name: 'Contact support' }).click()
  await expectAddress(page, '/contact')
  await expectVisible(page.getByText('A person reads every message and replies within 5 working days.'))
  await expectVisible(page.getByRole('checkbox', { name: `Property ${searched}` }))
  await expectAccessible(page)
  await expectWithinWindow(page)

  await page.getByRole('button', { name: 'Send message' }).click()
  await expectVisible(page.getByText('Enter a subject'))
  await page.getByRole('textbox', { name: 'Subject' }).fill('An alert I do not understand')
  await page.getByRole('textbox', { name: 'Your message' }).fill('It fired on Sunday.\nNothing had changed on the page.')
  await page.getByRole('checkbox', { name: /^Browser/ }).uncheck()
  await page.getByRole('button', { name: 'Send message' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Message sent' }), page.getByText(/ann@example\.test/))
  await expect
    .poll(() => desk.asked('POST /api/support').map(({ body }) => body))
    .toEqual([
      {
        subject: 'An alert I do not understand',
        message: 'It fired on Sunday.\nNothing had changed on the page.',
        property: searched,
        diagnostics: ['plan', 'property'],
      },
    ])
})

test('every key on the list does what it says', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const kept = keepAlerts(desk, twelveAlerts())
  const page = await open('/account')
  await expectVisible(header(page))
  await page.keyboard.press('?')
  await expectVisible(shortcuts(page))
  const listed = async (title: string): Promise<string[]> =>
    (await shortcuts(page).getByRole('table', { name: title }).getByRole('row').allInnerTexts())
      .slice(1)
      .map((text) => text.replaceAll(/\s+/g, ' ').trim())
  expect(await listed('Everywhere')).toEqual(['Search Ctrl + K or /', 'Keyboard shortcuts ?', 'Close a dialog or menu Esc'])
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
  await page.keyboard.press('e')
  await expect.poll(() => kept.all().filter(({ state }) => state === 'acknowledged').length, { interval: 15 }).toBe(1)
  await page.keyboard.press('j')
  const second = links.and(page.locator(':focus'))
  const address = await second.getAttribute('href')
  await page.keyboard.press('Enter')
  await expectAddress(page, address ?? '')
  expect(address).toMatch(/^\/alerts\/[^/?]+$/)
})

test('the keys do nothing while typing, or in a dialog', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/account')
  await page.getByRole('textbox', { name: 'Username' }).pressSequentially('?')
  await expectCount(shortcuts(page), 0)
  await page.getByRole('heading', { name: 'Account', level: 1 }).click()
  await page.keyboard.press('?')
  await expectVisible(shortcuts(page))
  for (const keys of ['/', 'Control+k', 'g', 'd']) await page.keyboard.press(keys)
  await expectCount(palette(page), 0)
  await expectAddress(page, '/account')
})
