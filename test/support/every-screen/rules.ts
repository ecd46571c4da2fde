import type { Page } from 'playwright-core'
import { expectVisible } from '../browser-expect.ts'
import { demo, lapsed, newcomer, allChannels } from './people.ts'
import { heading, type Screen } from './screen.ts'

async function newAlert(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New Alert' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Alert' })
  await expectVisible(dialog.getByRole('figure', { name: 'Backtest' }).getByText(/alert in|alerted on/))
}

/** Creates a rule beyond the four. */
async function otherRule(page: Page): Promise<void> {
  await expectVisible(page.getByRole('region', { name: 'Position drop' }))
  await page.getByRole('button', { name: 'Duplicate Clicks drop' }).click()
  await expectVisible(page.getByRole('dialog', { name: 'Edit Alert' }))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expectVisible(page.getByRole('button', { name: 'Edit Clicks drop (copy)' }))
}

/** Rules and delivery settings. */
export const ruleScreens: readonly Screen[] = [
  {
    name: 'alert settings',
    answers: demo,
    address: '/alert-settings',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Position drop' }), page.getByRole('button', { name: 'Save Settings' })),
  },
  {
    name: 'alert settings with mistakes',
    answers: demo,
    address: '/alert-settings',
    async see(page) {
      await page.getByRole('region', { name: 'Clicks drop' }).getByRole('spinbutton').fill('101')
      await page.getByRole('region', { name: 'Position drop' }).getByLabel('Minimum impressions').fill('0')
      await page.getByRole('button', { name: 'Save Settings' }).click()
      await expectVisible(page.getByText("A percentage can't be over 100"), page.getByText('Minimum impressions must be at least 1'))
    },
  },
  {
    name: 'every delivery channel and setting',
    answers: allChannels,
    address: '/alert-settings',
    see: (page) =>
      expectVisible(
        page.getByText(/the webhook was revoked/),
        page.getByRole('textbox', { name: 'Code' }),
        page.getByRole('region', { name: /^Waiting for .* to be confirmed/ }),
        page.getByRole('combobox', { name: 'Until' }),
      ),
  },
  {
    name: 'a new secret of a webhook',
    answers: allChannels,
    address: '/alert-settings',
    async see(page) {
      await page.getByText('How to verify messages').click()
      await page.getByRole('button', { name: 'New secret' }).click()
      await page.getByRole('button', { name: 'Create new secret' }).click()
      await expectVisible(page.getByText(/^whsec_/), page.getByText('webhook-timestamp', { exact: true }))
    },
  },
  {
    name: 'time zones',
    answers: allChannels,
    address: '/alert-settings',
    async see(page) {
      await page.getByRole('combobox', { name: 'Time zone', exact: true }).click()
      await page.getByRole('combobox', { name: 'Search for a city or region' }).fill('new')
      await expectVisible(page.getByRole('option', { name: 'America/New York' }))
    },
  },
  {
    name: 'delivery with mistakes',
    answers: allChannels,
    address: '/alert-settings',
    async see(page) {
      await page.getByRole('button', { name: 'Replace webhook' }).click()
      await page.getByRole('textbox', { name: 'Webhook' }).fill('https://example.com/')
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByRole('button', { name: 'Confirm number' }).click()
      await expectVisible(page.getByText(/^Only Slack URLs work here/), page.getByText('Enter the 6-digit code'))
    },
  },
  {
    name: 'delivery that the plan does not have',
    answers: lapsed,
    address: '/alert-settings',
    see: (page) => expectVisible(page.getByText('Available on the Agency plan', { exact: true })),
  },
  {
    name: 'alert settings with something unsaved',
    answers: demo,
    address: '/alert-settings',
    async see(page) {
      await page.getByRole('region', { name: 'Clicks drop' }).getByRole('spinbutton').fill('40')
      await expectVisible(page.getByText('Unsaved changes: Clicks drop'))
    },
  },
  {
    name: 'alert settings left with something unsaved',
    answers: demo,
    address: '/alert-settings',
    async see(page) {
      await page.getByRole('region', { name: 'Clicks drop' }).getByRole('spinbutton').fill('40')
      await page.getByRole('link', { name: 'Dashboard' }).click()
      await expectVisible(page.getByRole('alertdialog', { name: 'Leave without saving?' }))
    },
  },
  { name: 'new alert', answers: demo, address: '/alert-settings', see: newAlert },
  {
    name: 'new alert with its templates',
    answers: demo,
    address: '/alert-settings',
    async see(page) {
      await newAlert(page)
      await page.getByRole('combobox', { name: 'Start from' }).click()
      await expectVisible(page.getByRole('option', { name: 'CTR drop' }))
    },
  },
  {
    name: 'new alert with mistakes',
    answers: demo,
    address: '/alert-settings',
    async see(page) {
      await newAlert(page)
      await page.getByRole('dialog').getByRole('spinbutton').fill('101')
      await page.getByRole('button', { name: 'Create Alert' }).click()
      await expectVisible(page.getByText('Give the rule a title'), page.getByText("A percentage can't be over 100"))
    },
  },
  { name: 'other rules', answers: demo, address: '/alert-settings', see: otherRule },
  {
    name: 'an alert being edited',
    answers: demo,
    address: '/alert-settings',
    async see(page) {
      await otherRule(page)
      await page.getByRole('button', { name: 'Edit Clicks drop (copy)' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Edit Alert' }))
    },
  },
  { name: 'alert settings without a property', answers: newcomer, address: '/alert-settings', see: heading('Property Required') },
]
