import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startWebhook, type WebhookStandIn } from '../../../../emulators/webhook/server.ts'
import { createWebhookControl, type WebhookControl } from '../../../../test/support/message-controls.ts'
import { parseConfig } from '../../config.ts'
import { acrossAnEdge } from '../../../../test/support/message-items.ts'
import type { Channel, Envelope } from '../channels/channel.ts'
import type { Message } from '../message.ts'
import type { Resolve } from '../outbound/addresses.ts'
import { alertsOf, anEnvelope, anItem, aNamedItem, aSection } from '../../../../test/support/messages.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import { webhookDestinationText } from './destination.ts'
import { newSecret } from './signature.ts'
import { createWebhookChannel } from './webhook.ts'

const now = new Date('2025-11-12T10:31:00.500Z')
const clock = { now: () => now }
const secret = newSecret()
let standIn: WebhookStandIn
let receiver: WebhookControl
let channel: Channel

beforeAll(async () => {
  standIn = await startWebhook()
  receiver = createWebhookControl(standIn)
  channel = createWebhookChannel(parseConfig({ WEBHOOK_PRIVATE_HOSTS: new URL(standIn.url).host }).webhooks, clock)
})
afterAll(() => standIn.close())
beforeEach(() => receiver.reset())

async function send(message: Message = alertsOf([anItem()]), changes: Partial<Envelope> = {}, through = channel) {
  const envelope = anEnvelope(message, { destination: webhookDestinationText({ url: receiver.hookUrl, secret }), ...changes })
  const { answer: _answer, ...fate } = await through.send(envelope, new AbortController().signal)
  return fate
}

describe('what a receiver gets', () => {
  test('alerts as JSON, with unchanged names', async () => {
    const odd = '<!channel> "quoted" \u202E& שלום'
    const contributors = [{ name: odd, currentValue: 1, previousValue: 2, change: -50 }]
    const item = aNamedItem('query', odd, { contributors, action: { label: 'Mend it', href: '/account' } })
    expect(await send(alertsOf([item]))).toEqual({ outcome: 'sent' })
    const { headers, body } = await receiver.message()
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body)).toEqual({
      type: 'alerts',
      timestamp: '2025-11-12T10:30:00.000Z',
      property: 'sc-domain:example.com',
      searchConsoleUrl: 'https://search.google.com/search-console?resource_id=sc-domain%3Aexample.com',
      alerts: [
        {
          id: '12',
          event: 'opened',
          severity: 'critical',
          state: 'firing',
          metric: 'clicks',
          title: `Clicks dropped: “${odd}”`,
          description: `Clicks for ${odd} fell from 1,204 to 660.`,
          entity: { kind: 'query', name: odd },
          currentValue: 660,
          previousValue: 1204,
          change: -45.18,
          changeUnit: 'percent',
          current: { start: '2025-11-03', end: '2025-11-09' },
          previous: { start: '2025-10-27', end: '2025-11-02' },
          openedAt: '2025-11-12T10:24:00.000Z',
          contributors,
          series: [170, 160, 90],
          action: { label: 'Mend it', url: 'https://ranklark.example/account' },
          url: 'https://ranklark.example/alerts/12',
        },
      ],
      url: 'https://ranklark.example/alerts',
    })
  })

  test('the search type of an alert, unless it is web', async () => {
    await send(alertsOf([anItem({ searchType: 'discover' }), anItem()]))
    const { alerts } = JSON.parse((await receiver.message()).body)
    expect(alerts.map(({ searchType }: { searchType?: string }) => searchType)).toEqual(['discover', undefined])
  })

  test('a digest says which figures Google counted differently in the two weeks, without their change', async () => {
    await send({ kind: 'digest', frequency: 'weekly', properties: [{ ...aSection('a'), standing: acrossAnEdge }] })
    expect(JSON.parse((await receiver.message()).body).properties[0].standing).toMatchObject({
      clicks: { value: 1234, previous: 1195, change: 3.26 },
      impressions: {
        value: 45678,
        previous: 60904,
        change: null,
        incomparable: 'Google counted this differently on some of these days',
      },
    })
  })

  test('a digest, and a test', async () => {
    await send({ kind: 'digest', frequency: 'weekly', properties: [aSection('old figures', [anItem({ type: 'position' })])] })
    expect(JSON.parse((await receiver.message()).body)).toMatchObject({
      type: 'digest',
      frequency: 'weekly',
      properties: [
        {
          property: 'old figures',
          searchConsoleUrl: null,
          openAlerts: 1,
          standing: { clicks: { value: 660, previous: 1204, change: -45.18 }, position: { value: 8.25, previous: null } },
          alerts: [{ id: '12', metric: 'position', changeUnit: 'positions', action: null }],
        },
      ],
    })
    await send({ kind: 'test', property: null })
    expect(JSON.parse((await receiver.message()).body)).toMatchObject({ type: 'test', property: null })
  })

  test('the same ID and body on every attempt, each signed with its own timestamp', async () => {
    await receiver.fail({ status: 500 })
    await send()
    const later = createWebhookChannel(parseConfig({ WEBHOOK_PRIVATE_HOSTS: new URL(standIn.url).host }).webhooks, {
      now: () => new Date(now.getTime() + 60_000),
    })
    await send(undefined, {}, later)
    const [second, first] = await receiver.messages()
    expect(second!.body).toBe(first!.body)
    expect([first, second].map((each) => each!.headers['webhook-id'])).toEqual([anEnvelope(alertsOf([])).key, anEnvelope(alertsOf([])).key])
    expect([first, second].map((each) => each!.headers['webhook-timestamp'])).toEqual(['1762943460', '1762943520'])
    expect(second!.headers['webhook-signature']).not.toBe(first!.headers['webhook-signature'])
  })
})

