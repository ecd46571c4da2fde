import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertConditions } from '../../src/contract/alert-conditions.ts'
import { alertsCount } from '../../src/contract/alerts.ts'
import { addDays, eachDay } from '../../src/core/analytics/days.ts'
import type { TestApp, Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { newPerson, ownerOf } from '../support/people.ts'
import { putAlerts, type StoredAlert } from '../support/stored-alerts.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications/ })
const popover = (page: Page): Locator => page.getByRole('dialog', { name: 'Notifications' })
/** By its label: the button has no role for anybody while the popover is open. */
const expectUnread = async (page: Page, count: number | '99+'): Promise<void> =>
  expectVisible(page.locator(`header button[aria-label="Notifications${count === 0 ? '' : `, ${count} unread`}"]`))
const unreadOf = async (who: Visitor) => alertsCount.parse((await who.get('/api/alerts/count?property=all&viewed=false')).body).count

const sitesOf = (name: string) => [`https://${name}.example/`, `https://second-${name}.example/with/a/path/`] as const
/** Somebody with two properties, of which the first is selected. */
async function ownerOfTwo(name: string): Promise<Visitor> {
  const sites = sitesOf(name)
  const email = `${name}@example.test`
  const owner = await newPerson(app, { email, plan: 'pro', sites: Object.fromEntries(sites.map((site) => [site, 'empty' as const])) })
  await owner.send('POST', '/api/gsc-properties/monitor', { sites })
  return owner
}
const about = (name: string, minute: number, rest: Partial<StoredAlert> = {}): StoredAlert => ({
  openedAt: new Date(Date.UTC(2026, 2, 18, 9, minute)).toISOString(),
  entity: { kind: 'query', name },
  ...rest,
})

test('what an evaluation finds is counted at once, is listed, and is viewed by opening it', async () => {
  const site = 'https://bell.example/'
  const through = '2026-03-15'
  await app.google.account('bell@example.test', { [site]: 'empty' })
  for (const date of eachDay(addDays(through, -27), addDays(through, 3))) {
    const clicks = date > addDays(through, -7) ? 875 : 1_000
    await app.google.setRows(site, date, [{ query: 'lamp', page: `${site}lamps`, clicks, impressions: clicks * 10, position: 4 }])
  }
  await app.google.call('PUT', 'late', { site, days: 3 })
  const person = await ownerOf(app, site, { days: 31, email: 'bell@example.test' })
  const page = await browser.visitAs(person, '/dashboard')
  const evaluate = page.getByRole('button', { name: 'Evaluate Alerts' })
  await evaluate.click()
  await expectToast(page, 'success', 'Alert evaluation complete', 'Generated 0 new alerts based on your current metrics')
  await expectUnread(page, 0)
  const [rule] = alertConditions.parse((await person.get('/api/alert-conditions')).body)
  await person.send('PATCH', `/api/alert-conditions/${rule?.id}`, { threshold: 10 })
  await evaluate.click()
  await expectUnread(page, 1)
  await bell(page).click()
  const entry = popover(page).getByRole('listitem')
  await expectVisible(entry.getByRole('link', { name: `Info Today, 20:00 Clicks dropped: ${site}lamps ${site}`, exact: true }))
  await entry.getByRole('link').click()
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/alerts\/\d+$/)
  await expectGone(popover(page))
  await expectUnread(page, 0)
  expect(await unreadOf(person)).toBe(0)
})

test('unread alerts of all properties, the latest first, each with its own', async () => {
  const person = await ownerOfTwo('two')
  const [first, second] = sitesOf('two')
  await putAlerts(app, first, [about('lamp', 1, { severity: 'critical' }), about('seen', 5, { viewed: true })])
  await putAlerts(app, second, [about('oak', 2, { severity: 'positive', previous: 100, current: 170, change: 70 })])
  const page = await browser.visitAs(person, '/account')
  await expectUnread(page, 2)
  expect((await bell(page).innerText()).trim()).toBe('2')
  await bell(page).click()
  const entries = popover(page).getByRole('listitem')
  await expectVisible(
    entries.nth(0).getByRole('link', { name: `Positive Today, 09:02 Clicks spiked: “oak” ${second}`, exact: true }),
    entries.nth(1).getByRole('link', { name: `Critical Today, 09:01 Clicks dropped: “lamp” ${first}`, exact: true }),
  )
  expect(await entries.count()).toBe(2)

  await entries.first().getByRole('link').click()
  await expectUnread(page, 1)
  await bell(page).click()
  await expectVisible(popover(page).getByText('Clicks dropped: “lamp”'))
  expect(await entries.count()).toBe(1)
})

