import { describe, expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import type { TestApp } from '../../../../test/support/app.ts'
import { member } from '../../../../test/support/people.ts'
import { deliveryChannels, webhookSecret } from '../../../contract/delivery/channels.ts'

const path = '/api/delivery-channels'
const token = 'abcdefghijklmnopqrstuvwx'
const hook = `T00000001/B00000001/${token}`
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('own', async ({ app }) => {
    await Promise.all([app.slack.clear(), app.webhook.clear(), app.sms.clear(), app.mail.clear()])
    const address = `person${++people}@example.test`
    const person = await member(app, { email: address, plan: 'agency' })
    return { address, person }
  })
  .extend('desk', ({ app, own: { address, person } }) => {
    const channels = async (who = person) => deliveryChannels.parse((await who.get(path)).body)
    const settings = async () => (await person.get('/api/delivery-settings')).body
    const setSlack = (body: object, who = person) => who.send('PUT', `${path}/slack`, body)
    const setWebhook = (url: string, who = person) => who.send('PUT', `${path}/webhook`, { url })
    const remove = (channel: string, who = person) => who.send('DELETE', `${path}/${channel}`)
    const onPlan = async (plan: string) =>
      (await app.stores()).sql('UPDATE people SET plan = $2 WHERE user_id = (SELECT id FROM users WHERE email = $1)', [address, plan])
    const close = async (channel: string) =>
      (await app.stores()).sql(
        `UPDATE delivery_channels SET problem = 'Revoked', problem_since = now() FROM users WHERE id = user_id AND email = $1 AND channel = $2`,
        [address, channel],
      )
    const rows = async () =>
      (await app.stores()).sql<Record<string, unknown>>(
        'SELECT delivery_channels.* FROM delivery_channels JOIN users ON users.id = user_id WHERE email = $1',
        [address],
      )
    return { channels, settings, setSlack, setWebhook, remove, onPlan, close, rows }
  })

const nowhere = { locked: null, to: null, problem: null, lastSentAt: null }

test("before anything is connected, email goes to the account's address and nothing else is sent", async ({
  own: { address },
  desk: { channels },
}) => {
  expect(await channels()).toEqual({
    email: { ...nowhere, to: address, waitingFor: null, unconfirmed: null },
    slack: { ...nowhere, channel: null, example: null },
    sms: { ...nowhere, waitingFor: null },
    webhook: { ...nowhere, example: null },
  })
})

describe('Slack', () => {
  const shown = (app: TestApp) => `${new URL(app.slack.url).host}/…/uvwx`

  test('is connected with an incoming webhook, which turns it on', async ({ app, desk: { channels, settings, setSlack } }) => {
    const answer = await setSlack({ webhookUrl: ` ${app.slack.hookUrl(hook)} `, channel: '#seo-alerts' })
    expect(answer).toMatchObject({ status: 200, body: { slack: { to: shown(app), channel: '#seo-alerts', problem: null } } })
    expect(await channels()).toEqual(answer.body)
    expect(await settings()).toMatchObject({ slackEnabled: true, emailEnabled: true, positiveAlerts: false, frequency: 'daily' })
  })

  test('is added to existing settings', async ({ app, own: { person }, desk: { settings, setSlack } }) => {
    await person.send('POST', '/api/delivery-settings', { frequency: 'weekly', emailEnabled: false })
    await setSlack({ webhookUrl: app.slack.hookUrl(hook) })
    expect(await settings()).toMatchObject({ slackEnabled: true, frequency: 'weekly', emailEnabled: false })
  })

  test('keeps its URL and its switch when only the channel name changes', async ({
    app,
    own: { person },
    desk: { settings, setSlack },
  }) => {
    await setSlack({ webhookUrl: app.slack.hookUrl(hook) })
    await person.send('PATCH', '/api/delivery-settings', { slackEnabled: false })
    expect(await setSlack({ channel: '@ann' })).toMatchObject({ status: 200, body: { slack: { to: shown(app), channel: '@ann' } } })
    expect(await setSlack({})).toMatchObject({ body: { slack: { to: shown(app), channel: '@ann' } } })
    expect(await setSlack({ webhookUrl: app.slack.hookUrl(`${hook}YZ`) })).toMatchObject({ body: { slack: { channel: '@ann' } } })
    for (const channel of [null, '']) {
      await setSlack({ channel: '#seo' })
      expect(await setSlack({ channel })).toMatchObject({ status: 200, body: { slack: { channel: null } } })
    }
    expect(await settings()).toMatchObject({ slackEnabled: false })
  })

  test.for([
    [{}, 'Paste an incoming webhook URL', 'webhookUrl'],
    [{ channel: '#seo' }, 'Paste an incoming webhook URL', 'webhookUrl'],
    [{ webhookUrl: '' }, 'Paste an incoming webhook URL', 'webhookUrl'],
    [{ webhookUrl: `https://evil.example/services/${hook}` }, expect.stringContaining('Only Slack URLs work here'), 'webhookUrl'],
    [{ webhookUrl: 'hooks' }, expect.stringContaining('Paste the full URL'), 'webhookUrl'],
    [{ channel: 'two words' }, 'Enter a channel name without spaces, such as #seo-alerts', 'channel'],
    [{ channel: '<!channel>' }, 'Enter a channel name without spaces, such as #seo-alerts', 'channel'],
    [{ channel: '#' }, 'Enter a channel name without spaces, such as #seo-alerts', 'channel'],
    [{ channel: 'x'.repeat(81) }, 'A channel name can have up to 80 characters', 'channel'],
  ] as const)('%j is refused', async ([body, message, field], { desk: { settings, setSlack, rows } }) => {
    expect(await setSlack(body)).toMatchObject({ status: 400, body: { message, field } })
    expect(await rows()).toEqual([])
    expect(await settings()).toBeNull()
  })

  test('can be removed, which turns it off', async ({ app, desk: { settings, setSlack, remove } }) => {
    await setSlack({ webhookUrl: app.slack.hookUrl(hook), channel: '#seo' })
    expect(await remove('slack')).toMatchObject({ status: 200, body: { slack: { ...nowhere, channel: null } } })
    expect(await settings()).toMatchObject({ slackEnabled: false })
    expect(await setSlack({ channel: '#seo' })).toMatchObject({ status: 400, body: { field: 'webhookUrl' } })
    await setSlack({ webhookUrl: app.slack.hookUrl(hook) })
    expect(await settings()).toMatchObject({ slackEnabled: true })
  })

  test('entering it again clears the error', async ({ app, desk: { channels, setSlack, remove, close } }) => {
    const webhookUrl = app.slack.hookUrl(hook)
    await setSlack({ webhookUrl })
    await close('slack')
    expect((await channels()).slack).toMatchObject({ to: shown(app), problem: 'Revoked' })
    expect(await setSlack({ webhookUrl })).toMatchObject({ body: { slack: { problem: null } } })
    await close('slack')
    expect(await remove('slack')).toMatchObject({ body: { slack: { problem: null } } })
  })

  test('is for Pro and Agency', async ({ app, desk: { channels, setSlack, remove, onPlan } }) => {
    const message = "Your Free plan doesn't include Slack alerts. Available on Pro and Agency plans."
    await setSlack({ webhookUrl: app.slack.hookUrl(hook) })
    await onPlan('free')
    expect((await channels()).slack).toMatchObject({ locked: message, to: shown(app) })
    expect(await setSlack({ webhookUrl: app.slack.hookUrl(hook) })).toMatchObject({ status: 403, body: { message } })
    expect(await setSlack({ channel: '#seo' })).toMatchObject({ status: 403, body: { message } })
    expect(await remove('slack')).toMatchObject({ status: 200, body: { slack: { to: null } } })
  })
})

describe('a webhook', () => {
  const shown = (app: TestApp) => `http://${new URL(app.webhook.hookUrl).host}/…`
  const secretIn = (body: unknown) => webhookSecret.parse(body).secret

  test('is connected, which turns it on; its secret is shown only once', async ({ app, desk: { channels, settings, setWebhook } }) => {
    const answer = await setWebhook(app.webhook.hookUrl)
    expect(answer).toMatchObject({ status: 200, body: { channels: { webhook: { ...nowhere, to: shown(app) } } } })
    expect(secretIn(answer.body)).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(await channels()).toEqual(webhookSecret.parse(answer.body).channels)
    expect(await settings()).toMatchObject({ webhookEnabled: true })
  })

  test('gets a new secret on request, and with a new URL', async ({ app, own: { person }, desk: { setWebhook } }) => {
    const first = secretIn((await setWebhook(app.webhook.hookUrl)).body)
    const answer = await person.send('POST', `${path}/webhook/secret`)
    expect(answer).toMatchObject({ status: 200, body: { channels: { webhook: { to: shown(app) } } } })
    const third = secretIn((await setWebhook(`${app.webhook.hookUrl}?from=ranklark`)).body)
    expect(new Set([first, secretIn(answer.body), third]).size).toBe(3)
  })

  test('has no secret without a URL', async ({ own: { person }, desk: { settings } }) => {
    expect(await person.send('POST', `${path}/webhook/secret`)).toMatchObject({
      status: 409,
      body: { message: 'There is no webhook yet. Enter your server URL first.' },
    })
    expect(await settings()).toBeNull()
  })

  test.for([
    ['', 'Enter your server URL'],
    ['my server', expect.stringContaining('Enter the full URL of your server')],
    ['ftp://example.com/', 'The URL must start with https://'],
    ['http://example.com/', expect.stringContaining('The URL must start with https://')],
    ['https://127.0.0.1:8443/', expect.stringContaining('private network')],
    ['https://169.254.169.254/latest/meta-data', expect.stringContaining('private network')],
    ['https://user:pass@example.com/', expect.stringContaining('Remove the username and password')],
    [`https://example.com/${'x'.repeat(2048)}`, 'A URL can have up to 2,048 characters'],
  ] as const)('%.50s is refused', async ([url, message], { desk: { setWebhook, rows } }) => {
    expect(await setWebhook(url)).toMatchObject({ status: 400, body: { message, field: 'url' } })
    expect(await rows()).toEqual([])
  })

  test('can be removed, which turns it off', async ({ app, own: { person }, desk: { settings, setWebhook, remove } }) => {
    await setWebhook(app.webhook.hookUrl)
    expect(await remove('webhook')).toMatchObject({ status: 200, body: { webhook: nowhere } })
    expect(await settings()).toMatchObject({ webhookEnabled: false })
    expect((await person.send('POST', `${path}/webhook/secret`)).status).toBe(409)
  })

  test.for(['free', 'pro'] as const)(
    'is for Agency, not for %s',
    async (plan, { app, own: { person }, desk: { channels, setWebhook, remove, onPlan } }) => {
      await setWebhook(app.webhook.hookUrl)
      await onPlan(plan)
      const name = plan === 'free' ? 'Free' : 'Pro'
      const message = `Your ${name} plan doesn't include webhook alerts. Available on the Agency plan.`
      expect((await channels()).webhook).toMatchObject({ locked: message, to: shown(app) })
      expect(await setWebhook(app.webhook.hookUrl)).toMatchObject({ status: 403, body: { message } })
      expect(await person.send('POST', `${path}/webhook/secret`)).toMatchObject({ status: 403, body: { message } })
      expect((await remove('webhook')).status).toBe(200)
    },
  )
})

describe('connected channels', () => {
  test('are changed by one request at a time', async ({ app, desk: { settings, setSlack, setWebhook, remove } }) => {
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => setSlack({ webhookUrl: app.slack.hookUrl(hook) })),
      ...Array.from({ length: 4 }, () => setWebhook(app.webhook.hookUrl)),
      ...Array.from({ length: 4 }, () => remove('sms')),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(await settings()).toMatchObject({ slackEnabled: true, webhookEnabled: true, smsEnabled: false })
  })

  test('are never returned in full, and are encrypted in the database', async ({
    app,
    own: { person },
    desk: { setSlack, setWebhook, remove, rows },
  }) => {
    const webhookUrl = app.slack.hookUrl(hook)
    const url = `${app.webhook.hookUrl}?key=very-secret-key`
    const answers = [await setSlack({ webhookUrl }), await setWebhook(url)]
    const { secret } = webhookSecret.parse(answers[1]?.body)
    answers.push(
      await person.get(path),
      await setSlack({ channel: '#seo' }),
      await person.get('/api/delivery-settings'),
      await remove('sms'),
    )
    const [first, , ...later] = answers.map(({ body }) => JSON.stringify(body))
    for (const text of [first, JSON.stringify(webhookSecret.parse(answers[1]?.body).channels), ...later, JSON.stringify(await rows())]) {
      for (const hidden of [token, hook, 'very-secret-key', secret]) expect(text).not.toContain(hidden)
    }
    const destinations = (await rows()).map((row) => row['destination']).filter((destination) => destination !== null)
    expect(destinations).toEqual([expect.stringMatching(/^v2\./), expect.stringMatching(/^v2\./)])
    expect(app.logLines.join('')).not.toContain('very-secret-key')
  })

  test("can't be seen or changed by anyone else", async ({
    app,
    own: { address },
    desk: { channels, setSlack, setWebhook, remove, rows },
  }) => {
    await setSlack({ webhookUrl: app.slack.hookUrl(hook), channel: '#seo' })
    await setWebhook(app.webhook.hookUrl)
    const before = await rows()
    const stranger = await member(app, { email: `stranger.${address}`, plan: 'agency' })
    expect(await channels(stranger)).toMatchObject({ slack: { to: null, channel: null }, webhook: { to: null } })
    expect(await setSlack({ channel: '#mine' }, stranger)).toMatchObject({ status: 400 })
    expect((await stranger.send('POST', `${path}/webhook/secret`)).status).toBe(409)
    for (const channel of ['slack', 'sms', 'webhook']) expect((await remove(channel, stranger)).status).toBe(200)
    const visitor = app.visitor()
    const answers = [
      await visitor.get(path),
      await setSlack({ channel: '#mine' }, visitor),
      await setWebhook('https://example.com', visitor),
    ]
    for (const channel of ['slack', 'sms', 'webhook']) answers.push(await remove(channel, visitor))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(401))
    expect(await rows()).toEqual(before)
  })
})
