// SPEC §2, "Dashboard widgets", with §4 (states, colours, prompts) and §8 (messages). Figures: ../dashboard.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alertConditions } from '../../../src/contract/alert-conditions.ts'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { cardsAtGoogle, expectCards, finalDay, metrics } from '../../support/browser-cards.ts'
import { expectAddress, expectGone, expectToast, expectVisible } from '../../support/browser-expect.ts'
import { hold } from '../../support/browser-hold.ts'
import { newPerson, ownerOf } from '../../support/people.ts'
import { putAlerts } from '../../support/stored-alerts.ts'
import type { Visitor } from '../../support/visitor.ts'

const site = 'https://widgets.example/'
let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let owner: Visitor
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
  owner = await ownerOf(app, site, { days: 21, profile: 'local', email: 'widgets@example.test' })
})
afterAll(() => demo.close())

describe('metrics', () => {
  test('a row of four cards: Clicks, Impressions, CTR, Position, with the colours of SPEC §4', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    expect(metrics).toEqual(['Clicks', 'Impressions', 'CTR', 'Position'])
    await expectCards(page, await cardsAtGoogle(app.google, site, await finalDay(app.google, site)))
  })

  test('while they load there are four placeholders', async () => {
    const page = await browser.visitAs(owner, '/login')
    const { release } = await hold(page, '**/api/metrics**')
    await page.goto('/dashboard')
    const waiting = page.locator('[aria-busy=true]').filter({ has: page.getByText('Loading metrics') })
    await expectVisible(waiting)
    expect(await waiting.locator('> div > *').count()).toBe(4)
    release()
    await expectVisible(page.getByRole('region', { name: 'Position', exact: true }))
  })

  test('an error, asked for once: "Unable to load Search Console data"', async () => {
    const page = await browser.visitAs(owner, '/login')
    let asked = 0
    await page.route('**/api/metrics**', (route) => {
      asked += 1
      return route.fulfill({ status: 502, json: { message: 'Google does not answer.' } })
    })
    await page.goto('/dashboard')
    await expectVisible(
      page.getByRole('heading', { name: 'Unable to load Search Console data', exact: true }),
      page.getByText('Please authenticate with Google Search Console to view metrics', { exact: true }),
    )
    expect(asked).toBe(1)
  })

  test('nothing, or something that is no answer: "No Search Console data available"', async () => {
    const page = await browser.visitAs(await newPerson(app, { email: 'nothing@example.test' }), '/dashboard')
    const empty = async (on: Page) =>
      expectVisible(
        on.getByRole('heading', { name: 'No Search Console data available', exact: true }),
        on.getByText('Please select a property and ensure you have access to Search Console data', { exact: true }),
      )
    await empty(page)
    const theirs = await browser.visitAs(owner, '/login')
    for (const json of [null, [], 'nothing']) {
      await theirs.route('**/api/metrics**', (route) => route.fulfill({ json }))
      await theirs.goto('/dashboard')
      await empty(theirs)
    }
  })
})

describe('alerts', () => {
  test('an alert card with "View in GSC" and "View full report"', async () => {
    const loud = 'https://loud.example/'
    const person = await ownerOf(app, loud, { days: 1, email: 'loud@example.test' })
    const [id] = await putAlerts(app, loud, [{ openedAt: '2026-03-18T09:00:00.000Z', severity: 'critical' }])
    const page = await browser.visitAs(person, '/dashboard')
    const card = page.getByRole('region', { name: 'Open alerts' }).getByRole('article')
    const toGoogle = card.getByRole('link', { name: 'View in GSC (new tab)', exact: true })
    expect(await toGoogle.getAttribute('href')).toBe(`https://search.google.com/search-console?resource_id=${encodeURIComponent(loud)}`)
    expect(await toGoogle.getAttribute('target')).toBe('_blank')
    await card.getByRole('link', { name: 'View full report', exact: true }).click()
    await expectAddress(page, `/alerts/${id}`)
  })

  test('the prompt for a first alert, once the welcome is over and while there is no condition', async () => {
    const quiet = 'https://quiet.example/'
    const person = await ownerOf(app, quiet, { days: 1, email: 'quiet@example.test' })
    const first = (page: Page) => page.getByRole('region', { name: 'Ready to set up your first alert?', exact: true })
    const page = await browser.visitAs(person, '/dashboard', { newHere: true })
    await page.getByRole('button', { name: 'Skip' }).click()
    await expectVisible(page.getByRole('region', { name: 'Recent Alerts' }))
    expect(await first(page).count()).toBe(0)
    for (const { id } of alertConditions.parse((await person.get('/api/alert-conditions')).body)) {
      await person.send('DELETE', `/api/alert-conditions/${id}`)
    }
    await page.reload()
    await first(page).getByRole('link', { name: 'Create Your First Alert', exact: true }).click()
    await expectAddress(page, '/alert-settings')
  })
})