describe('the verification code in docs/webhooks.md', () => {
  const run = promisify(execFile)
  const codeOf = async (language: string): Promise<string> => {
    const page = await readFile(path.resolve(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8')
    const code = new RegExp(`\`\`\`${language}\n([\\s\\S]+?)\`\`\``).exec(page)?.[1]
    if (code === undefined) throw new Error(`There is no ${language} in docs/webhooks.md`)
    return code
  }
  /** The result of each language's signature check. */
  const check = {
    js: async (given: string) =>
      run(process.execPath, [
        '--input-type=module',
        '-e',
        `${await codeOf('js')}
const given = ${given}
console.log(isFromRanklark(given.secret, given.headers, Buffer.from(given.body)))`,
      ]),
    python: async (given: string) =>
      run('python3', [
        '-c',
        `import json
${await codeOf('python')}
given = json.loads(${JSON.stringify(given)})
print(is_from_ranklark(given["secret"], given["headers"], given["body"].encode()))`,
      ]),
  }
  const languages = spawnSync('python3', ['--version']).status === 0 ? (['js', 'python'] as const) : (['js'] as const)

  test.each([languages[0], ...inFull(languages.slice(1))])('%s: accepts only our current messages', async (language) => {
    const fresh = createWebhookChannel(parseConfig({ WEBHOOK_PRIVATE_HOSTS: new URL(standIn.url).host }).webhooks, {
      now: () => new Date(),
    })
    await send(alertsOf([aNamedItem('query', 'ö 💡')]), {}, fresh)
    const { headers, body } = await receiver.message()
    const says = async (changes: object) =>
      (await check[language](JSON.stringify({ secret, headers, body, ...changes }))).stdout.trim().toLowerCase()
    expect(await says({})).toBe('true')
    expect(await says({ body: body.replace('660', '661') })).toBe('false')
    expect(await says({ secret: newSecret() })).toBe('false')
    expect(await says({ headers: { ...headers, 'webhook-id': 'another' } })).toBe('false')
    expect(await says({ headers: { ...headers, 'webhook-signature': `v1,AAAA ${String(headers['webhook-signature'])}` } })).toBe('true')
    await send(alertsOf([anItem()]))
    const old = await receiver.message()
    expect(await says({ headers: old.headers, body: old.body })).toBe('false')
  })
})

describe("the receiver's response", () => {
  test.each([200, 201, 202, 204])('%i: accepted', async (status) => {
    await receiver.answer({ status })
    expect(await send()).toEqual({ outcome: 'sent' })
  })

  test('410: delivery stops', async () => {
    await receiver.answer({ status: 410 })
    expect(await send()).toMatchObject({ outcome: 'refused', disables: true, reason: expect.stringContaining('410') })
  })

  test.each([301, 302, 307, 308])('%i: redirects are not followed', async (status) => {
    await receiver.answer({ status, redirect: `${standIn.url}/hook/final` })
    expect(await send()).toEqual({
      outcome: 'refused',
      reason: `Your server responded with a redirect (${status}), which we don't follow. Enter the final URL.`,
      disables: true,
    })
    expect(await receiver.messages()).toHaveLength(1)
  })

  test.each([400, 401, 403, 404, 405, 408, 409, 413, 422, 425, 500, 502, 504])('%i: retried, since receivers get fixed', async (status) => {
    await receiver.answer({ status })
    expect(await send()).toEqual({ outcome: 'later', reason: `Your server responded with ${status}.` })
  })

  test.each([429, 503])('%i: retried after Retry-After', async (status) => {
    await receiver.answer({ status, retryAfter: 90 })
    expect(await send()).toEqual({ outcome: 'later', reason: `Your server responded with ${status}.`, retryAfterMs: 90_000 })
  })

  test('a huge response, a slow one or none', async () => {
    await receiver.answer({ bytes: 200_000_000 })
    expect(await send()).toEqual({ outcome: 'sent' })
    await receiver.answer({ connectionReset: true })
    expect(await send()).toEqual({ outcome: 'later', reason: 'Your server dropped the connection.' })
  })
})

describe('blocked destinations', () => {
  const strict = parseConfig({}).webhooks
  const port = () => new URL(standIn.url).port
  const leadingTo =
    (address: string): Resolve =>
    (_hostname, _options, callback) =>
      callback(null, [{ address, family: 4 }])
  const to = (url: string, through: Channel) => send(undefined, { destination: webhookDestinationText({ url, secret }) }, through)

  test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254'])('a name that now resolves to %s', async (address) => {
    const outcome = await to(`https://rebound.example:${port()}/hook`, createWebhookChannel(strict, clock, leadingTo(address)))
    expect(outcome).toMatchObject({ outcome: 'refused', disables: true, reason: expect.stringContaining('private network') })
    expect(await receiver.messages()).toEqual([])
  })

  test('a URL that used to be allowed', async () => {
    expect(await to(receiver.hookUrl, createWebhookChannel(strict, clock))).toMatchObject({ outcome: 'refused', disables: true })
    expect(await to(`https://127.0.0.1:${port()}/hook`, createWebhookChannel(strict, clock))).toMatchObject({
      outcome: 'refused',
      disables: true,
    })
    expect(await receiver.messages()).toEqual([])
  })

  test("nothing is sent if the stored URL can't be decrypted", async () => {
    expect(await send(undefined, { destination: 'nonsense' })).toMatchObject({ outcome: 'refused', disables: true })
  })

  test('no error reveals the URL or the secret', async () => {
    const outcomes = []
    for (const answer of [
      { status: 410 },
      { status: 500, body: secret },
      { redirect: 'https://example.com/s3cret' },
      { connectionReset: true },
    ]) {
      await receiver.answer(answer)
      outcomes.push(await send())
    }
    expect(outcomes).toHaveLength(4)
    for (const hidden of [secret, '/hook', 's3cret']) expect(JSON.stringify(outcomes)).not.toContain(hidden)
  })
})
