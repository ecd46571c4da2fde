import { extractText, getMeta } from 'unpdf'
import { describe, expect, vi } from 'vitest'
import { agencyTest, brand, first, ok, refused, schedule, second, theirs, week } from '../../../test/support/agency.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { newPerson } from '../../../test/support/people.ts'
import { putAlerts } from '../../../test/support/stored-alerts.ts'
import { watchedAtOnce } from '../../../test/support/stored-history.ts'
import { until } from '../../../test/support/until.ts'
import { unzip } from '../../../test/support/unzip.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import {
  reportBrand,
  reportClient,
  reportRun,
  reportSchedule,
  reportShareMade,
  reportShares,
  sharedReport,
} from '../../contract/reports/reports.ts'

// Reports on demand, links to them, and what is kept of both.

// Drawing is slow while many tests run in parallel.
vi.setConfig({ testTimeout: 180_000 })

/** On the day a week has become complete. */
const test = agencyTest({ today: '2026-03-18', storedFrom: '2026-03-01' })
test.beforeEach(({ desk: { plan } }) => plan('agency'))

type Summary = { totals: { clicks: number; impressions: number } }
const readPdf = async (bytes: Buffer) =>
  Promise.all([extractText(new Uint8Array(bytes), { mergePages: true }), getMeta(new Uint8Array(bytes))] as const)

test(
  'a scheduled report doesn’t wait for a property without data, and says that it is missing',
  { tags: ['full'] },
  async ({ app, owner, desk: { sql, agreed, runs, finished, lookNow } }) => {
    const young = 'https://young.example/'
    const rows = [{ query: 'a', page: `${young}a`, clicks: 3, impressions: 30, position: 2 }]
    await app.google.call('POST', 'sites', { account: 'owner@example.test', site: young, profile: 'empty' })
    await app.google.call('PUT', 'rows', { site: young, date: '2026-03-16', until: '2026-03-18', rows })
    await owner.get('/api/gsc-properties')
    await watchedAtOnce(app, young, { from: '2026-03-01' })
    const client = ok(reportClient, await owner.send('POST', '/api/report-clients', { name: 'Old & New', properties: [first, young] }))
    const { id } = ok(reportSchedule, await owner.send('POST', '/api/report-schedules', schedule({ subject: { client: client.id } })))
    await sql(`UPDATE report_schedules SET first_start = $2 WHERE id = $1`, [id, week.start])
    await agreed()
    await lookNow()
    const run = (await runs()).find(({ title }) => title === 'Old & New')
    expect(await finished(run!.id)).toMatchObject({
      state: 'done',
      period: week,
      detail: `Not included because data isn't complete for this period: ${young}.`,
    })
    await owner.send('DELETE', `/api/report-schedules/${id}`)
    await owner.send('DELETE', `/api/report-clients/${client.id}`)
    await watchedAtOnce(app, first, { from: '2026-03-01' })
  },
)

