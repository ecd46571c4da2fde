import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { hasten } from '../../../test/support/jobs.ts'
import { newPerson, registered, select, shortenHistory, statusOf, synced } from '../../../test/support/people.ts'
import { ownerAtOnce } from '../../../test/support/stored-history.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { metrics } from '../../contract/metrics.ts'
import { user } from '../../contract/user.ts'

const account = 'owner@example.test'
const site = 'https://leaving.example/'
const nothing = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }
let app: TestApp
let owner: Visitor

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
  owner = await ownerAtOnce(app, site, { profile: 'local', days: 20, email: account })
})
afterAll(() => app.close())

test('nulls disconnect: revoked at Google; tokens, properties and selection are gone', async () => {
  const answer = await owner.send('PATCH', '/api/user', nothing)
  expect(answer.status).toBe(200)
  expect(user.parse(answer.body)).toMatchObject({ ...nothing, sitesMonitored: 0, email: account })
  expect(user.parse((await owner.get('/api/user')).body)).toMatchObject(nothing)
  expect((await owner.get('/api/gsc-properties')).body).toEqual([])
  expect((await owner.get('/api/metrics')).body).toBeNull()

  expect((await app.google.requests()).some((request) => request.kind === 'revoke' && request.status === 200)).toBe(true)
  expect(await app.google.call('GET', 'state')).toMatchObject({ tokens: { access: 0, refresh: 0 } })
  expect(await (await app.stores()).sql('SELECT * FROM google_connections')).toEqual([])
})

test('a disconnected property is not synced', async () => {
  await app.google.forgetRequests()
  await app.lookForDue()
  expect((await owner.send('POST', '/api/sync', { property: site })).status).toBe(404)
  // A revocation that is asked for once more is none of it.
  expect((await app.google.requests()).filter(({ kind }) => kind !== 'revoke')).toEqual([])
})

test('disconnecting twice does no harm', async () => {
  expect((await owner.send('PATCH', '/api/user', nothing)).status).toBe(200)
})

test('half of the nulls are no request to disconnect', async () => {
  const answer = await owner.send('PATCH', '/api/user', { accessToken: null })
  expect(answer.status).toBe(400)
})

test('connecting again brings the stored history back without fetching it anew', async () => {
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
    (request) => request.dims?.includes('query') && request.startDate! <= completeThrough!,
  )
  expect(refetched).toEqual([])
})

test('a Google that does not confirm the revocation does not keep the person connected', async () => {
  await app.google.call('POST', 'tokens/revoke', { account })
  const answer = await owner.send('PATCH', '/api/user', nothing)
  expect(user.parse(answer.body).accessToken).toBeNull()
})

test(
  'disconnecting and connecting again while a sync runs leaves a sound connection, and the sync ends complete',
  { tags: ['full'] },
  async () => {
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
    await owner.send('PATCH', '/api/user', nothing)
    await throughConsent(owner, { account })
    await select(owner, 'https://busy.example/')
    await app.google.call('PUT', 'delay', { ms: 0, kind: 'query' })
    expect(await synced(owner, 'https://busy.example/')).toMatchObject({ state: 'ok', message: null })
    await expectStoredAsAtGoogle(app, 'https://busy.example/', { start: '2026-02-24', end: '2026-03-18' })
  },
)

/** Somebody connected to a Google account of this name, with one property. */
async function connectedTo(name: string) {
  const email = `${name}@google.test`
  return { person: await newPerson(app, { email, sites: { [`https://${name}.example/`]: 'empty' } }), email }
}
const disconnect = (person: Visitor) => person.send('PATCH', '/api/user', nothing)
const namesOf = async (person: Visitor) => user.parse((await person.get('/api/user')).body).gscProperties?.map(({ name }) => name) ?? []
const tokensAtGoogle = async () => ((await app.google.call('GET', 'state')) as { tokens: { refresh: number } }).tokens.refresh
const revocations = async () =>
  (await app.stores()).sql<{ state: string }>(`SELECT state FROM jobs.job WHERE name = 'google-revocations' ORDER BY created_on`)
const revocationsDone = () =>
  until(
    async () => {
      await hasten((await app.stores()).sql, 'google-revocations')
      return revocations()
    },
    (jobs) => jobs.every(({ state }) => state === 'completed'),
  )

