import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { give } from '../lib/answer.ts'
import { CONTROL_PREFIX, handleControl } from '../lib/control.ts'
import { about } from '../lib/faults.ts'
import { type Call, json, readCall, type Reply, send } from '../lib/http.ts'
import { listen } from '../lib/listen.ts'
import { handlers } from './control.ts'
import { listPage } from './pages.ts'
import { World } from './world.ts'

const HOOK_PREFIX = '/hook'

export interface WebhookOptions {
  /** 0 or absent picks a free one. */
  readonly port?: number
}

export interface WebhookStandIn {
  /** For the page and the JSON, without a trailing slash. */
  readonly url: string
  /** The URL that a customer would enter. */
  readonly hookUrl: string
  close(): Promise<void>
}

/** Starts the stand-in on 127.0.0.1. Rejects if the port is taken. */
export async function startWebhook({ port = 0 }: WebhookOptions = {}): Promise<WebhookStandIn> {
  const world = new World()
  const { url, close } = await listen(port, (request, response) => handle(world, request, response))
  return { url, hookUrl: url + HOOK_PREFIX, close }
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = request
  if (path.startsWith(HOOK_PREFIX)) {
    world.begun()
    // Also when the other side gives up.
    response.once('close', () => world.ended())
    const bytes = await buffer(request)
    const received = world.add({ method, path, headers, body: bytes.toString('utf8'), bodyBase64: bytes.toString('base64') })
    if (world.faults.delay > 0) await pause(world.faults.delay)
    received.status = await give(response, world.faults.take(about(`${method} ${path}`)) ?? world.answer, 200)
    return
  }
  const call = await readCall(request)
  await send(response, call, path.startsWith(CONTROL_PREFIX) ? await handleControl(world, handlers, call) : route(world, call))
}

function route(world: World, { method, url }: Call): Reply {
  if (method !== 'GET') return json(405, { error: `no ${method} here` })
  if (url.pathname === '/') return listPage(world.list())
  if (url.pathname === '/messages') return json(200, { messages: world.list() })
  const id = /^\/messages\/(\d+)$/.exec(url.pathname)?.[1]
  const received = id === undefined ? undefined : world.get(Number(id))
  return received ? json(200, received) : json(404, { error: `nothing at ${url.pathname}` })
}
