import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { fallenSite, fallingSite } from '../../../test/support/falling-site.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { openAlerts } from '../../../test/support/opened-alerts.ts'
import { newPerson, refresh } from '../../../test/support/people.ts'
import { watchedAtOnce } from '../../../test/support/stored-history.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { type Alert, alertReport, alerts } from '../../contract/alerts/alerts.ts'
import type { DeliverySettingsChange } from '../../contract/delivery/delivery.ts'
import { metrics } from '../../contract/metrics.ts'
import type { PlanId } from '../../contract/user.ts'

// Alert delivery to owners, through the real queue, to the stand-ins.

const today = '2026-03-18'
const hourMs = 3_600_000
let people = 0

const test = appTest({ today, demo: false }).extend('outbox', { scope: 'file' }, ({ app }) => {
  /** A property with two alerts in its last week; its owner chose their delivery before. */
  const falling = (plan: PlanId, settings: DeliverySettingsChange | null, connect?: Connect) =>
    fallingSite(app, `person${++people}`, { today, ...prepared(plan, settings, connect) })
  /** Same without the days that the alerts were found on. */
  const fallen = (plan: PlanId, settings: DeliverySettingsChange | null) => fallenSite(app, `person${++people}`, prepared(plan, settings))
  const deliver = () => runJob(app, 'delivery-due')
  const received = async (to: string) => (await app.mail.mails(to)).filter(({ kind }) => kind === 'alerts' || kind === 'digest')
  return { falling, fallen, deliver, received }
})
test.beforeEach(async ({ app }) => {
  app.google.setNow(today)
  await Promise.all([app.mail.clear(), app.slack.clear(), app.sms.clear(), app.webhook.clear()])
})

const slackHook = 'T00000001/B00000001/abcdefghijklmnopqrstuvwx'
const number = '+442079460000'

