import type { Page } from 'playwright-core'
import { twoFactorSetup } from '../../src/contract/account.ts'
import type { TestApp } from './app.ts'
import { expectVisible } from './browser-expect.ts'
import { newPerson, refresh, registered, select, shortenHistory } from './people.ts'
import { putAlerts } from './stored-alerts.ts'
import { totp } from './totp.ts'
import type { Visitor } from './visitor.ts'

export { expectAccessible, expectWithinWindow, tooSmallForFingers } from './browser-accessible.ts'

/** The standing cast: somebody with everything, and people who lack something. */
export type Cast = Record<
  'demo' | 'newcomer' | 'unconnected' | 'cutOff' | 'unconfirmed' | 'guarded' | 'lapsed' | 'told' | 'alerted' | 'watchful',
  Visitor
>

/** A place, who goes there, and what they do and see before it is looked at. */
export type Screen = { name: string; who: keyof Cast | null; address: string; see: (page: Page) => Promise<void> }

export async function castOf(app: TestApp): Promise<Cast> {
  const newcomer = await newPerson(app, { email: 'new@example.test' })
  const unconnected = await newPerson(app, { email: 'unconnected@example.test' })
  await unconnected.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
  const site = 'https://a-property-with-a-rather-long-name.example/below/a/path/'
  const cutOff = await newPerson(app, { email: 'cut-off@example.test', sites: { [site]: 'empty' } })
  await app.google.call('POST', 'tokens/revoke', { account: 'cut-off@example.test' })
  await select(cutOff, site)
  await refresh(cutOff, site)
  const unconfirmed = await registered(app, 'unconfirmed')
  return {
    demo: await app.demo(),
    newcomer,
    unconnected,
    cutOff,
    unconfirmed,
    guarded: await guardedPerson(app),
    lapsed: await lapsedPerson(app),
    told: await toldPerson(app),
    alerted: await alertedPerson(app, 'alerted', 110),
    watchful: await alertedPerson(app, 'watchful'),
  }
}

