import type { Page } from 'playwright-core'
import { password } from '../answers/account.ts'
import { expectVisible } from '../browser-expect.ts'
import { demo, guarded, newcomer, allChannels, unconfirmed } from './people.ts'
import { heading, type Screen } from './screen.ts'

/** Opens a dialog about the second factor and enters the password. */
const secondFactor = (opener: string, see: (page: Page) => Promise<void>) => async (page: Page) => {
  await page.getByRole('button', { name: opener, exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Your password' }).fill(password)
  await page.keyboard.press('Enter')
  await see(page)
}

/** The account, its settings, the API, and help. */
export const accountScreens: readonly Screen[] = [
  {
    name: 'contact support',
    answers: demo,
    address: '/contact',
    see: (page) => expectVisible(page.getByRole('checkbox', { name: /^Browser/ })),
  },
  {
    name: 'account activity',
    answers: allChannels,
    address: '/settings',
    see: (page) => expectVisible(page.getByRole('list', { name: 'Account activity' }).getByText('API key “Looker” created')),
  },
  { name: 'account', answers: demo, address: '/account', see: heading('Google Integration') },
  {
    name: 'account with its list open',
    answers: demo,
    address: '/account',
    async see(page) {
      await page.getByRole('combobox', { name: 'Selected property' }).click()
      await expectVisible(page.getByRole('option').last())
    },
  },
  {
    name: 'disconnecting',
    answers: demo,
    address: '/account',
    async see(page) {
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await expectVisible(page.getByRole('alertdialog'))
    },
  },
  {
    name: 'account with its address not confirmed',
    answers: unconfirmed,
    address: '/account',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Email address' }), page.getByText('This browser')),
  },
  { name: 'account without a password', answers: newcomer, address: '/account', see: heading('Google Integration') },
  {
    name: 'setting up the second factor',
    answers: unconfirmed,
    address: '/account',
    see: secondFactor('Set up', (page) => expectVisible(page.getByRole('img', { name: /^QR code/ }))),
  },
  {
    name: 'recovery codes',
    answers: guarded,
    address: '/account',
    see: secondFactor('New recovery codes', (page) => expectVisible(page.getByRole('list', { name: 'Recovery codes' }))),
  },
  {
    name: 'switching off the second factor',
    answers: guarded,
    address: '/account',
    async see(page) {
      await page.getByRole('button', { name: 'Turn off' }).click()
      await expectVisible(page.getByRole('textbox', { name: 'Your password' }))
    },
  },
  {
    name: 'a refused import',
    answers: demo,
    address: '/account',
    async see(page) {
      await page
        .getByLabel('Exported file')
        .setInputFiles({ name: 'Chart.csv', mimeType: 'text/csv', buffer: Buffer.from('Date,Clicks\nx,1\n') })
      await page.getByRole('textbox', { name: 'Property name' }).fill('refused.example')
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await expectVisible(page.getByText('Nothing was imported'))
    },
  },
  {
    name: 'API & Webhooks',
    answers: allChannels,
    address: '/developers',
    see: (page) => expectVisible(page.getByRole('button', { name: 'Revoke Looker' }), page.getByText('mcpServers')),
  },
  {
    name: 'a new key',
    answers: demo,
    address: '/developers',
    async see(page) {
      await page.getByRole('button', { name: 'New key' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'New key' }).getByRole('button', { name: 'Create key' }))
    },
  },
  {
    name: 'API & Webhooks without a plan that has it',
    answers: newcomer,
    address: '/developers',
    see: heading('An API for your own apps'),
  },
  {
    name: 'settings',
    answers: demo,
    address: '/settings',
    see: (page) => expectVisible(page.getByText('Current plan'), page.getByRole('switch').last()),
  },
  {
    name: 'a smaller plan',
    answers: demo,
    address: '/settings?change=free',
    see: (page) => expectVisible(page.getByRole('dialog').getByText('No data is deleted.')),
  },
  {
    name: 'how often alerts come',
    answers: newcomer,
    address: '/settings',
    async see(page) {
      await page.getByRole('combobox', { name: 'Frequency' }).click()
      await expectVisible(page.getByRole('option').last())
    },
  },
  {
    name: 'deleting the account',
    answers: demo,
    address: '/settings',
    async see(page) {
      await page.getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await expectVisible(page.getByText('Enter your password.'))
    },
  },
]