async function send(person: Visitor, method: 'POST' | 'PUT' | 'PATCH', path: string, body?: object): Promise<unknown> {
  const answer = await person.send(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
type Connect = (person: Visitor) => Promise<unknown>
const prepared = (plan: PlanId, settings: DeliverySettingsChange | null, connect: Connect = async () => {}) => ({
  plan,
  async prepare(person: Visitor) {
    if (settings) await send(person, 'POST', '/api/delivery-settings', settings)
    await connect(person)
  },
})
/** Connects every channel but email, which needs nothing. */
const everywhere = (app: TestApp) => async (person: Visitor) => {
  await send(person, 'PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl(slackHook) })
  await send(person, 'PUT', '/api/delivery-channels/webhook', { url: app.webhook.hookUrl })
  await send(person, 'PUT', '/api/delivery-channels/sms', { number })
  const { body } = await app.sms.messageTo(number)
  await send(person, 'POST', '/api/delivery-channels/sms/confirm', { code: /\d{6}/.exec(body)?.[0] ?? '' })
  await app.sms.clear()
}
const list = async (owner: Visitor): Promise<Alert[]> => alerts.parse((await owner.get('/api/alerts')).body)
const reportOf = async (owner: Visitor, { id }: Alert) => alertReport.parse((await owner.get(`/api/alerts/${id}`)).body)
const deliveries = async (owner: Visitor, alert: Alert) => (await reportOf(owner, alert)).deliveries
const fall = async (owner: Visitor): Promise<[critical: Alert, warning: Alert]> => {
  const [critical, warning, ...others] = await list(owner)
  expect([critical?.severity, warning?.severity, others]).toEqual(['critical', 'warning', []])
  return [critical!, warning!]
}

describe('instant alerts', () => {
  test('one message per property and evaluation, most severe first, through every enabled channel', async ({
    app,
    outbox: { falling, deliver, received },
  }) => {
    const { owner, site, email, pages } = await falling('agency', { frequency: 'instant' }, async (person) => {
      await send(person, 'PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl(slackHook) })
      await send(person, 'PUT', '/api/delivery-channels/webhook', { url: app.webhook.hookUrl })
      await send(person, 'PUT', '/api/delivery-channels/sms', { number })
      const { body } = await app.sms.messageTo(number)
      await send(person, 'POST', '/api/delivery-channels/sms/confirm', { code: /\d{6}/.exec(body)?.[0] ?? '' })
      await app.sms.clear()
    })
    await deliver()
    const [critical, warning] = await fall(owner)

    const [mail, ...otherMails] = await received(email)
    expect(otherMails).toEqual([])
    expect(mail!.kind).toBe('alerts')
    expect(mail!.subject).toContain('lamps')
    const pathOf = (page: string) => page.slice(site.length - 1)
    const [first, second] = [mail!.text.indexOf(pathOf(pages[0])), mail!.text.lastIndexOf(pathOf(pages[1]))]
    expect(first).toBeGreaterThan(-1)
    expect(second).toBeGreaterThan(first)
    for (const figure of ['700', '140', '80.0%', '1,400', '1,050', '25.0%']) expect(mail!.text).toContain(figure)
    expect(mail!.links.join(' ')).toContain(`${app.url}/alerts/${critical.id}`)
    // The contributors match the report: the one query that brought the page its clicks.
    expect((await reportOf(owner, critical)).contributors).toMatchObject([
      { entity: { name: 'lamp' }, previousValue: 700, currentValue: 140 },
    ])
    expect(mail!.text).toMatch(/lamp\s+700\s+140/)

    const [post, ...otherPosts] = await app.slack.messages()
    expect(otherPosts).toEqual([])
    expect(post!.shown.text).toContain('80.0%')
    // A page's name stays text there: no link, no mention of its own.
    expect(post!.shown.text).toContain('<img src=x onerror=alert(1)>')
    expect(post!.shown.mentions).toEqual([])

    const [hook, ...otherHooks] = await app.webhook.messages()
    expect(otherHooks).toEqual([])
    expect(JSON.parse(hook!.body)).toMatchObject({ type: 'alerts' })
    expect(hook!.body).toContain(site)

    const [text, ...otherTexts] = await app.sms.messages(number)
    expect(otherTexts).toEqual([])
    expect(text!.body).toContain('80.0%')
    expect(text!.body).not.toContain('25.0%')

    expect(await deliveries(owner, critical)).toEqual(
      (['email', 'slack', 'sms', 'webhook'] as const).map((channel) =>
        expect.objectContaining({ channel, event: 'opened', inDigest: false, state: 'sent', at: expect.any(String), detail: null }),
      ),
    )
    expect((await deliveries(owner, warning)).map(({ channel }) => channel)).toEqual(['email', 'slack', 'webhook'])
  })

  test(
    'properties that drop together are one message that says so, even if one is evaluated a little later',
    { tags: ['full'] },
    async ({ app, outbox: { deliver, received } }) => {
      const name = `person${++people}`
      const [email, here, there] = [`${name}@example.test`, `https://${name}.example/`, `https://shop.${name}.example/`]
      const owner = await newPerson(app, { email, plan: 'agency', sites: { [here]: 'empty', [there]: 'empty' } })
      await send(owner, 'POST', '/api/delivery-settings', { frequency: 'instant' })
      await watchedAtOnce(app, here, { days: 17 })
      await watchedAtOnce(app, there, { days: 17 })
      await openAlerts(app, here, [{ openedAt: app.google.now().toISOString(), severity: 'critical', change: -40 }])
      await deliver()
      expect(await received(email)).toEqual([])
      app.google.advance(15 * 60_000)
      await openAlerts(app, there, [{ openedAt: app.google.now().toISOString(), severity: 'warning', change: -25 }])
      app.google.advance(21 * 60_000)
      await deliver()
      expect((await received(email)).map(({ subject }) => subject)).toEqual(['Clicks fell on both of your properties, 9–15 Mar'])
    },
  )

  test('evaluating and delivering again sends nothing twice', { tags: ['full'] }, async ({ outbox: { falling, deliver, received } }) => {
    const { owner, email } = await falling('agency', { frequency: 'instant' })
    for (let round = 0; round < 3; round += 1) {
      await deliver()
      await send(owner, 'POST', '/api/alerts/evaluate')
    }
    await deliver()
    expect(await received(email)).toHaveLength(1)
  })

  test("alerts of a turned-off kind aren't sent, and the report says why", async ({ outbox: { fallen, deliver, received } }) => {
    const { owner, email } = await fallen('agency', { frequency: 'instant', criticalAlerts: false })
    await deliver()
    const [critical, warning] = await fall(owner)
    const [mail] = await received(email)
    expect(mail!.text).toContain('25.0%')
    expect(mail!.text).not.toContain('80.0%')
    expect(await deliveries(owner, critical)).toMatchObject([
      { channel: 'email', state: 'suppressed', detail: 'Critical alerts are turned off.' },
    ])
    expect(await deliveries(owner, warning)).toMatchObject([{ channel: 'email', state: 'sent' }])
  })

  test("wait during quiet hours in the person's time zone, and are dropped if they were handled in the meantime", async ({
    app,
    outbox: { fallen, deliver, received },
  }) => {
    // Noon in California is evening in Berlin.
    const quietHours = { from: 19, until: 7 }
    const { owner, email, site } = await fallen('agency', { frequency: 'instant', timeZone: 'Europe/Berlin', quietHours })
    await deliver()
    const [critical, warning] = await fall(owner)
    expect(await received(email)).toEqual([])
    expect(await deliveries(owner, critical)).toMatchObject([{ state: 'waiting', to: email, at: null }])
    await send(owner, 'POST', '/api/alerts/acknowledge', { ids: [warning.id] })
    app.google.advance(9 * hourMs)
    await deliver()
    expect(await received(email)).toEqual([])
    app.google.advance(3 * hourMs)
    await deliver()
    const [mail] = await received(email)
    expect(mail!.subject).toBe(`Clicks dropped 80.0%: /lamps · ${site}`)
    expect(mail!.text).not.toContain('25.0%')
    expect(await deliveries(owner, warning)).toMatchObject([
      { state: 'suppressed', detail: 'The alert was acknowledged before this was due.' },
    ])
  })

  test(
    'an alert that is still open when its snooze ends is sent again',
    { tags: ['full'] },
    async ({ app, outbox: { fallen, deliver, received } }) => {
      const { owner, email } = await fallen('agency', { frequency: 'instant' })
      await deliver()
      const [critical] = await fall(owner)
      await send(owner, 'POST', `/api/alerts/${critical.id}/snooze`, { until: new Date(app.google.now().getTime() + hourMs).toISOString() })
      app.google.advance(2 * hourMs)
      await runJob(app, 'alerts-due')
      await deliver()
      expect(await received(email)).toHaveLength(2)
      expect((await deliveries(owner, critical)).map(({ event, state }) => [event, state])).toEqual([
        ['opened', 'sent'],
        ['woken', 'sent'],
      ])
    },
  )

  test(
    'a warning that becomes critical is sent once to those who get only critical ones, and to nobody who was already notified',
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver, received } }) => {
      const only = await falling('agency', { frequency: 'instant', warningAlerts: false }, everywhere(app))
      const all = await falling('agency', { frequency: 'instant' })
      await deliver()
      const [, warning] = await fall(only.owner)
      const [, known] = await fall(all.owner)
      const [mails, knownMails] = [await received(only.email), await received(all.email)]
      expect(mails[0]!.text).not.toContain('25.0%')
      await Promise.all([app.slack.clear(), app.sms.clear(), app.webhook.clear()])

      await app.google.setToday('2026-03-22')
      for (const { owner, site, dictate } of [only, all]) {
        await dictate('2026-03-16', '2026-03-22', [20, 70])
        await refresh(owner, site)
      }
      for (let round = 0; round < 2; round += 1) {
        await runJob(app, 'alerts-due')
        await deliver()
        app.google.advance(hourMs)
      }
      expect(await list(only.owner)).toMatchObject([{ severity: 'critical' }, { severity: 'critical' }])
      const sent = (await deliveries(only.owner, warning)).map(({ channel, event, state }) => `${channel} ${event} ${state}`)
      expect(sent.toSorted()).toEqual([
        'email opened suppressed',
        'email worsened sent',
        'slack opened suppressed',
        'slack worsened sent',
        'sms worsened sent',
        'webhook opened sent',
        'webhook worsened sent',
      ])
      const later = (await received(only.email)).filter(({ text }) => !mails.some((mail) => mail.text === text))
      expect(later).toHaveLength(1)
      expect(later[0]!.text).toContain('This critical alert has been open since ')
      const [post] = await app.slack.messages()
      expect(post!.shown.text).toContain('🔴 Critical · ')
      expect(await app.sms.messages(number)).toHaveLength(1)
      const hooks = (await app.webhook.messages()).flatMap(({ body }) => (JSON.parse(body) as { alerts: unknown[] }).alerts)
      expect(hooks).toMatchObject([{ event: 'worsened', severity: 'critical' }])

      expect((await deliveries(all.owner, known)).map(({ event, state }) => [event, state])).toEqual([['opened', 'sent']])
      expect(await received(all.email)).toHaveLength(knownMails.length)
      await app.google.setToday(today)
    },
  )

  test(
    'a mild alert that becomes far worse is sent again to those who know only of the mild one, even if they acknowledged that',
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver, received } }) => {
      const reader = await falling('agency', { frequency: 'instant' }, everywhere(app))
      await deliver()
      const [, warning] = await fall(reader.owner)
      await send(reader.owner, 'POST', '/api/alerts/acknowledge', { ids: [warning.id] })
      const mails = await received(reader.email)
      expect(mails[0]!.text).toContain('25.0%')
      await Promise.all([app.slack.clear(), app.sms.clear(), app.webhook.clear()])

      await app.google.setToday('2026-03-22')
      await reader.dictate('2026-03-16', '2026-03-24', [20, 0])
      await refresh(reader.owner, reader.site)
      await runJob(app, 'alerts-due')
      await deliver()
      expect((await list(reader.owner)).map(({ severity, state }) => `${severity} ${state}`).toSorted()).toEqual([
        'critical acknowledged',
        'critical firing',
      ])
      const sent = async () => (await deliveries(reader.owner, warning)).map(({ channel, event, state }) => `${channel} ${event} ${state}`)
      const once = [
        'email opened sent',
        'email worsened sent',
        'slack opened sent',
        'slack worsened sent',
        'sms worsened sent',
        'webhook opened sent',
        'webhook worsened sent',
      ]
      expect((await sent()).toSorted()).toEqual(once)
      const mail = (await received(reader.email)).find(({ text }) => !mails.some((earlier) => earlier.text === text))
      expect(mail!.text).toContain('This alert has become much worse: was −25.0%, now −62.5%.')
      const [post] = await app.slack.messages()
      expect(post!.shown.text).toContain('Critical, was −25.0%, now −62.5%')
      const [text] = await app.sms.messages(number)
      expect(text!.body).toContain('(was -25.0%, now -62.5%)')
      const hooks = (await app.webhook.messages()).flatMap(({ body }) => (JSON.parse(body) as { alerts: unknown[] }).alerts)
      expect(hooks).toMatchObject([{ event: 'worsened', state: 'acknowledged', worse: { before: -25, now: -62.5 } }])

      // Worse still, but not another change.
      await app.google.setToday('2026-03-24')
      await refresh(reader.owner, reader.site)
      await runJob(app, 'alerts-due')
      await deliver()
      expect((await sent()).toSorted()).toEqual(once)
      await app.google.setToday(today)
    },
  )

  test(
    'an alert that became part of another one before its message is left to that one',
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver, received } }) => {
      const { owner, email } = await falling('agency', { frequency: 'instant' })
      const [critical, warning] = await fall(owner)
      await (await app.stores()).sql('UPDATE alerts SET part_of = $1 WHERE id = $2', [critical.id, warning.id])
      await deliver()
      expect(await received(email)).toMatchObject([{ subject: expect.stringContaining('80.0%') }])
      expect(await deliveries(owner, warning)).toMatchObject([
        { state: 'suppressed', detail: `The alert became part of alert ${critical.id} before this was due.` },
      ])
    },
  )

  test(
    'an alert that two rules found names both, as its report does',
    { tags: ['full'] },
    async ({ app, outbox: { falling, deliver, received } }) => {
      const { owner, email } = await falling('agency', { frequency: 'instant' }, async (person) => {
        await send(person, 'PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl(slackHook) })
      })
      const [critical] = await fall(owner)
      await (
        await app.stores()
      ).sql(
        `INSERT INTO alert_finders SELECT alerts.id, other.id FROM alerts JOIN alert_conditions AS other USING (property_id)
        WHERE alerts.id = $1 AND other.id <> alerts.condition_id ORDER BY other.id LIMIT 1`,
        [critical.id],
      )
      await deliver()
      const titles = (await reportOf(owner, critical)).rules.map(({ title }) => title)
      expect(titles).toHaveLength(2)
      const said = `Found by the rules “${titles[0]}” and “${titles[1]}”.`
      const [mail] = await received(email)
      expect(mail!.text.replaceAll(/\s+/g, ' ')).toContain(said)
      const [post] = await app.slack.messages()
      expect(post!.shown.text).toContain(said)
    },
  )

  test('a recovery is sent to people who got the alert and want good news', async ({ app, outbox: { falling, deliver, received } }) => {
    const { owner, email, site, dictate } = await falling('agency', { frequency: 'instant', positiveAlerts: true })
    await deliver()
    const [critical] = await fall(owner)
    await dictate('2026-03-16', '2026-03-25', [100, 200])
    await app.google.setToday('2026-03-25')
    await refresh(owner, site)
    await runJob(app, 'alerts-due')
    await deliver()
    const events = (await deliveries(owner, critical)).map(({ channel, event, state }) => [channel, event, state])
    expect(events).toEqual([
      ['email', 'opened', 'sent'],
      ['email', 'recovered', 'sent'],
    ])
    const mails = await received(email)
    expect(mails.some(({ text }) => /recovered/i.test(text))).toBe(true)
    await app.google.setToday(today)
  })
})

