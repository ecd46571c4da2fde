// SPEC §2, "Alert History". Pages, export and the narrow list: ../alert-history.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectAddress, expectVisible } from '../../support/browser-expect.ts'
import { ownerOf } from '../../support/people.ts'
import { putAlerts } from '../../support/stored-alerts.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const wide = { width: 1_440, height: 900 }
const rows = (page: Page) => page.getByRole('table', { name: 'Alerts' }).locator('tbody').getByRole('row')
const severity = (page: Page) => page.getByRole('group', { name: 'Severity' })

test('a table filtered by severity: all, critical, warning, positive', async () => {
  const site = 'https://history.example/'
  const person = await ownerOf(app, site, { days: 1, email: 'history@example.test' })
  const about = (name: string) => ({ kind: 'query', name }) as const
  await putAlerts(app, site, [
    { openedAt: '2026-03-18T09:00:00.000Z', severity: 'critical', entity: about('one') },
    { openedAt: '2026-03-17T09:00:00.000Z', severity: 'warning', entity: about('two') },
    { openedAt: '2026-03-10T09:00:00.000Z', severity: 'warning', entity: about('three') },
    { openedAt: '2025-11-03T09:00:00.000Z', severity: 'positive', entity: about('four'), change: 30 },
  ])
  const page = await browser.visitAs(person, '/alert-history', wide)
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Alert History', exact: true }), rows(page))
  expect(
    await severity(page)
      .getByRole('radio')
      .evaluateAll((all) => all.map((radio) => radio.parentElement?.textContent)),
  ).toEqual(['All', 'Critical', 'Warning', 'Positive'])
  for (const [choice, names, address] of [
    ['All', ['one', 'two', 'three', 'four'], '/alert-history'],
    ['Critical', ['one'], '/alert-history?severity=critical'],
    ['Warning', ['two', 'three'], '/alert-history?severity=warning'],
    ['Positive', ['four'], '/alert-history?severity=positive'],
  ] as const) {
    await severity(page).getByText(choice, { exact: true }).click()
    await expectAddress(page, address)
    await expect
      .poll(async () => (await rows(page).getByRole('rowheader').allInnerTexts()).map((text) => /“(.*?)”/.exec(text)?.[1]))
      .toEqual(names)
  }
  // Today, yesterday, a day of another month, a day of another year.
  await severity(page).getByText('All', { exact: true }).click()
  await expect
    .poll(() => rows(page).getByRole('time').allInnerTexts())
    .toEqual(['Today, 09:00', 'Yesterday, 09:00', '10 Mar', '3 Nov 2025'])
})

test('an empty list shows sample rows, each of which says that it is one', async () => {
  const person = await ownerOf(app, 'https://nothing.example/', { days: 1, email: 'nothing@example.test' })
  const page = await browser.visitAs(person, '/alert-history', wide)
  await expectVisible(rows(page))
  expect(await rows(page).count()).toBeGreaterThan(2)
  for (const row of await rows(page).all()) await expectVisible(row.getByText('Sample', { exact: true }))
})
