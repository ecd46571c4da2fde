import type { Locator, Page } from 'playwright-core'
import { startTestApp } from '../support/app.ts'
import { expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { fallingSite } from '../support/falling-site.ts'
import { runJob } from '../support/jobs.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { refresh } from '../support/people.ts'
import { until } from '../support/until.ts'

const today = '2026-03-18'
const test = journeyTest({}, () => startTestApp({ today, demo: false }))

const title = 'Clicks dropped across the site'
/** 300 clicks a day before, 170 now: 2,100 and 1,190 per week. */
const sentence = 'Clicks fell from 2,100 to 1,190 (−43.3%), 9–15 Mar vs 2–8 Mar.'

const textOf = async (locator: Locator) => (await locator.first().innerText()).replaceAll(/\s+/g, ' ')
/** The alert's figures as shown in lists: 1.2K from 2.1K, 43.3% down. */
async function expectFigures(where: Locator): Promise<void> {
  await expectVisible(where)
  for (const figure of ['1.2K', '2.1K', '43.3%']) await expect.poll(() => textOf(where)).toContain(figure)
}

/** Created in the dialog of alert settings, with the findings of its backtest. */
async function makeRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New Alert', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('The whole site falls')
  await dialog.getByRole('combobox', { name: 'Monitor' }).click()
  await page.getByRole('option', { name: 'Whole site' }).click()
  await dialog.getByRole('spinbutton', { name: /^Alert when drops by/ }).fill('20')
  await expectVisible(dialog.getByRole('figure', { name: 'Backtest' }).getByText(/Would have alerted on \d+ days?/))
  await dialog.getByRole('button', { name: 'Create Alert' }).click()
  await expectGone(dialog)
}

test('one alert, from its rule to its recovery, shows the same numbers everywhere', async ({ app, visitAs }) => {
  const falling = await fallingSite(app, 'journey', {
    today,
    plan: 'agency',
    async prepare(owner) {
      await owner.send('POST', '/api/delivery-settings', { frequency: 'instant', positiveAlerts: true })
      await owner.send('PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl() })
    },
  })
  // The default rules' findings have already been sent.
  await runJob(app, 'delivery-due')
  await Promise.all([app.mail.clear(), app.slack.clear()])

  // Creates a rule, views its backtest, and it finds what happened.
  const page = await visitAs(falling.owner, '/alert-settings')
  await makeRule(page)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Evaluate Alerts', exact: true }).click()
  // The evaluation of due properties, triggered by new hours, may have found it already.
  await expectToast(page, 'success', 'Alert evaluation complete', /^Generated [01] new alerts based on your current metrics$/)

  // It is on the dashboard, among the active alerts as card and in the table, in the history and in the popover.
  const card = page.getByRole('article', { name: title })
  const row = page.getByRole('row').filter({ hasText: title })
  await expectFigures(card)
  await expectVisible(card.getByText(sentence))
  await page.goto('/alerts')
  await expectFigures(card)
  await page.getByRole('group', { name: 'View' }).getByText('Table').click()
  await expectVisible(row.getByText('43.3%'), row.getByText(sentence))
  await page.goto('/alert-history')
  await expectVisible(row.getByText('43.3%'))
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByText(title).click()
  await expectVisible(page.getByRole('heading', { level: 1, name: title }), page.getByText(sentence))
  await expectFigures(page.getByRole('main'))

  // The email and the Slack message have arrived, once, and the report says so.
  await runJob(app, 'delivery-due')
  const [mail, ...others] = (await app.mail.mails(falling.email)).filter(({ kind }) => kind === 'alerts')
  expect(others).toEqual([])
  for (const figure of ['2,100', '1,190', '43.3%']) expect(mail?.text).toContain(figure)
  const [post, ...otherPosts] = await app.slack.messages()
  expect(otherPosts).toEqual([])
  for (const figure of ['2,100', '1,190', '43.3%']) expect(post?.shown.text).toContain(figure)
  await page.reload()
  const deliveries = page.getByRole('region', { name: 'Notifications' })
  await expectVisible(deliveries.getByText(falling.email), deliveries.getByText(/hooks\.slack|127\.0\.0\.1/))
  // The link in the email leads to this report.
  expect(mail?.links).toContain(page.url())

  // It is acknowledged, then snoozed.
  await page.getByRole('button', { name: /^Acknowledge/ }).click()
  await expectVisible(page.getByText('Acknowledged').first())
  await page.getByRole('button', { name: /^Snooze/ }).click()
  await page.getByRole('menuitem', { name: '1 week' }).click()
  await expectVisible(page.getByText(/Snoozed until/).first())

  // It recovers when the data does, which is also sent.
  await falling.dictate('2026-03-16', '2026-03-25', [100, 200])
  await app.google.setToday('2026-03-25')
  await refresh(falling.owner, falling.site)
  await runJob(app, 'alerts-due')
  await runJob(app, 'delivery-due')
  await page.reload()
  await expectText(page.getByRole('main').getByText('Recovered', { exact: true }).first(), 'Recovered')
  await until(
    () => app.mail.mails(falling.email),
    (all) => all.some(({ text }) => text.includes('Recovered') && text.includes('across the site')),
  )
  await expectGone(page.getByRole('button', { name: /^Acknowledge/ }))
})
