import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../../../test/support/platform.ts'
import { until } from '../../../test/support/until.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createHealthApp } from './app.ts'
import { createDrain } from './drain.ts'
import type { Needs } from './health-routes.ts'

type Started = Awaited<ReturnType<typeof start>>

/** A server with one slow route; `finish` releases its answers. */
async function start({ seconds = 0, patienceMs = 20_000, needs = {} as Needs } = {}) {
  const drain = createDrain(seconds, patienceMs)
  const metrics = createMetrics()
  const app = createHealthApp({ needs, drain, metrics, log: silentLog, trustProxy: ['loopback'], baseUrl: () => 'http://localhost' })
  const waiting: (() => void)[] = []
  const hold = () => new Promise<void>((resolve) => waiting.push(resolve))
  app.get('/slow', async () => {
    await hold()
    return 'whole'
  })
  app.get('/rows', async (_request, reply) => {
    async function* rows() {
      yield 'first\n'
      await hold()
      yield 'last\n'
    }
    return reply.type('text/csv').send(Readable.from(rows()))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  let ended: Promise<void> | undefined
  const end = () => (ended ??= drain.close(app))
  onTestFinished(async () => {
    for (const go of waiting) go()
    await end()
    metrics.close()
  })
  return { port, url: `http://127.0.0.1:${port}`, waiting, finish: () => waiting.splice(0).forEach((go) => go()), end }
}

const isHeld = ({ waiting }: Started) =>
  until(
    async () => waiting.length,
    (count) => count > 0,
  )

/** One answer over a keep-alive connection. */
function ask(agent: Agent, url: string): Promise<{ status: number | undefined; connection: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection, text }))
      answer.once('error', reject)
    })
      .once('error', reject)
      .end()
  })
}

function keepingAgent(): Agent {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return agent
}

test('a server that is shutting down says so immediately and keeps responding, but closes each connection', async () => {
  const server = await start({ seconds: 1 })
  const agent = keepingAgent()
  expect(await ask(agent, `${server.url}/readyz`)).toMatchObject({ status: 200, connection: 'keep-alive' })
  const ended = server.end()
  expect(await ask(agent, `${server.url}/readyz`)).toEqual({
    status: 503,
    connection: 'close',
    text: '{"status":"draining","message":"This server is shutting down."}',
  })
  expect(await ask(agent, `${server.url}/healthz`)).toMatchObject({ status: 200, connection: 'close' })
  await ended
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed')
})

test("running requests are answered completely before it exits; idle and preconnected connections don't hold it up", async () => {
  const server = await start()
  const agent = keepingAgent()
  await ask(agent, `${server.url}/healthz`)
  const unused = connect(server.port, '127.0.0.1')
  await once(unused, 'connect')
  const slow = ask(keepingAgent(), `${server.url}/slow`)
  const rows = ask(keepingAgent(), `${server.url}/rows`)
  await until(
    async () => server.waiting.length,
    (count) => count === 2,
  )
  const unusedClosed = once(unused, 'close')
  const ended = server.end()
  await unusedClosed
  server.finish()
  expect(await slow).toEqual({ status: 200, connection: 'close', text: 'whole' })
  expect((await rows).text).toBe('first\nlast\n')
  await ended
})

test("a request that takes too long is cut off, and its response doesn't look complete", async () => {
  const server = await start({ patienceMs: 200 })
  const broken = ask(keepingAgent(), `${server.url}/rows`).catch(String)
  await isHeld(server)
  await server.end()
  expect(await broken).toMatch(/aborted|socket hang up|ECONNRESET/)
})

test("/readyz names what is down but not its address, and doesn't wait for what hangs", { tags: ['full'] }, async () => {
  const lost = new Error('connect ECONNREFUSED 10.1.2.3:5432 user=ranklark')
  let asked = 0
  const never = new Promise<void>(() => {})
  const hangs = () => ((asked += 1), never)
  const server = await start({ needs: { PostgreSQL: () => Promise.reject(lost), ClickHouse: hangs } })
  const began = Date.now()
  const answers = await Promise.all([1, 2, 3].map(() => ask(keepingAgent(), `${server.url}/readyz`)))
  expect(Date.now() - began).toBeLessThan(10_000)
  const text = '{"status":"unavailable","message":"PostgreSQL and ClickHouse can\'t be reached right now."}'
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, text })
  expect(asked).toBe(1)
})
