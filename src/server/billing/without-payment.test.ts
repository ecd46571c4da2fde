import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { confirmAddress, newPerson, registered } from '../../../test/support/people.ts'
import { putAlerts } from '../../../test/support/stored-alerts.ts'
import { unzip } from '../../../test/support/unzip.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { createSubscriptionAnswer } from '../../contract/billing.ts'
import { session, user } from '../../contract/user.ts'
import { webRoot } from '../http/static-files.ts'

const sitesOf = (name: string, count: number) => Array.from({ length: count }, (_, i) => `https://site${i + 1}.${name}.example/`)
const me = async (person: Visitor) => user.parse((await person.get('/api/user')).body)
const monitor = (person: Visitor, sites: readonly string[]) => person.send('POST', '/api/gsc-properties/monitor', { sites })
const sold = /\b[Pp]lans?\b|[Uu]pgrade|\b[Pp]rices?\b|\$\d|\bFree\b|\bPro\b|\bAgency\b|\b[Ss]tripe\b|[Ss]ubscription/

describe('an installation without Stripe keys', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ today: '2026-03-18', demo: false, stripe: false })
    await app.google.fail({ error: 'loadQuota', times: 100_000, kind: 'query' })
  })
  afterAll(() => app.close())

  test('lets new users connect 30 sites and use Slack, instant alerts, hourly data, reports and the API', async () => {
    const person = await registered(app, 'everything')
    const sites = sitesOf('everything', 30)
    await app.google.account('everything@example.test', Object.fromEntries(sites.map((site) => [site, 'empty' as const])))
    await throughConsent(person, { account: 'everything@example.test', redirect: '/onboarding/sites' })
    expect(await me(person)).toMatchObject({ plan: null, planChosen: true, siteLimit: null })

    expect((await monitor(person, sites)).status).toBe(200)
    expect(await me(person)).toMatchObject({ sitesMonitored: 30, sitesPaused: 0, selectedProperty: sites[0] })
    const hook = app.slack.hookUrl('T00000001/B00000001/abcdefghijklmnopqrstuvwx')
    expect((await person.send('PUT', '/api/delivery-channels/slack', { webhookUrl: hook })).status).toBe(200)
    expect((await person.send('PUT', '/api/delivery-channels/webhook', { url: app.webhook.hookUrl })).status).toBe(200)
    const instant = { slackEnabled: true, webhookEnabled: true, frequency: 'instant' }
    expect(await person.send('PATCH', '/api/delivery-settings', instant)).toMatchObject({ status: 200, body: instant })
    expect((await person.send('POST', '/api/keys', { name: 'program', scope: 'write', days: 90 })).status).toBe(201)
    for (const path of [
      '/api/keys',
      '/api/report-brand',
      '/api/report-clients',
      '/api/report-schedules',
      '/api/report-shares',
      '/api/today',
    ])
      expect((await person.get(path)).body, `${path}`).toMatchObject({ locked: null })
    expect((await person.get('/api/report-schedules')).body).toMatchObject({ recipientLimit: 1_000 })
  })

  test('sends alerts as chosen, whatever plan is still stored for the account', { tags: ['full'] }, async () => {
    const email = 'told@example.test'
    const [site = ''] = sitesOf('told', 1)
    const person = await newPerson(app, { email, sites: { [site]: 'empty' } })
    await monitor(person, [site])
    await person.send('PUT', '/api/delivery-channels/webhook', { url: app.webhook.hookUrl })
    expect((await person.send('PATCH', '/api/delivery-settings', { frequency: 'instant' })).status).toBe(200)
    const [id = ''] = await putAlerts(app, site, [{ openedAt: '2026-03-16T09:00:00Z' }])
    const hourMs = 3_600_000
    await person.send('POST', `/api/alerts/${id}/snooze`, { until: new Date(app.google.now().getTime() + hourMs).toISOString() })
    app.google.advance(hourMs)
    await runJob(app, 'alerts-due')
    await runJob(app, 'delivery-due')
    const { deliveries } = (await person.get(`/api/alerts/${id}`)).body as { deliveries: unknown[] }
    expect(deliveries).toMatchObject([
      { channel: 'email', event: 'woken', state: 'sent', inDigest: false },
      { channel: 'webhook', event: 'woken', state: 'sent' },
    ])
  })

  test('tells browsers, and has no purchase flow', async () => {
    const person = await registered(app, 'buys-nothing')
    expect(session.parse((await app.visitor().get('/api/auth/session')).body)).toMatchObject({ billing: 'off', user: null })
    expect(session.parse((await person.get('/api/auth/session')).body)).toMatchObject({ billing: 'off', user: { plan: null } })
    for (const path of ['/api/plans', '/api/subscription']) expect((await person.get(path)).status, `${path}`).toBe(404)
    for (const path of ['/api/create-subscription', '/api/subscription/change', '/api/stripe/webhook'])
      expect((await person.send('POST', path, { planType: 'pro' })).status, `${path}`).toBe(404)
    const policy = (await person.get('/api/user')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/stripe|script-src|frame-src|connect-src/)
  })

  test('mentions no plans or prices: not in responses, support requests or account deletion', async () => {
    const person = await registered(app, 'reads-all')
    await confirmAddress(app, person, 'reads-all@example.test')
    for (const path of [
      '/api/support',
      '/api/delivery-channels',
      '/api/audit-log',
      '/api/keys',
      '/api/report-brand',
      '/api/v1/openapi.json',
    ])
      expect(JSON.stringify((await person.get(path)).body), `${path}`).not.toMatch(sold)
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const zip = await unzip(Buffer.from(await (await fetch(`${app.url}/api/user/export`, { headers: { cookie } })).arrayBuffer()))
    expect([...zip].filter(([name, content]) => sold.test(name + content)).map(([name]) => name)).toEqual([])
    await person.send('DELETE', '/api/user', { username: 'reads-all', password: 'a-good-password' })
    expect((await app.mail.mailTo('reads-all@example.test', { kind: 'account-deleted' })).text).not.toMatch(sold)
  })

  test.runIf(existsSync(webRoot))('serves pages without plans or prices', async () => {
    for (const path of ['/', '/help', '/terms', '/privacy', '/api/docs']) {
      const page = String((await app.visitor().get(path)).body)
      const text = page.replaceAll(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
      expect(text.length, `${path}`).toBeGreaterThan(2_000)
      expect(text.match(sold)?.[0] ?? null, `${path}`).toBeNull()
    }
  })
})

