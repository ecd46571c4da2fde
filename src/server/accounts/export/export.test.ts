import { zipSync } from 'fflate'
import { describe, expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import type { TestApp } from '../../../../test/support/app.ts'
import { throughConsent } from '../../../../test/support/consent.ts'
import { type GrainSums, sumsAtGoogle } from '../../../../test/support/grain-sums.ts'
import { registered } from '../../../../test/support/people.ts'
import { putAlerts } from '../../../../test/support/stored-alerts.ts'
import { ownerAtOnce, watchedAtOnce } from '../../../../test/support/stored-history.ts'
import { unzip } from '../../../../test/support/unzip.ts'
import type { Visitor } from '../../../../test/support/visitor.ts'
import { twoFactorSetup } from '../../../contract/account/profile.ts'
import { type Grain, grainDimensions, grains } from '../../facts/schema.ts'
import { readCsv } from '../../sync/import/file/csv.ts'

const site = 'https://mine.example/'
const span = { start: '2026-03-11', end: '2026-03-18' }
const password = 'a-good-password'
const slackHook = 'T00000001/B00000001/abcdefghijklmnopqrstuvwx'

const cookieOf = (visitor: Visitor) => [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const ask = (app: TestApp, visitor: Visitor, signal?: AbortSignal) =>
  fetch(new URL('/api/user/export', app.url), { headers: { cookie: cookieOf(visitor) }, ...(signal && { signal }) })
const exportOf = async (app: TestApp, visitor: Visitor) => unzip(Buffer.from(await (await ask(app, visitor)).arrayBuffer()))
const nothingWrong = { problem: null, problemSince: null, lastSentAt: '2026-03-18T20:00:00.000Z' }
const json = (files: Map<string, string>, name: string): unknown => JSON.parse(files.get(name) ?? '')

async function importFile(
  app: TestApp,
  visitor: Visitor,
  property: string,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  const form = new FormData()
  form.append('property', property)
  form.append('file', new Blob([content]), name)
  const answer = await fetch(new URL('/api/import', app.url), { method: 'POST', headers: { cookie: cookieOf(visitor) }, body: form })
  expect(answer.status).toBe(200)
}

async function rowsOf(files: Map<string, string>, name: string): Promise<string[][]> {
  async function* text() {
    yield (files.get(name) ?? '').replace(/^\uFEFF/, '')
  }
  let rows: string[][] = []
  for await (const records of readCsv(text())) rows = rows.concat(records.map((record) => record.fields))
  return rows
}

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await registered(app, 'the.owner', password)
    expect((await owner.send('PATCH', '/api/user', { username: 'Ärzte.owner' })).status).toBe(200)
    await app.google.account('owner@google.test', { [site]: 'shop' })
    expect(await throughConsent(owner, { account: 'owner@google.test' })).toContain('connected=true')
    const { sql } = await app.stores()
    await sql(`UPDATE people SET plan = 'pro'`)
    await sql('UPDATE users SET email_verified = true')
    await watchedAtOnce(app, site, { days: 8, types: ['web', 'image'] })
    const chart = 'Date,Clicks,Impressions,CTR,Position\n2026-03-01,1,2,50%,3\n'
    await importFile(app, owner, '../../../etc/passwd', 'Chart.zip', Buffer.from(zipSync({ 'Chart.csv': new TextEncoder().encode(chart) })))
    await importFile(app, owner, 'HTTPS:mine.example', 'long.csv', 'date,query,clicks,impressions,position\n2026-03-02,=1+1,3,4,1.5\n')
    await owner.send('POST', '/api/delivery-settings', { frequency: 'weekly', slackEnabled: true, quietHours: { from: 22, until: 7 } })
    await owner.send('PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl(slackHook), channel: '#seo' })
    await owner.send('PUT', '/api/delivery-channels/email', { address: 'team@example.test' })
    for (const channel of ['slack', 'email']) await owner.send('POST', `/api/delivery-channels/${channel}/test`)
    await owner.send('POST', '/api/explore/saved', { kind: 'segment', name: 'Lamps', content: 'query contains lamp' })
    await owner.send('POST', '/api/annotations', { date: '2026-03-02', text: 'New titles', property: site })
    await owner.send('POST', '/api/annotations', { date: '2026-03-01', text: 'Holiday', property: null })
    await sql(`UPDATE properties SET brand_terms = '{mine}' WHERE name = $1`, [site])
    await sql(`INSERT INTO notices (user_id, notice) SELECT id, 'unusual_changes' FROM users`)
    await owner.send('DELETE', '/api/user/notices/unusual_changes')
    twoFactorSetup.parse((await owner.send('POST', '/api/user/two-factor', { password })).body)
    await ownerAtOnce(app, 'https://theirs.example/', { profile: 'local', days: 3, email: 'other@example.test' })
    return owner
  })
  .extend('archive', { scope: 'file' }, async ({ app, owner }) => {
    const answer = await ask(app, owner)
    return { headers: answer.headers, files: await unzip(Buffer.from(await answer.arrayBuffer())) }
  })
  .extend('headers', { scope: 'file' }, ({ archive }) => archive.headers)
  .extend('files', { scope: 'file' }, ({ archive }) => archive.files)

test('is a ZIP with its own name, for old and new browsers', ({ headers }) => {
  expect(headers.get('content-type')).toBe('application/zip')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="ranklark-_rzte.owner-2026-03-18.zip"; filename*=UTF-8''ranklark-${encodeURIComponent('Ärzte')}.owner-2026-03-18.zip`,
  )
})

test('README.txt says what each file is', ({ files }) => {
  const readme = files.get('README.txt') ?? ''
  const [, ...others] = files.keys()
  for (const name of others) expect(readme).toContain(`${name}\n  `)
  expect(readme).toContain('All data Ranklark stores for Ärzte.owner')
})

test('contains profile, plan, preferences, properties and imports', ({ files }) => {
  expect(json(files, 'account.json')).toMatchObject({
    username: 'Ärzte.owner',
    formerUsernames: [{ name: expect.any(String), reservedUntil: expect.stringMatching(/^20/) }],
    hasPassword: true,
    twoFactorEnabled: false,
    plan: 'pro',
    google: { email: 'owner@google.test', state: 'ok', connectedAt: expect.stringMatching(/^20/) },
    notices: [{ notice: 'unusual_changes', dismissedAt: expect.stringMatching(/^20/) }],
    sessions: [{ createdAt: expect.stringMatching(/^20/), ipAddress: expect.any(String) }],
  })
  expect(json(files, 'subscription.json')).toEqual({ customerId: null, subscriptions: [] })
  expect(json(files, 'delivery-settings.json')).toMatchObject({
    emailEnabled: true,
    slackEnabled: true,
    smsEnabled: false,
    frequency: 'weekly',
    timeZone: 'UTC',
    quietHours: { from: 22, until: 7 },
  })
  expect(json(files, 'properties.json')).toMatchObject([
    { name: site, kind: 'google', monitored: true, selected: true, brandTerms: ['mine'], folder: 'facts/https_mine.example' },
    { name: '../../../etc/passwd', kind: 'imported', folder: 'facts/etc_passwd' },
    { name: 'HTTPS:mine.example', kind: 'imported', folder: 'facts/HTTPS_mine.example-2' },
  ])
  expect(json(files, 'imports.json')).toMatchObject([
    { property: '../../../etc/passwd', fileName: 'Chart.zip', rows: 1, clicks: 1 },
    { property: 'HTTPS:mine.example', fileName: 'long.csv', rows: 1, clicks: 3 },
  ])
})

test('contains the notes on days', ({ files }) => {
  expect(json(files, 'notes.json')).toEqual([
    { date: '2026-03-01', text: 'Holiday', property: null, inReports: false, createdAt: expect.stringMatching(/^2026/) },
    { date: '2026-03-02', text: 'New titles', property: site, inReports: false, createdAt: expect.stringMatching(/^2026/) },
  ])
})

test('contains segments and saved views', ({ files }) => {
  expect(json(files, 'explorer.json')).toEqual([
    { kind: 'segment', name: 'Lamps', content: 'query contains lamp', createdAt: expect.stringMatching(/^2026/) },
  ])
})

test('contains delivery destinations, and the messages sent', ({ app, files }) => {
  const slack = `${new URL(app.slack.url).host}/…/uvwx`
  expect(json(files, 'delivery-channels.json')).toEqual([
    { channel: 'email', to: null, waitingFor: 'team@example.test', slackChannel: null, ...nothingWrong },
    { channel: 'slack', to: slack, waitingFor: null, slackChannel: '#seo', ...nothingWrong },
  ])
  const sent = { kind: 'test', property: null, state: 'sent', createdAt: expect.stringMatching(/^2026-03-18T/), detail: null }
  const message = { kind: 'test', property: site }
  expect(json(files, 'messages.json')).toEqual([
    { ...sent, channel: 'slack', sentTo: slack, sentAt: expect.stringMatching(/^2026-03-18T/), message },
    { ...sent, channel: 'email', sentTo: 'the.owner@example.test', sentAt: expect.stringMatching(/^2026-03-18T/), message },
  ])
})

test('contains every grain of every property, in folders that lead nowhere else', ({ files }) => {
  const expected = ['https_mine.example', 'etc_passwd', 'HTTPS_mine.example-2'].flatMap((folder) =>
    [...grains, 'hour'].map((grain) => `facts/${folder}/${grain}.csv`),
  )
  expect([...files.keys()].filter((name) => name.startsWith('facts/')).toSorted()).toEqual(expected.toSorted())
})

test('contains all rules, alerts and messages in order, even if they are read in several parts', { tags: ['full'] }, async ({ app }) => {
  const name = 'https://many.example/'
  const person = await ownerAtOnce(app, name, { profile: 'local', days: 8, email: 'many@example.test', plan: 'pro' })
  const ids = await putAlerts(
    app,
    name,
    Array.from({ length: 250 }, (_, at) => ({ openedAt: '2026-03-17T12:00:00Z', entity: { kind: 'page' as const, name: `${name}${at}` } })),
  )
  const { sql } = await app.stores()
  await sql(
    `INSERT INTO notifications (user_id, channel, kind, message, state, next_attempt_at, give_up_at, created_at)
     SELECT id, 'email', 'test', jsonb_build_object('kind', 'test', 'property', n::text), 'failed', now(), now(), now()
     FROM users, generate_series(1, 45) AS n WHERE email = 'many@example.test' ORDER BY n`,
  )
  const rules = Array.from({ length: 45 }, (_, at) => `Rule ${at}`)
  for (const title of rules) expect((await person.send('POST', '/api/alert-conditions', { type: 'clicks', title })).status).toBe(201)
  const files = await exportOf(app, person)
  const { rules: exported, alerts } = json(files, 'alerts.json') as { rules: { title: string }[]; alerts: { id: string }[] }
  expect(exported.map(({ title }) => title).filter((title) => title.startsWith('Rule'))).toEqual(rules)
  expect(alerts.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids)
  const messages = json(files, 'messages.json') as { message: { property: string | null } }[]
  expect(messages.map(({ message }) => Number(message.property))).toEqual(Array.from({ length: 45 }, (_, at) => at + 1))
})

describe('the figures', () => {
  async function sumsExported(files: Map<string, string>, grain: Grain): Promise<GrainSums[Grain]> {
    const [header, ...rows] = await rowsOf(files, `facts/https_mine.example/${grain}.csv`)
    const dimensions = grainDimensions[grain]
    const ends = dimensions.some((name) => name === 'page' || name === 'query') ? ['cut off'] : []
    expect(header).toEqual(['date', 'search type', ...dimensions, 'clicks', 'impressions', 'ctr', 'position', ...ends])
    const sums: GrainSums[Grain] = {}
    for (const cells of rows) {
      const [date = '', type] = cells
      if (type !== 'web') continue
      const [clicks, impressions] = cells.slice(2 + dimensions.length).map(Number)
      const day = (sums[date] ??= { rows: 0, clicks: 0, impressions: 0 })
      day.rows += 1
      day.clicks += clicks ?? 0
      day.impressions += impressions ?? 0
    }
    return sums
  }

  test.for(grains)("grain %s: each day's rows, clicks and impressions equal Google's", async (grain, { app, files }) => {
    const exported = await sumsExported(files, grain)
    expect(Object.keys(exported).length).toBeGreaterThan(5)
    expect(exported).toEqual((await sumsAtGoogle(app.google, site, span))[grain])
  })

  test('other search types are included too', async ({ files }) => {
    const rows = await rowsOf(files, 'facts/https_mine.example/total.csv')
    expect(new Set(rows.slice(1).map(([, type]) => type))).toEqual(new Set(['web', 'image']))
  })

  test('CTR and position are calculated, in a format that spreadsheets read', async ({ files }) => {
    expect(files.get('facts/etc_passwd/total.csv')).toBe(
      '\uFEFFdate,search type,clicks,impressions,ctr,position\r\n2026-03-01,web,1,2,0.5,3\r\n',
    )
    expect(await rowsOf(files, 'facts/HTTPS_mine.example-2/query.csv')).toEqual([
      ['date', 'search type', 'query', 'clicks', 'impressions', 'ctr', 'position', 'cut off'],
      ['2026-03-02', 'web', "'=1+1", '3', '4', '0.75', '1.5', 'no'],
    ])
  })
})

test('contains nothing of anybody else', async ({ files }) => {
  const all = [...files].map(([name, content]) => name + content).join('')
  expect(all).not.toContain('theirs.example')
  expect(all).not.toContain('other@example.test')
})

test('contains nothing that gives access', async ({ app, files }) => {
  const { sql } = await app.stores()
  const secrets = await sql<{ secret: string }>(`SELECT secret FROM (
      SELECT token AS secret FROM sessions UNION SELECT password FROM accounts UNION SELECT access_token FROM google_connections
      UNION SELECT refresh_token FROM google_connections UNION SELECT google_sub FROM google_connections
      UNION SELECT secret FROM two_factors UNION SELECT backup_codes FROM two_factors UNION SELECT value FROM verifications
      UNION SELECT destination FROM delivery_channels UNION SELECT waiting FROM delivery_channels UNION SELECT key::text FROM notifications
    ) AS all_secrets WHERE secret IS NOT NULL`)
  expect(secrets.length).toBeGreaterThan(5)
  const all = [...files.values()].join('')
  for (const { secret } of secrets) expect(all).not.toContain(secret)
  expect(all).not.toContain('abcdefghijklmnopqrstuvwx')
})

test('a user without any data gets files that say so', async ({ app }) => {
  const newcomer = await registered(app, 'newcomer')
  const own = await exportOf(app, newcomer)
  expect([...own.keys()]).toEqual([
    'README.txt',
    'account.json',
    'properties.json',
    'subscription.json',
    'imports.json',
    'notes.json',
    'explorer.json',
    'alerts.json',
    'delivery-settings.json',
    'delivery-channels.json',
    'messages.json',
    'reports.json',
    'api-keys.json',
    'activity.json',
  ])
  expect(JSON.parse(own.get('delivery-settings.json') ?? '')).toBeNull()
  for (const name of ['delivery-channels.json', 'messages.json', 'notes.json', 'properties.json'])
    expect(JSON.parse(own.get(name) ?? '')).toEqual([])
})

test('properties of a Google account that was disconnected are still exported', { tags: ['full'] }, async ({ app }) => {
  const leaving = await ownerAtOnce(app, 'https://left.example/', { profile: 'local', days: 3, email: 'leaving@example.test' })
  await leaving.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
  const own = await exportOf(app, leaving)
  expect(JSON.parse(own.get('account.json') ?? '')).toMatchObject({ hasPassword: false, google: null })
  expect((own.get('facts/https_left.example/total.csv') ?? '').split('\r\n').length).toBeGreaterThan(2)
})

test("a visitor can't get one", async ({ app }) => {
  expect((await app.visitor().get('/api/user/export')).status).toBe(401)
})

test('aborting a download does no harm', { tags: ['full'] }, async ({ app, owner, files }) => {
  const leaving = new AbortController()
  const answer = await ask(app, owner, leaving.signal)
  const reader = answer.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  leaving.abort()
  expect((await exportOf(app, owner)).size).toBe(files.size)
  expect(app.logLines).toEqual([])
})

test('five per user per hour', { tags: ['full'] }, async ({ app, owner }) => {
  // Three were requested above.
  for (let n = 4; n <= 5; n += 1) expect((await owner.get('/api/user/export')).status).toBe(200)
  expect(await owner.get('/api/user/export')).toMatchObject({
    status: 429,
    body: { message: "You've exported your data 5 times in the last hour. Please try again later." },
  })
  expect((await (await registered(app, 'somebody.else')).get('/api/user/export')).status).toBe(200)
})
