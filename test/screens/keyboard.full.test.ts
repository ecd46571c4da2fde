// Everything that works by keyboard alone.
import { answerEveryScreen, demoOf } from '../support/answers/shell.ts'
import { expectAddress, expectFocused, expectGone, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

test('the first stop skips the navigation, and the rest come in reading order with a focus ring around each', async ({
  desk,
  signIn,
  open,
}) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open('/dashboard')
  await expectVisible(page.getByRole('region', { name: 'Position' }))
  await page.keyboard.press('Tab')
  await expectFocused(page.getByRole('link', { name: 'Skip to content' }))
  await page.keyboard.press('Enter')
  await expectFocused(page.getByRole('main'))
  await page.keyboard.press('Tab')
  await expectFocused(page.getByRole('combobox', { name: 'Time Range' }))

  await page.goto('/dashboard')
  await expectVisible(page.getByRole('region', { name: 'Position' }))
  const stops: string[] = []
  for (let stop = 0; stop < 35; stop += 1) {
    await page.keyboard.press('Tab')
    const { name, ring } = await page.evaluate(() => {
      const focused = document.activeElement
      const ringed = (element: Element | null, part?: string) => {
        const { outlineWidth, outlineStyle } = element ? getComputedStyle(element, part) : { outlineWidth: '0', outlineStyle: 'none' }
        return parseFloat(outlineWidth) >= 2 && outlineStyle !== 'none'
      }
      return {
        name: focused?.getAttribute('aria-label') ?? focused?.textContent ?? '',
        // For a card that is one button, around all of it.
        ring: ringed(focused) || ringed(focused?.parentElement ?? null) || ringed(focused, '::after'),
      }
    })
    expect(ring, `ring around ${name}`).toBe(true)
    stops.push(name.replace(/:.*| [\d.]+% vs.*/, ''))
  }
  expect(stops).toEqual([
    'Skip to content',
    'Ranklark',
    'Dashboard',
    'Sites',
    'SEO Insights',
    'Explore',
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
    'Last updated',
    'Search',
    'Help',
    expect.stringMatching(/^Notifications/),
    'Theme',
    'Account menu',
    'Dismiss demo notice',
    'Last 7 days',
    'More time ranges',
    'vs previous period',
    'By day',
    'Clicks',
    'Notes',
    'Show Clicks as table',
    'Clicks by day',
    expect.stringMatching(/^(Up|Down)$/),
    'Impressions',
    'Notes',
  ])
})

test('g d opens the dashboard, but not while typing', async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open('/account')
  await page.getByRole('textbox', { name: 'Property name' }).pressSequentially('gd')
  await expectAddress(page, '/account')
  await page.getByRole('heading', { name: 'Account', level: 1 }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expectAddress(page, '/dashboard')
  await expectFocused(page.getByRole('main'))
})

test('menus open with the arrow keys, dialogs trap the focus, and both return it', async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open('/dashboard')
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
