// SPEC §2, "Alerts dashboard", at /alerts (OPEN-POINTS, "Routes" and 5). What can be done about an alert: ../alerts.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectAddress, expectText, expectVisible } from '../../support/browser-expect.ts'
import { hold } from '../../support/browser-hold.ts'
import { ownerOf } from '../../support/people.ts'
import { putAlerts } from '../../support/stored-alerts.ts'
import type { Visitor } from '../../support/visitor.ts'

const site = 'https://busy.example/'
const query = (name: string) => ({ kind: 'query', name }) as const
let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let busy: Visitor
let quiet: Visitor
let ids: string[]
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
  busy = await ownerOf(app, site, { days: 1, email: 'busy@example.test' })
  quiet = await ownerOf(app, 'https://quiet.example/', { days: 1, email: 'quiet@example.test' })
  ids = await putAlerts(app, site, [
    { openedAt: '2026-03-18T19:00:00.000Z', severity: 'critical', entity: query('first'), previous: 12_400, current: 7_440, change: -40 },
    { openedAt: '2026-03-17T09:30:00.000Z', type: 'position', entity: query('second'), previous: 3.2, current: 7.6, change: 4.4 },
    { openedAt: '2026-03-14T09:30:00.000Z', entity: query('third'), previous: 0, current: 40, change: null, viewed: true },
    ...Array.from({ length: 9 }, (_, index) => ({ openedAt: `2026-03-${13 + (index % 3)}T08:00:00.000Z`, entity: query(`more ${index}`) })),
  ])
})
afterAll(() => demo.close())

const board = (page: Page) => page.getByRole('region', { name: 'Alerts', exact: true })
const recent = (page: Page) => page.getByRole('region', { name: 'Recent Alerts' })
const toggle = (page: Page, view: string) => page.getByRole('radio', { name: view, exact: true })
const showAs = (page: Page, view: string) => page.getByRole('group', { name: 'View' }).getByText(view, { exact: true }).click()

describe('header', () => {
  test('"Active Alerts", Cards or Table with Cards first, and New Alert, which opens a form', async () => {
    const page = await browser.visitAs(busy, '/alerts')
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Active Alerts', exact: true }), toggle(page, 'Table'))
    expect(await toggle(page, 'Cards').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'New Alert', exact: true }).click()
    await expectVisible(page.getByRole('dialog', { name: 'New Alert' }).getByRole('button', { name: 'Create Alert' }))
  })

  test('a date range: Last 7 days, which is the default, Last 30 days, Custom range', async () => {
    const page = await browser.visitAs(busy, '/alerts')
    const range = page.getByRole('combobox', { name: 'Date range' })
    await expectText(range, 'Last 7 days')
    await range.click()
    const options = page.getByRole('option')
    await expectVisible(options)
    expect((await options.allInnerTexts()).map((text) => text.trim())).toEqual(['Last 7 days', 'Last 30 days', 'Custom range'])
  })
})

describe('cards', () => {
  test('in two columns', async () => {
    const page = await browser.visitAs(busy, '/alerts')
    await expectVisible(board(page).getByRole('article'))
    expect(await board(page).getByRole('article').count()).toBe(12)
    const [first, second, third] = await Promise.all([0, 1, 2].map((at) => board(page).getByRole('article').nth(at).boundingBox()))
    expect([first?.y === second?.y, (second?.x ?? 0) > (first?.x ?? 0), (third?.y ?? 0) > (first?.y ?? 0)]).toEqual([true, true, true])
  })

  test('four skeletons while loading', async () => {
    const page = await browser.visitAs(busy, '/login')
    const { release } = await hold(page, /\/api\/alerts\?/)
    await page.goto('/alerts')
    await expectVisible(board(page).getByText('Loading alerts...', { exact: true }))
    expect(await board(page).locator('[aria-busy=true] > div > div').count()).toBe(4)
    expect(await recent(page).locator('[aria-busy=true] > div').count()).toBe(3)
    release()
    await expectVisible(board(page).getByRole('article'))
  })

  test('empty: "No alerts at this time" with Create Alert', async () => {
    const page = await browser.visitAs(quiet, '/alerts')
    await expectVisible(board(page).getByText('No alerts at this time', { exact: true }))
    await board(page).getByRole('button', { name: 'Create Alert', exact: true }).click()
    await expectVisible(page.getByRole('dialog', { name: 'New Alert' }))
  })
})

