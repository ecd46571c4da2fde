import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** One query for a property's figures that went through a relay, by this machine's clock. */
export type Asked = {
  site: string
  dims: string[]
  startDate: string
  endDate: string
  began: number
  /** When its response was sent, or the client hung up; null while in progress. */
  ended: number | null
}

export type GoogleRelay = {
  /** For GOOGLE_API_URL of one server. */
  url: string
  /** What was relayed, in order. */
  asked: readonly Asked[]
  close(): Promise<void>
}

const question = z.object({ dimensions: z.array(z.string()), startDate: z.string(), endDate: z.string() })
const address = /\/sites\/([^/]+)\/searchAnalytics\/query$/

/** Relays everything between one server and Google, so that tests can tell which server asked. */
export async function startGoogleRelay(apiUrl: string): Promise<GoogleRelay> {
  const asked: Asked[] = []
  const agent = new Agent({ keepAlive: true })
  const server = createServer(async (call, answer) => {
    const began = Date.now()
    const body = Buffer.concat(await call.toArray())
    const site = address.exec(call.url ?? '')?.[1]
    if (site !== undefined) {
      const { dimensions: dims, startDate, endDate } = question.parse(JSON.parse(body.toString('utf8')))
      const entry: Asked = { site: decodeURIComponent(site), dims, startDate, endDate, began, ended: null }
      asked.push(entry)
      answer.once('close', () => (entry.ended = Date.now()))
    }
    const onward = request(new URL(call.url ?? '/', apiUrl), { agent, method: call.method, headers: call.headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
      answered.once('error', () => answer.destroy())
    })
    onward.once('error', () => answer.destroy())
    onward.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
