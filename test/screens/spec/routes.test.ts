// SPEC §2, "Route table": who can open which path, and what is there.
import { answerEveryScreen, registeredOf } from '../../support/answers/shell.ts'
import { expectAddress, expectAttribute, expectVisible } from '../../support/browser-expect.ts'
import { describe, expect, test } from '../../support/screen-test.ts'

/** Signed in, in the shell. */
const screens = [
  ['/dashboard', 'Dashboard'],
  ['/insights', 'SEO Insights Dashboard'],
  ['/keyword-opportunities', 'Keyword Opportunities'],
  ['/page-analytics', 'Page Analytics'],
  ['/alerts', 'Active Alerts'],
  ['/alert-settings', 'Alert Configuration'],
  ['/alert-history', 'Alert History'],
  ['/settings', 'Account Settings'],
  ['/account', 'Account'],
] as const

describe('signed in, in the shell', () => {
  test('each route shows its screen between sidebar, header and footer', async ({ desk, open }) => {
    answerEveryScreen(desk)
    const page = await open('/dashboard')
    for (const [address, heading] of screens) {
      await page.goto(address)
      await expectVisible(
        page.getByRole('main').getByRole('heading', { level: 1, name: heading, exact: true }),
        page.getByRole('complementary').getByRole('navigation', { name: 'Main' }),
        page.getByRole('banner'),
        page.getByRole('contentinfo'),
      )
      await expectAddress(page, address)
    }
  })

  test('visitors are redirected to /login, and nothing personal is requested', async ({ desk, signIn, open }) => {
    signIn(null)
    const page = await open('/login')
    for (const [address] of screens) {
      await page.goto(address)
      await expectAddress(page, '/login')
      await expectVisible(page.getByRole('tab', { name: 'Login', selected: true }))
    }
    for (const route of ['GET /api/user', 'GET /api/gsc-properties', 'GET /api/alerts', 'GET /api/metrics'] as const)
      expect(desk.asked(route)).toEqual([])
  })

  test('"Loading..." is shown while it is unknown who is signed in', async ({ desk, open }) => {
    answerEveryScreen(desk)
    const { release } = desk.hold('GET /api/auth/session')
    const page = await open('/alert-history')
    await expectVisible(page.getByRole('status').getByText('Loading...', { exact: true }))
    await expectAddress(page, '/alert-history')
    release()
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Alert History' }))
  })

  test('/ leads to /dashboard, and so does /login', { tags: ['full'] }, async ({ desk, open }) => {
    answerEveryScreen(desk)
    // Within the app: the server redirects requests for / (journeys/landing).
    const page = await open('/settings', { width: 375, height: 812 })
    await page.getByRole('button', { name: 'Open menu' }).click()
    const home = page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Dashboard', exact: true })
    await expectAttribute(home, 'href', '/')
    await home.click()
    await expectAddress(page, '/dashboard')
    await page.goto('/login')
    await expectAddress(page, '/dashboard')
  })
})

describe('public', () => {
  test('/login has the tabs Login and Register, Login first', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/login')
    await expectVisible(
      page.getByRole('tab', { name: 'Login', selected: true }),
      page.getByRole('tab', { name: 'Register', selected: false }),
    )
  })

  test('onboarding asks for a plan first, whoever comes', async ({ signIn, open }) => {
    const page = await open('/account')
    for (const who of [null, registeredOf()]) {
      signIn(who)
      for (const address of ['/onboarding/plan', '/onboarding/payment', '/onboarding/sites']) {
        await page.goto(address)
        await expectAddress(page, '/onboarding/plan')
        await expectVisible(page.getByRole('heading', { level: 1, name: 'Choose Your Plan', exact: true }))
      }
    }
  })

  test('payment with a plan requires login', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/onboarding/plan')
    await page.getByRole('article', { name: 'Pro' }).getByRole('button', { name: 'Select Plan' }).click()
    await page.goto('/onboarding/payment')
    await expectAddress(page, '/login')
  })

  test('anything else is not found', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/dashboards')
    await expectVisible(
      page.getByRole('heading', { name: '404 Page Not Found', exact: true }),
      page.getByText('Did you forget to add the page to the router?', { exact: true }),
    )
    expect((await page.request.get('/dashboards')).status()).toBe(404)
  })
})
