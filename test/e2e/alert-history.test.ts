import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Severity } from '../../src/contract/alerts.ts'
import type { TestApp, Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser, type VisitOptions } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { readCsv } from '../support/csv.ts'
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

const siteOf = (name: string) => `https://${name}.example/`
const desk: VisitOptions = { width: 1_440, height: 900 }

/** Somebody with one property, and alerts about it. */
async function ownerWith(name: string, alerts: readonly StoredAlert[]): Promise<Visitor> {
  const owner = await ownerOf(app, siteOf(name), { days: 3, email: `${name}@example.test` })
  await putAlerts(app, siteOf(name), alerts)
  return owner
}
const open = async (who: Visitor, search = '', options: VisitOptions = desk): Promise<Page> => {
  const page = await browser.visitAs(who, `/alert-history${search}`, options)
  await expectVisible(page.getByRole('heading', { name: 'Alert History', level: 1 }))
  return page
}

/** The rows as somebody reads them, by the names of their columns. */
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
const query = (name: string) => ({ kind: 'query', name }) as const
const of = (severity: Severity, minute: number): StoredAlert => ({
  openedAt: `2026-03-18T09:${String(minute).padStart(2, '0')}:00.000Z`,
  severity,
  entity: query(`${severity} ${minute}`),
})
const some: StoredAlert[] = [
  { ...of('critical', 40), type: 'ctr', entity: query(formula), previous: 0.0512, current: 0.025, change: -51.171_875 },
  { ...of('warning', 30), state: 'acknowledged', entity: query(markup), viewed: true },
  { ...of('positive', 20), state: 'recovered', previous: 12_400, current: 20_460, change: 65 },
  { ...of('info', 10), openedAt: '2026-03-17T09:10:00.000Z', type: 'position', previous: 3.2, current: 4.1, change: 0.9 },
]

test('an empty history shows samples, each of which says that it is one', async () => {
  const page = await open(await ownerWith('samples', []))
  await expectVisible(page.getByText('No alerts of https://samples.example/ yet. The rows below are examples of what will be listed here.'))
  const rows = await rowsOf(page)
  expect(rows.length).toBeGreaterThan(2)
  for (const row of rows) expect(row['Severity']).toMatch(/ Sample$/)
  expect(new Set(rows.map((row) => row['Severity']))).toEqual(new Set(['Critical Sample', 'Warning Sample', 'Positive Sample']))
  // Nothing leads to what is not there.
  expect(await page.getByRole('table').getByRole('link').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Export CSV' }).count()).toBe(0)
  expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0)

  await page.setViewportSize({ width: 375, height: 812 })
  const cards = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem')
  await expectVisible(cards)
  expect(await cards.count()).toBe(rows.length)
  for (const card of await cards.all()) await expectVisible(card.getByText('Sample', { exact: true }))
  await page.getByRole('link', { name: 'Choose what you want to hear of' }).click()
  await expectAddress(page, '/alert-settings')
})

test('each row tells when, how severe, of what, how much, and what became of it; names are text', async () => {
  const page = await open(await ownerWith('rows', some))
  const [first, second, third, fourth] = await rowsOf(page)
  expect(first).toMatchObject({ When: 'Today, 09:40', Severity: 'Critical New', Type: 'CTR', State: 'Open' })
  expect(first?.['Alert']).toBe(`CTR dropped: “${formula}” CTR for ${formula} fell from 5.12% to 2.50% (−51.2%), 9–15 Mar against 2–8 Mar.`)
  expect(first?.['Change']).toBe('Down 51.2% vs last week')
  expect(second).toMatchObject({ Severity: 'Warning', State: 'Acknowledged', Type: 'Clicks' })
  expect(second?.['Alert']).toBe(
    `Clicks dropped: “${markup}” Clicks for ${markup} fell from 200 to 150 (−25.0%), 9–15 Mar against 2–8 Mar.`,
  )
  expect(third).toMatchObject({ Severity: 'Positive New', State: 'Recovered', Change: 'Up 65.0% vs last week' })
  expect(fourth).toMatchObject({
    When: 'Yesterday, 09:10',
    Severity: 'Info New',
    Type: 'Position',
    Change: 'Dropped 0.9 positions vs last week',
  })
  expect(await page.locator('main img').count()).toBe(0)
  expect(await page.getByText('Sample', { exact: true }).count()).toBe(0)
})

test('a row leads to its report and to Search Console, and is no longer new then', async () => {
  const who = await ownerWith('leads', some)
  const page = await open(who)
  const row = page.getByRole('row').filter({ hasText: formula })
  await page.context().route('https://search.google.com/**', (route) => route.fulfill({ body: 'Search Console' }))
  const link = row.getByRole('link', { name: /^View in GSC/ })
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await expect
    .poll(() => opened.url())
    .toBe(`https://search.google.com/search-console?resource_id=${encodeURIComponent('https://leads.example/')}`)
  await expectGone(row.getByText('New', { exact: true }))
  await page.reload()
  await expectVisible(row)
  expect(await row.getByText('New', { exact: true }).count()).toBe(0)

  const report = row.getByRole('link', { name: /^View full report/ })
  expect(await row.getByRole('link', { name: /^CTR dropped/ }).getAttribute('href')).toBe(await report.getAttribute('href'))
  await report.click()
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/alerts\/\d+$/)
})