describe('a report on demand', () => {
  test('is a file that only its owner can open', async ({ owner, stranger, desk: { bytesOf, finished } }) => {
    const body = { subject: { property: first }, kind: 'week', paper: 'a4' }
    const run = await finished(ok(reportRun, await owner.send('POST', '/api/report-runs', body)).id)
    expect(run).toMatchObject({ state: 'done', period: week, title: first, recipients: 0 })
    const file = await bytesOf(`/api/report-runs/${run.id}/report.pdf`, owner)
    expect([file.status, file.headers.get('content-type'), file.bytes.subarray(0, 5).toString()]).toEqual([200, 'application/pdf', '%PDF-'])
    const [{ text }, meta] = await readPdf(file.bytes)
    const { clicks } = ((await owner.get(`/api/analytics/summary?days=7&property=${encodeURIComponent(first)}`)).body as Summary).totals
    for (const shown of ['North & Co', clicks.toLocaleString('en-US')]) expect(text).toContain(shown)
    expect(/ranklark/i.test(text + JSON.stringify(meta) + file.bytes.toString('latin1'))).toBe(false)
    expect(file.headers.get('content-disposition')).toContain('filename="first.example-2026-03-09-2026-03-15.pdf"')
    expect((await bytesOf(`/api/report-runs/${run.id}/report.pdf`, stranger)).status).toBe(404)
    expect((await bytesOf(`/api/report-runs/${run.id}/report.pdf`, null)).status).toBe(401)
    expect((await stranger.get(`/api/report-runs/${run.id}`)).status).toBe(404)
    expect((await stranger.get('/api/report-runs')).body).toEqual([])
  })

  test('fails with a message if there are no figures', async ({ owner, stranger, desk: { plan, finished }, client }) => {
    const start = (body: object, who = owner) => who.send('POST', '/api/report-runs', { kind: 'month', paper: 'a4', ...body })
    const run = ok(reportRun, await start({ subject: { property: first }, start: '2026-02-01' }))
    expect(await finished(run.id)).toMatchObject({ state: 'failed', detail: `${first} doesn't have complete data for 1–28 Feb 2026.` })
    expect(refused(await start({ subject: { property: first }, start: '2026-02-02' }))).toEqual([400, 'No month starts on 2026-02-02.'])
    expect((await start({ subject: { property: theirs } })).status).toBe(404)
    expect((await start({ subject: { client: client.id } }, stranger)).status).toBe(404)
    await plan('free')
    expect((await start({ subject: { property: first } })).status).toBe(403)
    await plan('agency')
  })
  test(
    'on a plan without branding carries our brand',
    { tags: ['full'] },
    async ({ app, owner, desk: { sql, plan, agreed, schedules, finished } }) => {
      await plan('pro')
      await app.mail.clear()
      const made = ok(reportSchedule, await owner.send('POST', '/api/report-schedules', schedule({})))
      await agreed()
      const body = { subject: { property: first }, kind: 'week', paper: 'a4', schedule: made.id }
      expect(await finished(ok(reportRun, await owner.send('POST', '/api/report-runs', body)).id)).toMatchObject({ state: 'done' })
      const mail = await app.mail.mailTo('bob@client.example', { subject: /^Weekly report/ })
      expect([mail.kind, mail.header('from'), mail.header('reply-to')]).toEqual([
        'report',
        'Ranklark <no-reply@ranklark.example>',
        undefined,
      ])
      expect(mail.links).toContain(`${app.url}/reports?${new URLSearchParams({ property: first, kind: 'week', start: '2026-03-09' })}`)
      expect(mail.html).not.toContain('cid:')

      // Permanently refused: its owner sees why.
      await app.mail.fail({ error: 'recipient550', to: 'bob@client.example' })
      await sql(`UPDATE report_mails SET state = 'waiting' WHERE address = 'bob@client.example'`)
      await runJob(app, 'report-mails')
      const failed = await until(
        async () => (await schedules()).schedules.find(({ id }) => id === made.id),
        (found) => found?.problem !== null,
      )
      expect(failed?.problem).toContain(
        "The report for 9–15 Mar 2026 didn't reach bob@client.example. The mail server refused this address",
      )
      await owner.send('DELETE', `/api/report-schedules/${made.id}`)
      await plan('agency')
    },
  )
})

