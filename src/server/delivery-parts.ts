import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { planUnder } from '../core/billing/offer.ts'
import type { AccountsService, Person } from './accounts/service.ts'
import type { AlertsService } from './alerts/service.ts'
import type { Config } from './config.ts'
import type { Db } from './database/open.ts'
import { createAllowance } from './delivery/allowance.ts'
import { channelsRoutes } from './delivery/channels-routes.ts'
import { createChannelsService } from './delivery/channels-service.ts'
import { createChannelsStore } from './delivery/channels-store.ts'
import { createDestinations } from './delivery/destinations.ts'
import { createEmailChannel } from './delivery/email/email.ts'
import { createUnsubscribeTokens } from './delivery/email/unsubscribe-token.ts'
import { createDeliveryEngine } from './delivery/engine.ts'
import { deliveryRoutes } from './delivery/routes.ts'
import { createDeliveryService, type DeliveryService } from './delivery/service.ts'
import { createSlackChannel } from './delivery/slack/slack.ts'
import { createSmsClient } from './delivery/sms/sms-client.ts'
import { createSmsChannel } from './delivery/sms/sms.ts'
import { createDeliveryStore } from './delivery/store.ts'
import { createUnsubscribe } from './delivery/unsubscribe.ts'
import { unsubscribeRoutes } from './delivery/unsubscribe-routes.ts'
import { createWebhookLog } from './delivery/webhook/log.ts'
import { webhookLogRoutes } from './delivery/webhook/log-routes.ts'
import { createWebhookChannel } from './delivery/webhook/webhook.ts'
import type { EventBus } from './common/events.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Clock } from './platform/clock.ts'
import type { Log } from './platform/log.ts'
import type { Queue } from './platform/queue.ts'
import { signingKeys } from './database/former-keys.ts'
import { deriveKey, type SecretKeys, type Vault } from './platform/secrets.ts'
import type { ReportsService } from './reports/service.ts'

export type DeliveryDeps = {
  config: Config
  db: Db
  queue: Queue
  vault: Vault
  /** What all other secrets derive from (platform/secrets.ts). */
  keys: SecretKeys
  events: EventBus
  accounts: AccountsService
  alerts: AlertsService
  reports: ReportsService
  mailer: Mailer
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: () => string
  clock: Clock
  log: Log
  requirePerson(request: FastifyRequest): Promise<Person>
}

export type DeliveryParts = {
  delivery: DeliveryService
  routes: readonly FastifyPluginAsync[]
  /** Sends in this process what is due. */
  work(): Promise<void>
}

/** How alerts reach people: what they chose, where it goes, and what brings it there. */
export async function createDelivery(deps: DeliveryDeps): Promise<DeliveryParts> {
  const { config, db, vault, keys, accounts, baseUrl, clock, requirePerson } = deps
  const onChanged = (userId: string): Promise<void> => engine.reschedule(userId)
  const allowance = createAllowance({ ...deps, sms: config.sms, numberKey: deriveKey(keys[0], 'text-message-numbers') })
  const sendText = config.sms ? allowance.texts(createSmsClient(config.sms, clock)) : null
  const delivery = createDeliveryService({ store: createDeliveryStore(db), hasSms: sendText !== null, onChanged })
  const channels = createChannelsService({
    ...deps,
    store: createChannelsStore(db, vault, config.offer),
    delivery,
    sendText,
    allowance,
    attempts: accounts.attempts,
    confirmationKey: deriveKey(keys[0], 'delivery-confirmation'),
    onChanged,
  })
  deps.events.on('addressChanged', ({ userId }) => channels.accountAddressChanged(userId))
  deps.events.on('grantsEnding', async ({ userId, transaction }) => {
    await transaction.deleteFrom('deliveryChannels').where('userId', '=', userId).execute()
  })
  const tokens = createUnsubscribeTokens(...(await signingKeys(db, vault, keys, 'unsubscribe')))
  const unsubscribe = (userId: string, address: string) => {
    const token = encodeURIComponent(tokens.make({ userId, address }))
    return { page: `${baseUrl()}/unsubscribe?token=${token}`, oneClick: `${baseUrl()}/api/unsubscribe?token=${token}` }
  }
  const engine = await createDeliveryEngine({
    ...deps,
    destinations: createDestinations(db, vault),
    channels: {
      email: allowance.mails(createEmailChannel({ mail: config.mail, unsubscribe })),
      slack: createSlackChannel(config.slack, clock),
      sms: createSmsChannel(sendText),
      webhook: createWebhookChannel(config.webhooks, clock),
    },
    async settingsOf(userId, trx) {
      const { plan } = await trx.selectFrom('people').where('userId', '=', userId).select('plan').executeTakeFirstOrThrow()
      return delivery.settingsOf(userId, planUnder(config.offer, plan), trx)
    },
  })

  return {
    delivery,
    routes: [
      deliveryRoutes({ delivery, requirePerson }),
      channelsRoutes({
        channels,
        attempts: accounts.attempts,
        sendTest: (person, channel) => engine.sendTest(person.id, channel, person.selected?.name ?? null),
        requirePerson,
      }),
      webhookLogRoutes({
        webhookLog: createWebhookLog({ db, clock, baseUrl, soon: engine.soon }),
        attempts: accounts.attempts,
        requirePerson,
      }),
      unsubscribeRoutes({ unsubscribe: createUnsubscribe({ accounts, channels, delivery, tokens }) }),
    ],
    work: () => engine.work(),
  }
}