/** Somebody who is told in every way, one of which leads nowhere any more, and is about to be told elsewhere. */
async function toldPerson(app: TestApp): Promise<Visitor> {
  const site = 'https://told.example/'
  const person = await newPerson(app, { email: 'told@example.test', plan: 'agency', sites: { [site]: 'empty' } })
  await shortenHistory(app, site, 3)
  await select(person, site)
  const hook = 'T00000001/B00000009/abcdefghijklmnopqrstuvwx'
  await person.send('PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl(hook) })
  await app.slack.setHook(hook, 'revoked')
  await person.send('POST', '/api/delivery-channels/slack/test')
  await person.send('PUT', '/api/delivery-channels/webhook', { url: app.webhook.hookUrl })
  await person.send('PUT', '/api/delivery-channels/sms', { number: '+44 20 7946 0009' })
  await person.send('PUT', '/api/delivery-channels/email', { address: 'alerts-of-a-rather-long-name@a-subdomain.example.test' })
  await person.send('POST', '/api/report-clients', { name: 'Oak & Elm', properties: [site] })
  await person.send('PATCH', '/api/delivery-settings', { smsEnabled: true, frequency: 'weekly', quietHours: { from: 22, until: 7 } })
  const key = 'A dashboard in the hall that shows the figures of every client we have, and alerts'
  await person.send('POST', '/api/keys', { name: key.slice(0, 80), scope: 'write', days: null })
  await person.send('POST', '/api/keys', { name: 'Looker', scope: 'read', days: 30 })
  return person
}

/** Somebody with alerts of every severity and state, about short and long names, and with `others` besides. */
async function alertedPerson(app: TestApp, name: string, others = 0): Promise<Visitor> {
  const site = `https://a-property-with-alerts-by-the-name-of-${name}.example/`
  const person = await newPerson(app, { email: `${name}@example.test`, sites: { [site]: 'empty' } })
  await shortenHistory(app, site, 3)
  await select(person, site)
  const before = (hours: number) => new Date(app.google.now().getTime() - hours * 3_600_000).toISOString()
  const page = { kind: 'page', name: `${site}lamps/floor-lamps/arched-oak-reading-lamp-with-linen-shade?colour=natural` } as const
  const query = (words: string) => ({ kind: 'query', name: words }) as const
  await putAlerts(app, site, [
    { openedAt: before(1), severity: 'critical', entity: page, previous: 12_400, current: 7_680, change: -38.06 },
    {
      openedAt: before(20),
      type: 'position',
      entity: query('reading lamp'),
      previous: 3.2,
      current: 7.6,
      change: 4.4,
      state: 'acknowledged',
    },
    {
      openedAt: before(70),
      severity: 'positive',
      type: 'impressions',
      previous: 21_400,
      current: 34_250,
      change: 60.05,
      state: 'recovered',
    },
    { openedAt: before(90), severity: 'info', entity: query('lamp'), previous: null, current: 40, change: null, viewed: true },
    ...Array.from({ length: others }, (_, index) => ({ openedAt: before(100 + index), entity: query(`query ${index}`) })),
  ])
  return person
}

/** Somebody whose plan no longer covers all of their sites. */
async function lapsedPerson(app: TestApp): Promise<Visitor> {
  const sites = ['https://lapsed.example/', 'https://a-second-property.example/with/a/path/']
  const person = await newPerson(app, {
    email: 'lapsed@example.test',
    plan: 'pro',
    sites: Object.fromEntries(sites.map((site) => [site, 'empty' as const])),
  })
  for (const site of sites) await shortenHistory(app, site, 3)
  await person.send('POST', '/api/gsc-properties/monitor', { sites })
  await person.send('POST', '/api/create-subscription', { planType: 'free' })
  return person
}

const castPassword = 'a-good-password'

/** Somebody with a second factor. */
async function guardedPerson(app: TestApp): Promise<Visitor> {
  const person = await registered(app, 'guarded', castPassword)
  const { body } = await person.send('POST', '/api/user/two-factor', { password: castPassword })
  await person.send('POST', '/api/user/two-factor/confirm', { code: totp(twoFactorSetup.parse(body).secret) })
  return person
}

const heading = (name: string) => (page: Page) => expectVisible(page.getByRole('heading', { name }))

async function cards(page: Page): Promise<void> {
  await expectVisible(page.getByRole('region', { name: 'Position' }), page.getByText('complete through'))
}

async function propertyMenu(page: Page): Promise<void> {
  await cards(page)
  await page.getByRole('button', { name: /^Property:/ }).click()
  await expectVisible(page.getByRole('menuitem').last())
}

/** Opens the palette, and waits until all is there that holds a text. */
const searching = (text: string) => async (page: Page) => {
  await expectVisible(page.getByRole('banner'))
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('combobox', { name: 'Search' }).fill(text)
  await expectVisible(dialog.getByRole('option'))
  if (text === 'lamp') await expectVisible(dialog.getByRole('group', { name: 'Pages' }))
}

/** Opens a dialog about the second factor and proves with the password. */
const secondFactor = (opener: string, see: (page: Page) => Promise<void>) => async (page: Page) => {
  await page.getByRole('button', { name: opener, exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Your password' }).fill(castPassword)
  await page.keyboard.press('Enter')
  await see(page)
}

/** Chooses Pro and waits for Stripe's form. */
async function toPayment(page: Page): Promise<void> {
  await page.getByRole('article', { name: 'Pro' }).getByRole('button', { name: 'Select Plan' }).click()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await page.locator('button:enabled', { hasText: 'Pay $9/month' }).waitFor()
}

async function newAlert(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New Alert' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Alert' })
  await expectVisible(dialog.getByRole('figure', { name: 'Backtest' }).getByText(/alert in|alerted on/))
}

/** Makes a rule beyond the four, unless somebody has done so before. */
async function otherRule(page: Page): Promise<void> {
  await expectVisible(page.getByRole('region', { name: 'Position drop' }))
  const edit = page.getByRole('button', { name: 'Edit Clicks drop (copy)' })
  if ((await edit.count()) > 0) return
  await page.getByRole('button', { name: 'Duplicate Clicks drop' }).click()
  await expectVisible(page.getByRole('dialog', { name: 'Edit Alert' }))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expectVisible(edit)
}

/** Every screen there is, and the states in which it looks different. A new screen belongs here. */
export const screens: Screen[] = [
  { name: 'login', who: null, address: '/login', see: (page) => expectVisible(page.getByRole('button', { name: 'Login' })) },
  {
    name: 'login with mistakes',
    who: null,
    address: '/login',
    async see(page) {
      await page.getByRole('button', { name: 'Login' }).click()
      await expectVisible(page.getByText('Username must be at least 3 characters'))
    },
  },
  {
    name: 'a message of failure',
    who: null,
    address: '/login?error=auth_failed',
    see: (page) => expectVisible(page.getByText('Authentication Failed')),
  },
  {
    name: 'register',
    who: null,
    address: '/login?tab=register',
    see: (page) => expectVisible(page.getByRole('button', { name: 'Create Account' })),
  },
  {
    name: 'register with mistakes',
    who: null,
    address: '/login?tab=register',
    async see(page) {
      await page.getByRole('textbox', { name: 'Confirm password' }).fill('another')
      await page.getByRole('button', { name: 'Create Account' }).click()
      await expectVisible(page.getByText('Passwords do not match'))
    },
  },
  {
    name: 'second step of the login',
    who: null,
    address: '/login?two-factor=1',
    see: (page) => expectVisible(page.getByRole('textbox', { name: 'Code' })),
  },
  { name: 'forgot password', who: null, address: '/forgot-password', see: heading('Forgot password') },
  {
    name: 'forgot password, asked',
    who: null,
    address: '/forgot-password',
    async see(page) {
      await page.getByRole('textbox', { name: 'Email' }).fill('somebody@example.test')
      await page.keyboard.press('Enter')
      await heading('Check your mail')(page)
    },
  },
  { name: 'new password', who: null, address: '/reset-password?token=made-up', see: heading('Choose a new password') },
  { name: 'new password without a link', who: null, address: '/reset-password', see: heading('This link does not work') },
  { name: 'confirm address', who: null, address: '/verify-email?token=made-up', see: heading('Confirm your e-mail address') },
  {
    name: 'confirm address, refused',
    who: 'unconfirmed',
    address: '/verify-email?token=made-up',
    async see(page) {
      await page.getByRole('button', { name: 'Confirm address' }).click()
      await expectVisible(page.getByRole('button', { name: 'Send a new link' }))
    },
  },
  { name: 'confirm where alerts go', who: null, address: '/confirm-delivery?token=made-up', see: heading('Alerts by email') },
  {
    name: 'confirm where alerts go, refused',
    who: null,
    address: '/confirm-delivery?token=made-up',
    async see(page) {
      await page.getByRole('button', { name: 'Confirm this address' }).click()
      await heading('This link does not work')(page)
    },
  },
  {
    name: 'no more mail, by a link that is not ours',
    who: null,
    address: '/unsubscribe?token=a.b',
    see: heading('This link does not work'),
  },
  { name: 'not found', who: null, address: '/nowhere', see: heading('404 Page Not Found') },
  { name: 'dashboard', who: 'demo', address: '/dashboard', see: cards },
  {
    name: 'dashboard with hours, none of which is there yet',
    who: 'told',
    address: '/dashboard',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Today so far' }).getByText('No hours yet', { exact: false })),
  },
  {
    name: 'dashboard of a plan without hours',
    who: 'watchful',
    address: '/dashboard',
    see: (page) => expectVisible(page.getByText('Today so far, and alerts within the hour')),
  },
  {
    name: 'dashboard with a tooltip',
    who: 'demo',
    address: '/dashboard',
    async see(page) {
      await cards(page)
      await page
        .getByRole('button', { name: /vs previous 7 days/ })
        .last()
        .focus()
      await expectVisible(page.getByRole('tooltip'))
    },
  },
  {
    name: 'dashboard with a table',
    who: 'demo',
    address: '/dashboard',
    async see(page) {
      await cards(page)
      await page.getByRole('button', { name: 'Show Clicks as table' }).click()
      await expectVisible(page.getByRole('table'))
    },
  },
  { name: 'search', who: 'demo', address: '/dashboard', see: searching('') },
  { name: 'search with results', who: 'demo', address: '/dashboard', see: searching('lamp') },
  { name: 'search without a property', who: 'newcomer', address: '/account', see: searching('settings') },
  {
    name: 'help menu',
    who: 'demo',
    address: '/settings',
    async see(page) {
      await page.getByRole('button', { name: 'Help', exact: true }).click()
      await expectVisible(page.getByRole('menuitem', { name: 'Help page' }))
    },
  },
  {
    name: 'contact support',
    who: 'demo',
    address: '/contact',
    see: (page) => expectVisible(page.getByRole('checkbox', { name: /^Browser/ })),
  },
  {
    name: 'account activity',
    who: 'told',
    address: '/settings',
    see: (page) => expectVisible(page.getByRole('list', { name: 'Account activity' }).getByText('API key “Looker” created')),
  },
  {
    name: 'keyboard shortcuts',
    who: 'demo',
    address: '/settings',
    async see(page) {
      await expectVisible(page.getByRole('banner'))
      await page.keyboard.press('?')
      await expectVisible(page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    },
  },
  { name: 'property menu', who: 'demo', address: '/dashboard', see: propertyMenu },
  {
    name: 'import dialog',
    who: 'demo',
    address: '/dashboard',
    async see(page) {
      await propertyMenu(page)
      await page.getByRole('menuitem', { name: 'Import a file…' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Import a file' }))
    },
  },
  { name: 'dashboard without a property', who: 'newcomer', address: '/dashboard', see: heading('No Search Console data available') },
  {
    name: 'dashboard without access',
    who: 'cutOff',
    address: '/dashboard',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Connection' }).getByRole('link', { name: 'Reconnect Google' })),
  },
  {
    name: 'alert settings',
    who: 'demo',
    address: '/alert-settings',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Position drop' }), page.getByRole('button', { name: 'Save Settings' })),
  },
  {
    name: 'alert settings with mistakes',
    who: 'demo',
    address: '/alert-settings',
    async see(page) {
      await page.getByRole('region', { name: 'Clicks drop' }).getByRole('spinbutton').fill('101')
      await page.getByRole('region', { name: 'Position drop' }).getByLabel('Minimum impressions').fill('0')
      await page.getByRole('button', { name: 'Save Settings' }).click()
      await expectVisible(page.getByText('A percentage is at most 100'), page.getByText('Minimum impressions must be at least 1'))
    },
  },
  {
    name: 'how somebody is told, in every way',
    who: 'told',
    address: '/alert-settings',
    see: (page) =>
      expectVisible(
        page.getByText(/the webhook was revoked/),
        page.getByRole('textbox', { name: 'Code' }),
        page.getByRole('region', { name: /^Waiting for confirmation/ }),
        page.getByRole('combobox', { name: 'Until' }),
      ),
  },
  {
    name: 'a new secret of a webhook',
    who: 'told',
    address: '/alert-settings',
    async see(page) {
      await page.getByText('How your server knows that a message is ours').click()
      await page.getByRole('button', { name: 'New secret' }).click()
      await page.getByRole('button', { name: 'Make a new secret' }).click()
      await expectVisible(page.getByText(/^whsec_/), page.getByText('webhook-timestamp', { exact: true }))
    },
  },
  {
    name: 'time zones',
    who: 'told',
    address: '/alert-settings',
    async see(page) {
      await page.getByRole('combobox', { name: 'Time zone', exact: true }).click()
      await page.getByRole('combobox', { name: 'Search for a city or region' }).fill('new')
      await expectVisible(page.getByRole('option', { name: 'America/New York' }))
    },
  },
  {
    name: 'delivery with mistakes',
    who: 'told',
    address: '/alert-settings',
    async see(page) {
      await page.getByRole('button', { name: 'Replace webhook' }).click()
      await page.getByRole('textbox', { name: 'Webhook' }).fill('https://example.com/')
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByRole('button', { name: 'Confirm number' }).click()
      await expectVisible(page.getByText(/^Only Slack's own addresses/), page.getByText('The code has six digits'))
    },
  },
  {
    name: 'delivery that the plan does not have',
    who: 'lapsed',
    address: '/alert-settings',
    see: (page) => expectVisible(page.getByText('Available on the Agency plan', { exact: true })),
  },
  {
    name: 'a channel that leads nowhere any more',
    who: 'told',
    address: '/dashboard',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Slack alerts' })),
  },
  {
    name: 'alert history',
    who: 'alerted',
    address: '/alert-history',
    see: (page) => expectVisible(page.getByText('1–25 of 114 alerts'), page.getByText('Recovered')),
  },
  {
    name: 'alert history of samples',
    who: 'lapsed',
    address: '/alert-history',
    see: (page) => expectVisible(page.getByText('Sample', { exact: true })),
  },
  { name: 'alert history without a match', who: 'lapsed', address: '/alert-history?severity=critical', see: heading('No critical alerts') },
  { name: 'alert history without a property', who: 'newcomer', address: '/alert-history', see: heading('Property Required') },
  {
    name: 'dashboard with open alerts',
    who: 'alerted',
    address: '/dashboard',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Open alerts' }).getByRole('article')),
  },
  {
    name: 'notifications',
    who: 'alerted',
    address: '/account',
    async see(page) {
      await page.getByRole('button', { name: 'Notifications, 99+ unread' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem'))
    },
  },
  {
    name: 'no notifications',
    who: 'lapsed',
    address: '/account',
    async see(page) {
      await page.getByRole('button', { name: 'Notifications', exact: true }).click()
      await heading('No unread alerts')(page)
    },
  },
  {
    name: 'active alerts',
    who: 'watchful',
    address: '/alerts',
    see: (page) => expectVisible(page.getByRole('article')),
  },
  {
    name: 'active alerts as a table, some of them chosen',
    who: 'alerted',
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
    who: 'watchful',
    address: '/alerts?range=custom',
    async see(page) {
      await page.getByRole('button', { name: /^Dates:/ }).click()
      await expectVisible(page.getByRole('dialog').getByText('Choose the first day.'))
    },
  },
  {
    name: 'snoozing an alert until a date',
    who: 'watchful',
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
    who: 'alerted',
    address: '/alerts',
    async see(page) {
      await page.getByRole('link', { name: 'View full report' }).first().click()
      await expectVisible(page.getByRole('list', { name: 'Timeline' }), page.getByRole('slider', { name: /^When did/ }))
    },
  },
  {
    name: 'alert report with its days as a table',
    who: 'alerted',
    address: '/alerts',
    async see(page) {
      await page.getByRole('link', { name: 'View full report' }).first().click()
      await page.getByRole('button', { name: /^Show as table: / }).click()
      await expectVisible(page.getByRole('dialog').getByRole('table'))
    },
  },
  { name: 'no such alert', who: 'newcomer', address: '/alerts/999999999', see: heading('Alert not found') },
  { name: 'no active alerts', who: 'lapsed', address: '/alerts', see: heading('No alerts at this time') },
  {
    name: 'no active alerts in the table',
    who: 'lapsed',
    address: '/alerts?view=table',
    see: (page) => expectVisible(page.getByRole('button', { name: 'Create New Alert' })),
  },
  { name: 'active alerts without a property', who: 'newcomer', address: '/alerts', see: heading('Property Required') },
  {
    name: 'alert settings with something unsaved',
    who: 'demo',
    address: '/alert-settings',
    async see(page) {
      await page.getByRole('region', { name: 'Clicks drop' }).getByRole('spinbutton').fill('40')
      await expectVisible(page.getByText('Unsaved changes: Clicks drop'))
    },
  },
  {
    name: 'alert settings left with something unsaved',
    who: 'demo',
    address: '/alert-settings',
    async see(page) {
      await page.getByRole('region', { name: 'Clicks drop' }).getByRole('spinbutton').fill('40')
      await page.getByRole('link', { name: 'Dashboard' }).click()
      await expectVisible(page.getByRole('alertdialog', { name: 'Leave without saving?' }))
    },
  },
  { name: 'new alert', who: 'demo', address: '/alert-settings', see: newAlert },
  {
    name: 'new alert with its templates',
    who: 'demo',
    address: '/alert-settings',
    async see(page) {
      await newAlert(page)
      await page.getByRole('combobox', { name: 'Start from' }).click()
      await expectVisible(page.getByRole('option', { name: 'CTR drop' }))
    },
  },
  {
    name: 'new alert with mistakes',
    who: 'demo',
    address: '/alert-settings',
    async see(page) {
      await newAlert(page)
      await page.getByRole('dialog').getByRole('spinbutton').fill('101')
      await page.getByRole('button', { name: 'Create Alert' }).click()
      await expectVisible(page.getByText('Give the rule a title'), page.getByText('A percentage is at most 100'))
    },
  },
  { name: 'other rules', who: 'demo', address: '/alert-settings', see: otherRule },
  {
    name: 'an alert being edited',
    who: 'demo',
    address: '/alert-settings',
    async see(page) {
      await otherRule(page)
      await page.getByRole('button', { name: 'Edit Clicks drop (copy)' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'Edit Alert' }))
    },
  },
  { name: 'alert settings without a property', who: 'newcomer', address: '/alert-settings', see: heading('Property Required') },
  { name: 'account', who: 'demo', address: '/account', see: heading('Google Integration') },
  {
    name: 'account with its list open',
    who: 'demo',
    address: '/account',
    async see(page) {
      await page.getByRole('combobox', { name: 'Selected property' }).click()
      await expectVisible(page.getByRole('option').last())
    },
  },
  {
    name: 'disconnecting',
    who: 'demo',
    address: '/account',
    async see(page) {
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await expectVisible(page.getByRole('alertdialog'))
    },
  },
  {
    name: 'account with its address not confirmed',
    who: 'unconfirmed',
    address: '/account',
    see: (page) => expectVisible(page.getByRole('region', { name: 'E-mail address' }), page.getByText('This one')),
  },
  { name: 'account without a password', who: 'newcomer', address: '/account', see: heading('Google Integration') },
  {
    name: 'setting up the second factor',
    who: 'unconfirmed',
    address: '/account',
    see: secondFactor('Set up', (page) => expectVisible(page.getByRole('img', { name: /^QR code/ }))),
  },
  {
    name: 'recovery codes',
    who: 'guarded',
    address: '/account',
    see: secondFactor('New recovery codes', (page) => expectVisible(page.getByRole('list', { name: 'Recovery codes' }))),
  },
  {
    name: 'switching off the second factor',
    who: 'guarded',
    address: '/account',
    async see(page) {
      await page.getByRole('button', { name: 'Switch off' }).click()
      await expectVisible(page.getByRole('textbox', { name: 'Your password' }))
    },
  },
  {
    name: 'a refused import',
    who: 'demo',
    address: '/account',
    async see(page) {
      await page
        .getByLabel('Export file')
        .setInputFiles({ name: 'Chart.csv', mimeType: 'text/csv', buffer: Buffer.from('Date,Clicks\nx,1\n') })
      await page.getByRole('textbox', { name: 'Property name' }).fill('refused.example')
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await expectVisible(page.getByText('Nothing was imported'))
    },
  },
  {
    name: 'choice of a plan',
    who: null,
    address: '/onboarding/plan',
    async see(page) {
      await page.getByRole('article', { name: 'Agency' }).getByRole('button', { name: 'Select Plan' }).click()
      await expectVisible(page.getByRole('button', { name: 'Selected' }))
    },
  },
  { name: 'payment', who: 'unconfirmed', address: '/onboarding/plan', see: toPayment },
  {
    name: 'a card that was declined',
    who: 'unconfirmed',
    address: '/onboarding/plan',
    async see(page) {
      await toPayment(page)
      await page.getByRole('button', { name: 'Pay $9/month' }).click()
      await expectVisible(page.getByText('Payment Failed'))
    },
  },
  {
    name: 'API & Webhooks',
    who: 'told',
    address: '/developers',
    see: (page) => expectVisible(page.getByRole('button', { name: 'Revoke Looker' }), page.getByText('mcpServers')),
  },
  {
    name: 'a new key',
    who: 'demo',
    address: '/developers',
    async see(page) {
      await page.getByRole('button', { name: 'New key' }).click()
      await expectVisible(page.getByRole('dialog', { name: 'New key' }).getByRole('button', { name: 'Make key' }))
    },
  },
  {
    name: 'API & Webhooks without a plan that has it',
    who: 'newcomer',
    address: '/developers',
    see: heading('An API for your own programs'),
  },
  {
    name: 'settings',
    who: 'demo',
    address: '/settings',
    see: (page) => expectVisible(page.getByText('Current plan'), page.getByRole('switch').last()),
  },
  {
    name: 'a smaller plan',
    who: 'demo',
    address: '/settings?change=free',
    see: (page) => expectVisible(page.getByRole('dialog').getByText('Nothing is deleted.')),
  },
  {
    name: 'welcome',
    who: 'demo',
    address: '/dashboard',
    async see(page) {
      await page.evaluate(() => localStorage.clear())
      await page.reload()
      await expectVisible(page.getByText('Step 1 of 4'))
    },
  },
  {
    name: 'dashboard with paused sites',
    who: 'lapsed',
    address: '/dashboard',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Paused sites' })),
  },
  {
    name: 'choice of the sites that stay',
    who: 'lapsed',
    address: '/onboarding/sites',
    see: (page) => expectVisible(page.getByText('paused', { exact: true })),
  },
  { name: 'choice of sites', who: 'demo', address: '/onboarding/sites', see: (page) => expectVisible(page.getByRole('checkbox').last()) },
  { name: 'no sites to choose from', who: 'newcomer', address: '/onboarding/sites', see: heading('No Properties Found') },
  { name: 'sites that cannot be listed', who: 'cutOff', address: '/onboarding/sites', see: heading('Unable to Load Properties') },
  { name: 'sites without a connection', who: 'unconnected', address: '/onboarding/sites', see: heading('Connect Google Search Console') },
  ...['opportunities', 'analysis', 'movement', 'competing', 'brand'].map((tab): Screen => ({
    name: `keyword opportunities: ${tab}`,
    who: 'demo',
    address: `/keyword-opportunities?tab=${tab}`,
    // Of the demo, no keyword is new.
    see: (page) => expectVisible(page.getByRole('main').getByText(/complete through 15 Mar|^No new keywords$/)),
  })),
  {
    name: 'keyword opportunities: how the score is made',
    who: 'demo',
    address: '/keyword-opportunities',
    async see(page) {
      await page.getByRole('button', { name: 'How the score is made' }).click()
      await expectVisible(page.getByRole('dialog').getByRole('link', { name: 'More about the score' }))
    },
  },
  {
    name: 'keyword opportunities without a property',
    who: 'newcomer',
    address: '/keyword-opportunities',
    see: heading('Property Required'),
  },
  { name: 'reports without a whole month', who: 'demo', address: '/reports', see: heading('No complete month yet') },
  {
    name: 'report of a week',
    who: 'demo',
    address: '/reports?kind=week',
    see: (page) =>
      expectVisible(page.getByRole('heading', { name: 'Weekly report: 9–15 Mar 2026' }), page.getByRole('heading', { name: 'Alerts' })),
  },
  { name: 'reports without a property', who: 'newcomer', address: '/reports', see: heading('Property Required') },
  ...['schedules', 'clients', 'brand', 'links', 'pdfs'].map((tab): Screen => ({
    name: `reports that the plan does not have: ${tab}`,
    who: 'newcomer',
    address: `/reports?tab=${tab}`,
    see: (page) => expectVisible(page.getByRole('link', { name: 'See plans' })),
  })),
  {
    name: 'reports: a new schedule with mistakes',
    who: 'told',
    address: '/reports?tab=schedules',
    async see(page) {
      await page.getByRole('button', { name: 'New schedule' }).click()
      await page.getByRole('button', { name: 'Create schedule' }).click()
      await expectVisible(page.getByText('Enter at least one recipient'))
    },
  },
  {
    name: 'reports: a client',
    who: 'told',
    address: '/reports?tab=clients',
    see: (page) => expectVisible(page.getByRole('article', { name: 'Oak & Elm' })),
  },
  {
    name: 'reports: a brand',
    who: 'told',
    address: '/reports?tab=brand',
    see: (page) => expectVisible(page.getByRole('region', { name: 'Preview' })),
  },
  { name: 'reports: no links', who: 'told', address: '/reports?tab=links', see: heading('No links yet') },
  { name: 'reports: no PDFs', who: 'told', address: '/reports?tab=pdfs', see: heading('No PDFs yet') },
  { name: 'a shared report that was withdrawn', who: null, address: '/shared/made-up', see: heading('This link does not work') },
  {
    name: 'how often alerts come',
    who: 'newcomer',
    address: '/settings',
    async see(page) {
      await page.getByRole('combobox', { name: 'Frequency' }).click()
      await expectVisible(page.getByRole('option').last())
    },
  },
  {
    name: 'deleting the account',
    who: 'demo',
    address: '/settings',
    async see(page) {
      await page.getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await expectVisible(page.getByText('Enter your password.'))
    },
  },
]
