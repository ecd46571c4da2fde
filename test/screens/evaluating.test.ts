import type { Page } from 'playwright-core'
import type { Alert } from '../../src/contract/alerts/alerts.ts'
import { atSearchConsole } from '../support/answers/alerts.ts'
import { alertOf, shop } from '../support/answers/usual.ts'
import {
  expectAttribute,
  expectCount,
  expectDisabled,
  expectEnabled,
  expectText,
  expectToast,
  expectVisible,
} from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// Evaluating the rules from the dashboard, and its findings.

const evaluate = (page: Page) =>
  page.getByRole('region', { name: 'Manual Alert Evaluation' }).getByRole('button', { name: /^Evaluat(e Alerts|ing\.\.\.)$/ })
const openAlerts = (page: Page) => page.getByRole('region', { name: 'Open alerts' })

test(
  'alerts can be evaluated immediately; the button is busy until the new ones are on screen',
  { tags: ['full'] },
  async ({ desk, open }) => {
    desk.answer('POST /api/alerts/evaluate', { count: 2 })
    const page = await open('/dashboard')
    await expectVisible(openAlerts(page).getByText('No open alerts'))
    const [evaluating, listing] = [desk.hold('POST /api/alerts/evaluate'), desk.hold('GET /api/alerts')]
    await evaluate(page).click()
    await expectText(evaluate(page), 'Evaluating...')
    await expectDisabled(evaluate(page))
    await expect.poll(() => desk.asked('POST /api/alerts/evaluate').map(({ query }) => query.get('property'))).toEqual([shop])

    desk.answer('GET /api/alerts', [alertOf(), alertOf()])
    evaluating.release()
    await expectToast(page, 'success', 'Alert evaluation complete', 'Generated 2 new alerts based on your current metrics')
    await expectDisabled(evaluate(page))
    listing.release()
    await expectText(evaluate(page), 'Evaluate Alerts')
    await expectEnabled(evaluate(page))
    await expectVisible(openAlerts(page).getByRole('link', { name: 'All active alerts (2)' }))

    // The same again: nothing is new.
    desk.answer('POST /api/alerts/evaluate', { count: 0 })
    await evaluate(page).click()
    await expectToast(page, 'success', 'Alert evaluation complete', 'Generated 0 new alerts based on your current metrics')
  },
)

test('a failed evaluation says why', { tags: ['full'] }, async ({ desk, open }) => {
  desk.cut('POST /api/alerts/evaluate')
  const page = await open('/dashboard')
  await evaluate(page).click()
  await expectToast(page, 'error', 'Alert evaluation failed', 'Failed to evaluate alert conditions')

  // Removed in another window.
  desk.refuse('POST /api/alerts/evaluate', 404, { message: `${shop} is not one of your properties.` })
  await evaluate(page).click()
  await expectToast(page, 'error', 'Alert evaluation failed', `${shop} is not one of your properties.`)
})

test('without alerts the dashboard says what is on', { tags: ['full'] }, async ({ open }) => {
  const page = await open('/dashboard')
  await expectVisible(openAlerts(page).getByRole('heading', { name: 'No open alerts' }))
  await expectVisible(openAlerts(page).getByText(/^1 rule is on: Clicks drop\. It runs each time Google finalizes a day/))
})

test('findings are among the open alerts, new until their link is used', async ({ desk, open }) => {
  const lamps = 'https://lumenandloom.example/lamps'
  let found: Alert[] = []
  const alert = alertOf({
    severity: 'info',
    title: `Clicks dropped: ${lamps}`,
    description: `Clicks for <code>${lamps}</code> fell from 7,000 to 6,125 (−12.5%), 10–16 Mar vs 3–9 Mar.`,
    previousValue: 7_000,
    currentValue: 6_125,
    change: -12.5,
  })
  desk.answer('GET /api/alerts', () => found)
  desk.answer('GET /api/alerts/count', () => ({ count: found.length }))
  desk.answer('POST /api/alerts/evaluate', () => {
    found = [alert]
    return { count: 1 }
  })
  desk.answer('POST /api/alerts/viewed', () => (found = [{ ...alert, viewed: true }]))
  const page = await open('/dashboard')
  await expectVisible(openAlerts(page).getByText('No open alerts'))
  await evaluate(page).click()
  const rows = openAlerts(page).getByRole('article')
  await expectVisible(rows)
  await expectCount(rows, 1)
  await expectVisible(
    rows.getByText('Info', { exact: true }),
    rows.getByText('New', { exact: true }),
    rows.getByText('Today, 18:00', { exact: true }),
    rows.getByRole('heading', { name: alert.title, exact: true }),
    rows.locator('code').getByText(lamps, { exact: true }),
    rows.getByText('6.1K from 7K', { exact: true }),
    rows.getByText('Down 12.5%', { exact: true }),
    rows.getByText('vs last week', { exact: true }),
  )
  expect(await rows.innerText()).not.toContain('<')

  const link = rows.getByRole('link', { name: /^View in GSC/ })
  await expectAttribute(link, 'href', atSearchConsole(alert))
  // Google itself isn't part of the test.
  await page.context().route('https://search.google.com/**', (route) => route.fulfill({ body: 'Search Console' }))
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await expect.poll(() => opened.url()).toBe(await link.getAttribute('href'))
  await expectVisible(rows.getByText('Viewed', { exact: true }))
  // The screen shows it immediately, the server does it a moment later.
  await expect.poll(() => desk.asked('POST /api/alerts/viewed').map(({ body }) => body)).toEqual([{ ids: [alert.id] }])
})
