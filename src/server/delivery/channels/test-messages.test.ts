import { describe, expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import type { TestApp } from '../../../../test/support/app.ts'
import { member } from '../../../../test/support/people.ts'
import type { Visitor } from '../../../../test/support/visitor.ts'
import { type ChannelName, deliveryChannels } from '../../../contract/delivery/channels.ts'

// Each channel's test button: a real message, sent the real way.

const path = '/api/delivery-channels'
const token = 'abcdefghijklmnopqrstuvwx'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('own', async ({ app }) => {
    await Promise.all([app.mail.reset(), app.slack.reset(), app.sms.reset(), app.webhook.reset()])
    const address = `person${++people}@example.test`
    const number = `+4420794${60_000 + people}`
    const person = await member(app, { email: address, plan: 'agency' })
    return { address, number, person }
  })
  .extend('messages', ({ app, own: { address, number, person } }) => {
    const send = (channel: ChannelName, who = person) => who.send('POST', `${path}/${channel}/test`)
    const onPlan = async (plan: string) =>
      (await app.stores()).sql('UPDATE people SET plan = $2 WHERE user_id = (SELECT id FROM users WHERE email = $1)', [address, plan])
    const connect = (channel: keyof typeof connectors) => connectors[channel]({ app, person, number })
    const channels = async () => deliveryChannels.parse((await person.get(path)).body)
    const arrived = async (): Promise<Record<ChannelName, number>> => ({
      email: (await app.mail.mails()).length,
      slack: (await app.slack.messages()).length,
      sms: (await app.sms.messages()).length,
      webhook: (await app.webhook.messages()).length,
    })
    return { send, onPlan, connect, channels, arrived }
  })

type Connected = { app: TestApp; person: Visitor; number: string }
const connectors: Record<Exclude<ChannelName, 'email'>, (of: Connected) => Promise<unknown>> = {
  slack: ({ app, person }) => person.send('PUT', `${path}/slack`, { webhookUrl: app.slack.hookUrl(`T00000001/B00000001/${token}`) }),
  webhook: ({ app, person }) => person.send('PUT', `${path}/webhook`, { url: app.webhook.hookUrl }),
  async sms({ app, person, number }) {
    await person.send('PUT', `${path}/sms`, { number })
    const [code] = /\d{6}/.exec((await app.sms.messageTo(number)).body) ?? []
    await person.send('POST', `${path}/sms/confirm`, { code })
    await app.sms.clear()
  },
}
const others = Object.keys(connectors) as (keyof typeof connectors)[]
const none = { email: 0, slack: 0, sms: 0, webhook: 0 }

describe('by email', () => {
  test.for(['/api/alerts/test-email', `${path}/email/test`])(
    "%s goes to the account's address",
    async (route, { app, own: { address, person }, messages: { channels, arrived } }) => {
      const answer = await person.send('POST', route)
      expect(answer).toMatchObject({ status: 200, body: route.endsWith('test-email') ? { email: address } : { to: address } })
      expect(await arrived()).toEqual({ ...none, email: 1 })
      expect((await app.mail.mailTo(address)).kind).toBe('test')
      expect((await channels()).email.lastSentAt).toBe('2026-03-18T20:00:00.000Z')
    },
  )

  test(
    "goes to the confirmed address, and before that to the account's",
    { tags: ['full'] },
    async ({ app, own: { address, person }, messages: { send } }) => {
      const team = `team.${address}`
      await person.send('PUT', `${path}/email`, { address: team })
      expect((await send('email')).body).toEqual({ to: address })
      const [link = ''] = (await app.mail.mailTo(team)).links
      await person.send('POST', `${path}/email/confirm`, { token: new URL(link).searchParams.get('token') })
      expect((await person.send('POST', '/api/alerts/test-email')).body).toEqual({ email: team })
      expect((await app.mail.mailTo(team)).kind).toBe('test')
    },
  )

  test("returns the mail server's error", async ({ app, own: { person }, messages: { channels } }) => {
    await app.mail.fail({ error: 'recipient550', times: 1 })
    const answer = await person.send('POST', '/api/alerts/test-email')
    expect(answer).toMatchObject({ status: 502, body: { message: expect.stringContaining('550 5.1.1') } })
    expect((await channels()).email.problem).toContain('550 5.1.1')
  })
})

describe.each(others)('through %s', (channel) => {
  test("can't be sent before the channel is connected", async ({ messages: { send, arrived } }) => {
    expect(await send(channel)).toMatchObject({ status: 409, body: { message: expect.stringContaining('Connect this channel first') } })
    expect(await arrived()).toEqual(none)
  })

  test('goes to the connected destination, and names it', async ({ messages: { send, connect, channels, arrived } }) => {
    await connect(channel)
    const { to } = (await channels())[channel]
    expect(await send(channel)).toMatchObject({ status: 200, body: { to } })
    expect(await arrived()).toEqual({ ...none, [channel]: 1 })
    expect((await channels())[channel].lastSentAt).toBe('2026-03-18T20:00:00.000Z')
  })

  test('goes there even if the channel is turned off', async ({ own: { person }, messages: { send, connect, arrived } }) => {
    await connect(channel)
    await person.send('PATCH', '/api/delivery-settings', { [`${channel}Enabled`]: false })
    expect((await send(channel)).status).toBe(200)
    expect(await arrived()).toEqual({ ...none, [channel]: 1 })
  })

  test("returns the other side's error without its URL; a temporary failure doesn't disable the channel", async ({
    app,
    own: { number },
    messages: { send, connect, arrived, channels },
  }) => {
    await connect(channel)
    await app[channel].fail({ status: 500, times: 1 })
    const answer = await send(channel)
    expect(answer).toMatchObject({ status: 502, body: { message: expect.stringContaining('500') } })
    for (const secret of [token, number, app.webhook.hookUrl]) expect(JSON.stringify(answer.body)).not.toContain(secret)
    expect(await arrived()).toEqual(channel === 'webhook' ? { ...none, webhook: 1 } : none)
    expect((await channels())[channel].problem).toBeNull()
    expect((await send(channel)).status).toBe(200)
  })

  test("isn't sent on a plan without the channel", async ({ messages: { send, onPlan, connect, arrived } }) => {
    await connect(channel)
    await onPlan('free')
    expect(await send(channel)).toMatchObject({ status: 403, body: { message: expect.stringContaining("Your Free plan doesn't include") } })
    expect(await arrived()).toEqual(none)
  })
})

test('test messages are limited per person', { tags: ['full'] }, async ({ app, own: { address, person } }) => {
  const answers = []
  for (let count = 1; count <= 11; count++) answers.push(await person.send('POST', '/api/alerts/test-email'))
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429])
  expect(answers.at(-1)?.body).toEqual({ message: expect.stringMatching(/^Too many attempts\. Please try again in \d+ minutes\.$/) })
  const stranger = await member(app, { email: `stranger.${address}` })
  expect((await stranger.send('POST', '/api/alerts/test-email')).body).toEqual({ email: `stranger.${address}` })
})

test('requires a login and an existing channel', async ({ app, own: { person }, messages: { send, arrived } }) => {
  const visitor = app.visitor()
  for (const channel of ['email', ...others] as const) expect((await send(channel, visitor)).status).toBe(401)
  expect((await visitor.send('POST', '/api/alerts/test-email')).status).toBe(401)
  expect((await person.send('POST', `${path}/pigeon/test`)).status).toBe(404)
  expect(await arrived()).toEqual(none)
})
