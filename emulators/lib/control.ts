import { z } from 'zod'
import { type Call, json, type Reply } from './http.ts'
import type { RateLimit } from './rate-limit.ts'

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
export const faultHandlers: Handlers<{ readonly faults: { delay: number; clear(): void } }> = {
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
export const logHandlers: Handlers<{ readonly log: { summary(last: number): unknown; clear(): void } }> = {
  'GET requests': ({ log }, _body, query) => log.summary(Number(query.get('last') ?? 100)),
  'DELETE requests': ({ log }) => {
    log.clear()
    return {}
  },
}

const limitInput = z.object({ perSecond: z.number().positive(), burst: z.number().int().positive() }).nullable()

/** For stand-ins that limit how often they may be called. */
export const limitHandlers: Handlers<{ readonly limit: RateLimit }> = {
  'PUT limit': ({ limit }, body) => {
    limit.limit = limitInput.parse(body)
    limit.forget()
    return { limit: limit.limit }
  },
}

/**
 * Answers a call of the control API.
 * @param refused the reply to a refusal of the emulated service
 */
export async function handleControl<World>(
  world: World,
  handlers: Handlers<World>,
  call: Call,
  refused: (error: unknown) => Reply | undefined = () => undefined,
): Promise<Reply> {
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
    const reply = refused(error)
    if (reply) return reply
    throw error
  }
}
