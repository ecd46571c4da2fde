import type { IncomingMessage, ServerResponse } from 'node:http'
import { CONTROL_PREFIX, handleControl, type Handlers } from '../lib/control.ts'
import { type Call, json, readCall, type Reply, send } from '../lib/http.ts'
import { listen } from '../lib/listen.ts'
import { handlersOf } from './control.ts'
import { createListener } from './listener.ts'
import { attachment, htmlPart, listPage, mailPage } from './pages.ts'
import { World } from './world.ts'

export interface SmtpOptions {
  /** For the page and the JSON; 0 or absent picks a free one. */
  readonly port?: number
  /** For SMTP; 0 or absent picks a free one. */
  readonly smtpPort?: number
  /** null or absent: nothing outlives the process. */
  readonly stateDir?: string | null
}

export interface SmtpStandIn {
  /** Base URL of the page and the JSON, without a trailing slash. */
  readonly url: string
  /** What to configure a mail client with. */
  readonly smtpUrl: string
  close(): Promise<void>
}

/** Starts the stand-in on 127.0.0.1. Rejects if a port is taken. */
export async function startSmtp({ port = 0, smtpPort = 0, stateDir = null }: SmtpOptions = {}): Promise<SmtpStandIn> {
  const world = new World(stateDir)
  const listener = createListener(world, smtpPort)
  const handlers = handlersOf(listener)
  await listener.listen()
  const server = await listen(port, (request, response) => handle(world, handlers, request, response)).catch(async (error: unknown) => {
    await listener.stop()
    throw error
  })
  return {
    url: server.url,
    smtpUrl: `smtp://127.0.0.1:${listener.port}`,
    async close() {
      await listener.stop()
      world.mailbox.flush()
      await server.close()
    },
  }
}

async function handle(world: World, handlers: Handlers<World>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await readCall(request)
  const isControl = call.url.pathname.startsWith(CONTROL_PREFIX)
  await send(response, call, isControl ? await handleControl(world, handlers, call) : route(world, call))
}

function route(world: World, { method, url }: Call): Reply {
  if (method !== 'GET') return json(405, { error: `no ${method} here` })
  const to = url.searchParams.get('to')
  if (url.pathname === '/') return listPage(world.mailbox.list(to), to)
  if (url.pathname === '/messages') return json(200, { messages: world.mailbox.list(to) })
  const [, area, id, part, number] = /^\/(messages|mail)\/(\d+)(?:\/(html|attachments\/(\d+)))?$/.exec(url.pathname) ?? []
  const message = id === undefined ? undefined : world.mailbox.get(Number(id))
  if (!message) return json(404, { error: `nothing at ${url.pathname}` })
  const contents = world.mailbox.contents(message.id)
  if (number !== undefined) return attachment(message, contents, Number(number))
  if (area === 'messages') return json(200, message)
  return part === 'html' ? htmlPart(message, contents) : mailPage(message)
}
