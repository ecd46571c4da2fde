import type { Locator, Page } from 'playwright-core'
import { queryAlert, shownAlert } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { shop } from '../support/answers/usual.ts'
import { expectAddress, expectCount, expectFocused, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

const second = 'https://second.example/with/a/path/'

const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications/ })
const popover = (page: Page): Locator => page.getByRole('dialog', { name: 'Notifications' })
/** By its label: the button has no accessible role while the popover is open. */
const expectUnread = async (page: Page, count: number | '99+'): Promise<void> =>
  expectVisible(page.locator(`header button[aria-label="Notifications${count === 0 ? '' : `, ${count} unread across all sites`}"]`))

test("an evaluation's findings are counted immediately, listed, and viewed by opening them", async ({ desk, open }) => {
  const kept = keepAlerts(desk, [])
  desk.answer('POST /api/alerts/evaluate', { count: 0 })
  const page = await open('/dashboard')
  const evaluate = page.getByRole('button', { name: 'Evaluate Alerts' })
  await evaluate.click()
  await expectToast(page, 'success', 'Alert evaluation complete', 'Generated 0 new alerts based on your current metrics')
  await expectUnread(page, 0)

  const found = shownAlert({ severity: 'info' })
  desk.answer('POST /api/alerts/evaluate', () => {
    kept.add(found)
    return { count: 1 }
  })
  await evaluate.click()
  await expectUnread(page, 1)
  await bell(page).click()
  const entry = popover(page).getByRole('listitem')
  await expectVisible(
    entry.getByRole('link', { name: `Info Today, 18:00 Clicks dropped: https://lumenandloom.example/lamps ${shop}`, exact: true }),
  )
  await entry.getByRole('link').click()
  await expectAddress(page, `/alerts/${found.id}`)
  await expectGone(popover(page))
  await expectUnread(page, 0)
  expect(kept.all().map(({ viewed }) => viewed)).toEqual([true])
})

test('unread alerts of all properties, latest first, each with its property', async ({ desk, open }) => {
  keepAlerts(desk, [
    queryAlert('lamp', 3, { severity: 'critical' }),
    queryAlert('seen', 1, { viewed: true }),
    queryAlert('oak', 2, { target: second, severity: 'positive', previousValue: 100, currentValue: 170, change: 70 }),
  ])
  const page = await open('/account')
  await expectUnread(page, 2)
  expect((await bell(page).innerText()).trim()).toBe('2')
  await bell(page).click()
  const entries = popover(page).getByRole('listitem')
  await expectVisible(
    entries.nth(0).getByRole('link', { name: `Positive Today, 17:00 Clicks spiked: “oak” ${second}`, exact: true }),
    entries.nth(1).getByRole('link', { name: `Critical Today, 16:00 Clicks dropped: “lamp” ${shop}`, exact: true }),
  )
  await expectCount(entries, 2)

  await entries.first().getByRole('link').click()
  await expectUnread(page, 1)
  await bell(page).click()
  await expectVisible(popover(page).getByText('Clicks dropped: “lamp”'))
  await expect.poll(() => entries.count()).toBe(1)
})

test('only the count is requested until it is opened', async ({ desk, open }) => {
  const kept = keepAlerts(desk, [queryAlert('lamp', 2)])
  const page = await open('/account')
  await expectUnread(page, 1)
  const asked = () =>
    (['GET /api/alerts', 'GET /api/alerts/count'] as const).flatMap((route) =>
      desk.asked(route).map(({ query }) => `${route}?${query.toString()}`),
    )
  expect(asked()).toEqual(['GET /api/alerts/count?property=all&viewed=false'])

  // Returning to the window requests nothing (SPEC §9).
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('focus'))
  })
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expectVisible(page.getByText('Current plan'))
  expect(asked()).toHaveLength(1)

  // Opening it shows what is new by then, and clears the number.
  kept.add(queryAlert('oak', 1, { target: second }))
  await bell(page).click()
  await expectVisible(popover(page).getByText('Clicks dropped: “oak”'))
  await expectUnread(page, 2)
})

test('more than 99 are 99+, with the latest ten listed, and all can be marked at once', async ({ desk, open }) => {
  keepAlerts(
    desk,
    Array.from({ length: 103 }, (_, index) => queryAlert(`query ${index}`, index, { target: index < 60 ? shop : second })),
  )
  const page = await open('/dashboard')
  await expectUnread(page, '99+')
  expect((await bell(page).innerText()).trim()).toBe('99+')
  await bell(page).click()
  await expectVisible(popover(page).getByText('The latest 10 of 103 unread across all sites'))
  await expectCount(popover(page).getByRole('listitem'), 10)

  await page.context().setOffline(true)
  await popover(page).getByRole('button', { name: 'Mark all as viewed' }).click()
  await expectToast(page, 'error', 'Alerts Not Marked as Viewed', 'Please try again.')
  await expectUnread(page, '99+')
  await page.context().setOffline(false)
  await popover(page).getByRole('button', { name: 'Mark all as viewed' }).click()
  await expectVisible(popover(page).getByRole('heading', { name: 'No unread alerts' }))
  await expectUnread(page, 0)
  await expect.poll(() => desk.asked('POST /api/alerts/view-all').map(({ query }) => query.toString())).toEqual(['property=all'])
  await page.keyboard.press('Escape')
  await expectGone(popover(page))
  expect((await bell(page).innerText()).trim()).toBe('')
})

test('the keyboard opens it, leads to all alerts, and Escape returns the focus', async ({ open }) => {
  const page = await open('/account')
  await expectUnread(page, 0)
  await bell(page).focus()
  await page.keyboard.press('Enter')
  await expectVisible(popover(page).getByText('New alerts from all your properties appear here.'))
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

test('a failed load says so, and can be retried', async ({ desk, open }) => {
  keepAlerts(desk, [queryAlert('lamp', 1)])
  const page = await open('/account')
  await expectUnread(page, 1)
  // The list's code is loaded, its data isn't.
  desk.cut('GET /api/alerts')
  await bell(page).click()
  await expectVisible(popover(page).getByRole('heading', { name: 'Unable to load notifications' }))
  keepAlerts(desk, [queryAlert('lamp', 1)])
  await popover(page).getByRole('button', { name: 'Try again' }).click()
  await expectVisible(popover(page).getByText('Clicks dropped: “lamp”'))
})
