import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'

/** A route as the application itself was told of it. */
export type Route = {
  method: string
  /** With parameters as `:id`. */
  url: string
  /** What it asks for in each part of a request, as JSON Schema; absent where it looks at nothing there. */
  params?: JsonSchema
  query?: JsonSchema
  body?: JsonSchema
  /** What it answers when it does what it is asked for: null for no body; absent where it does not say. */
  answer?: JsonSchema
}
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Notes every route of the Fastify that `start` starts last, so that none can be left out of a test. */
export async function withRouteTable<T>(start: () => Promise<T>): Promise<{ started: T; routes: Route[] }> {
  let routes: Route[] = []
  const note = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    // One before it was started to make what the server begins with.
    const ofThis: Route[] = []
    routes = ofThis
    fastify.addHook('onRoute', (route) => void ofThis.push(...routesOf(route)))
  }
  subscribe('fastify.initialization', note)
  try {
    return { started: await start(), routes }
  } finally {
    unsubscribe('fastify.initialization', note)
  }
}

function routesOf({ method, url, schema }: RouteOptions): Route[] {
  const parts = {
    params: jsonSchema(schema?.params),
    query: jsonSchema(schema?.querystring),
    body: jsonSchema(schema?.body),
    answer: jsonSchema(answerOf(schema?.response)),
  }
  const present = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== null))
  return [method].flat().map((one) => ({ method: one, url, ...present }))
}

function jsonSchema(schema: unknown): JsonSchema | null {
  if (!(schema instanceof z.ZodType)) return null
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

/** The schema of the one answer that is no refusal. */
function answerOf(response: unknown): unknown {
  const told = Object.entries(response ?? {}).filter(([status]) => status.startsWith('2'))
  if (told.length > 1) throw new Error('A route that answers in two forms: say here which one counts')
  return told[0]?.[1]
}
