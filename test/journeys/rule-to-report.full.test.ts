import type { Locator, Page } from 'playwright-core'
import { alertConditions } from '../../src/contract/alerts/conditions.ts'
import { alerts } from '../../src/contract/alerts/alerts.ts'
import { addDays, eachDay } from '../../src/core/analytics/days.ts'
import type { TestApp } from '../support/app.ts'
import { expectAddress, expectGone, expectText, expectToast, expectValue, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { ownerOf } from '../support/people.ts'
import type { Visitor } from '../support/visitor.ts'

const test = journeyTest({ figures: false })
const site = 'https://falling.example/'
const lamps = `${site}lamps`

/** A user whose only page lost an eighth of its clicks in the last of four weeks: too little for the default rules. */
async function ownerOfDrop(app: TestApp): Promise<Visitor> {
  const [email, through] = ['falling@example.test', '2026-03-15']
  await app.google.account(email, { [site]: 'empty' })
  for (const date of eachDay(addDays(through, -27), addDays(through, 3))) {
    const clicks = date > addDays(through, -7) ? 875 : 1_000
    await app.google.setRows(site, date, [{ query: 'lamp', page: lamps, clicks, impressions: clicks * 10, position: 4 }])
  }
  await app.google.call('PUT', 'late', { site, days: 3 })
  return ownerOf(app, site, { days: 31, email })
}

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const openAlerts = (page: Page) => page.getByRole('region', { name: 'Open alerts' })
const backtest = (place: Locator) => place.getByRole('figure', { name: 'Backtest' }).getByRole('paragraph')
const generated = (count: number) => `Generated ${count} new alerts based on your current metrics`

async function evaluate(page: Page, found: number): Promise<void> {
  await page.getByRole('button', { name: 'Evaluate Alerts' }).click()
  await expectToast(page, 'success', 'Alert evaluation complete', generated(found))
}

test("first rules are created, another one is backtested and finds what it predicted, and the report shows Google's figures", async ({
  app,
  visitAs,
}) => {
  const person = await ownerOfDrop(app)
  const rules = async () => alertConditions.parse((await person.get('/api/alert-conditions')).body)
  const alert = async () => alerts.parse((await person.get('/api/alerts')).body)[0]
  for (const { id } of await rules()) await person.send('DELETE', `/api/alert-conditions/${id}`)

  const page = await visitAs(person, '/dashboard')
  await page.getByRole('link', { name: 'Create Your First Alert' }).click()
  await expectText(backtest(card(page, 'Clicks drop')), 'No alerts in 2 weeks')
  await card(page, 'CTR drop').getByLabel('Minimum impressions').fill('300')
  await card(page, 'Email').getByRole('switch', { name: 'Positive alerts' }).click()
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expectToast(page, 'success', 'Settings Saved')
  expect(await rules()).toMatchObject([
    { type: 'clicks', threshold: 15 },
    { type: 'ctr', minimumImpressions: 300 },
    { type: 'impressions' },
    { type: 'position' },
  ])
  expect((await person.get('/api/delivery-settings')).body).toMatchObject({ positiveAlerts: true })
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await evaluate(page, 0)
  await expectVisible(openAlerts(page).getByText('No open alerts'))

  await page.getByRole('list', { name: 'Alerts' }).getByRole('link', { name: 'Alert Settings' }).click()
  await page.getByRole('button', { name: 'New Alert' }).click()
  const form = page.getByRole('dialog', { name: 'New Alert' })
  await form.getByRole('textbox', { name: 'Title' }).fill('Fewer clicks')
  await form.getByRole('spinbutton', { name: 'Alert when drops by' }).fill('10')
  await expectText(backtest(form), 'Would have alerted on 1 day since 1 Mar 2026')
  await form.getByRole('button', { name: 'Create Alert' }).click()
  await expectToast(page, 'success', 'Rule Created', 'Fewer clicks')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await evaluate(page, 1)
  const rows = openAlerts(page).getByRole('article')
  await expectVisible(rows.getByText('6.1K from 7K', { exact: true }), rows.getByText('Down 12.5%', { exact: true }))
  expect(await alert()).toMatchObject({ severity: 'info', previousValue: 7_000, currentValue: 6_125, change: -12.5, viewed: false })

  await rows.getByRole('heading').getByRole('link').click()
  const figures = card(page, 'Page clicks').locator('dl')
  await expectText(figures, 'Previous 7K 7,000 2–8 Mar 2026 Current 6.1K 6,125 9–15 Mar 2026 Change Down 12.5% vs last week')
  await expectVisible(card(page, 'What drove the change').getByRole('button', { name: 'Copy lamp', exact: true }))
  await page.getByRole('button', { name: /^Show as table: Clicks by day/ }).click()
  const day = (name: RegExp) => page.getByRole('dialog').getByRole('row', { name })
  await expectText(day(/^9 Mar 2026/), '9 Mar 2026 875')
  await expectText(day(/^8 Mar 2026/), '8 Mar 2026 1,000')
  await page.keyboard.press('Escape')
  const life = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
  await expectVisible(life.getByText('Viewed', { exact: true }))
  await expect.poll(async () => (await alert())?.viewed).toBe(true)
  await page.keyboard.press('e')
  await expectToast(page, 'success', 'Alert Acknowledged')
  await expectText(life.last(), /^Acknowledged by /)
  expect(await alert()).toMatchObject({ state: 'acknowledged' })

  // Its rule is deleted, which ends it.
  await page.getByRole('link', { name: 'Edit rule' }).click()
  const edited = page.getByRole('dialog', { name: 'Edit Alert' })
  await expectValue(edited.getByRole('textbox', { name: 'Title' }), 'Fewer clicks')
  await page.keyboard.press('Escape')
  await expectAddress(page, '/alert-settings')
  await page.getByRole('button', { name: 'Delete Fewer clicks' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete rule' }).click()
  await expectToast(page, 'success', 'Rule Deleted', 'Fewer clicks')
  expect(await rules()).toHaveLength(4)
  expect(await alert()).toMatchObject({ state: 'recovered', conditionId: null })
  await page.goBack()
  await expectText(life.filter({ hasText: 'Ended' }), /The rule was deleted\./)
  await expectGone(page.getByRole('link', { name: 'Edit rule' }))
})
