// SPEC §2, "Dashboard widgets", with §4 (states, prompts) and §8 (messages). More on the figures: ../dashboard.
import type { Page } from 'playwright-core'
import { letsIn, password } from '../../support/answers/account.ts'
import { atSearchConsole, queryAlert } from '../../support/answers/alerts.ts'
import { keepAlerts } from '../../support/answers/kept-alerts.ts'
import { fourWeeks, metricsFrom } from '../../support/answers/metrics.ts'
import { demoOf } from '../../support/answers/shell.ts'
import { shopName, userOf } from '../../support/answers/usual.ts'
import { cardsOfFile, expectCards, metrics } from '../../support/browser-cards.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectDisabled,
  expectGone,
  expectToast,
  expectVisible,
} from '../../support/browser-expect.ts'
import { describe, expect, test } from '../../support/screen-test.ts'

describe('metrics', () => {
  test('a row of four cards: Clicks, Impressions, CTR, Position, better in green and worse in red (OPEN-POINTS 15)', async ({
    desk,
    open,
  }) => {
    desk.answer('GET /api/metrics', metricsFrom(fourWeeks()))
    const page = await open('/dashboard')
    expect(metrics).toEqual(['Clicks', 'Impressions', 'CTR', 'Position'])
    await expectCards(page, cardsOfFile(fourWeeks()))
    const tops = await Promise.all(metrics.map((name) => page.getByRole('region', { name, exact: true }).boundingBox()))
    expect(new Set(tops.map((box) => box?.y)).size).toBe(1)
  })

  test('while they load there are four placeholders', async ({ desk, open }) => {
    const { release } = desk.hold('GET /api/metrics')
    const page = await open('/dashboard')
    const waiting = page.locator('[aria-busy=true]').filter({ has: page.getByText('Loading metrics') })
    await expectVisible(waiting)
    await expectCount(waiting.locator('> div > *'), 4)
    release()
    await expectVisible(page.getByRole('region', { name: 'Position', exact: true }))
  })

  test('an error, requested once: "Unable to load Search Console data"', async ({ desk, open }) => {
    desk.refuse('GET /api/metrics', 502, { message: "Google isn't responding." })
    const page = await open('/dashboard')
    await expectVisible(
      page.getByRole('heading', { name: 'Unable to load Search Console data', exact: true }),
      page.getByText('Please authenticate with Google Search Console to view metrics', { exact: true }),
    )
    await expect.poll(() => desk.asked('GET /api/metrics')).toHaveLength(1)
  })

  for (const [tags, rows] of [
    [[], [['a server that fails', '', { status: 500 }, 'Something went wrong on the server (500). Please try again in a moment.']]],
    [
      ['full'],
      [['an answer of another shape', { clicks: 'many' }, {}, 'The server’s response could not be read. Reload the page and try again.']],
    ],
  ] as const)
    test.for(rows)(
      '%s is reported as such, not as a lack of access, and can be retried',
      { tags: [...tags] },
      async ([, body, options, words], { desk, open }) => {
        desk.say('GET /api/metrics', body, options)
        const { release } = desk.hold('GET /api/metrics')
        const page = await open('/dashboard')
        // Console messages are for developers.
        await page.evaluate(() => void Object.assign(console, { error() {} }))
        release()
        const problem = page.getByRole('alert').filter({ hasText: 'Unable to load Search Console data' })
        await expectVisible(problem.getByText(`${shopName}: ${words}`, { exact: true }))
        await expectCount(page.getByText('Please authenticate'), 0)
        desk.answer('GET /api/metrics', metricsFrom(fourWeeks()))
        await problem.getByRole('button', { name: 'Try again' }).click()
        await expectVisible(page.getByRole('region', { name: 'Position', exact: true }))
      },
    )

  test('missing values are 0: an empty response still shows four cards', { tags: ['full'] }, async ({ desk, open }) => {
    desk.say('GET /api/metrics', {})
    const page = await open('/dashboard')
    await expectVisible(page.getByRole('region', { name: 'Position', exact: true }))
    const values = await Promise.all(
      metrics.map((name) => page.getByRole('region', { name, exact: true }).getByRole('paragraph').first().innerText()),
    )
    expect(values).toEqual(['0', '0', '0.00%', '0.0'])
  })

  test('nothing, or an invalid response: "No Search Console data available"', async ({ desk, signIn, open }) => {
    signIn({ selectedProperty: null, gscProperties: [], sitesMonitored: 0 })
    const page = await open('/dashboard')
    const expectNothing = () =>
      expectVisible(
        page.getByRole('heading', { name: 'No Search Console data available', exact: true }),
        page.getByText('Please select a property and ensure you have access to Search Console data', { exact: true }),
      )
    await expectNothing()
    signIn({})
    for (const body of ['null', '[]', '"nothing"']) {
      desk.say('GET /api/metrics', body)
      const asked = desk.asked('GET /api/metrics').length
      await page.reload()
      await expect.poll(() => desk.asked('GET /api/metrics').length).toBe(asked + 1)
      await expectNothing()
    }
  })
})

