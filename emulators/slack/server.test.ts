import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSlack } from './server.ts'
import { HOOK, openBench } from './testing.ts'

const MESSAGE = {
  text: 'Clicks fell by 32 %',
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: 'Clicks fell &amp; stay low' } },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*Lumen* <https://rank.example/alerts/1|Report>' },
      fields: [{ type: 'mrkdwn', text: '*Before*\n1,200' }],
    },
    { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://rank.example/alerts/1' }] },
  ],
}

test('accepts a message and answers ok', async () => {
  const { post, messages } = await openBench()
  const answer = await post(MESSAGE)
  expect(answer).toMatchObject({ status: 200, text: 'ok' })
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await messages()).toMatchObject([
    {
      id: 1,
      hook: HOOK,
      channel: '#general',
      text: 'Clicks fell by 32 %',
      shown: {
        text: 'Clicks fell & stay low\nLumen Report\nBefore\n1,200\nOpen',
        links: [
          { url: 'https://rank.example/alerts/1', text: 'Report' },
          { url: 'https://rank.example/alerts/1', text: 'Open' },
        ],
        mentions: [],
      },
    },
  ])
})

test('accepts a form with a payload as well', async () => {
  const { call, messages } = await openBench()
  const form = (body: URLSearchParams) => call(`/services/${HOOK}`, { method: 'POST', body })
  expect((await form(new URLSearchParams({ payload: '{"text":"from a form"}' }))).text).toBe('ok')
  expect((await form(new URLSearchParams({ text: 'x' }))).text).toBe('invalid_payload')
  expect((await messages()).map((each) => each.text)).toEqual(['from a form'])
})

test.each([
  ['not JSON', '{"text":', 'invalid_payload'],
  ['no object', '["text"]', 'invalid_payload'],
  ['a text that is none', '{"text": 5}', 'invalid_payload'],
  ['nothing said', '{}', 'no_text'],
  ['only spaces', '{"text":"  ","blocks":[]}', 'no_text'],
])('refuses %s', async (_name, body, error) => {
  const { post, messages } = await openBench()
  expect(await post(body)).toMatchObject({ status: 400, text: error })
  expect(await messages()).toEqual([])
})

test("refuses a body that isn't declared as JSON, and other methods", async () => {
  const { call } = await openBench()
  const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"text":"x"}' }
  expect(await call(`/services/${HOOK}`, plain)).toMatchObject({ status: 400, text: 'invalid_payload' })
  expect(await call(`/services/${HOOK}`)).toMatchObject({ status: 405, text: 'method_not_allowed' })
})

test('distinguishes a wrong token, a wrong webhook and a wrong team', async () => {
  const { post, control } = await openBench()
  await control('PUT', 'hooks', { hook: HOOK, name: 'Alerts', channel: '#seo' })
  expect(await post({ text: 'x' }, 'T0RANK/B0LARK/another')).toMatchObject({ status: 403, text: 'invalid_token' })
  expect(await post({ text: 'x' }, 'T0RANK/C0LARK/another')).toMatchObject({ status: 404, text: 'no_service' })
  expect(await post({ text: 'x' }, 'x/B0LARK/another')).toMatchObject({ status: 404, text: 'no_team' })
  expect((await post({ text: 'x' }, 'T0RANK/B0OTHER/another')).text).toBe('ok')
  await control('PUT', 'settings', { open: false })
  expect(await post({ text: 'x' }, 'T0RANK/B0OTHER/another')).toMatchObject({ status: 404, text: 'no_service' })
  expect((await post({ text: 'x' })).text).toBe('ok')
})

test.each([
  ['archived', 410, 'channel_is_archived'],
  ['revoked', 404, 'no_service'],
  ['channelMissing', 404, 'channel_not_found'],
  ['prohibited', 403, 'action_prohibited'],
])('a webhook that is %s', async (state, status, text) => {
  const { post, control } = await openBench()
  await control('PUT', 'hooks', { hook: HOOK, state })
  expect(await post({ text: 'x' })).toMatchObject({ status, text })
  await control('PUT', 'hooks', { hook: HOOK, state: 'active' })
  expect((await post({ text: 'x' })).text).toBe('ok')
})

