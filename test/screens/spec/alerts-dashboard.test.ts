// SPEC §2, "Alerts dashboard", at /alerts (OPEN-POINTS, "Routes" and 5). Actions on alerts: ../alert-actions.
import type { Page } from 'playwright-core'
import { atSearchConsole, queryAlert } from '../../support/answers/alerts.ts'
import { type KeptAlerts, keepAlerts } from '../../support/answers/kept-alerts.ts'
import type { Desk } from '../../support/answers/desk.ts'
import { firstRules, keepRules } from '../../support/answers/rules.ts'
import { syncOf } from '../../support/answers/usual.ts'
import { expectAddress, expectAttribute, expectChecked, expectCount, expectText, expectVisible } from '../../support/browser-expect.ts'
import { describe, expect, test } from '../../support/screen-test.ts'

/** Twelve alerts, latest first. */
const keepTwelve = (desk: Desk): KeptAlerts =>
  keepAlerts(desk, [
    queryAlert('first', 0, { severity: 'critical', previousValue: 12_400, currentValue: 7_440, change: -40 }),
    queryAlert('second', 33.5, { type: 'position', previousValue: 3.2, currentValue: 7.6, change: 4.4 }),
    queryAlert('third', 105.5, { previousValue: 0, currentValue: 40, change: null, viewed: true }),
    ...Array.from({ length: 9 }, (_, index) => queryAlert(`more ${index}`, 107 + 24 * (index % 3))),
  ])

const board = (page: Page) => page.getByRole('region', { name: 'Alerts', exact: true })
const recent = (page: Page) => page.getByRole('region', { name: 'Recent Alerts' })
const toggle = (page: Page, view: string) => page.getByRole('radio', { name: view, exact: true })

describe('header', () => {
  test('"Active Alerts", Cards or Table with Cards first, and New Alert, which opens a form', async ({ open }) => {
    const page = await open('/alerts')
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Active Alerts', exact: true }), toggle(page, 'Table'))
    await expectChecked(toggle(page, 'Cards'), true)
    await page.getByRole('button', { name: 'New Alert', exact: true }).click()
    await expectVisible(page.getByRole('dialog', { name: 'New Alert' }).getByRole('button', { name: 'Create Alert' }))
  })

  test('a date range: Last 7 days, which is the default, Last 30 days, Custom range', async ({ open }) => {
    const page = await open('/alerts')
    const range = page.getByRole('combobox', { name: 'Date range' })
    await expectText(range, 'Last 7 days')
    await range.click()
    const options = page.getByRole('option')
    await expectVisible(options)
    expect((await options.allInnerTexts()).map((text) => text.trim())).toEqual(['Last 7 days', 'Last 30 days', 'Custom range'])
  })
})

describe('cards', () => {
  test('in two columns', async ({ desk, open }) => {
    keepTwelve(desk)
    const page = await open('/alerts')
    await expectVisible(board(page).getByRole('article'))
    await expectCount(board(page).getByRole('article'), 12)
    const [first, second, third] = await Promise.all([0, 1, 2].map((at) => board(page).getByRole('article').nth(at).boundingBox()))
    expect([first?.y === second?.y, (second?.x ?? 0) > (first?.x ?? 0), (third?.y ?? 0) > (first?.y ?? 0)]).toEqual([true, true, true])
  })

  test('four skeletons while loading', async ({ desk, open }) => {
    keepTwelve(desk)
    const { release } = desk.hold('GET /api/alerts')
    const page = await open('/alerts')
    await expectVisible(board(page).getByText('Loading alerts...', { exact: true }))
    await expectCount(board(page).locator('[aria-busy=true] > div > div'), 4)
    // Below them, out of sight until the cards have their height.
    const below = page.getByRole('region', { name: 'Recent Alerts', includeHidden: true })
    await expectCount(below.locator('[aria-busy=true] > div'), 3)
    release()
    await expectVisible(recent(page))
    await expectVisible(board(page).getByRole('article'))
  })

  test('empty: "No alerts at this time" with Create Alert', async ({ open }) => {
    const page = await open('/alerts')
    await expectVisible(board(page).getByText('No alerts at this time', { exact: true }))
    await board(page).getByRole('button', { name: 'Create Alert', exact: true }).click()
    await expectVisible(page.getByRole('dialog', { name: 'New Alert' }))
  })
})

describe('table', () => {
  test('columns Status, Type, Alert Details, Change, Actions; percent only where it is known, positions as positions', async ({
    desk,
    open,
  }) => {
    keepTwelve(desk)
    const page = await open('/alerts?view=table')
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

  test('"Loading alerts..." while loading; empty: Create New Alert', async ({ desk, open }) => {
    const { release } = desk.hold('GET /api/alerts')
    const page = await open('/alerts?view=table')
    await expectVisible(board(page).getByRole('cell').getByText('Loading alerts...', { exact: true }))
    release()
    await board(page).getByRole('cell').getByRole('button', { name: 'Create New Alert', exact: true }).click()
    await expectVisible(page.getByRole('dialog', { name: 'New Alert' }))
  })

  test('its actions open the search console and the full report', async ({ desk, open }) => {
    const first = keepTwelve(desk).about('first')
    const page = await open('/alerts')
    await page.getByRole('group', { name: 'View' }).getByText('Table', { exact: true }).click()
    const row = board(page).getByRole('row').filter({ hasText: '“first”' })
    await expectAttribute(row.getByRole('link', { name: /^Open in Search Console: .* \(new tab\)$/ }), 'href', atSearchConsole(first))
    await row.getByRole('link', { name: /^View full report: / }).click()
    await expectAddress(page, `/alerts/${first.id}`)
  })
})

describe('Recent Alerts', () => {
  test('a count, at most ten alerts, each with a link to the search console, and "View All Alerts (n)"', async ({ desk, open }) => {
    const first = keepTwelve(desk).about('first')
    const page = await open('/alerts')
    await expectVisible(recent(page).getByText('12 alerts', { exact: true }), recent(page).getByRole('listitem'))
    await expectCount(recent(page).getByRole('listitem'), 10)
    const toGoogle = recent(page).getByRole('link', { name: /^Open in Search Console: .* \(new tab\)$/ })
    await expectCount(toGoogle, 10)
    expect([await toGoogle.first().getAttribute('target'), await toGoogle.first().getAttribute('href')]).toEqual([
      '_blank',
      atSearchConsole(first),
    ])
    await recent(page).getByRole('link', { name: 'View All Alerts (12)', exact: true }).click()
    await expectAddress(page, '/alert-history')
  })

  test('empty: "No alerts generated yet" with what is on and when it runs, or what to do if nothing is', async ({ desk, open }) => {
    keepRules(desk)
    const page = await open('/alerts')
    const eachTime = 'each time Google finalizes a day, usually two to three days later.'
    await expectVisible(
      recent(page).getByText('No alerts generated yet', { exact: true }),
      recent(page).getByText(`2 rules are on: Clicks drop, CTR drop. They run ${eachTime}`, { exact: true }),
      recent(page).getByText("Position drop is also on, but won't run until you add keywords.", { exact: true }),
    )
    desk.answer('GET /api/sync', [syncOf({ daysLeft: 450, daysTotal: 489, firstDate: '2026-02-10' })])
    await page.reload()
    await expectVisible(recent(page).getByText(`They first run once the last 13 weeks are imported, then ${eachTime}`))
    keepRules(
      desk,
      firstRules().map((rule) => ({ ...rule, isEnabled: false })),
    )
    await page.reload()
    await expectVisible(recent(page).getByText('Configure alert conditions and run evaluation to generate alerts', { exact: true }))
  })
})
