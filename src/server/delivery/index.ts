import type { FastifyPluginAsync } from 'fastify'
import { unsubscribeEndpoints as endpoints, unsubscribeEndpoints } from '../../contract/delivery/channels.ts'
import { planUnder } from '../../core/billing/offer.ts'
import { type AccountsService, serve } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { AnalyticsService } from '../analytics/service.ts'
import { createAskedAddresses } from '../common/asked-addresses.ts'
import type { Capability } from '../common/capability.ts'
import { jsonFile, jsonSection } from '../common/export-file.ts'
import type { Foundation } from '../common/foundation.ts'
import { hashKeys, signingKeys } from '../database/former-keys.ts'
import { deriveKey } from '../platform/secrets.ts'
import { createAllowance } from './allowance.ts'
import { channelsRoutes } from './channels/routes.ts'
import { createChannelsService } from './channels/service.ts'
import { createChannelsStore } from './channels/store.ts'
import { createDestinations } from './destinations.ts'
import { createEmailChannel } from './email/email.ts'
import { createUnsubscribeTokens } from './email/unsubscribe-token.ts'
import { createDeliveryEngine } from './engine.ts'
import { exportedChannels, exportedRefusals, messagesFile } from './export.ts'
import { deliveryRoutes } from './routes.ts'
import { createDeliveryService } from './service.ts'
import { createSlackChannel } from './slack/slack.ts'
import { createSmsClient } from './sms/sms-client.ts'
import { createSmsChannel } from './sms/sms.ts'
import { createDeliveryStore } from './store.ts'
import { type Unsubscribe, createUnsubscribe } from './unsubscribe.ts'
import { createVerdictTokens, verdictLink, verdictRoutes } from './verdict-links.ts'
import { webhookLogRoutes } from './webhook/log-routes.ts'
import { createWebhookLog } from './webhook/log.ts'
import { createWebhookChannel } from './webhook/webhook.ts'

/** More than any mail program sends, which is just `List-Unsubscribe=One-Click`. */
const bodyLimit = 4096

/**
 * For our own screen, and for mail programs' one-click unsubscribe (RFC 8058), which posts a form. Only the token counts: no session is
 * needed.
 */
const unsubscribeRoutes =
  ({ unsubscribe }: { unsubscribe: Unsubscribe }): FastifyPluginAsync =>
  async (app) => {
    // For this plugin only: the body's content is known and ignored.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, _body, done) => done(null))

    serve(app, endpoints.read, ({ query }) => unsubscribe.of(query.token))
    serve(app, endpoints.stop, ({ query }) => unsubscribe.end(query.token))
  }

type DeliveryDeps = Pick<Foundation, 'config' | 'db' | 'queue' | 'vault' | 'keys' | 'events' | 'mailer' | 'baseUrl' | 'clock' | 'log'> & {
  accounts: AccountsService
  alerts: AlertsService
  analytics: AnalyticsService
}

/** Alert delivery: what people chose, where messages go, and what sends them. */
export async function createDelivery(deps: DeliveryDeps) {
  const { config, db, vault, keys, accounts, baseUrl, clock } = deps
  const onChanged = (userId: string): Promise<void> => engine.reschedule(userId)
  const allowance = createAllowance({ ...deps, sms: config.sms, numberKey: deriveKey(keys[0], 'text-message-numbers') })
  const sendText = config.sms ? allowance.texts(createSmsClient(config.sms, clock)) : null
  const delivery = createDeliveryService({ store: createDeliveryStore(db), hasSms: sendText !== null, onChanged })
  const tokens = createUnsubscribeTokens(...(await signingKeys(deps, 'unsubscribe')))
  const unsubscribe = (userId: string, address: string) => {
    const token = encodeURIComponent(tokens.make({ userId, address }))
    return { page: `${baseUrl()}/unsubscribe?token=${token}`, oneClick: `${baseUrl()}${unsubscribeEndpoints.stop.path}?token=${token}` }
  }
  const channels = createChannelsService({
    ...deps,
    store: createChannelsStore(db, vault, config.offer),
    delivery,
    sendText,
    allowance,
    attempts: accounts.attempts,
    strangerEmailLimits: accounts.strangerEmailLimits,
    asked: createAskedAddresses(await hashKeys(deps, 'report-addresses')),
    unsubscribePage: (userId, address) => unsubscribe(userId, address).page,
    confirmationKey: deriveKey(keys[0], 'delivery-confirmation'),
    onChanged,
  })
  deps.events.on('addressChanged', ({ userId }) => channels.accountAddressChanged(userId))
  deps.events.on('accountDeleting', (deletion) => channels.email.accountDeleting(deletion))
  deps.events.on('grantsEnding', async ({ userId, transaction }) => {
    await transaction.deleteFrom('deliveryChannels').where('userId', '=', userId).execute()
  })
  const verdictTokens = createVerdictTokens(...(await signingKeys(deps, 'alert-verdict')))
  const engine = await createDeliveryEngine({
    ...deps,
    destinations: createDestinations(db, vault),
    channels: {
      email: allowance.mails(
        createEmailChannel({
          mail: config.mail,
          unsubscribe,
          verdict: (mailed, alert, verdict) => verdictLink(verdictTokens, baseUrl(), mailed, alert, verdict),
        }),
      ),
      slack: createSlackChannel(config.slack, clock),
      sms: createSmsChannel(sendText),
      webhook: createWebhookChannel(config.webhooks, clock),
    },
    async settingsOf(userId, trx) {
      const { plan } = await trx.selectFrom('people').where('userId', '=', userId).select('plan').executeTakeFirstOrThrow()
      return delivery.settingsOf(userId, planUnder(config.offer, plan), trx)
    },
  })

  const capability: Capability = {
    routes: [
      deliveryRoutes({ delivery }),
      channelsRoutes({
        channels,
        attempts: accounts.attempts,
        sendTest: (person, channel) => engine.sendTest(person.id, channel, person.selected?.name ?? null),
      }),
      webhookLogRoutes({
        webhookLog: createWebhookLog({ db, clock, baseUrl, soon: engine.soon }),
        attempts: accounts.attempts,
      }),
      unsubscribeRoutes({ unsubscribe: createUnsubscribe({ accounts, channels, delivery, tokens }) }),
      verdictRoutes({
        alerts: deps.alerts,
        tokens: verdictTokens,
        async goesTo({ userId, address }) {
          const person = await accounts.person(userId)
          const places = person ? [person.email, await channels.email.addressOf(person)] : []
          return places.some((place) => place.toLowerCase() === address.toLowerCase())
        },
      }),
    ],
    work: () => engine.work(),
    exported: [
      jsonSection('delivery-settings.json', 'Your alert delivery settings; null if you never changed them.', delivery.storedOf),
      jsonSection('delivery-channels.json', 'Your alert channels.', (userId) => exportedChannels(db, userId)),
      async (userId) => {
        const refusals = await exportedRefusals(db, userId)
        const about = "Addresses that unsubscribed from your account's alert emails."
        return refusals.length === 0 ? [] : [jsonFile('alert-email-unsubscribed.json', about, refusals)]
      },
      async (userId) => [messagesFile(db, userId)],
    ],
  }
  return { delivery, capability }
}
