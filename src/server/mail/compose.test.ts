import { describe, expect, test } from 'vitest'
import { compose } from './compose.ts'
import type { Email } from './email.ts'

const baseUrl = 'https://rank.example'
const about = { to: 'ann@people.example', username: 'ann' }
const link = `${baseUrl}/open?token=a_b-c&x=1`
const footer = (reason: string): string =>
  `----------------------------------------\n\n${reason}\n\n` +
  `Ranklark monitors your performance in Google Search. Sent from https://rank.example\n`

/** Each email's text part down to the line above the footer. */
const asked = {
  subject: 'No alert came',
  message: 'Clicks fell.\n\nNothing arrived.',
  diagnostics: [{ label: 'Plan', value: 'Pro' }],
  answered: 'within 2 working days',
}
const emails: { email: Email; subject: string; says: string; because: string }[] = [
  {
    email: { kind: 'confirm-address', ...about, link },
    subject: 'Confirm your email address',
    says: `Confirm your email address

The Ranklark account ann uses this email address. If that's your account, confirm the address.

Confirm address: https://rank.example/open?token=a_b-c&x=1

The link works once and expires in 24 hours. Not you? Ignore this email.`,
    because: "You're receiving this email because someone used this address for a Ranklark account.",
  },
  {
    email: { kind: 'confirm-report-recipient', ...about, link, never: 'https://rank.example/never?token=a' },
    subject: 'Get search reports at this address?',
    says: `Get search reports at this address?

The owner of the Ranklark account ann wants to email you reports on a site's performance in Google Search.

Get these reports: https://rank.example/open?token=a_b-c&x=1

The link works for 7 days. Don't know this account? Ignore this email, and no reports will be sent here.`,
    because: `You're receiving this email because someone added this address as a recipient of a Ranklark account's reports.

Don't want to be asked again? Block reports from this account (https://rank.example/never?token=a)`,
  },
  {
    email: { kind: 'confirm-delivery-address', ...about, link, never: 'https://rank.example/never?token=a' },
    subject: 'Confirm this address for alerts',
    says: `Send alerts to this address?

The owner of the Ranklark account ann wants to send its alerts and digests here. Confirm this address if you agree.

Confirm address: https://rank.example/open?token=a_b-c&x=1

The link works for 7 days. Don't know this account? Ignore this email, and no alerts will be sent here.`,
    because: `You're receiving this email because someone asked to send a Ranklark account's alerts to this address.

Don't want to be asked again? Block requests from this account (https://rank.example/never?token=a)`,
  },
  {
    email: { kind: 'address-taken', ...about },
    subject: 'You already have a Ranklark account',
    says: `Someone tried to use your email address

The owner of another account tried to use this address. It belongs to your account ann and will stay there.

If that was you, log in as ann. Forgot your password? You can reset it (https://rank.example/forgot-password).

Log in: https://rank.example/login

If it wasn't you, no action is needed. The other account can't see any of your data.`,
    because: "You're receiving this email because this address belongs to a Ranklark account.",
  },
  {
    email: { kind: 'reset-password', ...about, link, others: [], isConfirmed: true },
    subject: 'Reset your password',
    says: `Reset your password

Someone asked to reset the password for the Ranklark account ann. If this was you, choose a new one.

Choose a new password: https://rank.example/open?token=a_b-c&x=1

The link works once and expires in 1 hour. Not you? Ignore this email, and your password will stay the same.`,
    because: "You're receiving this email because a Ranklark account uses this address.",
  },
  {
    email: { kind: 'password-changed', ...about },
    subject: 'Your password was changed',
    says: `Your password was changed

The Ranklark account ann has a new password. Every other browser was logged out.

If this was you, no action is needed. If it wasn't, reset your password right away.

Reset your password: https://rank.example/forgot-password`,
    because: "You're receiving this email because of a security change to your Ranklark account.",
  },
  {
    email: { kind: 'address-changed', ...about, newAddress: 'new@people.example', link: null },
    subject: 'Your email address is being changed',
    says: `Your email address is being changed

The Ranklark account ann will use new@people.example instead of this address once the new address is confirmed.

If this was you, no action is needed. This address was added to the account less than 7 days ago, so it can't be used to undo the change. If it wasn't you, use the link in the email that was sent to the account's previous address.

Open your profile: https://rank.example/account`,
    because: "You're receiving this email because this address belongs to a Ranklark account.",
  },
  {
    email: { kind: 'address-restored', ...about, restored: 'old@people.example' },
    subject: 'Your email address was changed back',
    says: `Your email address was changed back

The Ranklark account ann uses old@people.example again instead of this address: someone used the undo link we sent there when the address was changed.

Everyone was logged out, and the password was removed. Anyone with access to that inbox can set a new one.

If that isn't your address, or you no longer have it, contact the people who run this installation.

Open Ranklark: https://rank.example`,
    because: "You're receiving this email because this address belonged to a Ranklark account.",
  },
  {
    email: { kind: 'address-changed', ...about, newAddress: 'new@people.example', link: 'https://rank.example/undo-email?token=t' },
    subject: 'Your email address is being changed',
    says: `Your email address is being changed

The Ranklark account ann will use new@people.example instead of this address once the new address is confirmed.

If this was you, no action is needed. If it wasn't, undo the change: your account will keep this address, and everyone will be logged out.

Undo the change: https://rank.example/undo-email?token=t

The link works once, even after the new address is confirmed, and expires in 7 days. After you use it, you'll be asked for a new password.`,
    because: "You're receiving this email because this address belongs to a Ranklark account.",
  },
  {
    email: { kind: 'recovery-codes-changed', ...about },
    subject: 'New recovery codes were created',
    says: `New recovery codes were created

The Ranklark account ann has new recovery codes for two-factor authentication. The old ones no longer work, and every other browser was logged out.

If this was you, no action is needed. If it wasn't, change your password right away, then create new recovery codes.

Open your profile: https://rank.example/account`,
    because: "You're receiving this email because of a security change to your Ranklark account.",
  },
  {
    email: { kind: 'username-changed', ...about, former: 'annie' },
    subject: 'Your username was changed',
    says: `Your username was changed

The Ranklark account annie is now called ann. Log in with the new name, or with this address.

If this was you, no action is needed. If it wasn't, someone is logged in to your account: change your password right away, which logs them out, then change the username back. Nobody else can take the old one for 30 days.

Open your profile: https://rank.example/account`,
    because: "You're receiving this email because of a security change to your Ranklark account.",
  },
  {
    email: { kind: 'two-factor-changed', ...about, enabled: true, link: 'https://rank.example/undo-email?token=t' },
    subject: 'Two-factor authentication was turned on',
    says: `Two-factor authentication was turned on

Logging in to the Ranklark account ann now requires a code from your authenticator app, or a recovery code.

If this was you, no action is needed. If it wasn't, undo the change: this turns two-factor authentication off and logs everyone out, and your account keeps this address.

Undo the change: https://rank.example/undo-email?token=t

The link works once and expires in 7 days. After you use it, you'll be asked for a new password.`,
    because: "You're receiving this email because of a security change to your Ranklark account.",
  },
  {
    email: { kind: 'two-factor-changed', ...about, enabled: false, link: null },
    subject: 'Two-factor authentication was turned off',
    says: `Two-factor authentication was turned off

Logging in to the Ranklark account ann no longer requires a code. The password alone is enough.

If this was you, no action is needed. If it wasn't, change your password right away.

Open your profile: https://rank.example/account`,
    because: "You're receiving this email because of a security change to your Ranklark account.",
  },
  {
    email: { kind: 'google-linked', ...about, account: 'ann@gmail.com' },
    subject: 'A Google account can now be used to log in to your account',
    says: `A Google account can now be used to log in to your account

The Google account ann@gmail.com can now be used to log in to the Ranklark account ann.

If this was you, no action is needed. If it wasn't, remove that Google account and change your password.

Open your profile: https://rank.example/account`,
    because: "You're receiving this email because of a security change to your Ranklark account.",
  },
  {
    email: { kind: 'google-unlinked', ...about },
    subject: 'Google login was removed from your account',
    says: `Google login was removed from your account

You can no longer use a Google account to log in to the Ranklark account ann. All other sessions were logged out.

If this was you, no action is needed. If it wasn't, change your password right away.

Open your profile: https://rank.example/account`,
    because: "You're receiving this email because of a security change to your Ranklark account.",
  },
  {
    email: { kind: 'account-deleted', ...about, plan: 'pro' },
    subject: 'Your account was deleted',
    says: `Your account was deleted

The Ranklark account ann and all its data have been deleted. This can't be undone.

The Pro plan has ended and won't be charged again. Google access has been revoked.

If this wasn't you, someone knows your password. Change it everywhere else you use it.`,
    because: "You're receiving this email because this was the account's address. It's the last email about this account.",
  },
  {
    email: { kind: 'plan-changed', ...about, plan: 'pro', nextChargeAt: '2026-12-03T23:30:00.000Z', isGranted: false },
    subject: "You're on the Pro plan",
    says: `You're on the Pro plan

The Ranklark account ann is now on the Pro plan.

Plan         Pro
Price        $9 a month
Next charge  3 December 2026

See your plan: https://rank.example/settings`,
    because: "You're receiving this email because your Ranklark account's plan changed.",
  },
  {
    email: { kind: 'plan-changed', ...about, plan: 'pro', nextChargeAt: null, isGranted: true },
    subject: "You're on the Pro plan",
    says: `You're on the Pro plan

The Ranklark account ann is now on the Pro plan.

Plan   Pro
Price  Free of charge: your administrator gave you this plan

See your plan: https://rank.example/settings`,
    because: "You're receiving this email because your Ranklark account's plan changed.",
  },
  {
    email: { kind: 'plan-changed', ...about, plan: 'free', nextChargeAt: null, isGranted: false },
    subject: "You're on the Free plan",
    says: `You're on the Free plan

The Ranklark account ann is now on the Free plan.

Plan   Free
Price  Free of charge

See your plan: https://rank.example/settings`,
    because: "You're receiving this email because your Ranklark account's plan changed.",
  },
  {
    email: { kind: 'payment-failed', ...about, plan: 'agency', nextAttemptAt: '2026-12-24T10:00:00.000Z' },
    subject: 'Payment for your Agency plan failed',
    says: `Payment for your Agency plan failed

We couldn't charge your card to renew the Agency plan ($29 a month) for the account ann.

We'll try again on 24 December 2026. Until then, your plan stays active. Check your card or add another one.

Check your card: https://rank.example/settings

If payment keeps failing, the account will move to the Free plan. Nothing will be deleted.`,
    because: "You're receiving this email because your Ranklark account has a paid plan.",
  },
  {
    email: { kind: 'plan-ended', ...about, plan: 'pro', pausedSites: ['sc-domain:shop.example', 'https://blog.example/'] },
    subject: 'Your Pro plan has ended',
    says: `Your Pro plan has ended

The Ranklark account ann is now on the Free plan and won't be charged again.

The Free plan covers 1 site, so 2 sites are paused:

 * shop.example
 * https://blog.example/

Choose which sites to keep: https://rank.example/onboarding/sites

Nothing has been deleted. Paused sites resume when you upgrade.`,
    because: "You're receiving this email because your Ranklark account's plan changed.",
  },
  {
    email: { kind: 'plan-ended', ...about, plan: 'pro', pausedSites: [] },
    subject: 'Your Pro plan has ended',
    says: `Your Pro plan has ended

The Ranklark account ann is now on the Free plan and won't be charged again.

See your plan: https://rank.example/settings

Nothing has been deleted. Paused sites resume when you upgrade.`,
    because: "You're receiving this email because your Ranklark account's plan changed.",
  },
  {
    email: { kind: 'support-request', ...about, ...asked, replyTo: 'ann@people.example', confirmed: true },
    subject: 'Support: No alert came',
    says: `No alert came

From ann (ann@people.example), reply due within 2 working days.

This address is confirmed.

Clicks fell.

Nothing arrived.

Plan  Pro`,
    because: 'Sent from the contact form. Replies go to ann@people.example.',
  },
  {
    email: { kind: 'support-received', ...about, ...asked },
    subject: 'We received your message: No alert came',
    says: `We received your message

You wrote from the account ann. We'll reply to this address within 2 working days. Your message:

Clicks fell.

Nothing arrived.

Account details included:

Plan  Pro`,
    because: "You're receiving this email because you contacted support from your Ranklark account.",
  },
]

