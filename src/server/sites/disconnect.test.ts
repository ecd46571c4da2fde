import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { hasten } from '../../../test/support/jobs.ts'
import { newPerson, registered, select, shortenHistory, statusOf, synced } from '../../../test/support/people.ts'
import { ownerAtOnce } from '../../../test/support/stored-history.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { metrics } from '../../contract/metrics.ts'
import { user } from '../../contract/user.ts'

const nothing = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }

const test = appTest({ today: '2026-03-18', demo: false })

/** Somebody with a property and some stored days, disconnected again. */
async function gone(app: TestApp, name: string, days = 4) {
  const [account, site] = [`${name}@example.test`, `https://${name}.example/`]
  const owner = await ownerAtOnce(app, site, { profile: 'local', days, email: account })
  const answer = await disconnect(owner)
  expect(answer.status).toBe(200)
  return { owner, account, site, answer }
}

test('nulls disconnect: access is revoked at Google; tokens, properties and selection are gone', async ({ app }) => {
  const tokens = async () => ((await app.google.call('GET', 'state')) as { tokens: unknown }).tokens
  const connections = async () => (await app.stores()).sql('SELECT * FROM google_connections')
  await app.google.forgetRequests()
  const before = [await tokens(), await connections()]
  const { owner, account, answer } = await gone(app, 'leaving')
  expect(user.parse(answer.body)).toMatchObject({ ...nothing, sitesMonitored: 0, email: account })
  expect(user.parse((await owner.get('/api/user')).body)).toMatchObject(nothing)
  expect((await owner.get('/api/gsc-properties')).body).toEqual([])
  expect((await owner.get('/api/metrics')).body).toBeNull()

  expect((await app.google.requests()).some((request) => request.kind === 'revoke' && request.status === 200)).toBe(true)
  expect([await tokens(), await connections()]).toEqual(before)
})

test("a disconnected property isn't synced", async ({ app }) => {
  const { owner, site } = await gone(app, 'unsynced')
  await app.google.forgetRequests()
  await app.lookForDue()
  expect((await owner.send('POST', '/api/sync', { property: site })).status).toBe(404)
  expect((await app.google.requests()).filter(({ siteUrl }) => siteUrl === site)).toEqual([])
})

test('disconnecting twice does no harm', async ({ app }) => {
  const { owner } = await gone(app, 'twice')
  expect((await disconnect(owner)).status).toBe(200)
})

test("only some of the nulls aren't a request to disconnect", async ({ app }) => {
  const { person } = await connectedTo(app, 'half')
  const answer = await person.send('PATCH', '/api/user', { accessToken: null })
  expect(answer.status).toBe(400)
  expect(await namesOf(person)).toEqual(['https://half.example/'])
})

test('reconnecting restores the stored history without fetching it again', async ({ app }) => {
  const { owner, account, site } = await gone(app, 'returning', 20)
  expect(await throughConsent(owner, { account })).toBe('/dashboard?connected=true')
  const back = user.parse((await owner.get('/api/user')).body)
  expect(back.gscProperties).toMatchObject([{ name: site, monitored: false }])
  expect(back.selectedProperty).toBeNull()

  await app.google.forgetRequests()
  await select(owner, site)
  expect(metrics.parse((await owner.get('/api/metrics')).body).clicks).toBeGreaterThan(0)
  await synced(owner, site)
  await expectStoredAsAtGoogle(app, site, { start: '2026-02-27', end: '2026-03-18' })
  const { completeThrough } = await statusOf(owner, site)
  const refetched = (await app.google.requests()).filter(
    (request) => request.siteUrl === site && request.dims?.includes('query') && request.startDate! <= completeThrough!,
  )
  expect(refetched).toEqual([])
})

test("a Google that doesn't confirm the revocation doesn't prevent disconnecting", async ({ app }) => {
  const { person, email } = await connectedTo(app, 'unconfirmed')
  await app.google.call('POST', 'tokens/revoke', { account: email })
  const answer = await disconnect(person)
  expect(user.parse(answer.body).accessToken).toBeNull()
})