describe('table', () => {
  test('columns Status, Type, Alert Details, Change, Actions; percent only where it can be told, positions as positions', async () => {
    const page = await browser.visitAs(busy, '/alerts?view=table')
    const rows = board(page).getByRole('row')
    await expectVisible(rows.nth(1))
    const [select, ...columns] = await board(page).getByRole('columnheader').allInnerTexts()
    expect([select, columns]).toEqual(['Select', ['Status', 'Type', 'Alert Details', 'Change', 'Actions']])
    const cell = (name: string, at: number) =>
      rows
        .filter({ hasText: `“${name}”` })
        .getByRole('cell')
        .nth(at)
    await expectText(cell('first', 1), 'Critical New')
    await expectText(cell('first', 2), 'Clicks')
    await expectVisible(cell('first', 3).getByText('Clicks 12.4K → 7.4K', { exact: true }), cell('first', 3).getByText('Today, 19:00'))
    await expectText(cell('first', 4), 'Down 40.0% vs last week')
    await expectVisible(cell('second', 3).getByText('Yesterday, 09:30', { exact: true }))
    await expectText(cell('second', 4), 'Dropped 4.4 positions vs last week')
    await expectText(cell('third', 1), 'Warning Viewed')
    await expectText(cell('third', 4), '')
  })

  test('"Loading alerts..." while loading; empty: Create New Alert', async () => {
    const page = await browser.visitAs(quiet, '/login')
    const { release } = await hold(page, /\/api\/alerts\?/)
    await page.goto('/alerts?view=table')
    await expectVisible(board(page).getByRole('cell').getByText('Loading alerts...', { exact: true }))
    release()
    await board(page).getByRole('cell').getByRole('button', { name: 'Create New Alert', exact: true }).click()
    await expectVisible(page.getByRole('dialog', { name: 'New Alert' }))
  })

  test('its actions open the search console and the full report', async () => {
    const page = await browser.visitAs(busy, '/alerts')
    await showAs(page, 'Table')
    const row = board(page).getByRole('row').filter({ hasText: '“first”' })
    expect(await row.getByRole('link', { name: /^Open in Search Console: .* \(new tab\)$/ }).getAttribute('href')).toBe(
      `https://search.google.com/search-console?resource_id=${encodeURIComponent(site)}`,
    )
    await row.getByRole('link', { name: /^View full report: / }).click()
    await expectAddress(page, `/alerts/${ids[0]}`)
  })
})

describe('Recent Alerts', () => {
  test('a count, ten alerts at most, each with a link to the search console, and "View All Alerts (n)"', async () => {
    const page = await browser.visitAs(busy, '/alerts')
    await expectVisible(recent(page).getByText('12 alerts', { exact: true }))
    expect(await recent(page).getByRole('listitem').count()).toBe(10)
    const toGoogle = recent(page).getByRole('link', { name: /^Open in Search Console: .* \(new tab\)$/ })
    expect(await toGoogle.count()).toBe(10)
    expect([await toGoogle.first().getAttribute('target'), await toGoogle.first().getAttribute('href')]).toEqual([
      '_blank',
      `https://search.google.com/search-console?resource_id=${encodeURIComponent(site)}`,
    ])
    await recent(page).getByRole('link', { name: 'View All Alerts (12)', exact: true }).click()
    await expectAddress(page, '/alert-history')
  })

  test('empty: "No alerts generated yet" with what to do', async () => {
    const page = await browser.visitAs(quiet, '/alerts')
    await expectVisible(
      recent(page).getByText('No alerts generated yet', { exact: true }),
      recent(page).getByText('Configure alert conditions and run evaluation to generate alerts', { exact: true }),
    )
  })
})
