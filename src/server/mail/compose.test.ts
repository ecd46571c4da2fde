import { describe, expect, test } from 'vitest'
import { compose } from './compose.ts'
import type { Letter } from './letter.ts'

const baseUrl = 'https://rank.example'
const about = { to: 'ann@people.example', username: 'ann' }
const link = `${baseUrl}/open?token=a_b-c&x=1`
const footer = (reason: string): string =>
  `----------------------------------------\n\n${reason}\n\n` +
  `Ranklark watches what Google Search shows of your sites. This installation: https://rank.example\n`

/** What each letter says, in its text part down to the line above the footer. */
const asked = {
  subject: 'No alert came',
  message: 'Clicks fell.\n\nNothing arrived.',
  diagnostics: [{ label: 'Plan', value: 'Pro' }],
  answered: 'within 2 working days',
}
const letters: { letter: Letter; subject: string; says: string; because: string }[] = [
  {
    letter: { kind: 'confirm-address', ...about, link },
    subject: 'Confirm your e-mail address',
    says: `Confirm that this address is yours

The Ranklark account ann names this as its e-mail address. Confirm it if that is you.

Confirm address: https://rank.example/open?token=a_b-c&x=1

The link works once, within 24 hours. If this is not your account, do nothing: it never gets your address without you.`,
    because: 'You get this mail because somebody gave this address for a Ranklark account.',
  },
  {
    letter: { kind: 'confirm-report-recipient', ...about, link, never: 'https://rank.example/never?token=a' },
    subject: 'Do you want search reports at this address?',
    says: `Do you want search reports at this address?

The Ranklark account ann wants to email you reports on how a site does in Google Search.

Get these reports: https://rank.example/open?token=a_b-c&x=1

The link works for 7 days. If you do not know this account, do nothing: without you, no report is sent here.`,
    because: `You get this mail because somebody entered this address as a recipient of a Ranklark account’s reports.

Never ask me again: No reports from this account (https://rank.example/never?token=a)`,
  },
  {
    letter: { kind: 'confirm-delivery-address', ...about, link },
    subject: 'Confirm that alerts may come here',
    says: `Shall alerts come to this address?

The Ranklark account ann wants its alerts and digests sent here. Confirm it if you agree.

Confirm address: https://rank.example/open?token=a_b-c&x=1

The link works for 7 days. If you do not know this account, do nothing: without you, nothing more is sent here.`,
    because: 'You get this mail because somebody asked for alerts of a Ranklark account to be sent to this address.',
  },
  {
    letter: { kind: 'address-taken', ...about, claimedBy: 'ann2' },
    subject: 'You already have a Ranklark account',
    says: `Your address was given for another account

The account ann2 gave this address, at registration or in its profile. The address belongs to your account ann and stays with it.

If that was you, log in as ann. If you have forgotten the password, you can reset it (https://rank.example/forgot-password).

Log in: https://rank.example/login

If it was not you, there is nothing to do: the other account sees nothing of yours.`,
    because: 'You get this mail because this address belongs to a Ranklark account.',
  },
  {
    letter: { kind: 'reset-password', ...about, link, isConfirmed: true },
    subject: 'Reset your password',
    says: `A new password was asked for

Somebody asked to reset the password of the Ranklark account ann. If it was you, choose a new one.

Choose a new password: https://rank.example/open?token=a_b-c&x=1

The link works once, within 1 hour. If it was not you, do nothing: the password stays as it is.`,
    because: 'You get this mail because a Ranklark account names this address.',
  },
  {
    letter: { kind: 'password-changed', ...about },
    subject: 'Your password was changed',
    says: `Your password was changed

The Ranklark account ann has a new password. Every other browser was signed out.

If it was you, there is nothing to do. If it was not, reset the password at once.

Reset the password: https://rank.example/forgot-password`,
    because: 'You get this mail because it is about the security of your Ranklark account.',
  },
  {
    letter: { kind: 'address-changed', ...about, newAddress: 'new@people.example', link: 'https://rank.example/undo-email?token=t' },
    subject: 'Your email address is being changed',
    says: `Your email address is being changed

The Ranklark account ann is about to use new@people.example instead of this address, once that is confirmed.

If this was you, there is nothing to do here. If it was not, undo the change: your account keeps this address, and everyone is logged out.

Undo the change: https://rank.example/undo-email?token=t

The link works once, within 7 days, even after the new address is confirmed. It then asks you for a new password.`,
    because: "You're receiving this email because this is the address of a Ranklark account.",
  },
  {
    letter: { kind: 'two-factor-changed', ...about, enabled: true },
    subject: 'Two-factor authentication was turned on',
    says: `Two-factor authentication was turned on

Logging in to the Ranklark account ann now needs a code of your authenticator app, or a recovery code.

If it was you, there is nothing to do. If it was not, change the password at once.

Open your profile: https://rank.example/account`,
    because: 'You get this mail because it is about the security of your Ranklark account.',
  },
  {
    letter: { kind: 'two-factor-changed', ...about, enabled: false },
    subject: 'Two-factor authentication was turned off',
    says: `Two-factor authentication was turned off

Logging in to the Ranklark account ann needs no code any more: the password alone is enough.

If it was you, there is nothing to do. If it was not, change the password at once.

Open your profile: https://rank.example/account`,
    because: 'You get this mail because it is about the security of your Ranklark account.',
  },
  {
    letter: { kind: 'google-linked', ...about, account: 'ann@gmail.com' },
    subject: 'A Google account can now log in to your account',
    says: `A Google account can now log in to your account

The Google account ann@gmail.com now logs in to the Ranklark account ann.

If this was you, there is nothing to do. If it was not, remove that Google account and change your password.

Open your profile: https://rank.example/account`,
    because: "You're receiving this email because it is about the security of your Ranklark account.",
  },
  {
    letter: { kind: 'account-deleted', ...about, plan: 'pro' },
    subject: 'Your account was deleted',
    says: `Your account was deleted

The Ranklark account ann and everything stored for it were deleted. This cannot be undone.

The Pro plan ends with the account and is not charged again. Access to Google is given back.

If it was not you, somebody knows your password: change it wherever else you use it.`,
    because: 'You get this mail because this was the address of the account. It is the last one about it.',
  },
  {
    letter: { kind: 'plan-changed', ...about, plan: 'pro', nextChargeAt: '2026-12-03T23:30:00.000Z' },
    subject: 'You are on the Pro plan',
    says: `You are on the Pro plan

The Ranklark account ann is on the Pro plan from now on.

Plan         Pro
Price        $9 a month
Next charge  3 December 2026

See your plan: https://rank.example/settings`,
    because: 'You get this mail because the plan of your Ranklark account changed.',
  },
  {
    letter: { kind: 'plan-changed', ...about, plan: 'free', nextChargeAt: null },
    subject: 'You are on the Free plan',
    says: `You are on the Free plan

The Ranklark account ann is on the Free plan from now on.

Plan   Free
Price  Free of charge

See your plan: https://rank.example/settings`,
    because: 'You get this mail because the plan of your Ranklark account changed.',
  },
  {
    letter: { kind: 'payment-failed', ...about, plan: 'agency', nextAttemptAt: '2026-12-24T10:00:00.000Z' },
    subject: 'The payment for your Agency plan failed',
    says: `The payment for your Agency plan failed

The renewal of the Agency plan ($29 a month) of the account ann could not be charged.

We try again on 24 December 2026. Until then everything goes on. Please check your card or enter another one.

Check your card: https://rank.example/settings

If the payment keeps failing, the account goes back to the Free plan. Nothing is deleted.`,
    because: 'You get this mail because your Ranklark account has a paid plan.',
  },
  {
    letter: { kind: 'plan-ended', ...about, plan: 'pro', pausedSites: ['sc-domain:shop.example', 'https://blog.example/'] },
    subject: 'Your Pro plan has ended',
    says: `Your Pro plan has ended

The Ranklark account ann is on the Free plan now, and nothing more is charged.

The Free plan covers 1 site, so 2 sites are paused:

 * shop.example
 * https://blog.example/

Choose what stays: https://rank.example/onboarding/sites

Nothing is deleted: all data stays, and paused sites go on as soon as a plan covers them again.`,
    because: 'You get this mail because the plan of your Ranklark account changed.',
  },
  {
    letter: { kind: 'plan-ended', ...about, plan: 'pro', pausedSites: [] },
    subject: 'Your Pro plan has ended',
    says: `Your Pro plan has ended

The Ranklark account ann is on the Free plan now, and nothing more is charged.

See your plan: https://rank.example/settings

Nothing is deleted: all data stays, and paused sites go on as soon as a plan covers them again.`,
    because: 'You get this mail because the plan of your Ranklark account changed.',
  },
  {
    letter: { kind: 'support-request', ...about, ...asked, replyTo: 'ann@people.example', confirmed: true },
    subject: 'Support: No alert came',
    says: `No alert came

From ann (ann@people.example), to be answered within 2 working days.

This address is confirmed.

Clicks fell.

Nothing arrived.

Plan  Pro`,
    because: 'Sent with the contact form. Replying writes to ann@people.example.',
  },
  {
    letter: { kind: 'support-received', ...about, ...asked },
    subject: 'We have your message: No alert came',
    says: `We have your message

You wrote from the account ann, and will have an answer at this address within 2 working days. Your message:

Clicks fell.

Nothing arrived.

Sent along about your account:

Plan  Pro`,
    because: 'You get this mail because you wrote to support from your Ranklark account.',
  },
]

