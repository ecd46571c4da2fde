import { propertyName } from './property-name.ts'
import type { AuditedChange } from '../../contract/audit.ts'
import { plans } from '../billing/plans.ts'

const channels = { email: 'Email', slack: 'Slack', sms: 'SMS', webhook: 'Webhook' } as const
const lost = {
  token_revoked: 'Google access expired or was revoked',
  scope_missing: 'access to Search Console data was not granted',
  api_disabled: 'the Search Console API is disabled',
} as const

/** An account event, as a sentence for its owner. */
export function activityWords({ kind, details }: AuditedChange): string {
  switch (kind) {
    case 'registered':
      return details.with === 'google' ? 'Account created with Google' : 'Account created'
    case 'signed-in':
      return `Logged in ${signIns[details.with]}`
    case 'sign-in-failed':
      return details.at === 'code' ? 'Login failed: correct password, wrong code' : 'Login failed: wrong password'
    case 'signed-out':
      return 'Logged out'
    case 'sessions-ended':
      return 'Other sessions logged out'
    case 'password-changed':
      return 'Password changed; other sessions logged out'
    case 'password-reset-asked':
      return 'Password reset link requested'
    case 'password-reset':
      return 'Password reset by email link; all sessions logged out'
    case 'username-changed':
      return `Username changed from ${details.from} to ${details.to}`
    case 'address-change-asked':
      return `Email address change to ${details.to} requested`
    case 'address-changed':
      return `Email address changed from ${details.from} to ${details.to}`
    case 'address-change-undone':
      return `Email address ${details.address} restored by email link; all sessions logged out`
    case 'address-confirmed':
      return `Email address ${details.address} confirmed`
    case 'two-factor-on':
      return 'Two-factor authentication turned on'
    case 'two-factor-off':
      return 'Two-factor authentication turned off'
    case 'recovery-codes-renewed':
      return 'New recovery codes created; the old ones no longer work'
    case 'recovery-codes-ended':
      return 'Recovery codes revoked; create new ones under Profile'
    case 'sign-in-added':
      return `Google login added: ${details.account}`
    case 'sign-in-removed':
      return `Google login removed: ${details.account}`
    case 'account-reclaimed':
      return 'Removed everything set up before the address was confirmed: Google connection, alert channels, API keys, shared links, schedules, two-factor authentication'
    case 'google-connected':
      return `Google account ${details.account} connected`
    case 'google-disconnected':
      return `Google account ${details.account} disconnected`
    case 'google-lost':
      return `Connection to Google lost: ${lost[details.because]}`
    case 'property-monitored':
      return `Started monitoring ${propertyName(details.property)}`
    case 'property-unmonitored':
      return `Stopped monitoring ${propertyName(details.property)}`
    case 'property-paused':
      return `Paused monitoring ${propertyName(details.property)}: over your plan's site limit`
    case 'property-imported':
      return `${details.file} imported into ${propertyName(details.property)}`
    case 'plan-changed':
      return `Plan changed from ${plans[details.from].name} to ${plans[details.to].name}`
    case 'plan-granted':
      return details.plan === 'free'
        ? 'Your administrator removed the plan they gave you'
        : `Your administrator gave you the ${plans[details.plan].name} plan`
    case 'payment-failed':
      return `Payment for ${plans[details.plan].name} failed`
    case 'card-changed':
      return `Payment card changed to ${details.brand} ending in ${details.last4}`
    case 'key-created':
      return `API key “${details.name}” created (${details.scope === 'write' ? 'read and write' : 'read only'})`
    case 'key-revoked':
      return `API key “${details.name}” revoked`
    case 'key-used':
      return `API key “${details.name}” used from this IP address for the first time`
    case 'destination-set':
      return `${channels[details.channel]} alerts now go to ${details.to}`
    case 'destination-removed':
      return details.channel === 'email' ? 'Email alerts go to your account email again' : `${channels[details.channel]} alerts removed`
    case 'share-created':
      return `Shared link created: ${details.report}`
    case 'share-withdrawn':
      return `Shared link revoked: ${details.report}`
    case 'client-extended':
      return `Reports for ${details.client} now include ${details.properties}`
    case 'schedule-set':
      return `Scheduled report on ${details.report} now goes to ${details.to || 'nobody'}`
    case 'schedule-removed':
      return `Scheduled report on ${details.report} removed`
    case 'brand-changed':
      return `Report brand changed: ${details.name}`
    case 'data-exported':
      return 'Data exported'
    case 'deletion-refused':
      return 'Account deletion failed: wrong password'
    case 'support-asked':
      return 'Message sent to support'
  }
}

const signIns = {
  password: 'with a password',
  google: 'with Google',
  code: 'with a code from the authenticator app',
  'recovery-code': "with a recovery code, which can't be used again",
} as const