describe('alerts', () => {
  test('an alert card with "View in GSC" and "View full report"', async ({ desk, open }) => {
    const lamp = keepAlerts(desk, [queryAlert('lamp', 10, { severity: 'critical' })]).about('lamp')
    const page = await open('/dashboard')
    const card = page.getByRole('region', { name: 'Open alerts' }).getByRole('article')
    const toGoogle = card.getByRole('link', { name: 'View in GSC (new tab)', exact: true })
    await expectAttribute(toGoogle, 'href', atSearchConsole(lamp))
    await expectAttribute(toGoogle, 'target', '_blank')
    await card.getByRole('link', { name: 'View full report', exact: true }).click()
    await expectAddress(page, `/alerts/${lamp.id}`)
  })

  test('the prompt for a first alert, after the welcome and while there is no condition', async ({ desk, open }) => {
    const first = (page: Page) => page.getByRole('region', { name: 'Ready to set up your first alert?', exact: true })
    const page = await open('/dashboard', { newHere: true })
    await page.getByRole('button', { name: 'Skip' }).click()
    await expectVisible(page.getByRole('region', { name: 'Open alerts' }))
    await expect.poll(() => desk.asked('GET /api/alert-conditions')).not.toEqual([])
    await expectCount(first(page), 0)
    desk.answer('GET /api/alert-conditions', [])
    await page.reload()
    await first(page).getByRole('link', { name: 'Create Your First Alert', exact: true }).click()
    await expectAddress(page, '/alert-settings')
  })

  test('there is no prompt for a first alert before the welcome is over', { tags: ['full'] }, async ({ desk, open }) => {
    desk.answer('GET /api/alert-conditions', [])
    const page = await open('/dashboard', { newHere: true })
    const first = page.getByRole('region', { name: 'Ready to set up your first alert?', exact: true })
    await expectVisible(page.getByRole('button', { name: 'Skip' }), page.locator('main').getByText('Manual Alert Evaluation'))
    await expectCount(first, 0)
    await page.getByRole('button', { name: 'Skip' }).click()
    await expectVisible(first)
  })
})

describe('Manual Alert Evaluation', () => {
  const widget = (page: Page) => page.getByRole('region', { name: 'Manual Alert Evaluation', exact: true })
  const button = (page: Page, name: string) => widget(page).getByRole('button', { name, exact: true })

  test('"Evaluate Alerts": "Evaluating...", then how many are new; or why it failed', async ({ desk, open }) => {
    desk.answer('POST /api/alerts/evaluate', { count: 3 })
    const { release } = desk.hold('POST /api/alerts/evaluate')
    const page = await open('/dashboard')
    await button(page, 'Evaluate Alerts').click()
    await expectVisible(button(page, 'Evaluating...'))
    await expectDisabled(button(page, 'Evaluating...'))
    release()
    await expectToast(page, 'success', 'Alert evaluation complete', 'Generated 3 new alerts based on your current metrics')
    desk.say('POST /api/alerts/evaluate', '', { status: 500 })
    await button(page, 'Evaluate Alerts').click()
    await expectToast(page, 'error', 'Alert evaluation failed', 'Failed to evaluate alert conditions')
  })

  test('"Test Email": "Sending...", then where it went; or why it failed', async ({ desk, open }) => {
    desk.answer('POST /api/alerts/test-email', { email: 'ann@example.test' })
    const { release } = desk.hold('POST /api/alerts/test-email')
    const page = await open('/dashboard')
    await button(page, 'Test Email').click()
    await expectVisible(button(page, 'Sending...'))
    await expectDisabled(button(page, 'Sending...'))
    release()
    await expectToast(page, 'success', 'Test email sent', 'Email sent successfully to ann@example.test')
    desk.say('POST /api/alerts/test-email', '', { status: 500 })
    await button(page, 'Test Email').click()
    await expectToast(page, 'error', 'Email test failed', 'Failed to send test email')
  })
})

