import { z } from 'zod'
import type { ChannelName, DeliveryChannels } from '../../../contract/delivery/channels.ts'
import type { HeldPlan } from '../../../contract/user.ts'
import { slackRefusal, smsRefusal, webhookRefusal } from '../../../core/billing/entitlements.ts'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import type { AccountsService, Person } from '../../accounts/service.ts'
import type { Db } from '../../database/open.ts'
import type { Config } from '../../config.ts'
import type { AskedAddresses } from '../../common/asked-addresses.ts'
import { Refusal } from '../../common/errors.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Allowance, SendText } from '../allowance.ts'
import { createEmailDestination } from './email.ts'
import { createSlackDestination } from './slack.ts'
import { createSmsDestination } from './sms.ts'
import type { ChannelsStore, ShownChannel } from './store.ts'
import { createWebhookDestination } from './webhook.ts'
import { createConnecting } from './connecting.ts'
import { type DeliveryService, noSmsProvider } from '../service.ts'

export type ChannelsDeps = {
  db: Db
  store: ChannelsStore
  delivery: Pick<DeliveryService, 'switchOn' | 'switchOff'>
  config: Pick<Config, 'mail' | 'slack' | 'webhooks'>
  /** Null without an SMS provider. */
  sendText: SendText | null
  allowance: Pick<Allowance, 'usedUp'>
  mailer: Mailer
  attempts: AccountsService['attempts']
  strangerEmailLimits: AccountsService['strangerEmailLimits']
  asked: AskedAddresses
  /** Where somebody unsubscribes from an account's alerts, or blocks requests to send them. */
  unsubscribePage: (userId: string, address: string) => string
  /** Signs the links that confirm an address; for this purpose only (platform/secrets.ts). */
  confirmationKey: Buffer
  /** This installation's URL, without a trailing slash. */
  baseUrl: () => string
  clock: Clock
  /** Somebody's destination changed: reschedule their waiting messages. */
  onChanged: (userId: string) => Promise<void>
}

/** A webhook that the Slack stand-in accepts as a real one. */
const slackExample = '/services/T00000001/B00000001/abcdefghijklmnopqrstuvwx'

/** People's destinations: what they entered, how it is confirmed, and what may be shown of it. */
export function createChannelsService(deps: ChannelsDeps) {
  const { store, config, sendText, allowance, clock, onChanged } = deps
  const connecting = createConnecting(deps)

  /** Why a channel isn't available; null if it is. */
  function refusalOf(channel: ChannelName, plan: HeldPlan): Refusal | null {
    if (channel === 'email') return config.mail ? null : new Refusal(409, noMailText)
    if (channel === 'sms' && sendText === null) return new Refusal(409, noSmsProvider)
    const uncovered = { slack: slackRefusal, sms: smsRefusal, webhook: webhookRefusal }[channel](plan)
    return uncovered === null ? null : new Refusal(403, uncovered)
  }

  const view = (channel: ShownChannel | undefined, refusal: Refusal | null, usedUp: string | null = null) => ({
    locked: refusal?.message ?? null,
    to: channel?.connected ? channel.shown : null,
    problem: channel?.problem ?? usedUp,
    lastSentAt: channel?.lastSentAt?.toISOString() ?? null,
  })
  const waitingFor = (channel: ShownChannel | undefined): string | null =>
    channel && isWaiting(channel.waiting, clock.now()) ? channel.waitingShown : null

  return {
    email: createEmailDestination({ ...deps, hasMail: config.mail !== undefined }),
    slack: createSlackDestination({ store, connecting, slack: config.slack }),
    sms: createSmsDestination({ ...deps, connecting }),
    webhook: createWebhookDestination({ store, connecting, webhooks: config.webhooks }),
    disconnect: connecting.disconnect,

    /** @throws Refusal 403 because of the plan, 409 if this installation cannot send it */
    refuseUnoffered(channel: ChannelName, { plan }: Person): void {
      const refusal = refusalOf(channel, plan)
      if (refusal) throw refusal
    },

    async of({ id, email, emailVerified, plan }: Person): Promise<DeliveryChannels> {
      const held = await store.list(id)
      const unconfirmed = emailVerified || held.email?.connected ? null : { alerts: await store.alertsWaitingForMail(id) }
      const mail = view(held.email, refusalOf('email', plan), await allowance.usedUp(id, 'email'))
      return {
        email: { ...mail, to: mail.to ?? email, waitingFor: waitingFor(held.email), unconfirmed },
        slack: {
          ...view(held.slack, refusalOf('slack', plan)),
          channel: held.slack?.extra ?? null,
          example: config.slack.standIn ? `${config.slack.url}${slackExample}` : null,
        },
        sms: {
          ...view(held.sms, refusalOf('sms', plan), held.sms?.connected ? await allowance.usedUp(id, 'sms') : null),
          waitingFor: waitingFor(held.sms),
        },
        webhook: { ...view(held.webhook, refusalOf('webhook', plan)), example: config.webhooks.standIn },
      }
    },

    /** The account's address was changed or confirmed: emails to the account's own address go there. */
    async accountAddressChanged(userId: string): Promise<void> {
      await store.accountAddressChanged(userId)
      await onChanged(userId)
    },
  }
}
export type ChannelsService = ReturnType<typeof createChannelsService>

const untilThen = z.object({ expiresAt: z.iso.datetime() })

/** Whether the confirmation sent for a destination is still valid. */
const isWaiting = (waiting: string | null, now: Date): boolean =>
  waiting !== null && Date.parse(untilThen.parse(JSON.parse(waiting)).expiresAt) > now.getTime()