test('archiving a channel closes all its webhooks', async () => {
  const { slack, post, control } = await openBench()
  await control('PUT', 'hooks', { hook: `${slack.url}/services/${HOOK}`, channel: '#seo' })
  await control('PUT', 'channel', { channel: '#seo', archived: true })
  expect((await post({ text: 'x' })).status).toBe(410)
  expect(await control('PUT', 'channel', { channel: '#none', archived: true })).toMatchObject({ error: expect.stringContaining('#none') })
})

test('one message per second, with bursts, each webhook separately', async () => {
  const { post, control } = await openBench()
  await control('PUT', 'limit', { perSecond: 0.5, burst: 2 })
  const answers = [await post({ text: '1' }), await post({ text: '2' }), await post({ text: '3' })]
  expect(answers.map((each) => each.text)).toEqual(['ok', 'ok', 'rate_limited'])
  expect(answers[2]?.status).toBe(429)
  expect(answers[2]?.headers.get('retry-after')).toBe('2')
  expect((await post({ text: '3' }, 'T0RANK/B0OTHER/x')).text).toBe('ok')
  await control('PUT', 'limit', null)
  for (let n = 0; n < 20; n++) expect((await post({ text: 'many' })).text).toBe('ok')
})

test('the next ones fail as requested, then it works again', async () => {
  const { post, control, messages } = await openBench()
  await control('POST', 'fail', { error: 'rate_limited', retryAfter: 7 })
  await control('POST', 'fail', { status: 503, body: 'upstream', times: 2 })
  await control('POST', 'fail', { error: 'channel_is_archived', match: 'B0OTHER' })
  const limited = await post({ text: 'x' })
  expect([limited.status, limited.text, limited.headers.get('retry-after')]).toEqual([429, 'rate_limited', '7'])
  expect(await post({ text: 'x' })).toMatchObject({ status: 503, text: 'upstream' })
  expect(await post({ text: 'x' })).toMatchObject({ status: 503 })
  expect(await post({ text: 'arrived' })).toMatchObject({ status: 200 })
  expect(await post({ text: 'x' }, 'T0RANK/B0OTHER/x')).toMatchObject({ status: 410 })
  expect((await messages()).map((each) => each.text)).toEqual(['arrived'])
})

test('a fault after some, and for a while', async () => {
  const { post, control } = await openBench()
  await control('POST', 'fail', { error: 'rollup_error', after: 1, seconds: 60 })
  const statuses = [await post({ text: 'x' }), await post({ text: 'x' }), await post({ text: 'x' })].map((each) => each.status)
  expect(statuses).toEqual([200, 500, 500])
  await control('DELETE', 'fail')
  expect((await post({ text: 'x' })).status).toBe(200)
})

test('a connection that breaks, before or after the message arrived', async () => {
  const { post, control, messages } = await openBench()
  await control('POST', 'fail', { connectionReset: true })
  await control('POST', 'fail', { connectionReset: true, executed: true })
  await expect(post({ text: 'lost' })).rejects.toThrow('fetch failed')
  expect(await messages()).toEqual([])
  await expect(post({ text: 'arrived' })).rejects.toThrow('fetch failed')
  expect((await messages()).map((each) => each.text)).toEqual(['arrived'])
  expect((await control('GET', 'requests')).last.map((each) => each.status)).toEqual([0, 0])
})