describe('welcome dialog', () => {
  const dialog = (page: Page) => page.getByRole('dialog')
  const go = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
  const bar = (page: Page) => dialog(page).getByRole('progressbar', { name: 'Progress' })
  const done = (page: Page) => page.evaluate(() => localStorage.getItem('ranklark_onboarding_completed'))

  test('four steps with a bar, Skip on the first, Back on the others, "Get Started" on the last', async ({ signIn, open }) => {
    signIn(demoOf())
    const page = await open('/dashboard', { newHere: true })
    const shows = async (step: number, title: string, ...texts: readonly (string | RegExp)[]) => {
      await expectVisible(
        dialog(page).getByText(`Step ${step} of 4`, { exact: true }),
        dialog(page).getByRole('heading', { name: title, exact: true }),
        ...texts.map((text) => dialog(page).getByText(text)),
      )
      await expect.poll(() => bar(page).evaluate((element: HTMLProgressElement) => element.value / element.max)).toBe(step / 4)
      await expectCount(dialog(page).getByRole('button', { name: 'Skip', exact: true }), step === 1 ? 1 : 0)
      await expectCount(dialog(page).getByRole('button', { name: 'Back', exact: true }), step === 1 ? 0 : 1)
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
    await shows(4, 'Notification preferences', 'By email, as a daily or weekly digest', 'In Slack, on the Pro and Agency plans')
    expect(await done(page)).toBeNull()
    await go(page, 'Get Started')
    await expectGone(dialog(page))
    expect(await done(page)).not.toBeNull()
  })

  test('appears on whichever screen is opened first after sign-in', { tags: ['full'] }, async ({ desk, open }) => {
    letsIn(desk, userOf())
    const page = await open('/alert-history', { newHere: true })
    await expectAddress(page, '/login')
    await expectCount(dialog(page), 0)
    await page.getByRole('textbox', { name: 'Username' }).fill('ann')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expectAddress(page, '/alert-history')
    await go(page, 'Next')
    await go(page, 'Next')
    // What is on, and when it runs.
    await expectVisible(
      dialog(page).getByText(/They run each time Google finalizes a day/),
      dialog(page).getByText('On: drops of 15%', { exact: true }),
      dialog(page).getByText('Off: increases of 50%', { exact: true }),
      dialog(page).getByText('On: drops of 10%', { exact: true }),
      dialog(page).getByText('For the keywords you choose: drops of 3 positions', { exact: true }),
    )
    await page.keyboard.press('Escape')
    await expectGone(dialog(page))
    await expectAddress(page, '/alert-history')
  })

  for (const [tags, rows] of [
    [[], [['closing', (page: Page) => go(page, 'Close')]]],
    [['full'], [['Skip', (page: Page) => go(page, 'Skip')]]],
  ] as const)
    test.for(rows)('%s ends it', { tags: [...tags] }, async ([_how, end], { signIn, open }) => {
      signIn(demoOf())
      const page = await open('/dashboard', { newHere: true })
      await end(page)
      await expectGone(dialog(page))
      expect(await done(page)).not.toBeNull()
      await page.reload()
      await expectVisible(page.getByRole('region', { name: 'Manual Alert Evaluation' }))
      await expectCount(dialog(page), 0)
    })
})
