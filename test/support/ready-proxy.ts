import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type ReadyProxy = {
  url: string
  /** The URLs of its servers, by name; a replaced server keeps its name. */
  servers: Map<string, string>
  close(): Promise<void>
}

const lookMs = 100

/** The proxy for several web processes: alternates between those that report ready, and retries nothing. */
export async function startReadyProxy(): Promise<ReadyProxy> {
  const servers = new Map<string, string>()
  let ready: string[] = []
  let turn = 0
  const agent = new Agent({ keepAlive: true })
  const server = createServer((asked, answer) => {
    const target = ready[(turn += 1) % ready.length]
    if (target === undefined) return void answer.writeHead(502).end('no server is ready')
    const onward = request(new URL(asked.url ?? '/', target), { agent, method: asked.method, headers: asked.headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
      answered.once('error', () => answer.destroy())
    })
    onward.once('error', (error) => answer.writeHead(502).end(error.message))
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const isReady = (url: string): Promise<boolean> =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  const over = new AbortController()
  async function look(): Promise<void> {
    while (!over.signal.aborted) {
      const urls = [...servers.values()]
      const answers = await Promise.all(urls.map(isReady))
      ready = urls.filter((_, index) => answers[index])
      await sleep(lookMs)
    }
  }
  const looking = look()

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    servers,
    async close() {
      over.abort()
      await looking
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