test.each(emails)('$email.kind: $subject', ({ email, subject, says, because }) => {
  const composed = compose(email, baseUrl)
  expect(composed.subject).toBe(subject)
  expect(composed.text).toBe(`${says}\n\n${footer(because)}`)
})

describe('every email', () => {
  test.each(emails)('$subject', ({ email }) => {
    const { html } = compose(email, baseUrl)
    expect(html).toMatch(/^<!DOCTYPE html><html dir="ltr" lang="en">/)
    // Dark mode, and nothing that has to be fetched.
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
    expect(html).not.toMatch(/<img|<script|<link |@import|url\(/)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html.match(/class="button"/g) ?? []).toHaveLength(
      ['account-deleted', 'support-request', 'support-received'].includes(email.kind) ? 0 : 1,
    )
    // The preview shown after the subject comes first, and says more than the headline.
    const preview = /data-skip-in-text="true">([^<]+)</.exec(html)?.[1]
    expect(preview).toBeTruthy()
    expect(preview).not.toBe(/<h1[^>]*>([^<]+)</.exec(html)?.[1])
  })
})

test.each([
  ['confirm-address', "A Ranklark account uses this email address. If that's your account, confirm the address."],
  ['confirm-delivery-address', 'The owner of a Ranklark account wants to send its alerts and digests here.'],
  ['confirm-report-recipient', "The owner of a Ranklark account wants to email you reports on a site's performance in Google Search."],
] as const)('%s can do without the name of the account', (kind, words) => {
  const { text } = compose({ kind, to: 'ann@people.example', username: null, link, never: link }, baseUrl)
  expect(text).toContain(words)
})

