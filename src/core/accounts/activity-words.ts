import type { AuditedChange } from '../../contract/audit.ts'
import { plans } from '../billing/plans.ts'

const channels = { email: 'email', slack: 'Slack', sms: 'SMS', webhook: 'webhook' } as const
const lost = {
  token_revoked: 'Google no longer accepts our access',
  scope_missing: 'Google was not given the permission to read Search Console data',
  api_disabled: 'the Search Console API is switched off',
} as const

/** What happened to an account, as a sentence for its owner. */
export function activityWords({ kind, details }: AuditedChange): string {
  switch (kind) {
    case 'registered':
      return details.with === 'google' ? 'Account created with Google' : 'Account created'
    case 'signed-in':
      return `Logged in ${signIns[details.with]}`
    case 'sign-in-failed':
      return details.at === 'code' ? 'Login failed: wrong code after the right password' : 'Login failed: wrong password'
    case 'signed-out':
      return 'Logged out'
    case 'sessions-ended':
      return 'Other sessions signed out'
    case 'password-changed':
      return 'Password changed; other sessions ended'
    case 'password-reset-asked':
      return 'Link to set a new password asked for'
    case 'password-reset':
      return 'New password set with the link from a mail; all sessions ended'
    case 'username-changed':
      return `Username changed from ${details.from} to ${details.to}`
    case 'address-change-asked':
      return `Change of the email address to ${details.to} asked for`
    case 'address-changed':
      return `Email address changed from ${details.from} to ${details.to}`
    case 'address-change-undone':
      return `Email address ${details.address} restored with the link from a mail; all sessions ended`
    case 'address-confirmed':
      return `Email address ${details.address} confirmed`
    case 'two-factor-on':
      return 'Two-factor authentication switched on'
    case 'two-factor-off':
      return 'Two-factor authentication switched off'
    case 'recovery-codes-renewed':
      return 'New recovery codes made; the old ones no longer work'
    case 'sign-in-added':
      return `Google account ${details.account} can log in from now on`
    case 'sign-in-removed':
      return `Google account ${details.account} can no longer log in`
    case 'account-reclaimed':
      return 'Everything set up before the address was confirmed was removed: Google, destinations, keys, links, schedules, two-factor authentication'
    case 'google-connected':
      return `Google account ${details.account} connected`
    case 'google-disconnected':
      return `Google account ${details.account} disconnected`
    case 'google-lost':
      return `Connection to Google lost: ${lost[details.because]}`
    case 'property-monitored':
      return `Monitoring of ${details.property} began`
    case 'property-unmonitored':
      return `Monitoring of ${details.property} ended`
    case 'property-paused':
      return `Monitoring of ${details.property} paused: it is beyond the site limit of the account`
    case 'property-imported':
      return `${details.file} imported into ${details.property}`
    case 'plan-changed':
      return `Plan changed from ${plans[details.from].name} to ${plans[details.to].name}`
    case 'plan-granted':
      return details.plan === 'free'
        ? 'The plan you were given by whoever runs this installation was taken back'
        : `Whoever runs this installation gave you the ${plans[details.plan].name} plan`
    case 'payment-failed':
      return `Payment for ${plans[details.plan].name} failed`
    case 'card-changed':
      return `Payments are made with ${details.brand} ending in ${details.last4} from now on`
    case 'key-created':
      return `API key “${details.name}” created, which may ${details.scope === 'write' ? 'read and write' : 'read'}`
    case 'key-revoked':
      return `API key “${details.name}” revoked`
    case 'key-used':
      return `API key “${details.name}” used from this address for the first time`
    case 'destination-set':
      return `Messages by ${channels[details.channel]} go to ${details.to}`
    case 'destination-removed':
      return details.channel === 'email'
        ? 'Messages by email go to your own address again'
        : `Messages by ${channels[details.channel]} ended`
    case 'share-created':
      return `Link to the report ${details.report} created`
    case 'share-withdrawn':
      return `Link to the report ${details.report} withdrawn`
    case 'brand-changed':
      return `Brand of reports changed: ${details.name}`
    case 'data-exported':
      return 'Your data exported'
    case 'deletion-refused':
      return 'Deleting the account refused: wrong password'
    case 'support-asked':
      return 'Message sent to support'
  }
}

const signIns = {
  password: 'with password',
  google: 'with Google',
  code: 'with a code from the authenticator app',
  'recovery-code': 'with a recovery code, which is used up',
} as const