describe('a link', () => {
  const visitor = (app: TestApp) => app.visitor()
  const share = async (owner: Visitor, client: { id: string }, change: object = {}) =>
    ok(
      reportShareMade,
      await owner.send('POST', '/api/report-shares', { subject: { client: client.id }, kind: 'week', days: 7, ...change }),
    )
  const tokenOf = (app: TestApp, { url }: { url: string }) => url.slice(`${app.url}/shared/`.length)
  const gone = 'This link expired or was revoked. Ask the person who sent it for a new one.'

  test('shows one report to anyone who has it, and counts views', async ({ app, owner, desk: { sql, bytesOf }, client }) => {
    const listed = async (id: string) => ok(reportShares, await owner.get('/api/report-shares')).shares.find((each) => each.id === id)
    const made = await share(owner, client)
    expect(made).toMatchObject({ title: 'Ann & Sons', kind: 'week', period: week, views: 0, lastViewedAt: null })
    expect(tokenOf(app, made)).toMatch(/^[\w-]{43}$/)
    const answer = await visitor(app).get(`/api/shared/${tokenOf(app, made)}`)
    const report = ok(sharedReport, answer)
    expect(report).toMatchObject({ title: 'Ann & Sons', period: week, missing: [], brand: { name: 'North & Co', color: '#7a1f5c' } })
    expect(report.reports.map(({ property }) => property)).toEqual([first, second])
    expect([answer.headers.get('x-robots-tag'), answer.headers.get('referrer-policy')]).toEqual(['noindex', 'no-referrer'])
    expect(JSON.stringify(report)).not.toContain('owner@example.test')
    const seen = await listed(made.id)
    expect([seen?.url, seen?.views, seen?.lastViewedAt !== null]).toEqual([made.url, 1, true])
    expect(JSON.stringify(await sql('SELECT token_hash, token_sealed FROM report_shares'))).not.toContain(tokenOf(app, made))

    const files = await Promise.all([1, 2].map(() => bytesOf(`/api/shared/${tokenOf(app, made)}/report.pdf`, null)))
    for (const file of files) {
      expect([file.status, file.bytes.subarray(0, 5).toString(), file.headers.get('x-robots-tag')]).toEqual([200, '%PDF-', 'noindex'])
    }
    expect((await listed(made.id))?.views).toBe(1)
  })

  test('shows revised figures at once', async ({ app, owner, client }) => {
    const made = await share(owner, client)
    const alertsIn = async () =>
      ok(sharedReport, await visitor(app).get(`/api/shared/${tokenOf(app, made)}`)).reports[0]?.advanced?.alertCount
    const before = await alertsIn()
    // An alert alone waits for up to ten minutes: it shows whether the report is composed anew.
    const [alert] = await putAlerts(app, first, [{ openedAt: '2026-03-14T12:00:00Z' }])
    const { sql } = await app.stores()
    await sql(
      'UPDATE property_syncs SET facts_version = facts_version + 1 FROM properties WHERE property_id = properties.id AND name = $1',
      [first],
    )
    expect(await alertsIn()).toBe(before! + 1)
    await sql('DELETE FROM alerts WHERE id = $1', [alert])
  })

  test(
    'is composed once for everyone who opens it, until the data or a note changes, or ten minutes have passed',
    { tags: ['full'] },
    async ({ app, owner, client }) => {
      const [made, other] = [await share(owner, client), await share(owner, client)]
      const firstOf = async (link: { url: string }) =>
        ok(sharedReport, await visitor(app).get(`/api/shared/${tokenOf(app, link)}`)).reports.find(({ property }) => property === first)
      const alertsOf = async (link: { url: string }) => (await firstOf(link))?.advanced?.alertCount
      const before = await alertsOf(made)
      expect(before).toBeGreaterThanOrEqual(0)
      // What only the questions about a report would show.
      const [alert] = await putAlerts(app, first, [{ openedAt: '2026-03-14T12:00:00Z' }])
      for (let viewer = 0; viewer < 5; viewer++) expect(await alertsOf(made)).toBe(before)
      expect(await alertsOf(other)).toBe(before! + 1)

      const text = 'Moved to the new shop'
      const note = await owner.send('POST', '/api/annotations', { property: first, date: '2026-03-12', text, inReports: true })
      expect((await firstOf(made))?.annotations.notes.map((each) => each.text)).toContain(text)
      expect(await alertsOf(made)).toBe(before! + 1)

      const { sql } = await app.stores()
      await sql('DELETE FROM alerts WHERE id = $1', [alert])
      expect(await alertsOf(made)).toBe(before! + 1)
      app.google.advance(10 * 60_000)
      expect(await alertsOf(made)).toBe(before)
      app.google.advance(-10 * 60_000)
      await owner.send('DELETE', `/api/annotations/${(note.body as { id: string }).id}`)
    },
  )

  test(
    'the number of waiting PDFs per owner is limited; further requests are refused until there is room',
    { tags: ['full'] },
    async ({ app, owner, desk: { bytesOf }, client }) => {
      const links = await Promise.all(Array.from({ length: 13 }, () => share(owner, client)))
      const fileOf = (made: { url: string }) => bytesOf(`/api/shared/${tokenOf(app, made)}/report.pdf`, null)
      const statuses = (await Promise.all(links.map(fileOf))).map(({ status }) => status)
      // One is being drawn, ten wait.
      expect(statuses.toSorted()).toEqual([...Array<number>(11).fill(200), 429, 429])
      const refusedOne = links[statuses.indexOf(429)]
      expect((await fileOf(refusedOne!)).status).toBe(200)
    },
  )

  test('stops working when it is revoked or expires, or when the owner’s plan no longer covers it', async ({
    app,
    owner,
    stranger,
    desk: { plan, bytesOf },
    client,
  }) => {
    const made = await share(owner, client, { subject: { property: first }, days: 30 })
    const look = async () => [
      refused(await visitor(app).get(`/api/shared/${tokenOf(app, made)}`)),
      (await bytesOf(`/api/shared/${tokenOf(app, made)}/report.pdf`, null)).status,
    ]
    const nothing = [[404, gone], 404]
    await plan('pro')
    expect(await look()).toEqual(nothing)
    expect(ok(reportShares, await owner.get('/api/report-shares')).locked).not.toBeNull()
    await plan('agency')
    expect((await visitor(app).get(`/api/shared/${tokenOf(app, made)}`)).status).toBe(200)
    const now = app.google.now()
    app.google.advance(31 * 24 * 3_600_000)
    expect(await look()).toEqual(nothing)
    app.google.advance(now.getTime() - app.google.now().getTime())

    expect((await stranger.send('DELETE', `/api/report-shares/${made.id}`)).status).toBe(404)
    expect((await owner.send('DELETE', `/api/report-shares/${made.id}`)).status).toBe(204)
    expect(await look()).toEqual(nothing)
    expect(refused(await visitor(app).get('/api/shared/made-up'))).toEqual([404, gone])
  })

  test('can’t be created for someone else’s report, or for one that doesn’t exist', async ({ owner, stranger, desk: { plan }, client }) => {
    const body = { subject: { client: client.id }, kind: 'week', days: 7 }
    expect((await stranger.send('POST', '/api/report-shares', body)).status).toBe(404)
    expect((await owner.send('POST', '/api/report-shares', { ...body, days: 365 })).status).toBe(400)
    expect((await owner.send('POST', '/api/report-shares', { ...body, kind: 'month' })).status).toBe(409)
    await plan('pro')
    expect((await owner.send('POST', '/api/report-shares', body)).status).toBe(403)
    await plan('agency')
  })

  test('is rate limited per IP address', async ({ app }) => {
    const headers = { 'x-forwarded-for': '10.3.0.1' }
    const answers = await Promise.all(Array.from({ length: 80 }, () => visitor(app).get('/api/shared/made-up', { headers })))
    expect(answers.some(({ status }) => status === 429)).toBe(true)
  })
})