test('the operator can limit the sites per person, and messages about it mention no plan', { tags: ['full'] }, async () => {
  const app = await startTestApp({ demo: false, stripe: false, env: { SITES_PER_PERSON: '2' } })
  try {
    const sites = sitesOf('limited', 3)
    const person = await newPerson(app, {
      email: 'limited@example.test',
      sites: Object.fromEntries(sites.map((site) => [site, 'empty' as const])),
    })
    const message = 'This installation allows up to 2 site(s) per person.'
    expect(await monitor(person, sites)).toMatchObject({ status: 403, body: { message } })
    expect((await monitor(person, sites.slice(0, 2))).status).toBe(200)
    expect(await me(person)).toMatchObject({ plan: null, siteLimit: 2, sitesMonitored: 2 })
  } finally {
    await app.close()
  }
})

test(
  'BILLING=off gives Free users everything and reactivates their suspended choices; with payment back on, the plan counts again',
  { tags: ['full'] },
  async () => {
    const env: Record<string, string> = {}
    const app = await startTestApp({ demo: false, env, logLevel: 'warn' })
    try {
      await app.google.fail({ error: 'loadQuota', times: 100_000, kind: 'query' })
      const sites = sitesOf('lapsed', 4)
      const email = 'lapsed@example.test'
      const listed = Object.fromEntries(sites.map((site) => [site, 'empty' as const]))
      const person = await newPerson(app, { email, sites: listed, plan: 'agency' })
      await monitor(person, sites)
      await person.send('POST', '/api/delivery-settings', { frequency: 'instant' })
      const frequency = async () => ((await person.get('/api/delivery-settings')).body as { frequency: string }).frequency
      await person.send('POST', '/api/subscription/change', { planType: 'free' })
      expect(await me(person)).toMatchObject({ plan: 'free', sitesMonitored: 1, sitesPaused: 3 })
      expect(await frequency()).toBe('weekly')

      env['BILLING'] = 'off'
      await app.restart()
      expect(await me(person)).toMatchObject({ plan: null, siteLimit: null, sitesMonitored: 4, sitesPaused: 0 })
      expect(await frequency()).toBe('instant')

      env['BILLING'] = 'stripe'
      await app.restart()
      expect(
        await until(
          () => me(person),
          ({ sitesPaused }) => sitesPaused > 0,
        ),
      ).toMatchObject({ plan: 'free', sitesMonitored: 1 })
      expect(await frequency()).toBe('weekly')
    } finally {
      await app.close()
    }
  },
)

test(
  'turning payment off ends no subscriptions: the log says that people still pay, they see nothing, and deleting their account ends it',
  { tags: ['full'] },
  async () => {
    const env: Record<string, string> = {}
    const app = await startTestApp({ demo: false, env, logLevel: 'warn' })
    try {
      const payer = await registered(app, 'payer')
      const begun = createSubscriptionAnswer.parse((await payer.send('POST', '/api/create-subscription', { planType: 'pro' })).body)
      if ('clientSecret' in begun) await app.stripe.pay(begun.clientSecret)
      expect(await me(payer)).toMatchObject({ plan: 'pro' })
      const states = async () => (await app.stripe.subscriptionsOf('payer@example.test')).map(({ status }) => status)

      env['BILLING'] = 'off'
      await app.restart()
      expect(app.logLines.filter((line) => line.includes('"people":1') && line.includes('still pay through Stripe'))).toHaveLength(1)
      app.logLines.length = 0
      await app.mail.clear()
      await app.stripe.failCard('payer@example.test')
      await app.stripe.advance({ days: 32 })
      expect(await states()).toEqual(['past_due'])
      expect((await me(payer)).plan).toBeNull()
      expect((await app.mail.mails('payer@example.test')).map(({ kind }) => kind)).toEqual([])

      const { id } = await app.stripe.customerOf('payer@example.test')
      await payer.send('DELETE', '/api/user', { username: 'payer', password: 'a-good-password' })
      const left = await until(
        () => app.stripe.state(),
        ({ customers }) => customers.every((customer) => customer.id !== id),
      )
      expect(left.subscriptions.filter(({ customer }) => customer === id).map(({ status }) => status)).toEqual(['canceled'])
    } finally {
      await app.close()
    }
  },
)
