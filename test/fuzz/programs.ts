import { z } from 'zod'
import type { TestApp } from '../support/app.ts'
import type { JsonSchema } from '../support/route-table.ts'
import { until } from '../support/until.ts'

const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string(), inputSchema: z.looseObject({}) })) }) })

/** MCP's tools as it lists them itself. */
export async function toolsOf(app: TestApp, key: string): Promise<{ name: string; input: JsonSchema }[]> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' }
  const ask = async () => (await app.visitor().send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers })).body
  // Fuzzing may have used up the account's requests of this minute.
  const body = await until(ask, (answer) => listed.safeParse(answer).success, 90_000)
  return listed.parse(body).result.tools.map(({ name, inputSchema }) => ({ name, input: inputSchema as JsonSchema }))
}
