import { execFile } from 'node:child_process'
import { lookup as systemLookup } from 'node:dns'
import { once } from 'node:events'
import { createServer, isIP, Socket } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startWebhook, type WebhookStandIn } from '../../../../emulators/webhook/server.ts'
import { createWebhookControl, type WebhookControl } from '../../../../test/support/message-controls.ts'
import { until } from '../../../../test/support/until.ts'
import type { Resolve } from './addresses.ts'
import { post, type PostRequest } from './request.ts'

let standIn: WebhookStandIn
let server: WebhookControl

beforeAll(async () => {
  standIn = await startWebhook()
  server = createWebhookControl(standIn)
})
afterAll(() => standIn.close())
beforeEach(() => server.reset())

const ask = (url: string, changes: Partial<PostRequest> = {}) =>
  post({
    url: new URL(url),
    headers: { 'x-from': 'a test' },
    body: '{"ö":1}',
    reach: 'any',
    signal: new AbortController().signal,
    ...changes,
  })
const answering =
  (...addresses: string[]): Resolve =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

test('posts the bytes with the headers over its own connection', async () => {
  expect(await ask(server.hookUrl)).toEqual({ kind: 'answer', status: 200, retryAfter: null, body: 'ok' })
  const { method, headers, body } = await server.message()
  expect({ method, body }).toEqual({ method: 'POST', body: '{"ö":1}' })
  expect(headers).toMatchObject({ 'x-from': 'a test', 'content-length': '8', connection: 'close', 'user-agent': 'Ranklark' })
})

test.each([301, 302, 303, 307, 308])("a redirect (%i) is a response and isn't followed", async (status) => {
  await server.answer({ status, redirect: `${standIn.url}/hook/elsewhere` })
  expect(await ask(server.hookUrl)).toMatchObject({ kind: 'answer', status })
  expect((await server.messages()).map((message) => message.path)).toEqual(['/hook'])
})

test('any status is a response, with its Retry-After', async () => {
  await server.answer({ status: 429, retryAfter: 7, body: 'slow down' })
  expect(await ask(server.hookUrl)).toEqual({ kind: 'answer', status: 429, retryAfter: '7', body: 'slow down' })
})

describe('limits on the other side', () => {
  test('a huge response is cut off', async () => {
    await server.answer({ bytes: 1024 ** 3 })
    const posted = await ask(server.hookUrl)
    expect(posted).toMatchObject({ kind: 'answer', status: 200 })
    expect(posted.kind === 'answer' && posted.body.length).toBe(16 * 1024)
  })

  test('a missing response times out', async () => {
    await server.answer({ hang: true })
    expect(await ask(server.hookUrl, { timeoutMs: 200 })).toEqual({ kind: 'failed', what: "didn't respond within 0.2 seconds" })
  })

  test('a body that trickles in is cut off at the timeout; its status counts', async () => {
    await server.answer({ status: 202, bytes: 10_000, dripMs: 20 })
    const posted = await ask(server.hookUrl, { timeoutMs: 500 })
    expect(posted).toMatchObject({ kind: 'answer', status: 202 })
    expect(posted.kind === 'answer' && posted.body.length).toBeLessThan(100)
  })

  test('a slow DNS lookup times out', async () => {
    const silent: Resolve = () => {}
    expect(await ask('http://silent.example/', { reach: 'public', resolve: silent, timeoutMs: 200 })).toEqual({
      kind: 'failed',
      what: "didn't respond within 0.2 seconds",
    })
  })

  test("endless headers aren't a response", async () => {
    const url = await rawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`))
    expect(await ask(url)).toEqual({ kind: 'failed', what: 'responded with something other than HTTP' })
  })

  test('the caller can abort', async () => {
    await server.answer({ hang: true })
    const stop = new AbortController()
    const posted = ask(server.hookUrl, { signal: stop.signal })
    await server.message()
    stop.abort()
    expect(await posted).toEqual({ kind: 'failed', what: "didn't respond in time" })
    expect(await ask(server.hookUrl, { signal: stop.signal })).toEqual({ kind: 'failed', what: "didn't respond in time" })
  })
})

describe('errors are explained', () => {
  test('nothing is listening', async () => {
    const { url, close } = await startWebhook()
    await close()
    expect(await ask(`${url}/hook`)).toEqual({ kind: 'failed', what: 'refused the connection' })
  })

  test('the connection is reset', async () => {
    await server.answer({ connectionReset: true })
    expect(await ask(server.hookUrl)).toEqual({ kind: 'failed', what: 'dropped the connection' })
  })

  test('the connection is closed', async () => {
    const url = await rawServer((socket) => socket.end())
    expect(await ask(url)).toEqual({ kind: 'failed', what: 'dropped the connection' })
  })

  test('another protocol is spoken there', async () => {
    const url = await rawServer((socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'))
    expect(await ask(url)).toEqual({ kind: 'failed', what: 'responded with something other than HTTP' })
    expect(await ask(url.replace('http:', 'https:'))).toEqual({ kind: 'failed', what: "doesn't support HTTPS" })
  })

  test("the name doesn't resolve", async () => {
    const unknown: Resolve = (_hostname, _options, callback) => callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), [])
    expect(await ask('https://nowhere.example/', { reach: 'public', resolve: unknown })).toEqual({
      kind: 'failed',
      what: "has a host name that doesn't exist",
    })
  })
})

describe('private addresses are never contacted', () => {
  const port = () => new URL(standIn.url).port
  const askPublic = (url: string, resolve?: Resolve) => ask(url, { reach: 'public', ...(resolve && { resolve }) })

  test.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'])(
    'an address in the URL: %s',
    async (host) => {
      expect(await askPublic(`http://${host}:${port()}/hook`)).toEqual({ kind: 'blocked' })
      expect(await server.messages()).toEqual([])
    },
  )

  test.each([
    ['to loopback', ['127.0.0.1']],
    ['to loopback as IPv6', ['::1']],
    ['to a public address and to loopback', ['93.184.216.34', '127.0.0.1']],
    ['to the credentials of a cloud', ['169.254.169.254']],
  ])('a name that resolves %s', async (_where, addresses) => {
    expect(await askPublic(`http://inside.example:${port()}/hook`, answering(...addresses))).toEqual({ kind: 'blocked' })
    expect(await server.messages()).toEqual([])
  })

  test('a name that the system resolves to loopback', async () => {
    expect(await askPublic(`http://localhost:${port()}/hook`, systemLookup)).toEqual({ kind: 'blocked' })
    expect(await server.messages()).toEqual([])
  })

  test('a name that would resolve differently the second time is resolved only once', async () => {
    const publicAddress = '93.184.216.34'
    const asked: string[] = []
    const rebinding: Resolve = (hostname, options, callback) => {
      asked.push(hostname)
      answering(asked.length === 1 ? publicAddress : '127.0.0.1')(hostname, options, callback)
    }
    const reached = withoutInternet(rebinding)
    expect(await askPublic(`http://rebound.example:${port()}/hook`, rebinding)).toEqual({ kind: 'failed', what: 'could not be reached' })
    // The connection goes to the checked address.
    expect(reached).toEqual([publicAddress])
    expect(asked).toEqual(['rebound.example'])
    expect(await server.messages()).toEqual([])
  })

  test.each(['file:///etc/passwd', 'ftp://example.com/', 'data:text/plain,x'])("other protocols aren't allowed: %s", async (url) => {
    expect(await ask(url)).toEqual({ kind: 'blocked' })
  })
})

