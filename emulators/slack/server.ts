import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerCall } from '../lib/api-call.ts'
import { CONTROL_PREFIX, handleControl } from '../lib/control.ts'
import { type Call, json, readCall, type Reply, send } from '../lib/http.ts'
import { listen } from '../lib/listen.ts'
import { handlers } from './control.ts'
import { listPage } from './pages.ts'
import { post, SERVICES_PREFIX } from './post.ts'
import { World } from './world.ts'

export interface SlackOptions {
  /** 0 or absent picks a free one. */
  readonly port?: number
  /** null or absent: nothing outlives the process. */
  readonly stateDir?: string | null
}

export interface SlackStandIn {
  /** Replaces https://hooks.slack.com; also the page's URL. Without a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

/** Starts the stand-in on 127.0.0.1. Rejects if the port is taken. */
export async function startSlack({ port = 0, stateDir = null }: SlackOptions = {}): Promise<SlackStandIn> {
  const world = new World(stateDir)
  const { url, close } = await listen(port, (request, response) => handle(world, request, response))
  return {
    url,
    close: async () => {
      world.store.flush()
      await close()
    },
  }
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await readCall(request)
  const path = call.url.pathname
  if (path.startsWith(SERVICES_PREFIX)) return answerCall(world, call, response, `${call.method} ${path}`, () => post(world, call))
  await send(response, call, path.startsWith(CONTROL_PREFIX) ? await handleControl(world, handlers, call) : route(world, call))
}

function route(world: World, { method, url }: Call): Reply {
  if (method !== 'GET') return json(405, { error: `no ${method} here` })
  const hook = url.searchParams.get('hook')
  if (url.pathname === '/') return listPage(world.store.messages(hook), hook === null ? null : (world.store.hook(hook) ?? hook))
  if (url.pathname === '/messages') return json(200, { messages: world.store.messages(hook) })
  const id = /^\/messages\/(\d+)$/.exec(url.pathname)?.[1]
  const message = id === undefined ? undefined : world.store.message(Number(id))
  return message ? json(200, message) : json(404, { error: `nothing at ${url.pathname}` })
}