test('never answered, answered late, and redirected', async () => {
  const { slack, call, control } = await openBench()
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"x"}' }
  await control('POST', 'fail', { hang: true })
  await expect(call(`/services/${HOOK}`, { ...init, signal: AbortSignal.timeout(200) })).rejects.toThrow('timeout')
  await control('POST', 'fail', { redirect: `${slack.url}/messages` })
  const moved = await call(`/services/${HOOK}`, { ...init, redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([307, `${slack.url}/messages`])
  await control('PUT', 'delay', { ms: 300 })
  const before = performance.now()
  expect((await call(`/services/${HOOK}`, init)).text).toBe('ok')
  expect(performance.now() - before).toBeGreaterThan(290)
})

test('the log shows when and how each message was tried', async () => {
  const { post, control } = await openBench()
  await post({ text: 'x' })
  await post('{')
  const { total, last } = await control('GET', 'requests')
  expect(total).toBe(2)
  expect(last).toMatchObject([
    { method: 'POST', path: `/services/${HOOK}`, status: 200, problem: null, headers: { 'content-type': 'application/json' } },
    { status: 400, problem: 'not JSON', body: '{' },
  ])
  expect(Date.parse(last[0]?.at ?? '')).toBeGreaterThan(Date.now() - 60_000)
  await control('DELETE', 'requests')
  expect((await control('GET', 'requests')).total).toBe(0)
})

test('the page shows messages like Slack, and runs nothing in them', async () => {
  const { call, post } = await openBench()
  expect((await call('/')).text).toContain('No messages have arrived yet.')
  await post(MESSAGE)
  await post({ attachments: [{ color: '#E01E5A', text: '<script>alert(1)</script> "><img src=x onerror=alert(1)>' }] }, 'T1/B1/x')
  const { text, headers } = await call('/')
  expect(text).toContain('<h2>Clicks fell &amp; stay low</h2>')
  expect(text).toContain('<strong>Lumen</strong> <a href="https://rank.example/alerts/1" target="_blank" rel="noreferrer">Report</a>')
  expect(text).toContain('<a href="https://rank.example/alerts/1" class="button" target="_blank" rel="noreferrer">Open</a>')
  expect(text).toContain('style="border-color: #E01E5A"')
  expect(text).not.toContain('<script>')
  expect(text).not.toContain('<img')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await call(`/?hook=${encodeURIComponent(HOOK)}`)).text).not.toContain('border-color: #E01E5A')
})

test('JSON of one webhook, of one message, and of none', async () => {
  const { call, post, messages } = await openBench()
  await post({ text: 'first' })
  await post({ text: 'second' }, 'T1/B1/x')
  expect((await messages()).map((each) => each.text)).toEqual(['second', 'first'])
  expect((await messages('?hook=T1/B1/x')).map((each) => each.text)).toEqual(['second'])
  expect(JSON.parse((await call('/messages/1')).text)).toMatchObject({ text: 'first' })
  expect((await call('/messages/9')).status).toBe(404)
  expect((await call('/messages', { method: 'DELETE' })).status).toBe(405)
})

test('clearing, and misuse of the control API', async () => {
  const { post, messages, control } = await openBench()
  await post({ text: 'x' })
  await control('DELETE', 'messages')
  expect(await messages()).toEqual([])
  expect(await control('POST', 'fail', { error: 'tired' })).toMatchObject({ error: expect.stringContaining('error') })
  expect(await control('PUT', 'hooks', { hook: 'https://rank.example' })).toMatchObject({ error: expect.stringContaining('T…/B…/…') })
  expect(await control('POST', 'nothing')).toMatchObject({ error: 'no POST nothing' })
  await control('PUT', 'hooks', { hook: HOOK, state: 'archived' })
  expect(await control('POST', 'reset')).toMatchObject({ hooks: [], messages: 0, open: true, faults: [] })
})

test('a restart keeps messages and webhooks, readable only by their owner', async () => {
  const stateDir = mkdtempSync(path.join(tmpdir(), 'slack-'))
  onTestFinished(() => rmSync(stateDir, { recursive: true }))
  const first = await startSlack({ stateDir })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(MESSAGE) }
  await fetch(`${first.url}/_control/hooks`, { method: 'PUT', body: JSON.stringify({ hook: HOOK, channel: '#seo' }) })
  await fetch(`${first.url}/services/${HOOK}`, init)
  await first.close()
  expect(statSync(path.join(stateDir, 'slack.json')).mode & 0o077).toBe(0)

  const { messages, post } = await openBench({ stateDir })
  expect(await messages()).toMatchObject([{ id: 1, channel: '#seo', text: 'Clicks fell by 32 %' }])
  await post({ text: 'later' })
  expect((await messages()).map((each) => each.id)).toEqual([2, 1])
})

test('a taken port is refused', async () => {
  const { slack } = await openBench()
  await expect(startSlack({ port: Number(new URL(slack.url).port) })).rejects.toThrow(/EADDRINUSE/)
})