describe('digests', () => {
  test("Pro, daily: nothing until the chosen hour, then one with the dashboard's figures, even if nothing happened", async ({
    app,
    outbox: { falling, deliver, received },
  }) => {
    const { owner, email, site } = await falling('pro', { frequency: 'daily', timeZone: 'America/Los_Angeles', digestHour: 15 })
    await deliver()
    const [critical] = await fall(owner)
    expect(await received(email)).toEqual([])
    expect(await deliveries(owner, critical)).toMatchObject([{ state: 'waiting', inDigest: true, to: email }])

    app.google.advance(3 * hourMs)
    await deliver()
    await deliver()
    const [digest, ...others] = await received(email)
    expect(others).toEqual([])
    expect(digest!.kind).toBe('digest')
    const shown = metrics.parse((await owner.get('/api/metrics')).body)
    for (const figure of [shown.clicks.toLocaleString('en-US'), shown.clicksPrevious?.toLocaleString('en-US') ?? '', '80.0%', '25.0%'])
      expect(digest!.text).toContain(figure)
    expect(digest!.text).toContain(site.replace(/^https:\/\/|\/$/g, ''))
    // The main cause, as in the report.
    const { why = '' } = await reportOf(owner, critical)
    expect(why).toBe('Mainly fewer impressions at the same positions (−560).')
    expect(digest!.text).toContain(why)
    expect(await deliveries(owner, critical)).toMatchObject([{ state: 'sent', inDigest: true }])

    app.google.advance(24 * hourMs)
    await deliver()
    const [quiet] = await received(email)
    expect(await received(email)).toHaveLength(2)
    expect(quiet!.subject).toContain('no new alerts on 1 property, 2 still open')
  })

  test(
    'without alerts, none is sent to people who turned that off',
    { tags: ['full'] },
    async ({ app, outbox: { fallen, deliver, received } }) => {
      const { owner, email } = await fallen('pro', { frequency: 'daily', digestHour: 23, digestWhenQuiet: false })
      app.google.advance(24 * hourMs)
      await deliver()
      expect(await received(email)).toHaveLength(1)
      await fall(owner)
      app.google.advance(24 * hourMs)
      await deliver()
      expect(await received(email)).toHaveLength(1)
    },
  )

  test('Free: a weekly one on Monday morning by default', async ({ app, outbox: { fallen, deliver, received } }) => {
    const { owner, email } = await fallen('free', null)
    await deliver()
    await fall(owner)
    // From Wednesday noon in California, Monday 8:00 in UTC is four and a half days ahead.
    app.google.advance(4 * 24 * hourMs)
    await deliver()
    expect(await received(email)).toEqual([])
    app.google.advance(24 * hourMs)
    await deliver()
    expect(await received(email)).toMatchObject([{ kind: 'digest', subject: expect.stringContaining('weekly') }])
  })

  test(
    'switching to instant alerts sends what was waiting for the digest',
    { tags: ['full'] },
    async ({ outbox: { fallen, deliver, received } }) => {
      const { owner, email } = await fallen('agency', { frequency: 'weekly' })
      await deliver()
      expect(await received(email)).toEqual([])
      await send(owner, 'PATCH', '/api/delivery-settings', { frequency: 'instant' })
      await deliver()
      expect(await received(email)).toMatchObject([{ kind: 'alerts' }])
    },
  )

  test(
    "alerts left out of a digest, because their property is no longer monitored, don't count as sent",
    { tags: ['full'] },
    async ({ app, outbox: { fallen, deliver, received } }) => {
      const { owner, email, site } = await fallen('pro', { frequency: 'daily' })
      const [critical] = await fall(owner)
      await (await app.stores()).sql('UPDATE properties SET monitored = false WHERE name = $1', [site])
      app.google.advance(25 * hourMs)
      await deliver()
      expect(await received(email)).toEqual([])
      expect(await deliveries(owner, critical)).toMatchObject([
        { state: 'suppressed', detail: expect.stringContaining('no longer monitored') },
      ])
    },
  )

  test(
    'alerts on properties that are paused wait for the first digest after they resume, however long that takes',
    { tags: ['full'] },
    async ({ app, outbox: { fallen, deliver, received } }) => {
      const { owner, email, site } = await fallen('pro', { frequency: 'daily' })
      const [critical, warning] = await fall(owner)
      const { sql } = await app.stores()
      await sql('UPDATE properties SET monitored = false, paused_at = $2 WHERE name = $1', [site, app.google.now()])
      app.google.advance(40 * 24 * hourMs)
      await deliver()
      await runJob(app, 'delivery-sweep')
      expect(await received(email)).toEqual([])
      expect(await deliveries(owner, critical)).toMatchObject([{ state: 'waiting', inDigest: true }])
      await sql('UPDATE properties SET monitored = true, paused_at = NULL WHERE name = $1', [site])
      app.google.advance(24 * hourMs)
      await deliver()
      expect(await received(email)).toHaveLength(1)
      for (const alert of [critical, warning]) expect(await deliveries(owner, alert)).toMatchObject([{ state: 'sent', inDigest: true }])
    },
  )

  test(
    'an alert that became part of another one is left to that one, and its report says so',
    { tags: ['full'] },
    async ({ app, outbox: { fallen, deliver, received } }) => {
      const { owner, email } = await fallen('pro', { frequency: 'daily' })
      const [critical, warning] = await fall(owner)
      await (await app.stores()).sql('UPDATE alerts SET part_of = $1 WHERE id = $2', [warning.id, critical.id])
      app.google.advance(25 * hourMs)
      await deliver()
      const [digest, ...others] = await received(email)
      expect(others).toEqual([])
      expect(digest!.subject).toContain(`1 alert on`)
      expect(digest!.text).not.toContain('80.0%')
      expect(await deliveries(owner, critical)).toMatchObject([
        { state: 'suppressed', detail: `The alert became part of alert ${warning.id} before this was due.` },
      ])
      expect(await deliveries(owner, warning)).toMatchObject([{ state: 'sent' }])
    },
  )

  test("what is turned off before it is due isn't sent", { tags: ['full'] }, async ({ app, outbox: { fallen, deliver, received } }) => {
    const { owner, email } = await fallen('pro', { frequency: 'daily' })
    const [critical] = await fall(owner)
    await send(owner, 'PATCH', '/api/delivery-settings', { emailEnabled: false })
    app.google.advance(25 * hourMs)
    await deliver()
    expect(await received(email)).toEqual([])
    expect(await deliveries(owner, critical)).toMatchObject([{ state: 'suppressed', detail: expect.stringContaining('turned off') }])
  })
})

