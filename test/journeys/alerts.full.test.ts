import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { alerted } from '../support/alerted.ts'
import { expectAttribute, expectCount, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { readCsv } from '../support/csv.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { ownerOf } from '../support/people.ts'
import { putAlerts, type StoredAlert } from '../support/stored-alerts.ts'

const test = journeyTest({ figures: false })

const cards = (page: Page) => page.getByRole('region', { name: 'Alerts', exact: true }).getByRole('article')
const expectUnread = (page: Page, count: number) =>
  expectVisible(page.locator(`header button[aria-label="Notifications${count === 0 ? '' : `, ${count} unread across all sites`}"]`))

test("the rules' findings in Google's figures are on screen, and actions there take effect", async ({ app, visitAs }) => {
  const { person, site, found } = await alerted(app, 'reader')
  const clicksOf = (path: string) => `Clicks dropped: ${site}${path}`
  const stored = async (title: string) => (await found()).find((alert) => alert.title === title)
  const page = await visitAs(person, '/alerts')
  const card = (path: string) => cards(page).filter({ has: page.getByRole('heading', { name: clicksOf(path) }) })
  await expectVisible(cards(page))
  // A page's clicks and impressions dropped for the same reason.
  await expectCount(cards(page), 6)
  await expectUnread(page, 6)
  await expectVisible(
    card('lamps').getByText('Critical', { exact: true }),
    card('lamps').getByText('Today, 20:00', { exact: true }),
    card('lamps').getByText('5.6K', { exact: true }),
    card('lamps').getByText('from 14K', { exact: true }),
    card('lamps').getByText('Down 60.0%', { exact: true }),
  )
  const line = card('lamps').getByRole('slider', { name: `Clicks by day: ${clicksOf('lamps')}` })
  await expectAttribute(line, 'aria-valuetext', /^16 Mar: 800(;|$)/)
  await line.press('Home')
  await expectAttribute(line, 'aria-valuetext', /^17 Feb: 2,000(;|$)/)

  await card('lamps').getByRole('button', { name: 'Acknowledge' }).click()
  await expectToast(page, 'success', 'Alert Acknowledged')
  expect(await stored(clicksOf('lamps'))).toMatchObject({ state: 'acknowledged', viewed: false })

  for (const path of ['beds', 'sofas']) {
    await card(path).getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: '1 week' }).click()
    await expectVisible(card(path).getByText('Snoozed until 25 Mar at 20:00', { exact: true }))
  }
  await expect.poll(() => stored(clicksOf('sofas'))).toMatchObject({ state: 'snoozed', snoozedUntil: '2026-03-25T20:00:00.000Z' })
  await card('sofas').getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: 'End snooze' }).click()
  await expectToast(page, 'success', 'Snooze Ended')
  expect(await stored(clicksOf('sofas'))).toMatchObject({ state: 'firing', snoozedUntil: null })

  await page.getByRole('group', { name: 'View' }).getByText('Table').click()
  for (const box of await page.getByRole('checkbox', { name: /^Select: .*\/(rugs|shelves)/ }).all()) await box.check()
  await page.getByRole('button', { name: 'Acknowledge 2 alerts' }).click()
  await expectToast(page, 'success', '2 Alerts Acknowledged')
  expect((await found()).filter(({ state }) => state === 'acknowledged')).toHaveLength(3)

  await page.getByRole('link', { name: `View full report: ${clicksOf('chairs')}` }).click()
  await expectVisible(page.getByRole('heading', { name: clicksOf('chairs'), level: 1 }))
  await expectUnread(page, 5)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('button', { name: 'Mark all as viewed' }).click()
  await expectVisible(page.getByRole('heading', { name: 'No unread alerts' }))
  expect((await found()).every(({ viewed }) => viewed)).toBe(true)

  await page.goto('/alerts?open=only')
  await expectVisible(
    card('lamps').getByText('Acknowledged', { exact: true }),
    card('lamps').getByText('Viewed', { exact: true }),
    card('beds').getByText('Snoozed until 25 Mar at 20:00', { exact: true }),
  )
  await expectUnread(page, 0)
})

test("the history's file has every row that passes the filter, as the screen shows them", async ({ app, visitAs }) => {
  const site = 'https://file.example/'
  const owner = await ownerOf(app, site, { days: 3, email: 'file@example.test' })
  const formula = '=HYPERLINK("https://evil.example","click")'
  await putAlerts(app, site, [
    ...Array.from({ length: 60 }, (_, minute): StoredAlert => ({
      openedAt: new Date(Date.UTC(2026, 2, 18, 8, minute)).toISOString(),
      severity: minute % 2 === 0 ? 'critical' : 'warning',
      entity: { kind: 'query', name: `query ${minute}` },
    })),
    { openedAt: '2026-03-18T07:00:00.000Z', severity: 'critical', type: 'ctr', entity: { kind: 'query', name: formula } },
  ])
  const page = await visitAs(owner, '/alert-history?severity=critical', { width: 1_440, height: 900 })
  await expectText(page.getByRole('navigation', { name: 'Pages' }).getByRole('status'), '1–25 of 31 alerts')
  await expectGone(page.locator('[aria-busy=true]'))
  const onScreen = await page
    .getByRole('table', { name: 'Alerts' })
    .getByRole('rowheader')
    .evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim()))

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()])
  expect(file.suggestedFilename()).toBe('https_file.example-alert-history-2026-03-18.csv')
  const [header = [], ...lines] = readCsv((await readFile(await file.path(), 'utf8')).replace('\uFEFF', ''))
  const rows = lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])))
  expect(rows).toHaveLength(31)
  expect(new Set(rows.map((row) => row['severity']))).toEqual(new Set(['critical']))
  expect(rows.slice(0, 25).map((row) => `${row['title']} ${row['description']}`)).toEqual(onScreen)
  expect(rows.map((row) => row['entity'])).toContain(`'${formula}`)
})
