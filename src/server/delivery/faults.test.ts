import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { fallenSite, fallingSite } from '../../../test/support/falling-site.ts'
import { runJob } from '../../../test/support/jobs.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { alertReport, alerts } from '../../contract/alerts/alerts.ts'
import { deliveryChannels } from '../../contract/delivery/channels.ts'
import type { DeliverySettingsChange } from '../../contract/delivery/delivery.ts'

// What delivery survives: other sides that are down, busy or refuse, and a clock that jumps.

const today = '2026-03-18'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const slackHook = 'T00000001/B00000001/abcdefghijklmnopqrstuvwx'
let people = 0

const test = appTest({ today, demo: false, logLevel: 'silent' }).extend('outbox', { scope: 'file' }, ({ app }) => {
  /** Somebody on Agency with two alerts, delivered instantly by email and, if wanted, Slack. */
  const falling = (settings: DeliverySettingsChange = {}, slack = false) =>
    fallenSite(app, `person${++people}`, {
      plan: 'agency',
      async prepare(person) {
        await send(person, 'POST', '/api/delivery-settings', { frequency: 'instant', ...settings })
        if (slack) await send(person, 'PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl(slackHook) })
      },
    })
  const deliver = () => runJob(app, 'delivery-due')
  const received = async (to: string) => (await app.mail.mails(to)).filter(({ kind }) => kind === 'alerts' || kind === 'digest')
  return { falling, deliver, received }
})
test.beforeEach(async ({ app }) => {
  app.google.setNow(today)
  await Promise.all([app.mail.reset(), app.slack.reset()])
})

async function send(person: Visitor, method: 'POST' | 'PUT' | 'PATCH', path: string, body?: object) {
  const answer = await person.send(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
}
const channels = async (owner: Visitor) => deliveryChannels.parse((await owner.get('/api/delivery-channels')).body)
/** State and reason of the messages about somebody's most severe alert, by channel. */
async function deliveries(owner: Visitor) {
  const [first] = alerts.parse((await owner.get('/api/alerts')).body)
  const { deliveries: all } = alertReport.parse((await owner.get(`/api/alerts/${first!.id}`)).body)
  return Object.fromEntries(all.map(({ channel, state, detail }) => [channel, { state, detail }]))
}

describe('email', () => {
  test('SMTP down for an hour: the message waits, says why, and arrives once when the server is back', async ({
    app,
    outbox: { falling, deliver, received },
  }) => {
    await app.mail.setListening(false)
    const { owner, email } = await falling()
    for (let minute = 0; minute < 60; minute += 15) {
      await deliver()
      app.google.advance(15 * minuteMs)
    }
    expect(await deliveries(owner)).toMatchObject({ email: { state: 'waiting', detail: expect.stringMatching(/\S/) } })
    await app.mail.setListening(true)
    app.google.advance(hourMs)
    await deliver()
    await deliver()
    expect(await received(email)).toHaveLength(1)
    expect(await deliveries(owner)).toEqual({ email: { state: 'sent', detail: null } })
  })

  test(
    'a retry during quiet hours waits until they end, even if they were set after it was planned',
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver, received } }) => {
      await app.mail.setListening(false)
      const { owner, email } = await falling()
      await deliver()
      expect(await deliveries(owner)).toMatchObject({ email: { state: 'waiting', detail: expect.stringMatching(/\S/) } })
      await app.mail.setListening(true)
      await send(owner, 'PATCH', '/api/delivery-settings', { timeZone: 'UTC', quietHours: { from: 19, until: 7 } })
      for (const [moment, mails] of [
        ['2026-03-18T20:00:00Z', 0],
        ['2026-03-19T06:59:00Z', 0],
        ['2026-03-19T07:00:00Z', 1],
      ] as const) {
        app.google.advance(Date.parse(moment) - app.google.now().getTime())
        await deliver()
        expect(await received(email)).toHaveLength(mails)
      }
    },
  )

  test(
    'greylisting: deferred, then accepted on the next attempt, as the same email',
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver, received } }) => {
      const { owner, email } = await (async () => {
        await app.mail.fail({ error: 'recipient451', times: 1 })
        return falling()
      })()
      await deliver()
      expect(await received(email)).toEqual([])
      app.google.advance(minuteMs)
      await deliver()
      expect(await received(email)).toHaveLength(1)
      const attempts = (await app.mail.attempts()).filter(({ to }) => to.includes(email))
      expect(attempts).toHaveLength(2)
      expect(await deliveries(owner)).toMatchObject({ email: { state: 'sent' } })
    },
  )

  test(
    'each failed attempt is counted and doubles the delay before the next one',
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver } }) => {
      await app.mail.fail({ error: 'recipient451', times: 10 })
      const { email } = await falling()
      await deliver()
      const { sql } = await app.stores()
      // The first pause is 22 to 30 seconds, the second 45 to 60.
      for (const [seconds, attempts] of [
        [0, 1],
        [18, 1],
        [12, 2],
        [36, 2],
        [24, 3],
      ] as const) {
        app.google.advance(seconds * 1000)
        await deliver()
        expect((await app.mail.attempts()).filter(({ to }) => to.includes(email))).toHaveLength(attempts)
        expect(
          await sql(`SELECT attempts FROM notifications JOIN users ON users.id = user_id WHERE email = $1 AND kind = 'alerts'`, [email]),
        ).toEqual([{ attempts }])
      }
    },
  )

  test('an email has the same Message-ID on every attempt', { tags: ['full'] }, async ({ app, outbox: { falling, deliver } }) => {
    await app.mail.fail({ error: 'message451', times: 100 })
    const { email } = await falling()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await deliver()
      app.google.advance(5 * minuteMs)
      if (attempt === 1) await app.mail.stopFailing()
    }
    const ids = (await app.mail.attempts()).filter(({ to }) => to.includes(email)).map(({ messageId }) => messageId)
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(1)
  })

  test(
    'a rejected recipient: others get their email, the address is disabled, and the owner sees it in the app',
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver, received } }) => {
      const gone = `person${people + 1}@example.test`
      await app.mail.fail({ error: 'recipient550', to: gone, times: 100 })
      const refused = await falling()
      const good = await falling()
      await deliver()
      expect(await received(good.email)).toHaveLength(1)
      expect(await received(gone)).toEqual([])
      expect(await deliveries(refused.owner)).toMatchObject({ email: { state: 'failed', detail: expect.stringContaining('550') } })
      expect((await channels(refused.owner)).email.problem).toContain('550')
      expect((await channels(good.owner)).email.problem).toBeNull()
      const before = (await app.mail.attempts()).length
      app.google.advance(dayMs)
      await deliver()
      expect((await app.mail.attempts()).slice(before).filter(({ to }) => to.includes(gone))).toEqual([])
    },
  )

  test('an accepted test message enables a disabled address again', { tags: ['full'] }, async ({ app, outbox: { falling, deliver } }) => {
    const { owner, email } = await (async () => {
      await app.mail.fail({ error: 'recipient550', to: `person${people + 1}@example.test` })
      return falling()
    })()
    await deliver()
    expect((await channels(owner)).email.problem).not.toBeNull()
    await send(owner, 'POST', '/api/alerts/test-email')
    expect((await channels(owner)).email.problem).toBeNull()
    expect((await app.mail.mails(email)).map(({ kind }) => kind)).toContain('test')
  })

  test(
    'an email rejected for its content is abandoned, and the address stays enabled',
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver } }) => {
      await app.mail.fail({ error: 'message554' })
      const { owner } = await falling()
      await deliver()
      expect(await deliveries(owner)).toMatchObject({ email: { state: 'failed' } })
      expect((await channels(owner)).email.problem).toBeNull()
    },
  )

  test(
    'greylisting: someone who unsubscribes in the meantime gets no more email',
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver, received } }) => {
      await app.mail.fail({ error: 'recipient451', times: 1 })
      const { owner, email } = await falling()
      await deliver()
      await send(owner, 'PATCH', '/api/delivery-settings', { emailEnabled: false })
      app.google.advance(minuteMs)
      await deliver()
      expect(await received(email)).toEqual([])
      expect((await app.mail.attempts()).filter(({ to }) => to.includes(email))).toHaveLength(1)
      expect(await deliveries(owner)).toMatchObject({
        email: { state: 'failed', detail: 'The channel was turned off before this could be sent.' },
      })
    },
  )

  test(
    "a message that couldn't be sent before quiet hours waits until they end",
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver, received } }) => {
      await app.mail.setListening(false)
      // In UTC it is eight in the evening.
      const { owner, email } = await falling({ quietHours: { from: 21, until: 8 } })
      app.google.advance(hourMs - 1000)
      await deliver()
      await app.mail.setListening(true)
      app.google.advance(8 * hourMs)
      await deliver()
      expect(await received(email)).toEqual([])
      expect(await deliveries(owner)).toMatchObject({ email: { state: 'waiting' } })
      app.google.advance(3 * hourMs)
      await deliver()
      expect(await received(email)).toEqual([])
      app.google.advance(2000)
      await deliver()
      expect(await received(email)).toHaveLength(1)
    },
  )

  test(
    "a message that isn't accepted for a day is abandoned, never marked as sent",
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver, received } }) => {
      await app.mail.setListening(false)
      const { owner, email } = await falling()
      for (let hour = 0; hour < 26; hour += 1) {
        await deliver()
        app.google.advance(hourMs)
      }
      expect(await deliveries(owner)).toMatchObject({ email: { state: 'failed' } })
      await app.mail.setListening(true)
      await deliver()
      expect(await received(email)).toEqual([])
    },
  )
})

