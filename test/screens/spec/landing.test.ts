// SPEC §2, "Landing page", with §1 (audience, FAQ) and §9 (prices). Weight, accessibility and related pages: ../static-pages.
import type { Page } from 'playwright-core'
import { answerEveryScreen } from '../../support/answers/shell.ts'
import { expectAddress, expectCount, expectText, expectVisible, pathOf } from '../../support/browser-expect.ts'
import { describe, expect, test } from '../../support/screen-test.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Clicks a link, and returns where it leads. */
async function follow(page: Page, name: string, within = page.locator('body')): Promise<string> {
  await within.getByRole('link', { name, exact: true }).click()
  await page.getByRole('tab', { name: 'Login' }).waitFor()
  return new URL(page.url()).pathname
}

describe('a visitor', () => {
  test('has Log in and Sign up in the header, both to /login', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/')
    expect(await follow(page, 'Log in', page.getByRole('banner'))).toBe('/login')
    await expectVisible(page.getByRole('tab', { name: 'Login', selected: true }))
    await page.goBack()
    expect(await follow(page, 'Sign up', page.getByRole('banner'))).toBe('/login')
    await expectVisible(page.getByRole('tab', { name: 'Register', selected: true }))
  })

  test('learns what it is, and signs up for $9 a month', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/')
    await expectVisible(page.getByRole('heading', { level: 1, name: 'SEO insights that find you', exact: true }))
    expect(await follow(page, 'Sign up now for $9/month')).toBe('/login')
  })

  test('finds four reasons under "Why Ranklark?"', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/')
    const why = part(page, 'Why Ranklark?')
    await expectVisible(why.getByRole('heading', { level: 2, name: 'Why Ranklark?', exact: true }))
    await expectCount(why.getByRole('heading', { level: 3 }), 4)
  })

  test('sees $9/month against the $99/month of other suites, none of them named', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/')
    const why = part(page, 'Why Ranklark?')
    await expectVisible(why.getByText('Other SEO suites', { exact: true }), why.getByText('$99/month', { exact: true }))
    await expectVisible(why.getByText('$9/month', { exact: true }))
  })

  test("finds the checklist What You'll Get, with five items", async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/')
    const items = part(page, "What You'll Get").getByRole('listitem')
    await expectCount(items, 5)
    await expectText(
      items.first(),
      /ranking changes, traffic spikes, new keywords, lost rankings, new ranking pages and drops in impressions or clicks/i,
    )
  })

  test('gets started for $9 a month, with what each plan costs and covers', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/')
    const start = part(page, 'Get Started')
    const row = (name: RegExp) => expectVisible(start.getByRole('row', { name }))
    await row(/^Free 1 site .*\$0$/)
    await row(/^Pro 5 sites .*\$9\/month$/)
    await row(/^Agency 25 sites .*\$29\/month$/)
    expect(await follow(page, 'Start now for $9/month', start)).toBe('/login')
  })

  test('gets answers: installation, kinds of alerts, why not other suites', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/')
    const faqs = part(page, 'FAQs')
    for (const [asked, answer] of [
      [/install/i, /No\. .*one click/],
      [
        /kinds of alerts/i,
        /Ranking change.*Traffic spike.*New keyword.*Lost ranking.*New ranking page.*Drop in impressions.*Drop in clicks/,
      ],
      [/other SEO suites/i, /\$99\/month.*\$9\/month/],
    ] as const) {
      const question = faqs.getByRole('term').filter({ hasText: asked })
      await expectVisible(question)
      await expectText(question.locator('xpath=following-sibling::dd'), answer)
    }
  })

  test('finds the help and the legal pages in the footer', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/')
    for (const [name, path] of [
      ['Help Center', '/help'],
      ['Privacy Policy', '/privacy'],
      ['Terms of Service', '/terms'],
    ] as const) {
      await page.getByRole('contentinfo').getByRole('link', { name, exact: true }).click()
      await expectVisible(page.getByRole('heading', { level: 1, name, exact: true }))
      expect(pathOf(page)).toBe(path)
      await page.goBack()
    }
  })
})

describe('a signed-in user', () => {
  test(
    'gets to the dashboard from every link of the app to /, and sees the landing page after logout',
    { tags: ['full'] },
    async ({ desk, signIn, open }) => {
      answerEveryScreen(desk)
      desk.answer('POST /api/auth/logout', () => {
        signIn(null)
        return null
      })
      const page = await open('/no/such/page')
      await page.getByRole('link', { name: 'Back to the dashboard' }).click()
      await expectAddress(page, '/dashboard')
      await page.getByRole('button', { name: 'Account menu' }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await expectAddress(page, '/login')
      await page.goto('/')
      await expectVisible(page.getByRole('heading', { level: 1, name: 'SEO insights that find you' }))
    },
  )

  test("opens the help and the legal pages from the app's footer", { tags: ['full'] }, async ({ desk, open }) => {
    answerEveryScreen(desk)
    const page = await open('/settings')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help Center', exact: true }).click()
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Help Center' }))
    await page.getByRole('link', { name: 'Open Ranklark' }).click()
    await expectAddress(page, '/dashboard')
  })
})

test('a visitor who follows a link of the app to / gets the landing page', { tags: ['full'] }, async ({ signIn, open }) => {
  signIn(null)
  const page = await open('/no/such/page')
  await page.getByRole('link', { name: 'Back to the dashboard' }).click()
  await expectVisible(page.getByRole('heading', { level: 1, name: 'SEO insights that find you' }))
})
