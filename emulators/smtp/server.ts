import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json, readCall, send } from '../lib/http.ts'
import type { Call, Reply } from '../lib/http.ts'
import { CONTROL_PREFIX, handleControl } from './control.ts'
import { createListener, type Listener } from './listener.ts'
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
  const server = createServer((request, response) => {
    handle(world, listener, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(String(error))
    })
  })
  await listener.listen()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  } catch (error) {
    await listener.stop()
    throw error
  }
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
    smtpUrl: `smtp://127.0.0.1:${listener.port}`,
    async close() {
      await listener.stop()
      world.mailbox.flush()
      await new Promise<void>((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      })
    },
  }
}

async function handle(world: World, listener: Listener, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await readCall(request)
  const reply = call.url.pathname.startsWith(CONTROL_PREFIX) ? await handleControl(world, listener, call) : route(world, call)
  await send(response, call, reply)
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
