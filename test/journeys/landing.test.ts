// The landing page and the pages around it, on a real server: it redirects signed-in users, and a demo says that it is one.
import { expectAddress, expectText, expectVisible } from '../support/browser-expect.ts'
import { expectAccessible } from '../support/browser-accessible.ts'
import { expect, journeyTest } from '../support/journey-test.ts'

const test = journeyTest({ figures: false })

test(
  "a demo's visitor logs in as the landing page says, is redirected to the dashboard from then on, and sees the landing page after logout",
  { tags: ['full'] },
  async ({ app, visit }) => {
    const landing = 'SEO insights that find you'
    const page = await visit('/')
    await expectVisible(page.getByRole('heading', { level: 1, name: landing }))
    await expectText(page.getByRole('complementary', { name: 'Demo' }), /Log in as demo with the password demo-password/)
    await expectAccessible(page)
    await page.getByRole('complementary', { name: 'Demo' }).getByRole('link', { name: 'Log in' }).click()
    await page.getByRole('textbox', { name: 'Username' }).fill('demo')
    await page.getByLabel('Password', { exact: true }).fill('demo-password')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expectAddress(page, '/dashboard')

    await page.goto('/?utm_source=letter')
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Dashboard' }))
    await page.goto('/no/such/page')
    await page.getByRole('link', { name: 'Back to the dashboard' }).click()
    await expectAddress(page, '/dashboard')
    expect((await app.visitor().get('/no/such/page')).status).toBe(404)

    await page.getByRole('button', { name: 'Dismiss demo notice' }).click()
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
    const cookies = (await page.context().cookies()).map(({ name }) => name)
    expect(kept.length + cookies.length).toBeGreaterThanOrEqual(4)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Privacy Policy' }))
    const listed = await page.locator('dt').allInnerTexts()
    expect(
      [...kept, ...cookies].filter((name) => !listed.includes(name)),
      'cookies and keys of which the privacy policy says nothing',
    ).toEqual([])

    await page.getByRole('link', { name: 'Open Ranklark' }).click()
    await expectAddress(page, '/dashboard')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await expectAddress(page, '/login')
    await page.goto('/')
    await expectVisible(page.getByRole('heading', { level: 1, name: landing }))
  },
)