test('the filter shows one severity, stays in the address, and can be cleared where it shows nothing', async () => {
  const page = await open(await ownerWith('filter', some.slice(0, 3)))
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

  const other = await open(await ownerWith('nothing', some.slice(1, 3)), '?severity=critical')
  await expectVisible(other.getByRole('heading', { name: 'No critical alerts' }))
  await other.getByRole('button', { name: 'Show all severities' }).click()
  await expectAddress(other, '/alert-history')
  await expectText(range(other), '1–2 of 2 alerts')
})

const many = Array.from({ length: 60 }, (_, index) => of(index % 2 === 0 ? 'critical' : 'warning', 59 - index))

test('pages of 25 or 50, in the address', async () => {
  const who = await ownerWith('pages', many)
  const page = await open(who)
  const next = page.getByRole('button', { name: 'Next page' })
  const previous = page.getByRole('button', { name: 'Previous page' })
  const shown = many.map(({ entity }) => `Clicks dropped: “${entity?.name}”`)
  const expectPage = async (text: string, from: number, to: number) => {
    await expectText(range(page), text)
    await expect.poll(() => titles(page)).toEqual(shown.slice(from, to))
  }
  await expectPage('1–25 of 60 alerts', 0, 25)
  expect(await previous.getAttribute('aria-disabled')).toBe('true')
  await next.click()
  await expectAddress(page, '/alert-history?page=2')
  await expectPage('26–50 of 60 alerts', 25, 50)
  await next.click()
  await expectPage('51–60 of 60 alerts', 50, 60)
  // Where it ends the button keeps the focus and does nothing.
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

test('while the next rows are on their way the old ones are dimmed', async () => {
  const page = await open(await ownerWith('dims', many))
  await expectText(range(page), '1–25 of 60 alerts')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/api/alerts?*offset=25*', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Next page' }).click()
  const rows = page.locator('[aria-busy=true]').filter({ has: page.getByRole('table') })
  await expectVisible(rows)
  await expect.poll(() => rows.evaluate((element) => Number(getComputedStyle(element).opacity))).toBeLessThan(1)
  expect(await titles(page)).toHaveLength(25)
  letGo()
  await expectGone(rows)
  await expectText(range(page), '26–50 of 60 alerts')
})

test('the file has every row that the filter lets through, as the screen shows them', async () => {
  const page = await open(await ownerWith('file', [...many, ...some]), '?severity=critical')
  await expectText(range(page), '1–25 of 31 alerts')
  const onScreen = await rowsOf(page)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()])
  expect(file.suggestedFilename()).toBe('https_file.example-alert-history-2026-03-18.csv')
  const [header = [], ...lines] = readCsv((await readFile(await file.path(), 'utf8')).replace('\uFEFF', ''))
  const rows = lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])))
  expect(rows).toHaveLength(31)
  expect(new Set(rows.map((row) => row['severity']))).toEqual(new Set(['critical']))
  expect(rows.slice(0, 25).map((row) => `${row['title']} ${row['description']}`)).toEqual(onScreen.map((row) => row['Alert']))
  expect(rows.map((row) => row['entity'])).toContain(`'${formula}`)

  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expectToast(page, 'error', 'Export Failed', 'The alerts of https://file.example/ could not be exported. Please try again.')
  await page.context().setOffline(false)
})

test('a failure says of which property, and can be tried again', async () => {
  const who = await ownerWith('fails', some)
  const page = await open(who)
  await expectText(range(page), '1–4 of 4 alerts')
  await page.context().setOffline(true)
  await choose(page, 'Critical')
  await expectVisible(page.getByRole('alert').getByText(/^https:\/\/fails\.example\/: /))
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectText(range(page), '1 of 1 alert')
})

test('on a phone rows are cards with the same in them', async () => {
  const page = await open(await ownerWith('phone', some), '', { width: 375, height: 812, touch: true })
  const cards = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem')
  await expectVisible(cards)
  expect(await page.getByRole('table').count()).toBe(0)
  await expectText(
    cards.first(),
    `Critical New Today, 09:40 CTR dropped: “${formula}” CTR for ${formula} fell from 5.12% to 2.50% (−51.2%), 9–15 Mar against 2–8 Mar. CTR Down 51.2% vs last week`,
  )
  await cards
    .first()
    .getByRole('link', { name: /^View full report/ })
    .tap()
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/alerts\/\d+$/)
})

test('without a property the screen asks for one', async () => {
  const page = await open(await newPerson(app, { email: 'no-history@example.test' }))
  await expectVisible(page.getByRole('heading', { name: 'Property Required' }))
})