describe('Slack', { tags: ['full'] }, () => {
  test('429 with Retry-After: nothing is sent until then', async ({ app, outbox: { falling, deliver } }) => {
    await app.slack.fail({ error: 'rate_limited', retryAfter: 600 })
    const { owner } = await falling({ emailEnabled: false }, true)
    await deliver()
    expect(await deliveries(owner)).toMatchObject({ slack: { state: 'waiting' } })
    app.google.advance(9 * minuteMs)
    await deliver()
    expect(await app.slack.messages()).toEqual([])
    app.google.advance(2 * minuteMs)
    await deliver()
    expect(await app.slack.messages()).toHaveLength(1)
    expect(await deliveries(owner)).toMatchObject({ slack: { state: 'sent' } })
  })

  test('nothing is sent if the channel is turned off, or no longer in the plan, before the retry', async ({
    app,
    outbox: { falling, deliver },
  }) => {
    await app.slack.fail({ error: 'rate_limited', retryAfter: 600, times: 10 })
    const off = await falling({ emailEnabled: false }, true)
    const lapsed = await falling({ emailEnabled: false }, true)
    await deliver()
    await send(off.owner, 'PATCH', '/api/delivery-settings', { slackEnabled: false })
    await (
      await app.stores()
    ).sql(`UPDATE people SET plan = 'free' WHERE user_id = (SELECT id FROM users WHERE email = $1)`, [lapsed.email])
    await app.slack.stopFailing()
    app.google.advance(hourMs)
    await deliver()
    expect(await app.slack.messages()).toEqual([])
    for (const { owner } of [off, lapsed]) expect(await deliveries(owner)).toMatchObject({ slack: { state: 'failed' } })
  })

  test('410: the channel is disabled, the owner sees it in the app, and email is still sent', async ({
    app,
    outbox: { falling, deliver, received },
  }) => {
    const { owner, email } = await (async () => {
      await app.slack.setHook(slackHook, 'archived')
      return falling({}, true)
    })()
    await deliver()
    expect(await deliveries(owner)).toMatchObject({ slack: { state: 'failed' }, email: { state: 'sent' } })
    expect((await channels(owner)).slack.problem).toContain('archived')
    expect(await received(email)).toHaveLength(1)
    await app.slack.setHook(slackHook, 'active')
    // Another URL, or the same one again, reopens it.
    await send(owner, 'PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl(slackHook) })
    expect((await channels(owner)).slack.problem).toBeNull()
  })
})

describe('a clock that jumps', { tags: ['full'] }, () => {
  test('a year ahead: one digest, not a year of them', async ({ app, outbox: { falling, deliver, received } }) => {
    const { email } = await falling({ frequency: 'daily' })
    app.google.advance(365 * dayMs)
    await deliver()
    await deliver()
    expect(await received(email)).toHaveLength(1)
  })

  test('back: nothing is sent twice, and the next digest is at most a week away', async ({ app, outbox: { deliver, received } }) => {
    // With figures to report, since nothing new happens.
    const prepare = (person: Visitor) => send(person, 'POST', '/api/delivery-settings', { frequency: 'weekly' })
    const { email } = await fallingSite(app, `person${++people}`, { today, plan: 'agency', prepare })
    await deliver()
    app.google.advance(365 * dayMs)
    await deliver()
    expect(await received(email)).toHaveLength(1)
    app.google.setNow(today)
    await deliver()
    expect(await received(email)).toHaveLength(1)
    app.google.advance(7 * dayMs)
    await deliver()
    expect(await received(email)).toHaveLength(2)
  })

  test("ahead while an email waits: it isn't given up; back: it doesn't wait forever", async ({
    app,
    outbox: { falling, deliver, received },
  }) => {
    await app.mail.setListening(false)
    const { email } = await falling()
    await deliver()
    app.google.advance(365 * dayMs)
    await deliver()
    // Their browser session ended; what waits for them didn't.
    const { sql } = await app.stores()
    const states = await sql(`SELECT state FROM notifications JOIN users ON users.id = user_id WHERE email = $1 AND kind = 'alerts'`, [
      email,
    ])
    expect(states).toEqual([{ state: 'waiting' }])
    app.google.setNow(today)
    await app.mail.setListening(true)
    await deliver()
    expect(await received(email)).toHaveLength(1)
  })
})