describe('Manual Alert Evaluation', () => {
  const widget = (page: Page) => page.getByRole('region', { name: 'Manual Alert Evaluation', exact: true })
  const button = (page: Page, name: string) => widget(page).getByRole('button', { name, exact: true })

  test('"Evaluate Alerts": "Evaluating...", then how many are new; or why it failed', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    const { release } = await hold(page, '**/api/alerts/evaluate**')
    await button(page, 'Evaluate Alerts').click()
    await expectVisible(button(page, 'Evaluating...'))
    expect(await button(page, 'Evaluating...').isDisabled()).toBe(true)
    release()
    await expectToast(page, 'success', 'Alert evaluation complete', /^Generated \d+ new alerts based on your current metrics$/)
    await page.route('**/api/alerts/evaluate**', (route) => route.fulfill({ status: 500, body: '' }))
    await button(page, 'Evaluate Alerts').click()
    await expectToast(page, 'error', 'Alert evaluation failed', 'Failed to evaluate alert conditions')
  })

  test('"Test Email": "Sending...", then where it went; or why it failed', async () => {
    const page = await browser.visitAs(owner, '/dashboard')
    const { release } = await hold(page, '**/api/alerts/test-email')
    await button(page, 'Test Email').click()
    await expectVisible(button(page, 'Sending...'))
    expect(await button(page, 'Sending...').isDisabled()).toBe(true)
    release()
    await expectToast(page, 'success', 'Test email sent', 'Email sent successfully to widgets@example.test')
    await page.route('**/api/alerts/test-email', (route) => route.fulfill({ status: 500, body: '' }))
    await button(page, 'Test Email').click()
    await expectToast(page, 'error', 'Email test failed', 'Failed to send test email')
  })
})

describe('welcome dialog', () => {
  const dialog = (page: Page) => page.getByRole('dialog')
  const go = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
  const bar = (page: Page) => dialog(page).getByRole('progressbar', { name: 'Progress' })
  const done = (page: Page) => page.evaluate(() => localStorage.getItem('ranklark_onboarding_completed'))

  test('four steps with a bar, Skip on the first, Back on the others, "Get Started" on the last', async () => {
    const page = await browser.visitAs(await app.demo(), '/dashboard', { newHere: true })
    const shows = async (step: number, title: string, ...texts: readonly (string | RegExp)[]) => {
      await expectVisible(
        dialog(page).getByText(`Step ${step} of 4`, { exact: true }),
        dialog(page).getByRole('heading', { name: title, exact: true }),
        ...texts.map((text) => dialog(page).getByText(text)),
      )
      await expect.poll(() => bar(page).evaluate((element: HTMLProgressElement) => element.value / element.max)).toBe(step / 4)
      expect(await dialog(page).getByRole('button', { name: 'Skip', exact: true }).count()).toBe(step === 1 ? 1 : 0)
      expect(await dialog(page).getByRole('button', { name: 'Back', exact: true }).count()).toBe(step === 1 ? 0 : 1)
    }
    await shows(1, 'Welcome to Ranklark', 'The alerts and reports you wish Search Console would send.')
    await go(page, 'Next')
    await shows(2, 'Connect Google Search Console', 'This demo account is already connected to sample properties:')
    await go(page, 'Back')
    await shows(1, 'Welcome to Ranklark')
    await go(page, 'Next')
    await go(page, 'Next')
    await shows(3, 'Set up your first alert', 'Clicks', 'Impressions', 'CTR', 'Position', /Go to Alert Settings/)
    await go(page, 'Next')
    await shows(4, 'Notification preferences', 'By email, as a daily or a weekly digest', 'In Slack, on the Pro and Agency plans')
    expect(await done(page)).toBeNull()
    await go(page, 'Get Started')
    await expectGone(dialog(page))
    expect(await done(page)).not.toBeNull()
  })

  test.each([
    ['Skip', (page: Page) => go(page, 'Skip')],
    ['closing', (page: Page) => go(page, 'Close')],
  ])('%s is the end of it', async (_how, end) => {
    const page = await browser.visitAs(await app.demo(), '/dashboard', { newHere: true })
    await end(page)
    await expectGone(dialog(page))
    expect(await done(page)).not.toBeNull()
    await page.reload()
    await expectVisible(page.getByRole('region', { name: 'Manual Alert Evaluation' }))
    expect(await dialog(page).count()).toBe(0)
  })
})
