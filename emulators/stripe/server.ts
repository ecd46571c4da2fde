import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { give } from '../lib/answer.ts'
import { CONTROL_PREFIX } from '../lib/control.ts'
import { about } from '../lib/faults.ts'
import { readCall, send } from '../lib/http.ts'
import type { Reply } from '../lib/http.ts'
import { listen } from '../lib/listen.ts'
import { API_PREFIX, handleApi } from './api/routes.ts'
import { catchUp } from './billing/cycle.ts'
import { handleControl } from './control/routes.ts'
import type { StripeOptions } from './options.ts'
import { handlePages } from './pages/routes.ts'
import { type ApiCall, World } from './world.ts'

export interface StripeStandIn {
  /** Base URL without a trailing slash. */
  readonly url: string
  readonly port: number
  /** What to configure a server and a browser with. */
  readonly secretKey: string
  readonly publishableKey: string
  readonly webhookSecret: string
  /** The script that sets `window.Stripe`. */
  readonly scriptUrl: string
  close(): Promise<void>
}

const TICK_MS = 1000

/** Starts the stand-in on 127.0.0.1. Rejects if the port is taken. */
export async function startStripe(options: StripeOptions = {}): Promise<StripeStandIn> {
  const world = new World(options)
  const server = await listen(options.port ?? 0, (request, response) => handle(world, request, response))
  world.url = server.url
  // Renewals and the like also happen while nobody calls.
  const ticking = setInterval(() => catchUp(world), TICK_MS)
  ticking.unref()
  return {
    url: world.url,
    port: server.port,
    secretKey: world.secretKey,
    publishableKey: world.publishableKey,
    webhookSecret: world.webhookSecret,
    scriptUrl: `${world.url}/v3/stripe.js`,
    close: () => {
      clearInterval(ticking)
      world.deliveries.close()
      world.store.save()
      return server.close()
    },
  }
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await readCall(request)
  const path = call.url.pathname
  if (path.startsWith(CONTROL_PREFIX)) return send(response, call, await handleControl(world, call))
  if (!path.startsWith(API_PREFIX)) return send(response, call, handlePages(world, call))
  if (call.method === 'OPTIONS') return send(response, call, preflight())
  const key = call.headers['idempotency-key']
  const entry: ApiCall = {
    at: new Date().toISOString(),
    method: call.method,
    path,
    params: withoutCard(call.body || call.url.search.slice(1)),
    idempotencyKey: typeof key === 'string' ? key : null,
    status: 0,
    replayed: false,
  }
  world.log.add(entry)
  const carryOut = (): Reply => handleApi(world, call, () => (entry.replayed = true))
  if (world.faults.delay > 0) await pause(world.faults.delay)
  const fault = world.faults.take(about(`${call.method} ${path}`))
  if (fault) {
    if (fault.executed) carryOut()
    entry.status = await give(response, fault, 500)
    return
  }
  const reply = carryOut()
  entry.status = reply.status
  await send(response, call, reply)
}

/** Keeps card numbers out of the log. */
const withoutCard = (params: string): string => params.replaceAll(/(%5Bnumber%5D|\[number\]|%5Bcvc%5D|\[cvc\])=[^&]*/gi, '$1=…')

function preflight(): Reply {
  return {
    status: 204,
    body: '',
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization, content-type, stripe-version',
      'access-control-max-age': '600',
    },
  }
}
