import type { Page } from 'playwright-core'
import { queryAlert } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import type { Desk } from '../support/answers/desk.ts'
import { syncOf } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectAttribute,
  expectChecked,
  expectFocused,
  expectGone,
  expectText,
  expectVisible,
} from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// The filters of the active alerts are in the URL, and restored on reload.

const board = (page: Page) => page.getByRole('region', { name: 'Alerts', exact: true })
const cards = (page: Page) => board(page).getByRole('article')
const rows = (page: Page) =>
  board(page)
    .getByRole('row')
    .filter({ has: page.getByRole('heading') })
const range = (page: Page) => page.getByRole('combobox', { name: 'Date range' })
const picker = (page: Page) => page.getByRole('button', { name: /^Dates:/ })

/** Ten from an hour ago, one from 10 and one from 26 days ago that have recovered, and an ongoing one from 60 days ago; data of 31 days. */
function keepAges(desk: Desk): void {
  desk.answer('GET /api/sync', [syncOf({ firstDate: '2026-02-16', lastDate: '2026-03-18' })])
  keepAlerts(desk, [
    ...Array.from({ length: 9 }, (_, index) => queryAlert(`new ${index}`, 1)),
    queryAlert('over', 10 * 24, { state: 'recovered' }),
    queryAlert('long over', 26 * 24, { state: 'recovered' }),
    queryAlert('lasting', 60 * 24),
  ])
}

async function expectShown(page: Page, count: number): Promise<void> {
  await expectVisible(board(page).getByText(`${count} alerts`, { exact: true }))
  await expect.poll(() => cards(page).or(rows(page)).count()).toBe(count)
}

async function chooseRange(page: Page, name: string): Promise<void> {
  await range(page).click()
  await page.getByRole('option', { name }).click()
}

test('view and range', async ({ desk, open }) => {
  keepAges(desk)
  const page = await open('/alerts')
  // Open ones are always listed; those that are over only if within the range.
  await expectShown(page, 10)
  await chooseRange(page, 'Last 30 days')
  await expectShown(page, 12)
  await expectVisible(board(page).getByText('Recovered', { exact: true }))
  await page.getByRole('group', { name: 'View' }).getByText('Table').click()
  await expectAddress(page, '/alerts?view=table&range=30')
  await page.reload()
  await expectShown(page, 12)
  await expectChecked(page.getByRole('radio', { name: 'Table' }), true)
  await expectText(range(page), 'Last 30 days')

  await page.getByRole('checkbox', { name: 'Open only' }).click()
  await expectShown(page, 10)
  await expectAddress(page, '/alerts?view=table&range=30&open=only')
  await expectGone(board(page).getByText('Recovered', { exact: true }))
  await page.goBack()
  await expectShown(page, 12)
})

test('a custom range, limited to the days that have data', async ({ desk, open }) => {
  keepAges(desk)
  const page = await open('/alerts')
  await expectShown(page, 10)
  await chooseRange(page, 'Custom range')
  await expectText(picker(page), '12–18 Mar 2026')
  await expectAddress(page, '/alerts?range=custom&from=2026-03-12&to=2026-03-18')
  await expectShown(page, 10)

  await picker(page).click()
  const calendar = page.getByRole('dialog', { name: 'Choose dates' })
  await expectVisible(calendar.getByText('Data available: 16 Feb–18 Mar 2026'))
  const day = (name: string) => calendar.getByRole('button', { name, exact: true })
  expect([await day('Wednesday, 18 March 2026').isEnabled(), await day('Thursday, 19 March 2026').isEnabled()]).toEqual([true, false])
  await expectAttribute(calendar.getByRole('button', { name: 'Next month' }), 'aria-disabled', 'true')
  await calendar.getByRole('button', { name: 'Previous month' }).click()
  expect([await day('Monday, 16 February 2026').isEnabled(), await day('Sunday, 15 February 2026').isEnabled()]).toEqual([true, false])
  await day('Wednesday, 18 February 2026').click()
  await expectVisible(calendar.getByText('Choose the last day.'))
  await day('Friday, 20 February 2026').click()
  await expectGone(calendar)
  await expectFocused(picker(page))
  await expectAddress(page, '/alerts?range=custom&from=2026-02-18&to=2026-02-20')
  // The one within the range, and the older open one; not those opened after it.
  await expectShown(page, 2)
  await page.reload()
  await expectText(picker(page), '18–20 Feb 2026')
  await expectShown(page, 2)
})

test('a custom range by keyboard alone', async ({ desk, open }) => {
  keepAges(desk)
  const page = await open('/alerts?range=custom&from=2026-03-12&to=2026-03-16')
  await picker(page).focus()
  await page.keyboard.press('Enter')
  const expectOn = (name: string) => expectFocused(page.getByRole('button', { name, exact: true }))
  await expectOn('Monday, 16 March 2026')
  await page.keyboard.press('ArrowUp')
  await expectOn('Monday, 9 March 2026')
  await page.keyboard.press('End')
  await expectOn('Sunday, 15 March 2026')
  await page.keyboard.press('PageUp')
  await page.keyboard.press('PageUp')
  await expectOn('Monday, 16 February 2026')
  await page.keyboard.press('Enter')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('Enter')
  await expectAddress(page, '/alerts?range=custom&from=2026-02-16&to=2026-03-16')
})

test('a URL with days beyond the data is limited to existing ones', async ({ desk, open }) => {
  keepAges(desk)
  const page = await open('/alerts?range=custom&from=2020-01-01&to=2026-02-20')
  await expectText(picker(page), '16–20 Feb 2026')
})

test('while a filter changes, the old ones dim', async ({ desk, open }) => {
  keepAges(desk)
  const page = await open('/alerts')
  await expectShown(page, 10)
  const { release } = desk.hold('GET /api/alerts')
  await chooseRange(page, 'Last 30 days')
  const old = board(page).locator('[aria-busy=true]')
  await expectVisible(old.getByRole('article'))
  await expect.poll(() => old.evaluate((element) => getComputedStyle(element).opacity)).toBe('0.5')
  release()
  await expectShown(page, 12)
  await expectGone(old)
})
