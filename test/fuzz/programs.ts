import { z } from 'zod'
import { operations } from '../../src/server/api/operations.ts'
import type { TestApp } from '../support/app.ts'
import type { JsonSchema, Route } from '../support/route-table.ts'

const schemaOf = (schema: z.ZodType | null): JsonSchema | undefined =>
  schema === null ? undefined : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

/** The operations of /api/v1, which read their input themselves, as routes. */
export const operationRoutes = (): Route[] =>
  operations.map(({ method, path, params, query, body }) => {
    const parts = { params: schemaOf(params), query: schemaOf(query), body: schemaOf(body) }
    const present = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))
    return { method, url: `/api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, ...present }
  })

const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string(), inputSchema: z.looseObject({}) })) }) })

/** The tools of MCP as it tells of them itself. */
export async function toolsOf(app: TestApp, key: string): Promise<{ name: string; input: JsonSchema }[]> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' }
  const { body } = await app.visitor().send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers })
  return listed.parse(body).result.tools.map(({ name, inputSchema }) => ({ name, input: inputSchema as JsonSchema }))
}
