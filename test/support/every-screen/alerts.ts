import { expectVisible } from '../browser-expect.ts'
import { alerted, uncritical, worried } from './alerted.ts'
import { lapsed, newcomer } from './people.ts'
import { heading, type Screen } from './screen.ts'

/** Alerts, each one's report, and their history. */
export const alertScreens: readonly Screen[] = [
  {
    name: 'alert history',
    answers: alerted,
    address: '/alert-history',
    see: (page) => expectVisible(page.getByText('1–25 of 114 alerts'), page.getByText('Recovered').filter({ visible: true }).first()),
  },
  {
    name: 'alert history of samples',
    answers: lapsed,
    address: '/alert-history',
    see: (page) => expectVisible(page.getByText('Sample', { exact: true })),
  },
  {
    name: 'alert history without a match',
    answers: uncritical,
    address: '/alert-history?severity=critical',
    see: heading('No critical alerts'),
  },
  { name: 'alert history without a property', answers: newcomer, address: '/alert-history', see: heading('Alert History') },
  {
    name: 'active alerts',
    answers: worried,
    address: '/alerts',
    see: (page) => expectVisible(page.getByRole('article')),
  },
  {
    name: 'active alerts as a table, some of them chosen',
    answers: alerted,
    address: '/alerts?view=table&open=only',
    async see(page) {
      await page
        .getByRole('checkbox', { name: /^Select: / })
        .first()
        .check()
      await expectVisible(page.getByRole('button', { name: 'Acknowledge 1 alert' }), page.getByRole('link', { name: /^View All Alerts/ }))
    },
  },
  {
    name: 'active alerts of days to be chosen',
    answers: worried,
    address: '/alerts?range=custom',
    async see(page) {
      await page.getByRole('button', { name: /^Dates:/ }).click()
      await expectVisible(page.getByRole('dialog').getByText('Choose the first day.'))
    },
  },
  {
    name: 'snoozing an alert until a date',
    answers: worried,
    address: '/alerts',
    async see(page) {
      await page
        .getByRole('button', { name: /^Snooze: / })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Until a date…' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Snooze until a date' }))
    },
  },
  {
    name: 'alert report',
    answers: alerted,
    address: '/alerts',
    async see(page) {
      await page.getByRole('link', { name: 'View full report' }).first().click()
      await expectVisible(page.getByRole('list', { name: 'Timeline' }), page.getByRole('slider', { name: / by day$/ }))
    },
  },
  {
    name: 'alert report, opened by its URL',
    answers: alerted,
    address: '/alerts/1',
    see: (page) => expectVisible(page.getByRole('list', { name: 'Timeline' }), page.getByRole('slider', { name: / by day$/ })),
  },
  {
    name: 'alert report with its days as a table',
    answers: alerted,
    address: '/alerts',
    async see(page) {
      await page.getByRole('link', { name: 'View full report' }).first().click()
      await page.getByRole('button', { name: /^Show as table: / }).click()
      await expectVisible(page.getByRole('dialog').getByRole('table'))
    },
  },
  { name: 'no such alert', answers: newcomer, address: '/alerts/999999999', see: heading('Alert not found') },
  { name: 'no active alerts', answers: lapsed, address: '/alerts', see: heading('No alerts at this time') },
  {
    name: 'no active alerts in the table',
    answers: lapsed,
    address: '/alerts?view=table',
    see: (page) => expectVisible(page.getByRole('button', { name: 'Create New Alert' })),
  },
  { name: 'active alerts without a property', answers: newcomer, address: '/alerts', see: heading('Property Required') },
]
