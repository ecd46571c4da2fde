import { type DeliverySettings, deliverySettings } from '../../../src/contract/delivery/delivery.ts'
import { type DeliveryChannels, emailDestination, slackDestination, smsConfirmation } from '../../../src/contract/delivery/channels.ts'
import type { HeldPlan } from '../../../src/contract/user.ts'
import { slackRefusal, smsRefusal, webhookRefusal } from '../../../src/core/billing/entitlements.ts'
import { defaultDelivery } from '../../../src/core/delivery/defaults.ts'
import { Refusal } from '../../../src/server/common/errors.ts'
import type { Asked, Desk } from './desk.ts'
import { channelsOf, now } from './usual.ts'

/** Channels of a user on a given plan who has connected none. */
export function channelsOn(plan: HeldPlan): DeliveryChannels {
  const { email, slack, sms, webhook } = channelsOf()
  return {
    email,
    slack: { ...slack, locked: slackRefusal(plan) },
    sms: { ...sms, locked: smsRefusal(plan) },
    webhook: { ...webhook, locked: webhookRefusal(plan) },
  }
}

/** The current delivery settings and channels; a test may change them, as the server could on its own. */
export type KeptDelivery = { settings: DeliverySettings | null; channels: DeliveryChannels }

/** The code sent to every number. */
export const rightCode = '123456'
/** A webhook's secrets, the first one and the one after it. */
export const secrets = ['whsec_Zmlyc3Q=', 'whsec_c2Vjb25k'] as const

type Start = Partial<KeptDelivery> & { plan?: HeldPlan }

/** Lets preferences be saved, and channels connected, tested and disconnected, as on the server. */
export function keepDelivery(desk: Desk, { plan = 'pro', ...first }: Start = {}): KeptDelivery {
  const kept: KeptDelivery = { settings: null, channels: channelsOn(plan), ...first }
  function change(changed: unknown): DeliverySettings {
    const { unknownTimeZone, ...before } = kept.settings ?? { id: '1', ...defaultDelivery(plan) }
    const settings = deliverySettings.parse({ ...before, ...Object(changed) })
    const stillUnknown = unknownTimeZone !== undefined && !('timeZone' in Object(changed))
    return (kept.settings = stillUnknown ? { ...settings, unknownTimeZone } : settings)
  }

  desk.answer('GET /api/delivery-settings', () => kept.settings)
  desk.answer('POST /api/delivery-settings', ({ body }) => {
    if (kept.settings !== null) throw new Refusal(409, 'Preferences already exist. Update them instead.')
    return change(body)
  })
  desk.answer('PATCH /api/delivery-settings', ({ body }) => {
    if (kept.settings === null) throw new Refusal(404, 'No preferences exist yet.')
    return change(body)
  })
  desk.answer('GET /api/delivery-channels', () => kept.channels)
  keepEmail(desk, kept)
  keepSlack(desk, kept, change)
  keepSms(desk, kept, change)
  keepWebhook(desk, kept, change)
  return kept
}

type Change = (changed: Partial<DeliverySettings>) => DeliverySettings

function set<C extends keyof DeliveryChannels>(kept: KeptDelivery, channel: C, changed: Partial<DeliveryChannels[C]>): DeliveryChannels {
  return (kept.channels = { ...kept.channels, [channel]: { ...kept.channels[channel], ...changed } })
}

/** An address other than the account's has to be confirmed. */
function keepEmail(desk: Desk, kept: KeptDelivery): void {
  const account = kept.channels.email.to
  desk.answer('PUT /api/delivery-channels/email', ({ body }) => {
    const { address } = emailDestination.parse(body)
    if (address === null) return set(kept, 'email', { to: account, waitingFor: null })
    return set(kept, 'email', { waitingFor: address === kept.channels.email.to ? null : address })
  })
}

const slackHooks = 'https://hooks.slack.com/services/'
const onlySlack = `Only Slack URLs work here. An incoming webhook URL starts with ${slackHooks}`

function keepSlack(desk: Desk, kept: KeptDelivery, change: Change): void {
  desk.answer('PUT /api/delivery-channels/slack', ({ body }) => {
    const { webhookUrl, channel = kept.channels.slack.channel } = slackDestination.parse(body)
    if (webhookUrl !== undefined && !webhookUrl.startsWith(slackHooks)) throw new Refusal(400, onlySlack, 'webhookUrl')
    if (kept.channels.slack.to === null) change({ slackEnabled: true })
    const to = webhookUrl === undefined ? kept.channels.slack.to : `hooks.slack.com/…/${webhookUrl.slice(-4)}`
    return set(kept, 'slack', { to, channel, problem: null })
  })
  desk.answer('POST /api/delivery-channels/slack/test', () => sent(kept, 'slack'))
  desk.answer('DELETE /api/delivery-channels/slack', () => {
    change({ slackEnabled: false })
    return set(kept, 'slack', { to: null, channel: null, problem: null })
  })
}

/** All numbers are displayed as the same one. */
function keepSms(desk: Desk, kept: KeptDelivery, change: Change): void {
  const shown = '+44 •••• 0018'
  desk.answer('PUT /api/delivery-channels/sms', () => set(kept, 'sms', { waitingFor: shown }))
  desk.answer('POST /api/delivery-channels/sms/confirm', ({ body }) => {
    const { code } = smsConfirmation.parse(body)
    if (code !== rightCode) throw new Refusal(400, 'This code is incorrect. Check it and try again.', 'code')
    change({ smsEnabled: true })
    return set(kept, 'sms', { to: shown, waitingFor: null })
  })
  desk.answer('POST /api/delivery-channels/sms/test', () => sent(kept, 'sms'))
}

function keepWebhook(desk: Desk, kept: KeptDelivery, change: Change): void {
  desk.answer('PUT /api/delivery-channels/webhook', ({ body }: Asked) => {
    const { host } = new URL((body as { url: string }).url)
    if (host.startsWith('192.168.'))
      throw new Refusal(400, 'This URL points to a private network or to this server, so nothing is sent to it.', 'url')
    change({ webhookEnabled: true })
    return { channels: set(kept, 'webhook', { to: `https://${host}/…` }), secret: secrets[0] }
  })
  desk.answer('POST /api/delivery-channels/webhook/secret', () => ({ channels: kept.channels, secret: secrets[1] }))
  desk.answer('POST /api/delivery-channels/webhook/test', () => sent(kept, 'webhook'))
}

function sent(kept: KeptDelivery, channel: 'slack' | 'sms' | 'webhook'): { to: string } {
  const { to } = kept.channels[channel]
  if (to === null) throw new Refusal(409, 'There is nowhere to send to yet.')
  set(kept, channel, { lastSentAt: now.toISOString() })
  return { to }
}
