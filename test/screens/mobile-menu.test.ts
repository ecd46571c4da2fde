import { answerEveryScreen, demoOf } from '../support/answers/shell.ts'
import { expectAddress, expectFocused, expectGone, expectTexts, expectVisible } from '../support/browser-expect.ts'
import { expectAccessible, tooSmallForFingers } from '../support/browser-accessible.ts'
import { expect, test } from '../support/screen-test.ts'

test(
  'on a phone the menu leads everywhere, closes with Escape and returns the focus',
  { tags: ['full'] },
  async ({ desk, signIn, open }) => {
    answerEveryScreen(desk)
    signIn(demoOf())
    const page = await open('/dashboard', { width: 375, height: 812, touch: true })
    const opener = page.getByRole('button', { name: 'Open menu' })
    await opener.tap()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await expectVisible(menu.getByText('demo@ranklark.example'))
    await expectTexts(menu.getByRole('link'), [
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
  },
)