test.each(letters)('$letter.kind: $subject', ({ letter, subject, says, because }) => {
  const composed = compose(letter, baseUrl)
  expect(composed.subject).toBe(subject)
  expect(composed.text).toBe(`${says}\n\n${footer(because)}`)
})

describe('every letter', () => {
  test.each(letters)('$subject', ({ letter }) => {
    const { html } = compose(letter, baseUrl)
    expect(html).toMatch(/^<!DOCTYPE html><html dir="ltr" lang="en">/)
    // The dark scheme, and nothing that has to be fetched.
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
    expect(html).not.toMatch(/<img|<script|<link |@import|url\(/)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html.match(/class="button"/g) ?? []).toHaveLength(
      ['account-deleted', 'support-request', 'support-received'].includes(letter.kind) ? 0 : 1,
    )
    // What mail programs show behind the subject comes first, and says more than the headline.
    const preview = /data-skip-in-text="true">([^<]+)</.exec(html)?.[1]
    expect(preview).toBeTruthy()
    expect(preview).not.toBe(/<h1[^>]*>([^<]+)</.exec(html)?.[1])
  })
})

test('a payment that is not tried again asks for another card', () => {
  const { text } = compose({ kind: 'payment-failed', ...about, plan: 'pro', nextAttemptAt: null }, baseUrl)
  expect(text).toContain('Please check your card or enter another one.')
  expect(text).not.toContain('try again')
})

describe('names that people gave', () => {
  const name = '<b>x</b>\r\nBcc: eve@people.example'
  const shown = '<b>x</b> Bcc: eve@people.example'
  const escaped = '&lt;b&gt;x&lt;/b&gt; Bcc: eve@people.example'
  const hostile: Letter[] = letters.map(({ letter }) => ({
    ...letter,
    username: name,
    ...(letter.kind === 'address-taken' && { claimedBy: name }),
    ...(letter.kind === 'address-changed' && { newAddress: name }),
    ...(letter.kind === 'plan-ended' && { pausedSites: [name, name] }),
  }))

  test.each(hostile)('are text on one line in $kind', (letter) => {
    const { subject, html, text } = compose(letter, baseUrl)
    expect(html).toContain(escaped)
    expect(html).not.toContain('<b>x')
    expect(text).toContain(shown)
    expect(subject).not.toMatch(/[\r\n<]/)
    expect(html + text).not.toContain('\r\nBcc')
  })

  test('cannot turn the direction of writing around', () => {
    const { text } = compose({ kind: 'password-changed', ...about, username: 'ann\u202Ena' }, baseUrl)
    expect(text).toContain('account ann na has')
  })
})
