import type { Locator, Page } from 'playwright-core'
import type { Alert } from '../../src/contract/alerts/alerts.ts'
import { atSearchConsole, queryAlert } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { shopName } from '../support/answers/usual.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectFocused,
  expectGone,
  expectText,
  expectTexts,
  expectToast,
  expectVisible,
} from '../support/browser-expect.ts'
import { compactHeights, tallestRow } from '../support/analytics-screens.ts'
import { expectWithinWindow } from '../support/browser-accessible.ts'
import { expect, test } from '../support/screen-test.ts'

const desktop = { width: 1_440, height: 900 }

/** The rows as displayed, keyed by column name. */
async function rowsOf(page: Page): Promise<Record<string, string>[]> {
  const table = page.getByRole('table', { name: 'Alerts' })
  await expectVisible(table)
  return table.evaluate((element) => {
    const text = (cell: Element) => (cell as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim()
    const [head, ...rows] = [...element.querySelectorAll('tr')].map((row) => [...row.children].map(text))
    return rows.map((row) => Object.fromEntries((head ?? []).map((name, index) => [name, row[index] ?? ''])))
  })
}
const titles = async (page: Page): Promise<string[]> =>
  page
    .getByRole('table')
    .getByRole('link', { name: /^Clicks / })
    .allInnerTexts()
const severities = async (page: Page): Promise<string[]> => (await rowsOf(page)).map((row) => (row['Severity'] ?? '').replace(' New', ''))
const choose = (page: Page, severity: string): Promise<void> => page.getByText(severity, { exact: true }).first().click()
const range = (page: Page): Locator => page.getByRole('navigation', { name: 'Pages' }).getByRole('status')

const formula = '=HYPERLINK("https://evil.example","click")'
const markup = '<img src=x onerror=alert(1)> & "lamp"'
const some = (): Alert[] => [
  queryAlert(formula, 1, { severity: 'critical', type: 'ctr', previousValue: 0.0512, currentValue: 0.025, change: -51.171_875 }),
  queryAlert(markup, 2, { state: 'acknowledged', viewed: true }),
  queryAlert('risen', 3, { severity: 'positive', state: 'recovered', previousValue: 12_400, currentValue: 20_460, change: 65 }),
  queryAlert('info', 24, { severity: 'info', type: 'position', previousValue: 3.2, currentValue: 4.1, change: 0.9 }),
]
/** Latest first, alternating between critical and warning. */
const sixty = (): Alert[] =>
  Array.from({ length: 60 }, (_, index) => queryAlert(`query ${index}`, index / 60, { severity: index % 2 === 0 ? 'critical' : 'warning' }))

test('an empty history shows samples, each of which says that it is one', async ({ open }) => {
  const page = await open('/alert-history', desktop)
  await expectVisible(page.getByText(`No alerts for ${shopName} yet. These sample rows show what you'll see here.`))
  const rows = await rowsOf(page)
  expect(rows.length).toBeGreaterThan(2)
  for (const row of rows) expect(row['Severity']).toMatch(/ Sample$/)
  expect(new Set(rows.map((row) => row['Severity']))).toEqual(new Set(['Critical Sample', 'Warning Sample', 'Positive Sample']))
  // Nothing links to what doesn't exist.
  await expectCount(page.getByRole('table').getByRole('link'), 0)
  await expectCount(page.getByRole('button', { name: 'Export CSV' }), 0)
  await expectCount(page.getByRole('navigation', { name: 'Pages' }), 0)

  await page.setViewportSize({ width: 375, height: 812 })
  const cards = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem')
  await expectVisible(cards)
  await expectCount(cards, rows.length)
  for (const card of await cards.all()) await expectVisible(card.getByText('Sample', { exact: true }))
  await page.getByRole('link', { name: 'Set up alerts' }).click()
  await expectAddress(page, '/alert-settings')
})

test('each row says when, how severe, about what, how much, and what happened to it; names are text', async ({ desk, open }) => {
  keepAlerts(desk, some())
  const page = await open('/alert-history', desktop)
  await expectText(range(page), '1–4 of 4 alerts')
  const [first, second, third, fourth] = await rowsOf(page)
  expect(first).toMatchObject({ When: 'Today, 18:00', Severity: 'Critical New', Type: 'CTR', Status: 'Open' })
  expect(first?.['Alert']).toBe(`CTR dropped: “${formula}” CTR for ${formula} fell from 5.12% to 2.50% (−51.2%), 10–16 Mar vs 3–9 Mar.`)
  expect(first?.['Change']).toBe('Down 51.2% vs last week')
  expect(second).toMatchObject({ Severity: 'Warning', Status: 'Acknowledged', Type: 'Clicks' })
  expect(second?.['Alert']).toBe(`Clicks dropped: “${markup}” Clicks for ${markup} fell from 200 to 150 (−25.0%), 10–16 Mar vs 3–9 Mar.`)
  expect(third).toMatchObject({ Severity: 'Positive New', Status: 'Recovered', Change: 'Up 65.0% vs last week' })
  expect(fourth).toMatchObject({
    When: 'Yesterday, 19:00',
    Severity: 'Info New',
    Type: 'Position',
    Change: 'Dropped 0.9 positions vs last week',
  })
  await expectCount(page.locator('main img'), 0)
  await expectCount(page.getByText('Sample', { exact: true }), 0)
})

test('a row leads to its report and to Search Console, and is no longer new then', async ({ desk, open }) => {
  const alert = keepAlerts(desk, some()).about(formula)
  const page = await open('/alert-history', desktop)
  const row = page.getByRole('row').filter({ hasText: formula })
  await expectVisible(row.getByText('New', { exact: true }))
  await page.context().route('https://search.google.com/**', (route) => route.fulfill({ body: 'Search Console' }))
  const [opened] = await Promise.all([page.context().waitForEvent('page'), row.getByRole('link', { name: /^View in GSC/ }).click()])
  await expect.poll(() => opened.url()).toBe(atSearchConsole(alert))
  await expectGone(row.getByText('New', { exact: true }))
  await page.reload()
  await expectVisible(row)
  await expectCount(row.getByText('New', { exact: true }), 0)

  const report = row.getByRole('link', { name: /^View full report/ })
  await expectAttribute(row.getByRole('link', { name: /^CTR dropped/ }), 'href', await report.getAttribute('href'))
  await report.click()
  await expectAddress(page, `/alerts/${alert.id}`)
})

test('the filter shows one severity, and stays in the URL', async ({ desk, open }) => {
  keepAlerts(desk, some().slice(0, 3))
  const page = await open('/alert-history', desktop)
  await expectText(range(page), '1–3 of 3 alerts')
  for (const [label, severity] of [
    ['Critical', 'critical'],
    ['Warning', 'warning'],
    ['Positive', 'positive'],
  ] as const) {
    await choose(page, label)
    await expectAddress(page, `/alert-history?severity=${severity}`)
    await expectText(range(page), '1 of 1 alert')
    await expect.poll(() => severities(page)).toEqual([label])
  }
  await page.reload()
  await expectVisible(page.getByRole('radio', { name: 'Positive', checked: true }))
  expect(await severities(page)).toEqual(['Positive'])
  await page.goBack()
  await expect.poll(() => severities(page)).toEqual(['Warning'])
  await choose(page, 'All')
  await expectAddress(page, '/alert-history')
  await expectText(range(page), '1–3 of 3 alerts')
})

test('a filter without results can be cleared', async ({ desk, open }) => {
  keepAlerts(desk, some().slice(1, 3))
  const page = await open('/alert-history?severity=critical', desktop)
  await expectVisible(page.getByRole('heading', { name: 'No critical alerts' }))
  await page.getByRole('button', { name: 'Show all severities' }).click()
  await expectAddress(page, '/alert-history')
  await expectText(range(page), '1–2 of 2 alerts')
})

test('pages of 25 or 50, in the URL', async ({ desk, open }) => {
  const shown = sixty().map(({ title }) => title)
  keepAlerts(desk, sixty())
  const page = await open('/alert-history', desktop)
  const next = page.getByRole('button', { name: 'Next page' })
  const previous = page.getByRole('button', { name: 'Previous page' })
  const expectPage = async (text: string, from: number, to: number) => {
    await expectText(range(page), text)
    await expect.poll(() => titles(page)).toEqual(shown.slice(from, to))
  }
  await expectPage('1–25 of 60 alerts', 0, 25)
  await expectAttribute(previous, 'aria-disabled', 'true')
  await next.click()
  await expectAddress(page, '/alert-history?page=2')
  await expectPage('26–50 of 60 alerts', 25, 50)
  await next.click()
  await expectPage('51–60 of 60 alerts', 50, 60)
  // At the end the button keeps the focus and does nothing.
  await expectFocused(next)
  await page.keyboard.press('Enter')
  await expectAddress(page, '/alert-history?page=3')
  await page.reload()
  await expectPage('51–60 of 60 alerts', 50, 60)
  await page.goBack()
  await expectPage('26–50 of 60 alerts', 25, 50)

  await page.getByRole('combobox', { name: 'Rows per page' }).click()
  await page.getByRole('option', { name: '50 per page' }).click()
  await expectAddress(page, '/alert-history?size=50')
  await expectPage('1–50 of 60 alerts', 0, 50)
  await choose(page, 'Warning')
  await expectText(range(page), '1–30 of 30 alerts')

  await page.goto('/alert-history?page=99')
  await expectPage('51–60 of 60 alerts', 50, 60)
})

test('while the next rows load the old ones are dimmed', async ({ desk, open }) => {
  keepAlerts(desk, sixty())
  const page = await open('/alert-history', desktop)
  await expectText(range(page), '1–25 of 60 alerts')
  await expectVisible(page.getByRole('table'))
  const { release } = desk.hold('GET /api/alerts')
  await page.getByRole('button', { name: 'Next page' }).click()
  const rows = page.locator('[aria-busy=true]').filter({ has: page.getByRole('table') })
  await expectVisible(rows)
  await expect.poll(() => rows.evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(1)
  expect(await titles(page)).toHaveLength(25)
  release()
  await expectGone(rows)
  await expectText(range(page), '26–50 of 60 alerts')
})

test("a file that can't be fetched is reported with its property", async ({ desk, open }) => {
  keepAlerts(desk, some())
  const page = await open('/alert-history', desktop)
  await expectText(range(page), '1–4 of 4 alerts')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expectToast(page, 'error', 'Export Failed', `The alerts for ${shopName} could not be exported. Please try again.`)
})

test('a failure names the property, and can be retried', async ({ desk, open }) => {
  keepAlerts(desk, some())
  const page = await open('/alert-history', desktop)
  await expectText(range(page), '1–4 of 4 alerts')
  await page.context().setOffline(true)
  await choose(page, 'Critical')
  await expectVisible(page.getByRole('alert').getByText(new RegExp(`^${shopName}: `)))
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectText(range(page), '1 of 1 alert')
})

test('on a phone rows have two lines, and lead to the report', async ({ desk, open }) => {
  const { id } = keepAlerts(desk, some()).about(formula)
  const page = await open('/alert-history', { width: 375, height: 812, touch: true })
  await expectText(range(page), '1–4 of 4 alerts')
  const rows = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem')
  await expectVisible(rows)
  await expectCount(page.getByRole('table'), 0)
  await expectText(rows.first(), `New: CTR dropped: “${formula}” Today, 18:00 Critical Down 51.2% vs last week`)
  for (const height of await compactHeights(page)) expect(height).toBeLessThanOrEqual(tallestRow)
  await rows.first().tap()
  await expectAddress(page, `/alerts/${id}`)
})

test('from 768 px it is a table, next to the sidebar without columns for the type and the state', async ({ desk, open }) => {
  keepAlerts(desk, [...some(), ...sixty().slice(0, 12)])
  const page = await open('/alert-history', { width: 768, height: 700 })
  for (const width of [768, 1_024]) {
    await page.setViewportSize({ width, height: 700 })
    await expectTexts(page.getByRole('columnheader'), ['When', 'Severity', 'Alert', 'Change', 'Actions'])
    await expectVisible(page.getByRole('row').filter({ hasText: markup }).getByRole('cell', { name: 'Warning Acknowledged' }))
    await expectWithinWindow(page)
    // The header stays below the app's.
    await page.evaluate(() => window.scrollTo(0, 600))
    await expect
      .poll(() =>
        page.evaluate(() => {
          const bottom = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
          return Math.abs((document.querySelector('th')?.getBoundingClientRect().top ?? 0) - bottom)
        }),
      )
      .toBeLessThan(2)
    await page.evaluate(() => window.scrollTo(0, 0))
  }
})
