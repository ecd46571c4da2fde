import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '../../src/contract/endpoint.ts'

/** A route as the application itself was told of it. */
export type Route = {
  method: string
  /** With parameters as `:id`. */
  url: string
  /** What it was registered by; absent for files, libraries and what is for operators. */
  endpoint?: Endpoint
  /** What it asks for in each part of a request, as JSON Schema; absent where it looks at nothing there. */
  params?: JsonSchema
  query?: JsonSchema
  body?: JsonSchema
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

function routesOf({ method, url, config }: RouteOptions): Route[] {
  const endpoint = config?.endpoint
  const parts = { params: jsonSchema(endpoint?.params), query: jsonSchema(endpoint?.query), body: jsonSchema(endpoint?.body) }
  const present = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== null))
  return [method].flat().map((one) => ({ method: one, url, ...(endpoint && { endpoint }), ...present }))
}

const jsonSchema = (schema: z.ZodType | undefined): JsonSchema | null =>
  schema === undefined ? null : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
