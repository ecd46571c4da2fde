import { z } from 'zod'
import type { TestApp } from '../support/app.ts'
import type { JsonSchema } from '../support/route-table.ts'

const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string(), inputSchema: z.looseObject({}) })) }) })

/** The tools of MCP as it tells of them itself. */
export async function toolsOf(app: TestApp, key: string): Promise<{ name: string; input: JsonSchema }[]> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' }
  const { body } = await app.visitor().send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers })
  return listed.parse(body).result.tools.map(({ name, inputSchema }) => ({ name, input: inputSchema as JsonSchema }))
}
