import type { TwoFactorSetup } from '../../../src/contract/account/profile.ts'
import type { User } from '../../../src/contract/user.ts'
import { apiRefusal } from '../../../src/core/billing/entitlements.ts'
import { eventOf, signedInOf } from '../answers/account.ts'
import { answerPanels, competingOf, figuresOf } from '../answers/analytics.ts'
import { pays } from '../answers/billing.ts'
import { brandSplitOf } from '../answers/brand.ts'
import { keepDelivery } from '../answers/delivery.ts'
import type { Desk } from '../answers/desk.ts'
import { keepsKeys, keyOf } from '../answers/developers.ts'
import { answerInsights } from '../answers/insights.ts'
import { unpaidOf } from '../answers/onboarding.ts'
import { reportsOn } from '../answers/reports.ts'
import { keepRules } from '../answers/rules.ts'
import { found, supportOf } from '../answers/search.ts'
import { answerEveryScreen, clinic, demoOf, newcomerOf, registeredOf } from '../answers/shell.ts'
import { channelsOf, propertyOf, settingsOf, shop, signIn, subscriptionOf, syncOf, userOf } from '../answers/usual.ts'

// The screens' users: one with everything, and others who lack something.

/** A visitor without login, with a link that isn't one of ours. */
export function visitor(desk: Desk): void {
  signIn(desk, null)
  const refusal = { message: 'This link is not valid any more.', field: 'token' }
  desk.refuse('POST /api/delivery-channels/email/confirm', 400, refusal)
  desk.refuse('GET /api/unsubscribe', 400, refusal)
  desk.refuse('GET /api/alert-verdict', 400, refusal)
  desk.refuse('GET /api/shared/:token', 404, { message: 'There is no such report.' })
  desk.answer('POST /api/auth/forgot-password', null)
}

/** The demo account, with everything stored. */
export function demo(desk: Desk): void {
  answerEveryScreen(desk)
  keepDelivery(desk)
  keepsKeys(desk, 'pro')
  reportsOn(desk, 'pro')
  answerInsights(desk)
  answerPanels(desk)
  desk.answer('GET /api/brand/split', ({ query }) => brandSplitOf(query))
  const sofas = ['https://lumenandloom.example/sofas', 'https://lumenandloom.example/journal/how-to-choose-a-sofa-for-a-small-living-room']
  desk.answer('GET /api/keywords/competing', [
    competingOf('sofa', Object.fromEntries(sofas.map((page, index) => [page, figuresOf(60 - index * 20, 800 - index * 100, 7 + index)]))),
  ])
  desk.answer('POST /api/alert-conditions/backtest', {
    from: '2026-02-16',
    through: '2026-03-16',
    days: [
      { date: '2026-03-07', alerts: 0, silenced: 1, entities: sofas.slice(1) },
      { date: '2026-03-14', alerts: 2, silenced: 0, entities: sofas },
    ],
    alertsAYear: 3.2,
    usual: { entity: sofas[1]!, varies: 38.4, alertsFrom: -52.1 },
    expected: null,
  })
  desk.answer('GET /api/search', found)
  desk.answer('GET /api/support', supportOf())
  desk.say('POST /api/import', { message: 'A date is written as 2026-03-01, not as “x”', line: 2 }, { status: 400 })
  pays(desk, 'pro', { user: demoOf(), subscription: subscriptionOf() })
}

/** A user with everything stored, on an installation that sells nothing. */
export function unsold(desk: Desk, change: Partial<User> = {}): void {
  demo(desk)
  keepDelivery(desk, { plan: null })
  keepsKeys(desk, null)
  reportsOn(desk, null)
  desk.answer('GET /api/support', supportOf({ answered: null, diagnostics: [] }))
  // These routes don't exist there.
  for (const route of ['GET /api/plans', 'GET /api/subscription'] as const) desk.refuse(route, 404)
  signIn(desk, userOf({ plan: null, siteLimit: null, ...change }))
}

/** A user on Free whose Google account has no property. */
export function newcomer(desk: Desk): void {
  answerEveryScreen(desk)
  keepDelivery(desk, { plan: 'free' })
  keepsKeys(desk, 'free')
  reportsOn(desk, 'free')
  desk.answer('GET /api/subscription', unpaidOf())
  desk.refuse('GET /api/alerts/:id', 404, { message: "This alert doesn't exist or isn't yours." })
  signIn(desk, newcomerOf())
}

/** A user who has disconnected Google. */
export function unconnected(desk: Desk): void {
  newcomer(desk)
  signIn(desk, newcomerOf({ accessToken: null, refreshToken: null, gscProperties: null }))
}

