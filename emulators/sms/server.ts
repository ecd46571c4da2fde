import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerCall } from '../lib/api-call.ts'
import { CONTROL_PREFIX, handleControl } from '../lib/control.ts'
import { type Call, json, readCall, redirect, type Reply, send } from '../lib/http.ts'
import { listen } from '../lib/listen.ts'
import { API_PREFIX, handleApi } from './api.ts'
import { handlers } from './control.ts'
import { resourceOf } from './message.ts'
import type { SmsOptions } from './options.ts'
import { listPage } from './pages.ts'
import { receiveReply } from './reply.ts'
import { World } from './world.ts'

export interface SmsStandIn {
  /** Replaces https://api.twilio.com; also the page's URL. Without a trailing slash. */
  readonly url: string
  /** What to configure a client with. */
  readonly accountSid: string
  readonly authToken: string
  readonly number: string
  readonly messagingServiceSid: string
  close(): Promise<void>
}

/** Starts the stand-in on 127.0.0.1. Rejects if the port is taken. */
export async function startSms(options: SmsOptions = {}): Promise<SmsStandIn> {
  const world = new World(options)
  const { url, close } = await listen(options.port ?? 0, (request, response) => handle(world, request, response)).catch(
    (error: unknown) => {
      world.delivery.stop()
      throw error
    },
  )
  return {
    url,
    accountSid: world.accountSid,
    authToken: world.authToken,
    number: world.sender,
    messagingServiceSid: world.messagingServiceSid,
    close: async () => {
      world.delivery.stop()
      world.store.flush()
      await close()
    },
  }
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await readCall(request)
  const path = call.url.pathname
  if (path.startsWith(API_PREFIX)) {
    const to = new URLSearchParams(call.body).get('To') ?? ''
    return answerCall(world, call, response, `${call.method} ${path} ${to}`, () => handleApi(world, call))
  }
  await send(response, call, path.startsWith(CONTROL_PREFIX) ? await handleControl(world, handlers, call) : route(world, call))
}

function route(world: World, call: Call): Reply {
  const { method, url } = call
  if (method === 'POST' && url.pathname === '/reply') return reply(world, new URLSearchParams(call.body))
  if (method !== 'GET') return json(405, { error: `no ${method} here` })
  const number = url.searchParams.get('number')
  const messages = world.store.list().filter((each) => number === null || each.to === number || each.from === number)
  if (url.pathname === '/') return listPage(world, messages, number)
  if (url.pathname === '/messages') return json(200, { messages: messages.map(resourceOf) })
  return json(404, { error: `nothing at ${url.pathname}` })
}

/** The page's buttons. */
function reply(world: World, form: URLSearchParams): Reply {
  const [from, to, body] = [form.get('from') ?? '', form.get('to') ?? '', form.get('body') ?? '']
  if (from === '' || !world.numbers.includes(to) || body === '') return json(400, { error: 'from, to and body are needed' })
  receiveReply(world, from, to, body)
  return { ...redirect('/'), status: 303 }
}
