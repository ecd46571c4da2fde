import { z } from 'zod'
import type { CallLog } from './call-log.ts'
import type { FaultPlan } from './faults.ts'
import { type Call, json, type Reply } from './http.ts'

export const CONTROL_PREFIX = '/_control/'

/** A misuse of the control API, answered with its status and text. */
export class ControlError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Handler<World> = (world: World, body: unknown, query: URLSearchParams) => unknown

/** By method and name: `POST fail`. */
export type Handlers<World> = Readonly<Record<string, Handler<World>>>

const delayInput = z.object({ ms: z.number().int().nonnegative() })

/** For stand-ins that can be made to fail; each parses its own faults. */
export const faultHandlers: Handlers<{ readonly faults: FaultPlan }> = {
  'DELETE fail': ({ faults }) => {
    faults.clear()
    return {}
  },
  'PUT delay': ({ faults }, body) => {
    faults.delay = delayInput.parse(body).ms
    return {}
  },
}

/** For stand-ins that log their calls. */
export const logHandlers: Handlers<{ readonly log: CallLog }> = {
  'GET requests': ({ log }, _body, query) => log.summary(Number(query.get('last') ?? 100)),
  'DELETE requests': ({ log }) => {
    log.clear()
    return {}
  },
}

/** Answers a call of the control API. */
export async function handleControl<World>(world: World, handlers: Handlers<World>, call: Call): Promise<Reply> {
  const name = `${call.method} ${call.url.pathname.slice(CONTROL_PREFIX.length)}`
  const handler = handlers[name]
  if (!handler) return json(404, { error: `no ${name}`, known: Object.keys(handlers) })
  try {
    const body: unknown = call.body === '' ? {} : JSON.parse(call.body)
    return json(200, await handler(world, body, call.url.searchParams))
  } catch (error) {
    if (error instanceof ControlError) return json(error.status, { error: error.message })
    if (error instanceof SyntaxError) return json(400, { error: 'the body is not JSON' })
    if (error instanceof z.ZodError) return json(400, { error: z.prettifyError(error) })
    throw error
  }
}