test('proxy settings in the environment are ignored', async () => {
  const proxied: string[] = []
  const proxy = await rawServer((socket) => socket.once('data', (data) => void (proxied.push(String(data)), socket.destroy())))
  const script = `
    import http from 'node:http'
    const { post } = await import(${JSON.stringify(path.join(import.meta.dirname, 'request.ts'))})
    const signal = new AbortController().signal
    const posted = await post({ url: new URL(${JSON.stringify(server.hookUrl)}), headers: {}, body: 'x', reach: 'any', signal })
    const other = await new Promise((done) => http.get(${JSON.stringify(server.url)}, (answer) => done(answer.statusCode)).on('error', () => done('failed')))
    process.stdout.write(JSON.stringify([posted.status, other]))
    process.exit()`
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy, NO_PROXY: '', no_proxy: '' }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  // Other requests in that process go to the proxy, so this one could have too.
  expect(JSON.parse(stdout)).toEqual([200, 'failed'])
  await until(
    async () => proxied.length,
    (count) => count > 0,
  )
  expect(proxied.join()).not.toContain('/hook')
})

/**
 * Nothing leaves this machine while the test runs: connections elsewhere are recorded and fail. `system` resolves names that nothing else
 * does.
 */
function withoutInternet(system: Resolve): string[] {
  const reached: string[] = []
  const isHere = (address: string) => address === '::1' || address.startsWith('127.')
  const unreachable = () => Object.assign(new Error('There is no way there'), { code: 'EHOSTUNREACH' })
  const { connect } = Socket.prototype
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const options = args.flat()[0] as { host?: string; lookup?: Resolve }
    const { host = '', lookup = system } = options
    if (isIP(host) !== 0 && !isHere(host)) {
      reached.push(host)
      return this.destroy(unreachable())
    }
    options.lookup = (hostname, asked, callback) =>
      lookup(hostname, { ...asked, all: true }, (error, addresses) => {
        const elsewhere = (addresses ?? []).filter(({ address }) => !isHere(address)).map(({ address }) => address)
        reached.push(...elsewhere)
        callback(elsewhere.length > 0 ? unreachable() : error, addresses)
      })
    return Reflect.apply(connect, this, args)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return reached
}

/** A server on a port that answers as soon as it is connected to. */
async function rawServer(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const listening = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    answer(socket)
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    listening.close()
  })
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('It listens nowhere')
  return `http://127.0.0.1:${address.port}`
}
