import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { signatureOf } from './callbacks.ts'
import { startSms } from './server.ts'
import { openBench, TO } from './testing.ts'

/** An endpoint on our side, with what was posted to it. */
async function openOurs() {
  const posts: { headers: Record<string, unknown>; params: Record<string, string> }[] = []
  const server = createServer(async (request, response) => {
    posts.push({ headers: request.headers, params: Object.fromEntries(new URLSearchParams(await text(request))) })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms?a=1`, posts }
}

test('only with the right login, and only for the caller’s own account', async () => {
  const { account, login, call, send } = await openBench()
  for (const headers of [{}, login('wrong'), { authorization: 'Bearer x' }]) {
    const { status, body, headers: answered } = await send({}, { headers })
    expect([status, answered.get('www-authenticate')]).toEqual([401, 'Basic realm="Twilio API"'])
    expect(body).toEqual({ code: 20003, message: 'Authenticate', more_info: 'https://www.twilio.com/docs/errors/20003', status: 401 })
  }
  const other = account.replace(/AC0/, 'AC1')
  expect((await call(`${other}/Messages.json`, { headers: login() })).body).toMatchObject({ code: 20404, status: 404 })
})

test('unknown paths and methods', async () => {
  const { account, get, login, call } = await openBench()
  expect((await get('/Messages/SM1.json')).body).toEqual({
    code: 20404,
    message: `The requested resource ${account}/Messages/SM1.json was not found`,
    more_info: 'https://www.twilio.com/docs/errors/20404',
    status: 404,
  })
  expect((await get('/Calls.json')).status).toBe(404)
  expect((await call(`${account}/Messages.json`, { method: 'PUT', headers: login() })).body).toMatchObject({ code: 20004, status: 405 })
  expect((await get('.json')).body).toMatchObject({ status: 'active', type: 'Full' })
})

test('queued, sent, delivered, each reported to the callback with Twilio’s signature', async () => {
  const { sms, send, get, control } = await openBench()
  const { url, posts } = await openOurs()
  const { body } = await send({ StatusCallback: url })
  await control('POST', 'deliver')
  const { body: later } = await get(`/Messages/${String(body['sid'])}.json`)
  expect(later).toMatchObject({ status: 'delivered', error_code: null, price: '-0.00830' })
  expect(later['date_sent']).toMatch(/\+0000$/)
  const { callbacks } = await control('GET', 'callbacks')
  expect(callbacks.map(({ status, params }) => [status, params['MessageStatus']])).toEqual([
    [204, 'sent'],
    [204, 'delivered'],
  ])
  for (const { headers, params } of posts) {
    expect(params).toMatchObject({ MessageSid: body['sid'], AccountSid: sms.accountSid, To: TO, From: sms.number })
    expect(headers['x-twilio-signature']).toBe(signatureOf(url, params, sms.authToken))
    expect(headers['i-twilio-idempotency-token']).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('the signature is that of Twilio’s own example', () => {
  const params = { CallSid: 'CA1234567890ABCDE', Caller: '+14158675309', Digits: '1234', From: '+14158675309', To: '+18005551212' }
  expect(signatureOf('https://mycompany.com/myapp.php?foo=1&bar=2', params, '12345')).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
})

test.each([
  [30_003, 'undelivered', 'Unreachable destination handset'],
  [30_005, 'undelivered', 'Unknown destination handset'],
  [30_006, 'undelivered', 'Landline or unreachable carrier'],
  [30_001, 'failed', 'Queue overflow'],
])('delivery that fails with %i is reported by the status', async (error, status, errorMessage) => {
  const { send, get, control } = await openBench()
  const { url, posts } = await openOurs()
  await control('PUT', 'numbers', { number: TO, error })
  const { status: answered, body } = await send({ StatusCallback: url })
  expect([answered, body['status']]).toEqual([201, 'queued'])
  await control('POST', 'deliver')
  expect((await get(`/Messages/${String(body['sid'])}.json`)).body).toMatchObject({
    status,
    error_code: error,
    error_message: errorMessage,
  })
  expect(posts.at(-1)?.params).toMatchObject({ MessageStatus: status, ErrorCode: String(error) })
})

test('messages move on by themselves', async () => {
  const { send, get, control } = await openBench()
  await control('PUT', 'delivery', { stepMs: 20 })
  const { body } = await send()
  await expect.poll(async () => (await get(`/Messages/${String(body['sid'])}.json`)).body['status']).toBe('delivered')
})

test('nobody listening to callbacks does no harm', async () => {
  const { send, control } = await openBench()
  await send({ StatusCallback: 'http://127.0.0.1:9/' })
  await control('POST', 'deliver')
  expect((await control('GET', 'callbacks')).callbacks.map((each) => each.status)).toEqual([null, null])
})

test('STOP ends messages to a number, START resumes them', async () => {
  const { sms, send, control, get } = await openBench()
  const { url, posts } = await openOurs()
  await control('PUT', 'inbound', { url })
  await send()
  await control('POST', 'reply', { from: TO, body: ' stop ' })
  expect(posts.at(-1)?.params).toMatchObject({ From: TO, To: sms.number, Body: ' stop ', SmsStatus: 'received' })
  const refused = await send()
  expect([refused.status, refused.body['code'], refused.body['message']]).toEqual([
    400,
    21_610,
    'Attempt to send to unsubscribed recipient',
  ])
  expect((await send({ To: '+14155550101' })).status).toBe(201)
  await control('POST', 'reply', { from: TO, body: 'START' })
  expect((await send()).status).toBe(201)
  const { messages } = (await get(`/Messages.json?To=${encodeURIComponent(TO)}`)).body as { messages: { direction: string }[] }
  expect(messages.map((each) => each.direction)).toEqual(['outbound-api', 'outbound-reply', 'outbound-reply', 'outbound-api'])
})

test('other words are only passed on', async () => {
  const { send, control } = await openBench()
  await control('POST', 'reply', { from: TO, body: 'Please stop' })
  expect((await send()).status).toBe(201)
})

test('the page shows messages and answers them', async () => {
  const { sms, call, send } = await openBench()
  expect((await call('/')).text).toContain('No messages have arrived yet.')
  await send({ Body: '<script>alert(1)</script> fell' })
  const { text: html, headers } = await call('/')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; fell')
  expect(html).not.toContain('<script>')
  expect(html).toContain('Reply STOP')
  expect(headers.get('content-security-policy')).toContain("form-action 'self'")
  const form = new URLSearchParams({ from: TO, to: sms.number, body: 'STOP' })
  const replied = await call('/reply', { method: 'POST', body: form, redirect: 'manual' })
  expect([replied.status, replied.headers.get('location')]).toEqual([303, '/'])
  expect((await call('/')).text).toContain('Reply START')
  expect((await send()).body).toMatchObject({ code: 21_610 })
  expect((await call('/reply', { method: 'POST' })).status).toBe(400)
  expect((await call(`/?number=${encodeURIComponent('+1')}`)).text).toContain('No messages have arrived yet.')
})

test('lists in pages, newest first, filtered', async () => {
  const { get, send, call } = await openBench()
  for (const Body of ['1', '2', '3']) await send({ Body })
  await send({ Body: 'other', To: '+14155550101' })
  const bodies = (answer: { body: Record<string, unknown> }) => (answer.body['messages'] as { body: string }[]).map((each) => each.body)
  const first = await get(`/Messages.json?To=${encodeURIComponent(TO)}&PageSize=2`)
  expect(bodies(first)).toEqual(['3', '2'])
  expect(first.body).toMatchObject({ page: 0, page_size: 2, start: 0, end: 1, previous_page_uri: null })
  const next = await get(String(first.body['next_page_uri']).replace(/^.*?(?=\/Messages)/, ''))
  expect(bodies(next)).toEqual(['1'])
  expect(next.body['next_page_uri']).toBeNull()
  expect(bodies(await get('/Messages.json?DateSent%3C=2020-01-01'))).toEqual([])
  expect(bodies(await get(`/Messages.json?DateSent=${new Date().toISOString().slice(0, 10)}`))).toHaveLength(4)
  expect(bodies(await call(`/messages?number=${encodeURIComponent('+14155550101')}`))).toEqual(['other'])
})

test('too many requests, at a rate or as requested', async () => {
  const { send, control } = await openBench()
  await control('PUT', 'limit', { perSecond: 0.25, burst: 1 })
  expect((await send()).status).toBe(201)
  const limited = await send()
  expect([limited.status, limited.body['code'], limited.headers.get('retry-after')]).toEqual([429, 20_429, '4'])
  await control('PUT', 'limit', null)
  await control('POST', 'fail', { code: 20_429, retryAfter: 7 })
  const answer = await send()
  expect(answer.body).toEqual({
    code: 20_429,
    message: 'Too Many Requests',
    more_info: 'https://www.twilio.com/docs/errors/20429',
    status: 429,
  })
  expect(answer.headers.get('retry-after')).toBe('7')
  expect((await send()).status).toBe(201)
})

test('faults: by number, without JSON, before and after the message is accepted', async () => {
  const { send, get, control } = await openBench()
  await control('POST', 'fail', { code: 20_500, match: '+14155550101' })
  await control('POST', 'fail', { status: 502, body: '<html>Bad Gateway</html>', headers: { 'content-type': 'text/html' } })
  await control('POST', 'fail', { connectionReset: true })
  await control('POST', 'fail', { connectionReset: true, executed: true })
  await control('POST', 'fail', { hang: true, after: 1 })
  expect(await send()).toMatchObject({ status: 502, text: '<html>Bad Gateway</html>' })
  await expect(send({ Body: 'lost' })).rejects.toThrow('fetch failed')
  await expect(send({ Body: 'taken' })).rejects.toThrow('fetch failed')
  expect((await send({ To: '+14155550101' })).body).toMatchObject({ code: 20_500, status: 500 })
  expect((await send({ Body: 'well' })).status).toBe(201)
  await expect(send({}, { signal: AbortSignal.timeout(200) })).rejects.toThrow('timeout')
  const { messages } = (await get('/Messages.json')).body as { messages: { body: string }[] }
  expect(messages.map((each) => each.body)).toEqual(['well', 'taken'])
})

test('clearing, and misuse of the control API', async () => {
  const { send, get, control } = await openBench()
  await send()
  await control('DELETE', 'messages')
  expect((await get('/Messages.json')).body).toMatchObject({ messages: [] })
  expect(await control('POST', 'fail', { code: 1 })).toMatchObject({ error: expect.stringContaining('code') })
  expect(await control('PUT', 'numbers', { number: '0171', error: null })).toMatchObject({ error: expect.stringContaining('E.164') })
  expect(await control('POST', 'nothing')).toMatchObject({ error: 'no POST nothing' })
  await control('POST', 'reply', { from: TO, body: 'STOP' })
  expect(await control('POST', 'reset')).toMatchObject({ messages: 0, optedOut: [], faults: [] })
})

test('a restart keeps messages and opt-outs, readable only by their owner', async () => {
  const stateDir = mkdtempSync(path.join(tmpdir(), 'sms-'))
  onTestFinished(() => rmSync(stateDir, { recursive: true }))
  const first = await startSms({ stateDir })
  const headers = { authorization: `Basic ${btoa(`${first.accountSid}:${first.authToken}`)}` }
  const body = new URLSearchParams({ To: TO, From: first.number, Body: 'before' })
  await fetch(`${first.url}/2010-04-01/Accounts/${first.accountSid}/Messages.json`, { method: 'POST', headers, body })
  const reply = JSON.stringify({ from: '+14155550101', body: 'STOP' })
  await fetch(`${first.url}/_control/reply`, { method: 'POST', body: reply })
  await first.close()
  expect(statSync(path.join(stateDir, 'sms.json')).mode & 0o077).toBe(0)

  const { send, get, control } = await openBench({ stateDir })
  expect((await send({ To: '+14155550101' })).body).toMatchObject({ code: 21_610 })
  await control('POST', 'deliver')
  const { messages } = (await get('/Messages.json')).body as { messages: { body: string; status: string }[] }
  expect(messages.at(-1)).toMatchObject({ body: 'before', status: 'delivered' })
})

test('a taken port is refused', async () => {
  const { sms } = await openBench()
  await expect(startSms({ port: Number(new URL(sms.url).port) })).rejects.toThrow(/EADDRINUSE/)
})
