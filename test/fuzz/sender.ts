import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'

export type Answered = { status: number; type: string; body: string }

/** Sends requests like a malicious program, including what `fetch` refuses to send. */
export function createSender(url: () => string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  return {
    async send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answered> {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const asked = httpRequest(new URL(url()), { method, path, headers, agent, timeout: 15_000 }, resolve)
        asked.once('timeout', () => asked.destroy(new Error(`${method} ${path} was not answered within 15 s`)))
        asked.once('error', reject)
        asked.end(body)
      })
      return { status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', body: await text(answer) }
    },
    close: () => agent.destroy(),
  }
}
export type Sender = ReturnType<typeof createSender>