test(
  "a text message that waits for a digest isn't sent about what is over by then; the email says that it is",
  { tags: ['full'] },
  async ({ app, outbox: { deliver, received } }) => {
    const prepare = async (person: Visitor) => {
      await send(person, 'POST', '/api/delivery-settings', { frequency: 'daily' })
      await send(person, 'PUT', '/api/delivery-channels/sms', { number })
      const { body } = await app.sms.messageTo(number)
      await send(person, 'POST', '/api/delivery-channels/sms/confirm', { code: /\d{6}/.exec(body)?.[0] ?? '' })
      await app.sms.clear()
    }
    const { owner, email } = await fallenSite(app, `person${++people}`, { plan: 'agency', prepare })
    const [critical] = await fall(owner)
    const { sql } = await app.stores()
    await sql(`UPDATE alerts SET state = 'recovered', recovered_at = $2 WHERE id = $1`, [critical.id, app.google.now()])
    app.google.advance(25 * hourMs)
    await deliver()
    expect(await app.sms.messages(number)).toEqual([])
    expect((await received(email)).map(({ kind }) => kind)).toEqual(['digest'])
    const sent = await deliveries(owner, critical)
    expect(sent.toSorted((a, b) => a.channel.localeCompare(b.channel))).toMatchObject([
      { channel: 'email', state: 'sent' },
      { channel: 'sms', state: 'suppressed', detail: 'The alert ended before this was due.' },
    ])
  },
)

