import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type SlackStandIn, startSlack } from '../../../../emulators/slack/server.ts'
import { startWebhook } from '../../../../emulators/webhook/server.ts'
import { createSlackControl, createWebhookControl, type SlackControl } from '../../../../test/support/message-controls.ts'
import { parseConfig } from '../../config.ts'
import type { Channel, Envelope, Outcome } from '../channels/channel.ts'
import type { Message } from '../message.ts'
import { alertsOf, anEnvelope, anItem, aNamedItem, aSection } from '../../../../test/support/messages.ts'
import { createSlackChannel } from './slack.ts'

const hook = 'T00000001/B00000001/abcdefghijklmnopqrstuvwx'
let standIn: SlackStandIn
let slack: SlackControl
let channel: Channel

beforeAll(async () => {
  standIn = await startSlack()
  slack = createSlackControl(standIn.url)
  channel = createSlackChannel(parseConfig({ SLACK_URL: standIn.url }).slack)
})
afterAll(() => standIn.close())
beforeEach(async () => {
  await slack.reset()
  await slack.call('PUT', '_control/limit', null)
})

const send = (message: Message = alertsOf([anItem()]), changes: Partial<Envelope> = {}, signal = new AbortController().signal) =>
  channel.send(anEnvelope(message, { destination: slack.hookUrl(hook), ...changes }), signal)
const lastBody = async (): Promise<unknown> => {
  const { last } = z.object({ last: z.array(z.object({ body: z.string() })) }).parse(await slack.call('GET', '_control/requests?last=1'))
  return JSON.parse(last[0]?.body ?? '')
}
const asked = async () => (await slack.requests()).length

describe('a message', () => {
  test('arrives as valid blocks, with links to the report and to Search Console', async () => {
    expect(await send(alertsOf([anItem(), anItem({ alertId: '13', event: 'recovered' })]))).toEqual({ outcome: 'sent' })
    const { shown, blocks } = await slack.message()
    // A header, two blocks per alert, and a title before the recoveries.
    expect(blocks).toHaveLength(6)
    expect(shown.text).toContain('Good news')
    expect(shown.text).toContain('example.com: 1 alert and 1 recovery')
    expect(shown.text).toContain('🔴 Critical · Clicks dropped across the site')
    expect(shown.links.map(({ url }) => url)).toEqual([
      'https://ranklark.example/alerts/12',
      'https://search.google.com/search-console?resource_id=sc-domain%3Aexample.com',
      'https://ranklark.example/alerts/13',
      'https://search.google.com/search-console?resource_id=sc-domain%3Aexample.com',
    ])
    expect(shown.mentions).toEqual([])
  })

  test.each<[string, Message]>([
    ['a digest', { kind: 'digest', frequency: 'daily', properties: [aSection('sc-domain:a.example', [anItem()]), aSection('b')] }],
    [
      'a full digest',
      { kind: 'digest', frequency: 'daily', properties: Array.from({ length: 25 }, () => aSection('c', [anItem(), anItem()])) },
    ],
    ['a test', { kind: 'test', property: null }],
    ['far too much', alertsOf(Array.from({ length: 200 }, () => aNamedItem('query', '<&>'.repeat(600))))],
    ['an odd name', alertsOf([aNamedItem('query', '\u200B'), aNamedItem('page', '`')])],
  ])('%s arrives', async (_what, message) => {
    expect(await send(message)).toEqual({ outcome: 'sent' })
    expect(await asked()).toBe(1)
    expect((await slack.message()).blocks).not.toBeNull()
  })

  test('names the chosen channel, if any', async () => {
    await send(undefined, { extra: '#seo' })
    expect(await lastBody()).toMatchObject({ channel: '#seo' })
    await send()
    expect(await lastBody()).not.toHaveProperty('channel')
  })
})