describe('what was given at Google', () => {
  test('stays while another account here is connected to the same Google account, and goes with the last one', async () => {
    const { person, email } = await connectedTo('shared')
    const twin = await registered(app, 'twin')
    expect(await throughConsent(twin, { account: email })).toContain('connected=true')
    expect((await disconnect(person)).status).toBe(200)
    const works = async () => expect((await twin.get('/api/gsc-properties')).status).toBe(200)
    await works()
    await revocationsDone()
    await works()

    const before = await tokensAtGoogle()
    expect((await disconnect(twin)).status).toBe(200)
    expect(await tokensAtGoogle()).toBeLessThan(before)
  })

  test('is taken back as soon as Google answers again, also after a restart', { tags: ['full'] }, async () => {
    const { person } = await connectedTo('patient')
    const before = await tokensAtGoogle()
    await app.google.call('POST', 'fail', { error: 'unavailable503', seconds: 60, kind: 'revoke' })
    const answer = await disconnect(person)
    expect(user.parse(answer.body)).toMatchObject(nothing)
    await app.restart()
    expect(await tokensAtGoogle()).toBe(before)
    await app.google.stopFailing()
    await until(
      async () => {
        await hasten((await app.stores()).sql, 'google-revocations')
        return tokensAtGoogle()
      },
      (now) => now === before - 1,
    )
    app.logLines.length = 0
  })

  test('is in the queue together with what is forgotten here, or nothing has happened', async () => {
    const { person } = await connectedTo('whole')
    const { sql } = await app.stores()
    const before = (await revocations()).length
    await sql(`CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$ LANGUAGE plpgsql`)
    await sql('CREATE TRIGGER refuse BEFORE UPDATE OF detached_at ON properties FOR EACH ROW EXECUTE FUNCTION refuse()')
    const answer = await disconnect(person)
    await sql('DROP FUNCTION refuse CASCADE')
    expect(answer.status).toBe(500)
    expect((await revocations()).length).toBe(before)
    expect(await namesOf(person)).toEqual(['https://whole.example/'])
    expect((await person.get('/api/gsc-properties')).status).toBe(200)
    app.logLines.length = 0
  })
})

describe('another account in place of the one that is connected', () => {
  test('gives back what the one before had allowed', async () => {
    const { person } = await connectedTo('moving')
    await app.google.account('moved@google.test', { 'https://moved.example/': 'empty' })
    const before = await tokensAtGoogle()
    expect(await throughConsent(person, { account: 'moved@google.test' })).toContain('connected=true')
    // One more, and one fewer.
    expect(await tokensAtGoogle()).toBe(before)
    expect(await namesOf(person)).toEqual(['https://moved.example/'])
    const { events } = (await person.get('/api/audit-log')).body as { events: { change: { kind: string } }[] }
    expect(events.map(({ change }) => change.kind).filter((kind) => kind.startsWith('google-'))).toEqual([
      'google-connected',
      'google-disconnected',
      'google-connected',
    ])
    await revocationsDone()
    expect((await person.get('/api/gsc-properties')).status).toBe(200)
  })
})

describe('what Google says too late of an account that is connected no longer', () => {
  /** Google is asked so many times, and answers the last time only after `meanwhile`. */
  async function answeredAfter(
    ask: () => Promise<{ status: number }>,
    meanwhile: () => Promise<void>,
    { kind = 'sites', calls = 1 } = {},
  ) {
    await app.google.forgetRequests()
    await app.google.call('PUT', 'delay', { ms: 1500, kind })
    const asked = ask()
    await until(
      () => app.google.requests(),
      (requests) => requests.filter((request) => request.kind === kind).length === calls,
    )
    await app.google.call('PUT', 'delay', { ms: 0, kind })
    await meanwhile()
    return asked
  }
  /** Somebody who can disconnect without Google ending what it gave: another account here uses it, too. */
  async function beside(name: string) {
    const { person, email } = await connectedTo(name)
    expect(await throughConsent(await registered(app, `${name}-twin`), { account: email })).toContain('connected=true')
    return { person, email }
  }

  test('its list brings no property back', async () => {
    const { person } = await beside('late')
    const answer = await answeredAfter(
      () => person.get('/api/gsc-properties'),
      async () => void (await disconnect(person)),
    )
    expect(answer).toMatchObject({ status: 200, body: [] })
    expect((await person.get('/api/gsc-properties')).body).toEqual([])
  })

  test('nor does a site that was typed', async () => {
    const { person, email } = await beside('typing')
    const typed = 'https://typed.example/'
    await app.google.call('POST', 'sites', { account: email, site: typed, profile: 'empty' })
    // The list cannot be had, so the site itself is asked for.
    await app.google.fail({ error: 'internal500', times: 1, kind: 'sites' })
    const answer = await answeredAfter(
      () => person.send('POST', '/api/gsc-properties/monitor', { sites: [typed] }),
      async () => void (await disconnect(person)),
      { calls: 2 },
    )
    expect(answer.status).toBe(404)
    expect((await person.get('/api/gsc-properties')).body).toEqual([])
  })

  test('nor does it mix with the properties of the account that took its place', async () => {
    const { person } = await connectedTo('before')
    await app.google.account('after@google.test', { 'https://after.example/': 'empty' })
    const answer = await answeredAfter(
      () => person.get('/api/gsc-properties'),
      async () => expect(await throughConsent(person, { account: 'after@google.test' })).toContain('connected=true'),
    )
    expect(answer.status).toBe(200)
    expect(await namesOf(person)).toEqual(['https://after.example/'])
  })

  test.each([
    { name: 'given', connected: beside },
    { name: 'refused', connected: connectedTo },
  ])('nor is a token $name for it kept for the account that took its place', async ({ name, connected }) => {
    const { person, email } = await connected(`${name}-before`)
    await app.google.account(`${name}-after@google.test`, { [`https://${name}-after.example/`]: 'empty' })
    await (await app.stores()).sql('UPDATE google_connections SET access_token = NULL WHERE email = $1', [email])
    const answer = await answeredAfter(
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