test('nothing but the count is asked for until somebody opens it', async () => {
  const person = await ownerOfTwo('lazy')
  await putAlerts(app, sitesOf('lazy')[0], [about('lamp', 1)])
  const page = await browser.visitAs(person, '/account')
  await expectUnread(page, 1)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/alerts')) asked.push(pathname + search)
  })
  await page.reload()
  await expectUnread(page, 1)
  expect(asked).toEqual(['/api/alerts/count?property=all&viewed=false'])

  // Coming back to the window asks for nothing (SPEC §9).
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('focus'))
  })
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expectVisible(page.getByText('Current plan'))
  expect(asked).toHaveLength(1)

  // Whoever opens it sees what is new by then, and the number goes with it.
  await putAlerts(app, sitesOf('lazy')[1], [about('oak', 2)])
  await bell(page).click()
  await expectVisible(popover(page).getByText('Clicks dropped: “oak”'))
  await expectUnread(page, 2)
})

test('more than 99 are 99+, of which the latest ten are listed, and all can be marked at once', async () => {
  const person = await ownerOfTwo('many')
  const other = await ownerOfTwo('other')
  await putAlerts(app, sitesOf('other')[0], [about('lamp', 1)])
  const alerts = Array.from({ length: 103 }, (_, index) => about(`query ${index}`, index))
  await putAlerts(app, sitesOf('many')[0], alerts.slice(0, 60))
  await putAlerts(app, sitesOf('many')[1], alerts.slice(60))
  const page = await browser.visitAs(person, '/dashboard')
  await expectUnread(page, '99+')
  expect((await bell(page).innerText()).trim()).toBe('99+')
  await bell(page).click()
  await expectVisible(popover(page).getByText('The latest 10 of 103 unread'))
  expect(await popover(page).getByRole('listitem').count()).toBe(10)

  await page.context().setOffline(true)
  await popover(page).getByRole('button', { name: 'Mark all as viewed' }).click()
  await expectToast(page, 'error', 'Alerts not marked as viewed', 'Please try again.')
  await expectUnread(page, '99+')
  await page.context().setOffline(false)
  await popover(page).getByRole('button', { name: 'Mark all as viewed' }).click()
  await expectVisible(popover(page).getByRole('heading', { name: 'No unread alerts' }))
  await expectUnread(page, 0)
  await page.keyboard.press('Escape')
  await expectGone(popover(page))
  expect((await bell(page).innerText()).trim()).toBe('')
  expect([await unreadOf(person), await unreadOf(other)]).toEqual([0, 1])
})

test('the keyboard opens it, leads to all alerts, and Escape gives the focus back', async () => {
  const page = await browser.visitAs(await ownerOfTwo('keys'), '/account')
  await expectUnread(page, 0)
  await bell(page).focus()
  await page.keyboard.press('Enter')
  await expectVisible(popover(page).getByText('New alerts of all your properties appear here.'))
  await expect.poll(() => popover(page).evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expectGone(popover(page))
  await expectFocused(bell(page))

  for (const [name, path] of [
    ['Alert History', '/alert-history'],
    ['Active Alerts', '/alerts'],
  ] as const) {
    await bell(page).click()
    await popover(page).getByRole('link', { name }).click()
    await expectAddress(page, path)
    await expectGone(popover(page))
    await expectFocused(page.getByRole('main'))
  }
})

test('what cannot be loaded says so, and can be tried again', async () => {
  const person = await ownerOfTwo('offline')
  await putAlerts(app, sitesOf('offline')[0], [about('lamp', 1)])
  const page = await browser.visitAs(person, '/account')
  await expectUnread(page, 1)
  // The code of the list is there, its data is not.
  await page.route('**/api/alerts?*', (route) => route.abort())
  await bell(page).click()
  await expectVisible(popover(page).getByRole('heading', { name: 'Unable to load notifications' }))
  await page.unroute('**/api/alerts?*')
  await popover(page).getByRole('button', { name: 'Try again' }).click()
  await expectVisible(popover(page).getByText('Clicks dropped: “lamp”'))
})
