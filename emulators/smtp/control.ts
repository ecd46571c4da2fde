import { z } from 'zod'
import { json } from '../lib/http.ts'
import type { Call, Reply } from '../lib/http.ts'
import { FAULT_NAMES } from './faults.ts'
import type { Listener } from './listener.ts'
import type { World } from './world.ts'

export const CONTROL_PREFIX = '/_control/'

const count = z.number().int().nonnegative()
const failInput = z.object({
  error: z.enum(FAULT_NAMES),
  times: count.default(1),
  seconds: z.number().positive().optional(),
  after: count.default(0),
  to: z.string().optional(),
})
const delayInput = z.object({ ms: count })
const listeningInput = z.object({ listening: z.boolean() })

type Handler = (world: World, listener: Listener, body: unknown) => unknown

function state(world: World, listener: Listener): unknown {
  return {
    listening: listener.listening,
    port: listener.port,
    messages: world.mailbox.list().length,
    faults: world.faults.list(),
    delay: world.faults.delay,
  }
}

const handlers: Readonly<Record<string, Handler>> = {
  'GET state': (world, listener) => state(world, listener),
  'POST fail': (world, _listener, body) => {
    const { seconds, ...fault } = failInput.parse(body)
    world.faults.add({ ...fault, until: seconds === undefined ? null : Date.now() + seconds * 1000 })
    return { faults: world.faults.list() }
  },
  'DELETE fail': (world) => {
    world.faults.clear()
    return {}
  },
  'PUT delay': (world, _listener, body) => {
    world.faults.delay = delayInput.parse(body).ms
    return {}
  },
  'PUT listening': async (world, listener, body) => {
    await (listeningInput.parse(body).listening ? listener.listen() : listener.stop())
    return state(world, listener)
  },
  'GET attempts': (world) => ({ attempts: world.attempts(), logins: world.logins }),
  'DELETE attempts': (world) => {
    world.forgetAttempts()
    return {}
  },
  'DELETE messages': (world) => {
    world.mailbox.clear()
    return {}
  },
  'POST reset': async (world, listener) => {
    world.mailbox.clear()
    world.forgetAttempts()
    world.faults.clear()
    await listener.listen()
    return state(world, listener)
  },
}

/** Answers a call of the control API. */
export async function handleControl(world: World, listener: Listener, call: Call): Promise<Reply> {
  const name = `${call.method} ${call.url.pathname.slice(CONTROL_PREFIX.length)}`
  const handler = handlers[name]
  if (!handler) return json(404, { error: `no ${name}`, known: Object.keys(handlers) })
  try {
    const body: unknown = call.body === '' ? {} : JSON.parse(call.body)
    return json(200, await handler(world, listener, body))
  } catch (error) {
    if (error instanceof SyntaxError) return json(400, { error: 'the body is not JSON' })
    if (error instanceof z.ZodError) return json(400, { error: z.prettifyError(error) })
    throw error
  }
}