/** A user whose access was revoked by Google. */
export function cutOff(desk: Desk): void {
  newcomer(desk)
  const property = 'https://a-property-with-a-rather-long-name.example/below/a/path/'
  const message = 'Google access expired or was revoked to this account. Reconnect Google to go on; nothing that is stored is lost.'
  signIn(desk, newcomerOf({ selectedProperty: property, gscProperties: [propertyOf({ name: property })], sitesMonitored: 1 }))
  desk.answer('GET /api/metrics', null)
  desk.answer('GET /api/sync', [
    syncOf({
      property,
      state: 'token_revoked',
      message,
      action: { label: 'Reconnect Google', href: '/api/auth/google?redirect=/dashboard' },
      lastSyncedAt: null,
      completeThrough: null,
      firstDate: null,
      lastDate: null,
    }),
  ])
  desk.refuse('GET /api/gsc-properties', 409, { message })
}

const setup: TwoFactorSetup = {
  uri: 'otpauth://totp/Ranklark:registered?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Ranklark',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  recoveryCodes: Array.from({ length: 10 }, (_, index) => `abcd${index}-efgh${index}`),
}

/** A user who has registered with a password, and not confirmed their address. */
export function unconfirmed(desk: Desk): void {
  newcomer(desk)
  signIn(desk, registeredOf())
  desk.answer('GET /api/user/sessions', [signedInOf(), signedInOf({ current: false, userAgent: null, ipAddress: null })])
  desk.refuse('POST /api/auth/verify-email', 400, { message: 'This link is not valid any more.', field: 'token' })
  desk.answer('POST /api/user/two-factor', setup)
}

/** A user with a second factor. */
export function guarded(desk: Desk): void {
  unconfirmed(desk)
  signIn(desk, registeredOf({ twoFactorEnabled: true }))
  desk.answer('POST /api/user/two-factor/recovery-codes', { recoveryCodes: setup.recoveryCodes })
}

/** A user whose plan no longer covers all of their sites. */
export function lapsed(desk: Desk): void {
  newcomer(desk)
  const paused = propertyOf({ id: '2', name: 'https://a-second-property.example/with/a/path/', monitored: false, paused: true })
  keepRules(desk)
  signIn(desk, newcomerOf({ selectedProperty: shop, gscProperties: [propertyOf(), paused], sitesMonitored: 1, sitesPaused: 1 }))
}

/** A user on Agency with all channels, one of them broken, and another destination pending. */
export function allChannels(desk: Desk): void {
  answerEveryScreen(desk)
  const channels = channelsOf()
  keepDelivery(desk, {
    plan: 'agency',
    settings: settingsOf({
      slackEnabled: true,
      smsEnabled: true,
      webhookEnabled: true,
      frequency: 'weekly',
      quietHours: { from: 22, until: 7 },
    }),
    channels: {
      email: { ...channels.email, waitingFor: 'alerts-of-a-rather-long-name@a-subdomain.example.test' },
      slack: {
        ...channels.slack,
        to: 'hooks.slack.com/…/uvwx',
        problem: 'the webhook was revoked. Create a new incoming webhook in Slack and paste its URL. (no_service)',
      },
      sms: { ...channels.sms, waitingFor: '+44 •••• 0009' },
      webhook: { ...channels.webhook, to: 'https://alerts.customer.example/…' },
    },
  })
  const long = 'A dashboard in the hall that shows the figures of every client we have, and alerts'
  keepsKeys(desk, 'agency', [
    keyOf({ id: '2', name: 'Looker', expiresAt: '2026-04-17T19:00:00.000Z' }),
    keyOf({ name: long.slice(0, 80), scope: 'write' }),
  ])
  reportsOn(desk, 'agency')
  desk.answer('GET /api/report-clients', { locked: null, clients: [{ id: '1', name: 'Oak & Elm', properties: [shop] }] })
  desk.answer('GET /api/audit-log', {
    events: [
      eventOf(3, { kind: 'key-created', details: { name: 'Looker', scope: 'read' } }),
      eventOf(2, { kind: 'destination-set', details: { channel: 'slack', to: 'hooks.slack.com/…/uvwx' } }),
      eventOf(1, { kind: 'registered', details: { with: 'google' } }),
    ],
    next: null,
  })
  keepRules(desk)
  pays(desk, 'agency')
}

/** A user on Free, whose plan has neither hours nor an API. */
export function watchful(desk: Desk): void {
  newcomer(desk)
  keepRules(desk)
  desk.answer('GET /api/keys', { locked: apiRefusal('free', 'read'), writeLocked: apiRefusal('free', 'full'), keys: [] })
  signIn(desk, userOf({ plan: 'free', siteLimit: 1, selectedProperty: clinic, gscProperties: [propertyOf({ name: clinic })] }))
  desk.answer('GET /api/sync', [syncOf({ property: clinic })])
}
