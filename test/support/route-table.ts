import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '../../src/contract/endpoint.ts'

/** A route as registered with the application. */
export type Route = {
  method: string
  /** With parameters as `:id`. */
  url: string
  /** Its endpoint; absent for files, libraries and operators' routes. */
  endpoint?: Endpoint
  /** How often a minute it may be requested is limited, by the route itself or by default. */
  isLimited?: boolean
  /** What it accepts in each part of a request, as JSON Schema; absent for parts it ignores. */
  params?: JsonSchema
  query?: JsonSchema
  body?: JsonSchema
}
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Records every route of the Fastify that `start` starts last, so that a test can't miss any. */
export async function withRouteTable<T>(start: () => Promise<T>): Promise<{ started: T; routes: Route[] }> {
  let routes: Route[] = []
  const note = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    // An earlier one was started to create what the server starts with.
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
  const isLimited = config?.rateLimit !== undefined || config?.ordinaryMax !== undefined
  return [method].flat().map((one) => ({ method: one, url, isLimited, ...(endpoint && { endpoint }), ...present }))
}

const jsonSchema = (schema: z.ZodType | undefined): JsonSchema | null =>
  schema === undefined ? null : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
