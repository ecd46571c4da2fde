import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startWebhook } from './server.ts'

interface Received {
  readonly id: number
  readonly receivedAt: string
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly bodyBase64: string
  readonly status: number
}

async function openBench() {
  const webhook = await startWebhook()
  onTestFinished(() => webhook.close())
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(webhook.url + path, init)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  return {
    webhook,
    call,
    post: (body = '{}', init: RequestInit = {}) => call('/hook', { method: 'POST', body, redirect: 'manual', ...init }),
    messages: async () => (JSON.parse((await call('/messages')).text) as { messages: Received[] }).messages,
    control: async (method: string, name: string, body?: unknown) =>
      JSON.parse(
        (await call(`/_control/${name}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).text,
      ) as object,
  }
}

test('stores requests byte by byte, so that signatures can be checked', async () => {
  const { call, messages } = await openBench()
  const body = Buffer.concat([Buffer.from('{"title":"Café '), Buffer.from([0xff, 0x00]), Buffer.from('"}')])
  const signature = createHmac('sha256', 'secret').update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'X-Ranklark-Signature': signature }
  expect(await call('/hook/team?a=1', { method: 'POST', headers, body })).toMatchObject({ status: 200, text: 'ok' })
  const [received] = await messages()
  expect(received).toMatchObject({
    id: 1,
    method: 'POST',
    path: '/hook/team?a=1',
    status: 200,
    headers: { 'x-ranklark-signature': signature },
  })
  const kept = Buffer.from(received?.bodyBase64 ?? '', 'base64')
  expect(kept.equals(body)).toBe(true)
  expect(createHmac('sha256', 'secret').update(kept).digest('hex')).toBe(signature)
  expect(Date.parse(received?.receivedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
})

test('responds as instructed until told otherwise', async () => {
  const { post, messages, control } = await openBench()
  await control('PUT', 'answer', { status: 410, body: 'gone', headers: { 'x-why': 'moved' } })
  const answer = await post()
  expect([answer.status, answer.text, answer.headers.get('x-why')]).toEqual([410, 'gone', 'moved'])
  expect((await post()).status).toBe(410)
  await control('DELETE', 'answer')
  expect((await post()).status).toBe(200)
  expect((await messages()).map((each) => [each.id, each.status])).toEqual([
    [3, 200],
    [2, 410],
    [1, 410],
  ])
})

test('the next ones fail, with Retry-After, after some, at one path', async () => {
  const { call, post, control } = await openBench()
  await control('POST', 'fail', { status: 429, retryAfter: 9, after: 1 })
  await control('POST', 'fail', { match: '/hook/other', times: 2 })
  expect((await post()).status).toBe(200)
  const limited = await post()
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '9'])
  expect((await post()).status).toBe(200)
  expect((await call('/hook/other', { method: 'POST' })).status).toBe(200)
  await control('POST', 'fail', { status: 500, match: '/hook/third' })
  expect((await call('/hook/third', { method: 'POST' })).status).toBe(500)
})

test('a redirect is only sent: clients that follow it are detected', async () => {
  const { webhook, post, messages, control } = await openBench()
  await control('POST', 'fail', { redirect: `${webhook.hookUrl}/elsewhere` })
  const answer = await post()
  expect([answer.status, answer.headers.get('location')]).toEqual([307, `${webhook.hookUrl}/elsewhere`])
  await control('POST', 'fail', { redirect: `${webhook.hookUrl}/elsewhere`, status: 302 })
  await post('{}', { redirect: 'follow' })
  expect((await messages()).map((each) => `${each.method} ${each.path}`)).toEqual(['GET /hook/elsewhere', 'POST /hook', 'POST /hook'])
})

test('a body of any size', async () => {
  const { post, control } = await openBench()
  await control('POST', 'fail', { status: 200, bytes: 5_000_001 })
  expect((await post()).text).toHaveLength(5_000_001)
})

test('closing the connection in the middle of a huge body does no harm', async () => {
  const { webhook, post, control } = await openBench()
  await control('POST', 'fail', { status: 200, bytes: 10 ** 12 })
  const request = get(webhook.hookUrl)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  await once(response, 'data')
  request.destroy()
  expect((await post()).status).toBe(200)
})

test('a body that trickles', { tags: ['full'] }, async () => {
  const { post, control } = await openBench()
  await control('POST', 'fail', { status: 200, body: 'slowly', dripMs: 40 })
  const before = performance.now()
  expect((await post()).text).toBe('slowly')
  expect(performance.now() - before).toBeGreaterThan(230)
  await control('POST', 'fail', { status: 200, bytes: 1000, dripMs: 1000 })
  await expect(post('{}', { signal: AbortSignal.timeout(200) })).rejects.toThrow('timeout')
})

test('late, never, and interrupted', { tags: ['full'] }, async () => {
  const { post, messages, control } = await openBench()
  await control('POST', 'fail', { status: 200, delayMs: 300 })
  const before = performance.now()
  await post()
  expect(performance.now() - before).toBeGreaterThan(290)
  await control('POST', 'fail', { hang: true })
  await expect(post('{}', { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout')
  await control('POST', 'fail', { connectionReset: true })
  await expect(post()).rejects.toThrow('fetch failed')
  expect((await messages()).map((each) => each.status)).toEqual([0, 0, 200])
})

test('concurrent requests are counted until each is answered or aborted', async () => {
  const { post, control } = await openBench()
  for (let i = 0; i < 2; i++) await control('POST', 'fail', { hang: true })
  const gaveUp = await Promise.allSettled([0, 1].map(() => post('{}', { signal: AbortSignal.timeout(200) })))
  expect(gaveUp.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect.poll(() => control('GET', 'state')).toMatchObject({ underWay: 0, mostUnderWay: 2 })
  await control('DELETE', 'messages')
  expect(await control('GET', 'state')).toMatchObject({ mostUnderWay: 0 })
})

test('the page shows what arrived, and runs nothing in it', async () => {
  const { call, post } = await openBench()
  expect((await call('/')).text).toContain('Nothing has arrived yet.')
  await post('{"title":"<script>alert(1)</script>"}')
  const { text, headers } = await call('/')
  expect(text).toContain('&lt;script&gt;alert(1)')
  expect(text).not.toContain('<script>')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(JSON.parse((await call('/messages/1')).text)).toMatchObject({ id: 1 })
  expect((await call('/messages/2')).status).toBe(404)
})

test('clearing, and misuse of the control API', async () => {
  const { post, messages, control } = await openBench()
  await post()
  await control('DELETE', 'messages')
  expect(await messages()).toEqual([])
  expect(await control('PUT', 'answer', { status: 42 })).toMatchObject({ error: expect.stringContaining('status') })
  expect(await control('POST', 'nothing')).toMatchObject({ error: 'no POST nothing' })
  expect(await control('POST', 'reset')).toMatchObject({ messages: 0, answer: { status: 200 }, faults: [] })
})

test('a taken port is refused', async () => {
  const { webhook } = await openBench()
  await expect(startWebhook({ port: Number(new URL(webhook.url).port) })).rejects.toThrow(/EADDRINUSE/)
})
