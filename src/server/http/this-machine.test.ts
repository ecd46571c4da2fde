import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Fastify from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/platform.ts'
import { machineEndpoints } from '../../contract/machine.ts'
import { createHandOver, readHandOver, serverOn, throughServerOr } from '../platform/command-handshake.ts'
import { answerError } from './errors.ts'
import { handOverRoutes, ofThisMachine } from './this-machine.ts'

const { path: handOverPath } = machineEndpoints.handOver

// Commands send a running server whole exports of people's sites, and a token that admits them. Who else could get at either?

/** Our server, as commands see it. */
async function ours() {
  const dataDir = temporaryDirectory('hand-over')
  const handOver = createHandOver(dataDir)
  const app = Fastify()
  onTestFinished(() => app.close())
  app.setErrorHandler(answerError)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(handOverRoutes(handOver))
  app.post('/api/internal/anything', { onRequest: ofThisMachine(handOver) }, async () => ({ done: true }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  await handOver.announce(app.server.address() as AddressInfo)
  const { token, url } = (await readHandOver(dataDir))!
  return { dataDir, token, url, app }
}

/** Another program on this machine that took over a port. */
async function stranger(answer: (request: IncomingMessage) => Promise<string> | string) {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    received.push(JSON.stringify([request.url, request.headers]))
    response.setHeader('content-type', 'application/json').end(await answer(request))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test("a process that listens on a killed server's port gets neither the token nor a file", async () => {
  const { dataDir, token, app } = await ours()
  await app.close()
  const thief = await stranger(() => JSON.stringify({ proof: 'x'.repeat(43) }))
  writeFileSync(path.join(dataDir, 'hand-over.json'), JSON.stringify({ url: thief.url, token }))
  const through = async (): Promise<string> => 'handed over'
  expect(await throughServerOr(dataDir, through, async () => 'done here')).toBe('done here')
  expect(thief.received).toHaveLength(1)
  expect(thief.received.join('')).not.toContain(token)
})

test('nor does one that relays the challenge to the real server', async () => {
  const { dataDir, token, url } = await ours()
  expect((await serverOn(dataDir))?.url).toBe(url)
  const thief = await stranger(async ({ headers }) =>
    (await fetch(url + handOverPath, { headers: { 'x-challenge': String(headers['x-challenge']) } })).text(),
  )
  writeFileSync(path.join(dataDir, 'hand-over.json'), JSON.stringify({ url: thief.url, token }))
  expect(await serverOn(dataDir)).toBeUndefined()
})

test('the token is rejected through a proxy, even one on this machine', async () => {
  const { token, url } = await ours()
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${url}/api/internal/anything`, { method: 'POST', headers: { authorization: `Bearer ${token}`, ...headers } })).status
  expect(await ask({})).toBe(200)
  for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }, { via: '1.1 proxy' }, { 'x-real-ip': '::1' }])
    expect(await ask(headers as Record<string, string>)).toBe(401)
  const challenge = { 'x-challenge': 'x'.repeat(43) }
  expect((await fetch(url + handOverPath, { headers: { ...challenge, 'x-forwarded-for': '127.0.0.1' } })).status).toBe(401)
  expect((await fetch(url + handOverPath, { headers: { 'x-challenge': 'short' } })).status).toBe(401)
})
