import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { describe, expect, onTestFinished } from 'vitest'
import { answerError } from '../../src/server/http/errors.ts'
import { endLargeBodies, endSlowBodies, patience } from '../../src/server/http/timeouts.ts'
import { addTenants } from '../../src/server/http/tenants.ts'
import { ofThisMachine } from '../../src/server/http/this-machine.ts'
import { createHandOver } from '../../src/server/platform/command-handshake.ts'
import { nameTenant } from '../../src/server/platform/tenant.ts'
import { importRoutes } from '../../src/server/sync/import/routes.ts'
import type { ImportService } from '../../src/server/sync/import/service.ts'
import { rawRequest } from '../support/raw-request.ts'
import { typistTest } from './typist.ts'

const test = typistTest()

describe('too slow', () => {
  test('each part of a request has a time limit', ({ typist: { app } }) => {
    const { server } = app.server.app
    expect(server.headersTimeout).toBeLessThanOrEqual(20_000)
    expect(server.headersTimeout).toBeGreaterThan(0)
    expect(server.requestTimeout).toBe(patience.requestTimeout)
    expect(server.timeout).toBe(patience.connectionTimeout)
    expect(server.keepAliveTimeout).toBeGreaterThan(0)
    expect(server.maxConnections).toBeLessThanOrEqual(10_000)
  })

  test('headers that arrive character by character time out', { tags: ['full'] }, async ({ typist: { app, port } }) => {
    const { server } = app.server.app
    const usual = server.headersTimeout
    onTestFinished(() => void (server.headersTimeout = usual))
    server.headersTimeout = 100
    const socket = connect({ host: 'localhost', port })
    const output: Buffer[] = []
    socket.on('data', (chunk) => output.push(chunk))
    socket.on('error', () => {})
    socket.write('GET /api/user HTTP/1.1\r\n')
    const dripping = setInterval(() => socket.write('X-A: b\r\n'), 50)
    await once(socket, 'close')
    clearInterval(dripping)
    expect(Buffer.concat(output).toString()).toMatch(/^HTTP\/1.1 408 /)
  })

  test('a body that arrives byte by byte times out, unless it is a file', async () => {
    const slow = Fastify()
    onTestFinished(() => slow.close())
    endSlowBodies(slow, 300)
    slow.post('/short', async () => 'done')
    slow.post('/api/import', async () => 'done')
    await slow.listen({ host: '127.0.0.1', port: 0 })
    const send = (place: string) =>
      new Promise<string>((done) => {
        const socket = connect({ host: '127.0.0.1', port: (slow.server.address() as AddressInfo).port })
        const output: Buffer[] = []
        socket.on('data', (chunk) => output.push(chunk))
        socket.on('error', () => {})
        socket.write(
          `POST ${place} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n`,
        )
        const bytes = [...'"          "']
        const dripping = setInterval(() => (bytes.length > 0 ? socket.write(bytes.shift()!) : clearInterval(dripping)), 60)
        socket.once('close', () => {
          clearInterval(dripping)
          done(Buffer.concat(output).toString())
        })
      })
    const [short, file] = await Promise.all([send('/short'), send('/api/import')])
    expect(short).toMatch(/^HTTP\/1.1 408 /)
    expect(file).toMatch(/^HTTP\/1.1 200 /)
  })

  test('bodies that lack their last byte hold only so much memory: whoever holds the most loses theirs first', async () => {
    const server = Fastify()
    onTestFinished(() => server.close())
    addTenants(server)
    server.addHook('onRequest', async ({ headers }) => nameTenant(String(headers['x-user'])))
    endLargeBodies(server, { perRequester: 5_000, together: 8_000 })
    server.post('/', async () => 'done')
    let received = 0
    server.addHook('preParsing', (_request, _reply, body, done) => {
      body.on('data', ({ length }: Buffer) => (received += length))
      done(null, body)
    })
    await server.listen({ host: '127.0.0.1', port: 0 })
    /** Sends all of a kilobyte but its last byte. */
    const begin = async (user: string) => {
      const socket = connect({ host: '127.0.0.1', port: (server.server.address() as AddressInfo).port })
      onTestFinished(() => void socket.destroy())
      const output: Buffer[] = []
      socket.on('data', (chunk) => output.push(chunk))
      socket.on('error', () => {})
      const answered = once(socket, 'close').then(() => Buffer.concat(output).toString().slice(0, 12))
      socket.write(
        `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-User: ${user}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
      )
      const before = received
      socket.write(`"${'a'.repeat(998)}`)
      await expect.poll(() => received).toBe(before + 999)
      return { answered, end: () => void socket.write('"') }
    }
    const ofAnn = [await begin('ann'), await begin('ann'), await begin('ann'), await begin('ann'), await begin('ann')]
    expect(await (await begin('ann')).answered).toBe('HTTP/1.1 429')
    const ofBen = [await begin('ben'), await begin('ben'), await begin('ben'), await begin('ben')]
    expect(await ofAnn[0]?.answered).toBe('HTTP/1.1 429')
    for (const { end } of [...ofAnn.slice(1), ...ofBen]) end()
    for (const { answered } of [...ofAnn.slice(1), ...ofBen]) expect(await answered).toBe('HTTP/1.1 200')
    // Room again.
    const more = [await begin('ann'), await begin('ann'), await begin('ann'), await begin('ann')]
    for (const { end } of more) end()
    for (const { answered } of more) expect(await answered).toBe('HTTP/1.1 200')
  })

  test.for([
    ['multipart/form-data; boundary=x', 'a file'],
    ['application/json', 'a body of another kind'],
  ] as const)("%s: %s whose sender was rejected isn't waited for", async ([type], { typist: { app } }) => {
    const slow = Fastify()
    onTestFinished(() => slow.close())
    slow.setErrorHandler(answerError)
    slow.setSerializerCompiler(serializerCompiler)
    endSlowBodies(slow, 300)
    slow.decorate('sessionOf', async () => null)
    await slow.register(
      importRoutes({
        imports: {} as ImportService,
        attempts: { count: async () => {} },
        ofThisMachine: ofThisMachine(createHandOver(app.dataDir)),
      }),
    )
    await slow.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect({ host: '127.0.0.1', port: (slow.server.address() as AddressInfo).port })
    const output: Buffer[] = []
    socket.on('data', (chunk) => output.push(chunk))
    socket.on('error', () => {})
    socket.write(`POST /api/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n`)
    let sent = 0
    const dripping = setInterval(() => socket.write('-', () => (sent += 1)), 30)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'close')
    clearInterval(dripping)
    expect(Buffer.concat(output).toString()).toMatch(/^HTTP\/1.1 401 [^]*Please log in/)
    // Not immediately: data in transit may still arrive.
    expect(sent).toBeGreaterThan(1)
  })

  test("a tunnel is refused with a response, so that a proxy doesn't consider the process failed", async ({ typist: { app, port } }) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.write(`CONNECT ${new URL(app.url).host} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    const output: Buffer[] = []
    for await (const piece of socket) output.push(piece as Buffer)
    expect(Buffer.concat(output).toString()).toMatch(/^HTTP\/1.1 405 /)
    expect((await rawRequest(port, { path: '/healthz' })).status).toBe(200)
  })

  test('excess connections are closed, and existing ones are answered', async ({ typist: { app, port } }) => {
    const { server } = app.server.app
    const usual = server.maxConnections
    onTestFinished(() => void (server.maxConnections = usual))
    server.closeIdleConnections()
    server.maxConnections = 3
    const sockets = Array.from({ length: 40 }, () => connect({ host: '127.0.0.1', port }))
    await Promise.all(
      sockets.slice(3).map(async (socket) => {
        socket.on('error', () => {})
        if (!socket.destroyed) await Promise.race([once(socket, 'close'), new Promise((done) => setTimeout(done, 5000))])
      }),
    )
    const open = sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open')
    for (const socket of sockets) socket.destroy()
    expect(open.length).toBeLessThanOrEqual(3)
    server.maxConnections = usual
    expect((await rawRequest(port, { path: '/healthz' })).status).toBe(200)
  })
})
