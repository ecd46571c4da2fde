import { z } from 'zod'
import { newId, randomText } from '../ids.ts'
import type { PortalSession, WebhookEndpoint } from '../objects/types.ts'
import { customerOf } from '../billing/methods.ts'
import { API_VERSION } from '../options.ts'
import { wrongParam } from '../wire/errors.ts'
import { pageOf } from '../wire/paging.ts'
import { expand, flag, mergeMetadata, metadata, paging, parseParams, text } from '../wire/params.ts'
import type { World } from '../world.ts'
import type { Route } from './context.ts'
import { retrieveOnly } from './retrieve.ts'

const portalParams = z.strictObject({
  customer: text,
  return_url: text.optional(),
  locale: text.optional(),
  configuration: text.optional(),
  expand,
})
const eventListParams = z.strictObject({
  ...paging,
  type: text.optional(),
  types: z.array(text).optional(),
  delivery_success: flag.optional(),
})
const endpointParams = z.strictObject({
  url: text,
  enabled_events: z.array(text).min(1),
  description: text.optional(),
  metadata: metadata.optional(),
  api_version: text.optional(),
  expand,
})
const listParams = z.strictObject(paging)
const none = z.strictObject({ expand })

/** An event destination. Its secret appears only in the response that creates it. */
export function addEndpoint(world: World, url: string, events: string[], secret: string, id = newId('we')): WebhookEndpoint {
  if (!URL.canParse(url)) throw wrongParam('Invalid URL: An explicit scheme (such as https) must be provided.', 'url', 'url_invalid')
  world.store.secrets.signing[id] = secret
  return world.store.insert('webhook_endpoint', {
    id,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created: world.clock.seconds(),
    description: null,
    enabled_events: events,
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  })
}

function createPortal(world: World, params: z.output<typeof portalParams>): PortalSession {
  const customer = customerOf(world, params.customer, 'customer')
  const id = newId('bps')
  return world.create('billing_portal.session', {
    id,
    object: 'billing_portal.session',
    after_expiration: null,
    configuration: params.configuration ?? 'bpc_ranklark_local',
    created: world.clock.seconds(),
    customer: customer.id,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: params.locale ?? null,
    on_behalf_of: null,
    return_url: params.return_url ?? null,
    url: `${world.url}/p/session/${id}_${randomText(32)}`,
  })
}

export const accountRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    run: ({ world, params }) => createPortal(world, parseParams(portalParams, params)),
  },
  {
    method: 'GET',
    path: '/v1/events',
    run: ({ world, params: form }) => {
      const params = parseParams(eventListParams, form)
      const types = params.types ?? (params.type === undefined ? undefined : [params.type])
      const matches = (type: string): boolean =>
        types === undefined || types.some((each) => (each.endsWith('.*') ? type.startsWith(each.slice(0, -1)) : each === type))
      return pageOf(
        world.store.all('event').filter((event) => matches(event.type)),
        params,
        '/v1/events',
      )
    },
  },
  retrieveOnly('event', '/v1/events/:'),
  {
    method: 'POST',
    path: '/v1/webhook_endpoints',
    run: ({ world, params: form }) => {
      const params = parseParams(endpointParams, form)
      const secret = `whsec_${randomText(32)}`
      const endpoint = addEndpoint(world, params.url, params.enabled_events, secret)
      endpoint.description = params.description ?? null
      endpoint.metadata = mergeMetadata({}, params.metadata)
      return { ...endpoint, secret }
    },
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints',
    run: ({ world, params }) => pageOf(world.store.all('webhook_endpoint'), parseParams(listParams, params), '/v1/webhook_endpoints'),
  },
  retrieveOnly('webhook_endpoint', '/v1/webhook_endpoints/:'),
  {
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:',
    run: ({ world, params }, id) => {
      parseParams(none, params)
      world.store.get('webhook_endpoint', id)
      world.store.remove('webhook_endpoint', id)
      delete world.store.secrets.signing[id]
      return { id, object: 'webhook_endpoint', deleted: true }
    },
  },
]