describe('names of pages and queries stay plain text', () => {
  const names = [
    '<!channel> <!here> <@U012ABCDE> <#C012ABCDE>',
    '<https://evil.example/|your report>',
    'https://evil.example/login',
    'evil.example and mailto:me@evil.example',
    '*bold* _italic_ ~struck~ `code` ```block```',
    '&lt;!channel&gt; &amp; <b>',
    '`<!channel>`',
    'a\n> quoted\n*b*',
    ':rotating_light: *Critical*',
    '<img src=x onerror=alert(1)>',
    '<!date^1^{date}|x>',
    '_*~both~*_',
  ]

  test.each(names)('%s', async (name) => {
    for (const kind of ['page', 'query'] as const) {
      const contributors = [{ name, currentValue: 1, previousValue: 2, change: -50 }]
      expect(await send(alertsOf([aNamedItem(kind, name, { contributors })], name))).toEqual({ outcome: 'sent' })
      const { shown, blocks, text } = await slack.message()
      expect(shown.mentions).toEqual([])
      expect(shown.links.filter(({ url }) => !/^https:\/\/(ranklark\.example|search\.google\.com)\//.test(url))).toEqual([])
      // Unchanged except for the character that would end its piece.
      expect(shown.text).toContain(name.replaceAll('`', 'ˋ').replaceAll('\n', ' '))
      expect(marksIn(text ?? '')).toEqual([])
      for (const said of textsOf(blocks)) expect(marksIn(said)).toEqual([])
    }
    // And without blocks.
    await slack.clear()
    await slack.fail({ error: 'invalid_blocks' })
    expect(await send(alertsOf([aNamedItem('query', name)], name))).toEqual({ outcome: 'sent' })
    const { shown } = await slack.message()
    expect(shown.mentions).toEqual([])
    expect(shown.links.filter(({ url }) => !url.startsWith('https://ranklark.example/'))).toEqual([])
  })

  /** What Slack's own rules would format besides our bold, code, links and dates. */
  function marksIn(said: string): string[] {
    const own = said
      .replaceAll(/`[^`\n]*`/g, 'code')
      .replaceAll(/<(https:\/\/(ranklark\.example|search\.google\.com)\/|!date\^\d)[^<>]*>/g, 'link')
    const bold = own.replaceAll(/(^|\n| )\*([^*\n]*)\*(?=\n|$| )/g, '$1$2')
    return [...bold.matchAll(/(?<![A-Za-z0-9])[*_~]\S|[<>`]|\S[*_~](?![A-Za-z0-9])|:[a-z_]+:/g)].map(([found]) => found)
  }

  test('no characters that change the direction or are invisible', async () => {
    await send(alertsOf([aNamedItem('query', 'cheap\u202Elamps\u200B\u2066')]))
    expect(JSON.stringify(await slack.message())).not.toMatch(/[\u202E\u200B\u2066]/)
  })

  test('Slack adds no links or previews itself', async () => {
    await send(alertsOf([aNamedItem('page', 'https://example.com/a')]))
    const { blocks } = await slack.message()
    const sections = (blocks ?? []).filter((block) => block['type'] === 'section').map((block) => block['text'])
    expect(sections).toEqual([expect.objectContaining({ verbatim: true })])
    expect(await lastBody()).toMatchObject({ parse: 'none', unfurl_links: false, unfurl_media: false })
  })
})

function textsOf(blocks: readonly Record<string, unknown>[] | null): string[] {
  const found: string[] = []
  JSON.stringify(blocks, (key, value: unknown) => {
    if (key === '' || typeof value !== 'object' || value === null || !('type' in value) || !('text' in value)) return value
    if (value.type === 'mrkdwn' && typeof value.text === 'string') found.push(value.text)
    return value
  })
  return found
}

