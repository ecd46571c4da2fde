import { mostLasting, mostOpenedInADay } from '../../src/core/alerting/bounds.ts'
import { keepReport, reportOf } from '../support/answers/report.ts'
import { keepRules } from '../support/answers/rules.ts'
import { conditionOf } from '../support/answers/usual.ts'
import { expectToast, expectVisible } from '../support/browser-expect.ts'
import { test } from '../support/screen-test.ts'

// Whatever is omitted because there is too much of it is reported where its owner looks.

const why = `a rule can have up to ${mostLasting} open alerts, and a property can get up to ${mostOpenedInADay} new ones a day. Raise the threshold or the minimum impressions, or monitor fewer pages or keywords.`

test("changes that didn't become alerts: with the evaluation, and with their rule", { tags: ['full'] }, async ({ desk, open }) => {
  desk.answer('POST /api/alerts/evaluate', { count: 100, leftOut: 3412 })
  keepRules(desk, [conditionOf({ leftOut: 1 })])
  const page = await open('/dashboard')
  await page.getByRole('button', { name: 'Evaluate Alerts' }).click()
  const generated = 'Generated 100 new alerts based on your current metrics'
  await expectToast(page, 'success', 'Alert evaluation complete', `${generated}. 3,412 more changes did not become alerts: ${why}`)
  await page.goto(new URL('/alert-settings', page.url()).href)
  await expectVisible(page.getByText(`1 more change did not become an alert: ${why}`, { exact: true }))
})

test('older events and messages of an alert', { tags: ['full'] }, async ({ desk, open }) => {
  const { report } = keepReport(desk, reportOf({ timelineCut: true, deliveriesCut: true }))
  const page = await open(`/alerts/${report.id}`)
  await expectVisible(page.getByText('Only the latest events are shown.', { exact: true }))
  await expectVisible(page.getByText('Only the latest notifications are shown.', { exact: true }))
})