test(
  'disconnecting and reconnecting during a sync leaves a working connection, and the sync completes',
  { tags: ['full'] },
  async ({ app }) => {
    const { owner, account } = await gone(app, 'hasty')
    await throughConsent(owner, { account })
    await app.google.call('POST', 'sites', { account, site: 'https://busy.example/', permission: 'siteOwner', profile: 'local' })
    await owner.get('/api/gsc-properties')
    await shortenHistory(app, 'https://busy.example/', 24)
    await app.google.call('PUT', 'delay', { ms: 30, kind: 'query' })
    await select(owner, 'https://busy.example/')
    await until(
      () => statusOf(owner, 'https://busy.example/'),
      (status) => status.firstDate !== null,
    )
    await disconnect(owner)
    await throughConsent(owner, { account })
    await select(owner, 'https://busy.example/')
    await app.google.call('PUT', 'delay', { ms: 0, kind: 'query' })
    expect(await synced(owner, 'https://busy.example/')).toMatchObject({ state: 'ok', message: null })
    await expectStoredAsAtGoogle(app, 'https://busy.example/', { start: '2026-02-24', end: '2026-03-18' })
  },
)

/** Somebody connected to a Google account of this name, with one property. */
async function connectedTo(app: TestApp, name: string) {
  const email = `${name}@google.test`
  return { person: await newPerson(app, { email, sites: { [`https://${name}.example/`]: 'empty' } }), email }
}
const disconnect = (person: Visitor) => person.send('PATCH', '/api/user', nothing)
const namesOf = async (person: Visitor) => user.parse((await person.get('/api/user')).body).gscProperties?.map(({ name }) => name) ?? []
const tokensAtGoogle = async (app: TestApp) => ((await app.google.call('GET', 'state')) as { tokens: { refresh: number } }).tokens.refresh
const revocations = async (app: TestApp) =>
  (await app.stores()).sql<{ state: string }>(`SELECT state FROM jobs.job WHERE name = 'google-revocations' ORDER BY created_on`)
const revocationsDone = (app: TestApp) =>
  until(
    async () => {
      await hasten((await app.stores()).sql, 'google-revocations')
      return revocations(app)
    },
    (jobs) => jobs.every(({ state }) => state === 'completed'),
  )

describe('the grant at Google', () => {
  test('stays while another account here is connected to the same Google account, and goes with the last one', async ({ app }) => {
    const { person, email } = await connectedTo(app, 'shared')
    const twin = await registered(app, 'twin')
    expect(await throughConsent(twin, { account: email })).toContain('connected=true')
    expect((await disconnect(person)).status).toBe(200)
    const works = async () => expect((await twin.get('/api/gsc-properties')).status).toBe(200)
    await works()
    await revocationsDone(app)
    await works()

    const before = await tokensAtGoogle(app)
    expect((await disconnect(twin)).status).toBe(200)
    expect(await tokensAtGoogle(app)).toBeLessThan(before)
  })

  test('is revoked as soon as Google answers again, even after a restart', { tags: ['full'] }, async ({ app }) => {
    const { person } = await connectedTo(app, 'patient')
    const before = await tokensAtGoogle(app)
    await app.google.call('POST', 'fail', { error: 'unavailable503', seconds: 60, kind: 'revoke' })
    const answer = await disconnect(person)
    expect(user.parse(answer.body)).toMatchObject(nothing)
    await app.restart()
    expect(await tokensAtGoogle(app)).toBe(before)
    await app.google.stopFailing()
    await until(
      async () => {
        await hasten((await app.stores()).sql, 'google-revocations')
        return tokensAtGoogle(app)
      },
      (now) => now === before - 1,
    )
    app.logLines.length = 0
  })

  test('is queued together with what is deleted here, or nothing has happened', async ({ app }) => {
    const { person } = await connectedTo(app, 'whole')
    const { sql } = await app.stores()
    const before = (await revocations(app)).length
    await sql(`CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$ LANGUAGE plpgsql`)
    await sql('CREATE TRIGGER refuse BEFORE UPDATE OF detached_at ON properties FOR EACH ROW EXECUTE FUNCTION refuse()')
    const answer = await disconnect(person)
    await sql('DROP FUNCTION refuse CASCADE')
    expect(answer.status).toBe(500)
    expect((await revocations(app)).length).toBe(before)
    expect(await namesOf(person)).toEqual(['https://whole.example/'])
    expect((await person.get('/api/gsc-properties')).status).toBe(200)
    app.logLines.length = 0
  })
})