describe("Slack's responses", () => {
  const ended = (reason: string): Outcome => ({ outcome: 'refused', reason: expect.stringContaining(reason) as string, disables: true })

  test.each([
    ['revoked', 'the webhook was revoked. Create a new incoming webhook in Slack and paste its URL. (no_service)'],
    ['archived', 'the channel was archived. Unarchive it in Slack, or create a webhook for another channel. (channel_is_archived)'],
    ['channelMissing', 'the channel was deleted. Create a new incoming webhook'],
    ['prohibited', "a workspace admin doesn't allow it"],
  ] as const)('%s: the webhook no longer works', async (state, reason) => {
    await slack.setHook(hook, state)
    expect(await send()).toEqual(ended(`Slack says: ${reason}`))
    expect(await asked()).toBe(1)
    expect(await slack.messages()).toEqual([])
  })

  test('a wrong token, or an unknown workspace', async () => {
    await slack.setHook(hook, 'active')
    expect(await send(undefined, { destination: slack.hookUrl('T00000001/B00000001/another') })).toEqual(ended('(invalid_token)'))
    await slack.fail({ error: 'no_team' })
    expect(await send()).toEqual(ended('(no_team)'))
    await slack.fail({ error: 'user_not_found' })
    expect(await send(undefined, { extra: '@ada' })).toEqual(ended('there is no user named @ada'))
    await slack.fail({ error: 'channel_not_found' })
    expect(await send(undefined, { extra: '#gone' })).toEqual(ended("this webhook can't post to #gone"))
    await slack.fail({ error: 'team_disabled' })
    expect(await send()).toEqual(ended('the workspace was deactivated'))
    await slack.fail({ status: 410, body: '<html>Gone</html>' })
    expect(await send()).toEqual(ended('permanently removed'))
  })

  test('rate limited: retried after Retry-After', async () => {
    await slack.fail({ error: 'rate_limited', retryAfter: 30 })
    expect(await send()).toEqual({ outcome: 'later', reason: "Slack isn't accepting more messages right now (429).", retryAfterMs: 30_000 })
  })

  test.each([
    [{ error: 'rollup_error' }, "Slack couldn't accept the message (500 rollup_error)."],
    [{ status: 502, body: '<html>' }, "Slack couldn't accept the message (502)."],
    [{ status: 404, body: '<html>not Slack</html>' }, "Slack couldn't accept the message (404)."],
    [{ redirect: 'https://example.com/' }, "Slack responded with a redirect (307), which we don't follow."],
    [{ connectionReset: true }, 'Slack dropped the connection.'],
  ])('%j: retried', async (fault, reason) => {
    await slack.fail(fault)
    expect(await send()).toEqual({ outcome: 'later', reason })
    expect(await asked()).toBe(1)
  })

  test('no response, or our server is stopping: retried', async () => {
    await slack.fail({ hang: true })
    const stop = new AbortController()
    const sending = send(undefined, undefined, stop.signal)
    await expect.poll(asked).toBe(1)
    stop.abort()
    expect(await sending).toEqual({ outcome: 'later', reason: "Slack didn't respond in time." })
  })

  test.each(['invalid_blocks', 'invalid_payload', 'invalid_blocks_format', 'too_many_attachments'])(
    '%s: sent again as plain text, immediately',
    async (error) => {
      await slack.fail({ error })
      expect(await send()).toEqual({ outcome: 'sent' })
      expect(await asked()).toBe(2)
      const { blocks, shown } = await slack.message()
      expect(blocks ?? []).toEqual([])
      expect(shown.text).toContain('Clicks dropped across the site')
      expect(shown.links.map(({ url }) => url)).toContain('https://ranklark.example/alerts/12')
    },
  )

  test('refused as plain text too: given up, but the webhook stays enabled', async () => {
    await slack.fail({ error: 'invalid_payload', times: 2 })
    expect(await send()).toEqual({ outcome: 'refused', reason: 'Slack rejected the message (400 invalid_payload).', disables: false })
    expect(await asked()).toBe(2)
  })

  test('rate limited on the second try: retried', async () => {
    await slack.fail({ error: 'invalid_blocks' })
    await slack.fail({ error: 'rate_limited', retryAfter: 5 })
    expect(await send()).toMatchObject({ outcome: 'later', retryAfterMs: 5000 })
  })

  test('no error reveals the webhook URL', async () => {
    const outcomes = []
    for (const fault of [
      { error: 'no_service' },
      { status: 500, body: hook },
      { connectionReset: true },
      { status: 400, body: hook, times: 2 },
    ]) {
      await slack.fail(fault)
      outcomes.push(await send())
    }
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['refused', 'later', 'later', 'refused'])
    expect(JSON.stringify(outcomes)).not.toContain('abcdefghijklmnopqrstuvwx')
  })
})

test('no other host is contacted, even if one is stored', async () => {
  const elsewhere = await startWebhook()
  for (const destination of [
    `${elsewhere.url}/services/${hook}`,
    `${standIn.url}/_control/reset`,
    'https://hooks.slack.com/services/T1/B1/abc',
    '',
  ])
    expect(await send(undefined, { destination })).toMatchObject({ outcome: 'refused', disables: true })
  expect(await createWebhookControl(elsewhere).messages()).toEqual([])
  expect(await asked()).toBe(0)
  await elsewhere.close()
})
