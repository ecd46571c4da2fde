import type { HeldPlan } from '../../../contract/user.ts'
import { plans } from '../../../core/billing/plans.ts'
import { action, draft, type Draft, inlineLink, paragraph, remark, strong, theAccount } from '../layout.ts'
import type { EmailOf } from '../email.ts'

const aboutSecurity = "You're receiving this email because of a security change to your Ranklark account."

export function resetPassword(email: EmailOf<'reset-password'>, baseUrl: string): Draft {
  const { username, link, others, isConfirmed } = email
  const isOne = others.length === 0
  return draft(
    {
      subject: 'Reset your password',
      preview: isOne ? 'The link works once and expires in 1 hour.' : 'Each link works once and expires in 1 hour.',
      reason: "You're receiving this email because a Ranklark account uses this address.",
      baseUrl,
    },
    isOne
      ? paragraph('Someone asked to reset the password for ', ...theAccount(username), '. If this was you, choose a new one.')
      : paragraph(
          'Someone asked to reset a password, and several Ranklark accounts use this address. If this was you, choose your account:',
        ),
    ...(isOne ? [] : [{ username, link }, ...others].map((each) => claimant(each))),
    ...(isConfirmed ? [] : [paragraph(isOne ? ofOne : ofSeveral)]),
    ...(isOne ? [action('Choose a new password', link)] : []),
    remark(
      isOne
        ? 'The link works once and expires in 1 hour. Not you? Ignore this email, and your password will stay the same.'
        : 'Each link works once and expires in 1 hour. Not you? Ignore this email, and all passwords will stay the same.',
    ),
  )
}

const claimant = ({ username, link }: { username: string | null; link: string }) =>
  paragraph(
    username === null ? "An account whose name isn't shown here" : strong(username),
    ': ',
    inlineLink('choose a new password', link),
  )

const ofOne =
  'This address was never confirmed, so someone else may have set up the account. Setting a new password removes its Google logins, Search Console connection, API keys, alert destinations, shared links, scheduled reports and two-factor authentication.'
const ofSeveral =
  "This address was never confirmed, so someone else may have set up the accounts. Setting a new password for one removes that account's Google logins, Search Console connection, API keys, alert destinations, shared links, scheduled reports and two-factor authentication."

export function passwordChanged({ username }: EmailOf<'password-changed'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'Your password was changed',
      preview: "If this wasn't you, reset it right away.",
      reason: aboutSecurity,
      baseUrl,
    },
    paragraph('The Ranklark account ', strong(username), ' has a new password. Every other browser was logged out.'),
    paragraph("If this was you, no action is needed. If it wasn't, reset your password right away."),
    action('Reset your password', `${baseUrl}/forgot-password`),
  )
}

export function twoFactorChanged({ username, enabled, link }: EmailOf<'two-factor-changed'>, baseUrl: string): Draft {
  return draft(
    {
      subject: `Two-factor authentication was turned ${enabled ? 'on' : 'off'}`,
      preview: enabled ? 'Logging in now requires a code.' : 'Your password alone is now enough to log in.',
      reason: aboutSecurity,
      baseUrl,
    },
    enabled
      ? paragraph(
          'Logging in to the Ranklark account ',
          strong(username),
          ' now requires a code from your authenticator app, or a recovery code.',
        )
      : paragraph('Logging in to the Ranklark account ', strong(username), ' no longer requires a code. The password alone is enough.'),
    ...(link === null
      ? [
          paragraph("If this was you, no action is needed. If it wasn't, change your password right away."),
          action('Open your profile', `${baseUrl}/account`),
        ]
      : [
          paragraph(
            "If this was you, no action is needed. If it wasn't, undo the change: this turns two-factor authentication off and logs everyone out, and your account keeps this address.",
          ),
          action('Undo the change', link),
          remark("The link works once and expires in 7 days. After you use it, you'll be asked for a new password."),
        ]),
  )
}

export function recoveryCodesChanged({ username }: EmailOf<'recovery-codes-changed'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'New recovery codes were created',
      preview: 'The old ones no longer work.',
      reason: aboutSecurity,
      baseUrl,
    },
    paragraph(
      'The Ranklark account ',
      strong(username),
      ' has new recovery codes for two-factor authentication. The old ones no longer work, and every other browser was logged out.',
    ),
    paragraph("If this was you, no action is needed. If it wasn't, change your password right away, then create new recovery codes."),
    action('Open your profile', `${baseUrl}/account`),
  )
}

export function usernameChanged({ username, former }: EmailOf<'username-changed'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'Your username was changed',
      preview: 'Log in with the new one, or with this address.',
      reason: aboutSecurity,
      baseUrl,
    },
    paragraph(
      'The Ranklark account ',
      strong(former),
      ' is now called ',
      strong(username),
      '. Log in with the new name, or with this address.',
    ),
    paragraph(
      "If this was you, no action is needed. If it wasn't, someone is logged in to your account: change your password right away, which logs them out, then change the username back. Nobody else can take the old one for 30 days.",
    ),
    action('Open your profile', `${baseUrl}/account`),
  )
}

export function googleLinked({ to, username, account }: EmailOf<'google-linked'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'A Google account can now be used to log in to your account',
      preview: "If this wasn't you, remove it and change your password.",
      reason: aboutSecurity,
      baseUrl,
    },
    paragraph('The Google account ', strong(account ?? to), ' can now be used to log in to the Ranklark account ', strong(username), '.'),
    paragraph("If this was you, no action is needed. If it wasn't, remove that Google account and change your password."),
    action('Open your profile', `${baseUrl}/account`),
  )
}

export function googleUnlinked({ username }: EmailOf<'google-unlinked'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'Google login was removed from your account',
      preview: 'Your password is now required to log in.',
      reason: aboutSecurity,
      baseUrl,
    },
    paragraph(
      'You can no longer use a Google account to log in to the Ranklark account ',
      strong(username),
      '. All other sessions were logged out.',
    ),
    paragraph("If this was you, no action is needed. If it wasn't, change your password right away."),
    action('Open your profile', `${baseUrl}/account`),
  )
}

export function accountDeleted({ username, plan }: EmailOf<'account-deleted'>, baseUrl: string): Draft {
  return draft(
    {
      subject: 'Your account was deleted',
      preview: 'This is the last email about it.',
      reason: "You're receiving this email because this was the account's address. It's the last email about this account.",
      baseUrl,
    },
    paragraph('The Ranklark account ', strong(username), " and all its data have been deleted. This can't be undone."),
    paragraph(`${ended(plan)}Google access has been revoked.`),
    remark("If this wasn't you, someone knows your password. Change it everywhere else you use it."),
  )
}

const ended = (plan: HeldPlan): string =>
  plan === null || plan === 'free' ? '' : `The ${plans[plan].name} plan has ended and won't be charged again. `