describe('a severity switch turned off while alerts wait for a digest', () => {
  const tomorrow = async (app: TestApp, deliver: () => Promise<unknown>) => {
    app.google.advance(25 * hourMs)
    await deliver()
  }

  test("drops those alerts, and their report says why; the digest's others are sent", async ({
    app,
    outbox: { fallen, deliver, received },
  }) => {
    const { owner, email } = await fallen('pro', { frequency: 'daily' })
    const [critical, warning] = await fall(owner)
    await send(owner, 'PATCH', '/api/delivery-settings', { warningAlerts: false })
    await tomorrow(app, deliver)
    const [digest] = await received(email)
    expect(digest!.text).toContain('80.0%')
    expect(digest!.text).not.toContain('25.0%')
    expect(await deliveries(owner, warning)).toMatchObject([
      { channel: 'email', state: 'suppressed', detail: 'Warning alerts are turned off.' },
    ])
    expect(await deliveries(owner, critical)).toMatchObject([{ channel: 'email', state: 'sent' }])
  })

  test('and on again before it is due, changes nothing', { tags: ['full'] }, async ({ app, outbox: { fallen, deliver, received } }) => {
    const { owner, email } = await fallen('pro', { frequency: 'daily' })
    const [critical, warning] = await fall(owner)
    const off = { warningAlerts: false, criticalAlerts: false }
    await send(owner, 'PATCH', '/api/delivery-settings', off)
    await deliver()
    await send(owner, 'PATCH', '/api/delivery-settings', { warningAlerts: true, criticalAlerts: true })
    await tomorrow(app, deliver)
    expect((await received(email))[0]!.text).toMatch(/80\.0%[^]*25\.0%/)
    for (const each of [critical, warning]) expect(await deliveries(owner, each)).toMatchObject([{ channel: 'email', state: 'sent' }])
  })

  test('drops those waiting for the end of quiet hours too', { tags: ['full'] }, async ({ app, outbox: { fallen, deliver, received } }) => {
    const quietHours = { from: 19, until: 7 }
    const { owner, email } = await fallen('agency', { frequency: 'instant', timeZone: 'Europe/Berlin', quietHours })
    await send(owner, 'PATCH', '/api/delivery-settings', { criticalAlerts: false })
    app.google.advance(13 * hourMs)
    await deliver()
    const mails = await received(email)
    expect(mails).toHaveLength(1)
    expect(mails[0]!.text).toContain('25.0%')
    expect(mails[0]!.text).not.toContain('80.0%')
  })
})

