import { newId } from '../ids.ts'
import { addEndpoint } from '../api/account.ts'
import { API_VERSION } from '../options.ts'
import type { StripeEvent, WebhookEndpoint } from '../objects/types.ts'
import { bodyOf } from '../webhooks/deliveries.ts'
import { post } from '../webhooks/post.ts'
import type { Outcome } from '../webhooks/post.ts'
import { signatureOf } from '../webhooks/signature.ts'
import type { World } from '../world.ts'

const OWN_ENDPOINT = 'we_ranklark_local'

/** Sets the one endpoint that isn't created through the API; another call replaces it. */
export function setEndpoint(world: World, url: string, secret: string | undefined, events: string[]): WebhookEndpoint {
  return addEndpoint(world, url, events, secret ?? world.webhookSecret, OWN_ENDPOINT)
}

/** Sends something that looks like a Stripe event but isn't one. */
export async function forge(
  world: World,
  forged: {
    type: string
    object: Record<string, unknown>
    url?: string | undefined
    signature: 'wrongSecret' | 'missing' | 'old' | 'otherBody'
  },
): Promise<Outcome[]> {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: world.clock.seconds(),
    data: { object: forged.object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: forged.type,
  }
  const body = bodyOf(event)
  const endpoints = world.store.all('webhook_endpoint').filter((endpoint) => forged.url === undefined || endpoint.url === forged.url)
  const targets = endpoints.length > 0 ? endpoints : forged.url === undefined ? [] : [{ id: '', url: forged.url }]
  return Promise.all(
    targets.map((endpoint) => {
      const secret = world.store.secrets.signing[endpoint.id] ?? world.webhookSecret
      const signatures = {
        wrongSecret: signatureOf(body, 'whsec_of_somebody_else'),
        missing: '',
        old: signatureOf(body, secret, Math.floor(Date.now() / 1000) - 3600),
        otherBody: signatureOf(`${body} `, secret),
      }
      return post(endpoint.url, body, secret, { signature: signatures[forged.signature] })
    }),
  )
}