describe('another account instead of the connected one', () => {
  test("revokes the previous one's permission", async ({ app }) => {
    const { person } = await connectedTo(app, 'moving')
    await app.google.account('moved@google.test', { 'https://moved.example/': 'empty' })
    const before = await tokensAtGoogle(app)
    expect(await throughConsent(person, { account: 'moved@google.test' })).toContain('connected=true')
    // One more, then one fewer.
    expect(await tokensAtGoogle(app)).toBe(before)
    expect(await namesOf(person)).toEqual(['https://moved.example/'])
    const { events } = (await person.get('/api/audit-log')).body as { events: { change: { kind: string } }[] }
    expect(events.map(({ change }) => change.kind).filter((kind) => kind.startsWith('google-'))).toEqual([
      'google-connected',
      'google-disconnected',
      'google-connected',
    ])
    await revocationsDone(app)
    expect((await person.get('/api/gsc-properties')).status).toBe(200)
  })
})

describe('late answers from Google about a disconnected account', () => {
  /** Google is asked this many times, and its last answer waits for `meanwhile`. Earlier failures come first. */
  async function answeredAfter(
    app: TestApp,
    ask: () => Promise<{ status: number }>,
    meanwhile: () => Promise<void>,
    { kind = 'sites', calls = 1 }: { kind?: 'sites' | 'token'; calls?: number } = {},
  ) {
    await app.google.forgetRequests()
    await app.google.fail({ error: 'held', kind })
    const asked = ask()
    await until(
      () => app.google.requests(),
      (requests) => requests.filter((request) => request.kind === kind).length === calls,
    )
    await meanwhile()
    await app.google.stopFailing()
    return asked
  }
  /** Somebody whose disconnecting doesn't end Google's permission: another account here uses it too. */
  async function beside(app: TestApp, name: string) {
    const { person, email } = await connectedTo(app, name)
    expect(await throughConsent(await registered(app, `${name}-twin`), { account: email })).toContain('connected=true')
    return { person, email }
  }

  test('a property list brings no property back', async ({ app }) => {
    const { person } = await beside(app, 'late')
    const answer = await answeredAfter(
      app,
      () => person.get('/api/gsc-properties'),
      async () => void (await disconnect(person)),
    )
    expect(answer).toMatchObject({ status: 200, body: [] })
    expect((await person.get('/api/gsc-properties')).body).toEqual([])
  })

  test('nor does a typed site', { tags: ['full'] }, async ({ app }) => {
    const { person, email } = await beside(app, 'typing')
    const typed = 'https://typed.example/'
    await app.google.call('POST', 'sites', { account: email, site: typed, profile: 'empty' })
    // The list fails, so the site itself is requested.
    await app.google.fail({ error: 'internal500', times: 1, kind: 'sites' })
    const answer = await answeredAfter(
      app,
      () => person.send('POST', '/api/gsc-properties/monitor', { sites: [typed] }),
      async () => void (await disconnect(person)),
      { calls: 2 },
    )
    expect(answer.status).toBe(404)
    expect((await person.get('/api/gsc-properties')).body).toEqual([])
  })

  test('nor do they mix with the properties of the account that replaced it', { tags: ['full'] }, async ({ app }) => {
    const { person } = await connectedTo(app, 'before')
    await app.google.account('after@google.test', { 'https://after.example/': 'empty' })
    const answer = await answeredAfter(
      app,
      () => person.get('/api/gsc-properties'),
      async () => expect(await throughConsent(person, { account: 'after@google.test' })).toContain('connected=true'),
    )
    expect(answer.status).toBe(200)
    expect(await namesOf(person)).toEqual(['https://after.example/'])
  })

  test.for([
    { name: 'given', connected: beside },
    { name: 'refused', connected: connectedTo },
  ])('nor is a token $name for it kept for the account that replaced it', async ({ name, connected }, { app }) => {
    const { person, email } = await connected(app, `${name}-before`)
    await app.google.account(`${name}-after@google.test`, { [`https://${name}-after.example/`]: 'empty' })
    await (await app.stores()).sql('UPDATE google_connections SET access_token = NULL WHERE email = $1', [email])
    const answer = await answeredAfter(
      app,
      () => person.get('/api/gsc-properties'),
      async () => expect(await throughConsent(person, { account: `${name}-after@google.test` })).toContain('connected=true'),
      { kind: 'token' },
    )
    expect(answer.status).toBe(200)
    for (let again = 0; again < 2; again += 1) {
      expect((await person.get('/api/gsc-properties')).status).toBe(200)
      expect(await namesOf(person)).toEqual([`https://${name}-after.example/`])
    }
  })
})