test('a connection problem is sent immediately, once, even on Free', async ({ app, outbox: { fallen, deliver, received } }) => {
  const { owner, email, site } = await fallen('free', null)
  await app.google.call('POST', 'tokens/expire-refresh', { account: email })
  await app.google.call('POST', 'tokens/expire-access', { account: email })
  await refresh(owner, site)
  for (let day = 0; day < 3; day += 1) {
    await runJob(app, 'alerts-due')
    await deliver()
    app.google.advance(3 * hourMs)
  }
  const mails = (await received(email)).filter(({ kind }) => kind === 'alerts')
  expect(mails).toHaveLength(1)
  expect(mails[0]!.text).toContain('Reconnect your Google account')
  expect(mails[0]!.links.join(' ')).toContain(`${app.url}/api/auth/google?redirect=/dashboard`)
})

test('the contents of old messages are deleted, the record that they were sent is kept', async ({ app, outbox: { fallen, deliver } }) => {
  const { owner, email } = await fallen('agency', { frequency: 'instant' })
  await deliver()
  const [critical] = await fall(owner)
  const before = await deliveries(owner, critical)
  const { sql } = await app.stores()
  const kept = async () =>
    (await sql(`SELECT 1 FROM notifications JOIN users ON users.id = user_id WHERE email = $1 AND message <> '{}'`, [email])).length
  app.google.advance(89 * 24 * hourMs)
  await runJob(app, 'delivery-sweep')
  expect(await kept()).toBe(1)
  app.google.advance(2 * 24 * hourMs)
  await runJob(app, 'delivery-sweep')
  expect(await kept()).toBe(0)
  app.google.setNow(today)
  expect(await deliveries(owner, critical)).toEqual(before)
})