test('if several accounts claim an address, one email has a link for each', () => {
  const others = [
    { username: 'bob', link: `${link}&of=bob` },
    { username: null, link: `${link}&of=another` },
  ]
  const { text } = compose({ kind: 'reset-password', ...about, link, others, isConfirmed: false }, baseUrl)
  expect(text)
    .toContain(`Someone asked to reset a password, and several Ranklark accounts use this address. If this was you, choose your account:

ann: choose a new password (${link})

bob: choose a new password (${link}&of=bob)

An account whose name isn't shown here: choose a new password (${link}&of=another)

This address was never confirmed, so someone else may have set up the accounts. Setting a new password for one removes that account's Google logins, Search Console connection, API keys, alert destinations, shared links, scheduled reports and two-factor authentication.

Each link works once and expires in 1 hour. Not you? Ignore this email, and all passwords will stay the same.`)
})

test("a payment that isn't retried asks for another card", () => {
  const { text } = compose({ kind: 'payment-failed', ...about, plan: 'pro', nextAttemptAt: null }, baseUrl)
  expect(text).toContain('Check your card or add another one.')
  expect(text).not.toContain('try again')
})

describe('user-supplied names', () => {
  const name = '<b>x</b>\r\nBcc: eve@people.example'
  const shown = '<b>x</b> Bcc: eve@people.example'
  const escaped = '&lt;b&gt;x&lt;/b&gt; Bcc: eve@people.example'
  const hostile: Email[] = emails.map(({ email }) => ({
    ...email,
    username: name,
    ...(email.kind === 'address-changed' && { newAddress: name }),
    ...(email.kind === 'address-restored' && { restored: name }),
    ...(email.kind === 'plan-ended' && { pausedSites: [name, name] }),
  }))

  test.each(hostile)('are text on one line in $kind', (email) => {
    const { subject, html, text } = compose(email, baseUrl)
    expect(html).toContain(escaped)
    expect(html).not.toContain('<b>x')
    expect(text).toContain(shown)
    expect(subject).not.toMatch(/[\r\n<]/)
    expect(html + text).not.toContain('\r\nBcc')
  })

  test("can't change the writing direction", () => {
    const { text } = compose({ kind: 'password-changed', ...about, username: 'ann\u202Ena' }, baseUrl)
    expect(text).toContain('account ann na has')
  })
})
