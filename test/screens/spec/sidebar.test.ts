// SPEC §2, "Sidebar". OPEN-POINTS, "Routes": Active Alerts is the first entry of the group Alerts; 26: new screens appear in their group.
import { answerEveryScreen, demoOf } from '../../support/answers/shell.ts'
import { expectCount, expectVisible } from '../../support/browser-expect.ts'
import { expect, test } from '../../support/screen-test.ts'

const groups = {
  Overview: { Dashboard: '/dashboard', Sites: '/sites' },
  Analytics: {
    'SEO Insights': '/insights',
    Explore: '/explore',
    'Keyword Opportunities': '/keyword-opportunities',
    'Page Analytics': '/page-analytics',
    Reports: '/reports',
  },
  Alerts: { 'Active Alerts': '/alerts', 'Alert Settings': '/alert-settings', 'Alert History': '/alert-history' },
  Account: { Settings: '/settings', 'API & Webhooks': '/developers', Profile: '/account' },
}

test('groups, entries and where they lead; its footer says who is signed in', async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(demoOf())
  const page = await open('/settings')
  const sidebar = page.getByRole('complementary')
  await expectVisible(sidebar.getByText('Ranklark', { exact: true }))
  const found = await sidebar
    .getByRole('navigation', { name: 'Main' })
    .evaluate((nav) =>
      [...nav.querySelectorAll('ul')].map((list) => [
        document.getElementById(list.getAttribute('aria-labelledby') ?? '')?.textContent,
        Object.fromEntries([...list.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])),
      ]),
    )
  expect(found).toEqual(Object.entries(groups))
  await expectVisible(sidebar.getByText('demo', { exact: true }), sidebar.getByText('demo@ranklark.example', { exact: true }))
})

test('each entry opens its screen and is the only one highlighted there', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/dashboard')
  const nav = page.getByRole('complementary').getByRole('navigation', { name: 'Main' })
  for (const [label, address] of Object.values(groups).flatMap((entries) => Object.entries(entries))) {
    await nav.getByRole('link', { name: label, exact: true }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(address)
    await expect.poll(() => nav.locator('[aria-current=page]').allInnerTexts()).toEqual([label])
  }
})

test('hidden on small screens', async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/account', { width: 375, height: 812 })
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Account' }))
  await expectCount(page.getByRole('complementary'), 0)
})

test('without name and address it says "User" and that there is no address', async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn({ username: '', email: '' })
  const page = await open('/settings')
  const sidebar = page.getByRole('complementary')
  await expectVisible(sidebar.getByText('User', { exact: true }), sidebar.getByText('No email address', { exact: true }))
})