test(
  'stored report data is in the export, is swept when it is old, and is deleted with the account',
  { tags: ['full'] },
  async ({ desk: { sql, agreed, bytesOf, finished }, app }) => {
    const site = 'https://left.example/'
    const person = await newPerson(app, { email: 'leaving@example.test', sites: { [site]: 'local' }, plan: 'agency' })
    await watchedAtOnce(app, site, { from: '2026-03-01' })
    ok(reportBrand, await person.send('PUT', '/api/report-brand', brand))
    const { id } = ok(reportClient, await person.send('POST', '/api/report-clients', { name: 'Carl', properties: [site] }))
    const subject = { client: id }
    const sentTo = ok(
      reportSchedule,
      await person.send('POST', '/api/report-schedules', schedule({ subject, recipients: ['carl@client.example'] })),
    )
    await agreed()
    const run = ok(reportRun, await person.send('POST', '/api/report-runs', { subject, kind: 'week', paper: 'a4', schedule: sentTo.id }))
    expect(await finished(run.id, person)).toMatchObject({ state: 'done' })
    ok(reportShareMade, await person.send('POST', '/api/report-shares', { subject, kind: 'week', days: 7 }))
    await sql(
      `INSERT INTO report_runs (user_id, scheduled, title, kind, paper, state, attempts, total, recipients, created_at)
     SELECT user_id, false, 'Of old', 'week', 'a4', 'done', 1, 1, '{}', now() - interval '100 years' FROM report_runs WHERE id = $1`,
      [run.id],
    )

    const [user] = await sql<{ id: string }>(`SELECT id FROM users WHERE email = 'leaving@example.test'`)
    const ofPerson = [user!.id]
    const tables = [
      'report_brands',
      'report_clients',
      'report_schedules',
      'report_runs',
      'report_mails',
      'report_shares',
      'report_recipients',
    ]
    const counts = () =>
      Promise.all(
        tables.map(async (table) =>
          Number((await sql<{ n: string }>(`SELECT count(*) AS n FROM ${table} WHERE user_id = $1`, ofPerson))[0]?.n),
        ),
      )
    expect(await counts()).toEqual([1, 1, 1, 2, 1, 1, 1])
    await runJob(app, 'report-sweep')
    expect(await counts()).toEqual([1, 1, 1, 1, 1, 1, 1])

    await sql(`UPDATE report_schedules SET unsubscribed = '{dora@client.example}' WHERE user_id = $1`, ofPerson)
    const archive = await bytesOf('/api/user/export', person)
    const reports = JSON.parse((await unzip(archive.bytes)).get('reports.json') ?? '') as Record<string, object>
    expect(reports).toMatchObject({
      brand: { name: 'North & Co' },
      clients: [{ name: 'Carl', properties: [site] }],
      schedules: [{ client: 'Carl', unsubscribed: ['dora@client.example'] }],
      recipients: [{ address: 'carl@client.example', confirmedAt: expect.any(String) as string, unsubscribedAt: null }],
    })
    expect(JSON.stringify(reports)).not.toMatch(/token/i)

    const username = ((await person.get('/api/user')).body as { username: string }).username
    expect((await person.send('DELETE', '/api/user', { username })).status).toBe(204)
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0, 0])
  },
)
