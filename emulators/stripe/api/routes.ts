import { randomText } from '../ids.ts'
import { json, jsonBody } from '../../lib/http.ts'
import type { Call, Reply } from '../../lib/http.ts'
import { catchUp } from '../billing/cycle.ts'
import { API_VERSION } from '../options.ts'
import { StripeFailure, unknownAddress, wrongParam } from '../wire/errors.ts'
import { expanded } from '../wire/expand.ts'
import { decodeForm } from '../wire/form.ts'
import type { Form } from '../wire/form.ts'
import type { World } from '../world.ts'
import { accountRoutes } from './account.ts'
import { authorize } from './authorize.ts'
import { catalogRoutes } from './catalog.ts'
import type { Route } from './context.ts'
import { customerRoutes } from './customers.ts'
import { intentRoutes } from './intents.ts'
import { invoiceRoutes } from './invoices.ts'
import { lookupIn } from './on-demand.ts'
import { paymentMethodRoutes } from './payment-methods.ts'
import { scheduleRoutes } from './schedules.ts'
import { subscriptionRoutes } from './subscriptions.ts'

export const API_PREFIX = '/v1/'

const routes: readonly Route[] = [
  ...customerRoutes,
  ...catalogRoutes,
  ...paymentMethodRoutes,
  ...intentRoutes,
  ...invoiceRoutes,
  ...subscriptionRoutes,
  ...scheduleRoutes,
  ...accountRoutes,
]

/** The route of a path. A literal part takes precedence over an id. */
function find(method: string, path: string): { route: Route; ids: string[] } | undefined {
  const parts = path.split('/').map(decodeURIComponent)
  for (const literalFirst of [true, false]) {
    for (const route of routes) {
      const pattern = route.path.split('/')
      if (route.method !== method || pattern.length !== parts.length || literalFirst === pattern.includes(':')) continue
      if (pattern.every((part, at) => (part === ':' ? parts[at] !== '' : part === parts[at]))) {
        return { route, ids: parts.filter((_, at) => pattern[at] === ':') }
      }
    }
  }
  return undefined
}

function failureReply(error: StripeFailure, headers: Record<string, string>): Reply {
  return json(error.status, { error: { ...error.body, request_log_url: `/#${headers['request-id']}` } }, headers)
}

function expandOf(params: Form): string[] {
  const given = params['expand']
  return Array.isArray(given) ? given.filter((each) => typeof each === 'string') : []
}

/** Answers a call of the API. @param replayed called if an earlier response is repeated */
export function handleApi(world: World, call: Call, replayed: () => void): Reply {
  const path = call.url.pathname
  const headers: Record<string, string> = {
    'request-id': `req_${randomText(14)}`,
    'stripe-version': API_VERSION,
    'access-control-allow-origin': '*',
  }
  const key = call.method === 'POST' ? call.headers['idempotency-key'] : undefined
  if (typeof key === 'string') headers['idempotency-key'] = key
  try {
    const found = find(call.method, path)
    const body = call.method === 'GET' || call.method === 'DELETE' ? call.url.search.slice(1) || call.body : call.body
    const params = decodeForm(body)
    const publishable = authorize(world, call, params, found?.route.browser ?? false)
    if (!found) throw unknownAddress(call.method, path)
    const version = call.headers['stripe-version']
    if (version !== undefined && version !== API_VERSION) {
      throw wrongParam(`Invalid Stripe API version: ${String(version)}. This stand-in speaks ${API_VERSION} only.`, 'Stripe-Version')
    }
    if (typeof key === 'string') {
      const kept = world.idempotency.replay(key, call.method, path, body)
      if (kept) {
        replayed()
        return jsonBody(kept.status, kept.body, { ...headers, 'idempotent-replayed': 'true', 'original-request': kept.request })
      }
    }
    const reply = run(world, found, { params, publishable, headers, key: typeof key === 'string' ? key : null })
    if (typeof key === 'string' && reply.kept) {
      const answer = { status: reply.reply.status, body: String(reply.reply.body), request: headers['request-id'] ?? '' }
      world.idempotency.keep(key, call.method, path, body, answer)
    }
    return reply.reply
  } catch (error) {
    if (error instanceof StripeFailure) return failureReply(error, headers)
    throw error
  }
}

interface Asked {
  readonly params: Form
  readonly publishable: boolean
  readonly headers: Record<string, string>
  readonly key: string | null
}

function run(world: World, { route, ids }: { route: Route; ids: string[] }, asked: Asked): { reply: Reply; kept: boolean } {
  const request = { id: asked.headers['request-id'] ?? null, idempotency_key: asked.key }
  catchUp(world)
  try {
    const answer = world.during(request, () =>
      route.run({ world, params: asked.params, ids, publishable: asked.publishable }, ids[0] ?? ''),
    )
    return { reply: json(200, expanded(answer, expandOf(asked.params), lookupIn(world)), asked.headers), kept: true }
  } catch (error) {
    if (error instanceof StripeFailure) return { reply: failureReply(error, asked.headers), kept: !error.early }
    throw error
  } finally {
    world.store.touched()
  }
}
