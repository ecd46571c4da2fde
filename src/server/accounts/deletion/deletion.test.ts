import { describe, expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { throughConsent } from '../../../../test/support/consent.ts'
import { hasten, runJob } from '../../../../test/support/jobs.ts'
import { confirmAddress, newPerson, propertyId, registered } from '../../../../test/support/people.ts'
import { ownerAtOnce, watchedAtOnce } from '../../../../test/support/stored-history.ts'
import { until } from '../../../../test/support/until.ts'
import type { Visitor } from '../../../../test/support/visitor.ts'
import { grains, tableOf } from '../../facts/schema.ts'

const password = 'a-good-password'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('own', async ({ app }) => {
    const name = `Person${++people}`
    const account = `google${people}@example.test`
    const site = `https://site${people}.example/`
    const person = await registered(app, name, password)
    await confirmAddress(app, person, `${name}@example.test`.toLowerCase())
    return { name, account, site, person }
  })
  .extend('leaving', ({ app, own: { name, account, site, person } }) => {
    const proof = () => ({ username: name, password })
    const sql = async <Row extends object>(text: string, values?: unknown[]) => (await app.stores()).sql<Row>(text, values)
    const isThere = async () => (await sql('SELECT 1 FROM users WHERE username = $1', [name.toLowerCase()])).length === 1
    const address = () => `${name}@example.test`.toLowerCase()
    const farewells = async () => (await app.mail.mails(address())).filter(({ kind }) => kind === 'account-deleted')
    const tokensAtGoogle = async () => (await app.google.call('GET', 'state')) as { tokens: { access: number; refresh: number } }
    const revocationDone = () =>
      until(
        () => sql<{ state: string }>(`SELECT state FROM jobs.job WHERE name = 'google-revocations' ORDER BY created_on DESC LIMIT 1`),
        ([job]) => job?.state === 'completed',
      )
    async function connect(days = 3): Promise<number> {
      await app.google.account(account, { [site]: 'local' })
      expect(await throughConsent(person, { account })).toContain('connected=true')
      await watchedAtOnce(app, site, { days })
      return propertyId(app, site)
    }
    async function factsOf(property: number): Promise<number> {
      const { clickhouse } = await app.stores()
      const counts = ['facts_current', ...grains.map(tableOf)].map(
        (table) => `SELECT count() AS n FROM ${table} WHERE property = ${property}`,
      )
      const answer = await clickhouse.query({ query: `SELECT sum(n) AS rows FROM (${counts.join(' UNION ALL ')})`, format: 'JSONEachRow' })
      return Number((await answer.json<{ rows: string }>())[0]?.rows)
    }
    return { proof, sql, isThere, address, farewells, tokensAtGoogle, revocationDone, connect, factsOf }
  })

/** Lets a statement fail, until the result is called. */
async function refusing(sql: (text: string) => Promise<unknown>, what: string): Promise<() => Promise<void>> {
  await sql(`CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$ LANGUAGE plpgsql`)
  await sql(`CREATE TRIGGER refuse ${what} FOR EACH ROW EXECUTE FUNCTION refuse()`)
  return async () => void (await sql('DROP FUNCTION refuse CASCADE'))
}

const remove = (who: Visitor, body: object) => who.send('DELETE', '/api/user', body)

describe('deleting an account', () => {
  test('removes everything: rows, facts, the permission at Google, every session', async ({
    app,
    own: { name, person },
    leaving: { proof, isThere, address, tokensAtGoogle, connect, factsOf },
  }) => {
    const other = await ownerAtOnce(app, 'https://staying.example/', { profile: 'local', days: 3, email: 'staying@example.test' })
    const staying = await propertyId(app, 'https://staying.example/')
    const property = await connect()
    const elsewhere = app.visitor()
    await elsewhere.send('POST', '/api/auth/login', { username: name, password })
    const [own, theirs] = [await factsOf(property), await factsOf(staying)]
    expect(Math.min(own, theirs)).toBeGreaterThan(0)
    const before = await tokensAtGoogle()

    const answer = await remove(person, proof())
    expect(answer.status).toBe(204)
    expect([...person.cookies.keys()].filter((cookie) => cookie.includes('session'))).toEqual([])
    expect((await person.get('/api/user')).status).toBe(401)
    expect((await elsewhere.get('/api/user')).status).toBe(401)
    expect(await isThere()).toBe(false)
    expect((await app.mail.mailTo(address(), { kind: 'account-deleted' })).text).toContain(name)

    await until(tokensAtGoogle, ({ tokens }) => tokens.refresh === before.tokens.refresh - 1)
    // Nothing of everybody's facts is rewritten before the night.
    expect(await factsOf(property)).toBe(own)
    await runJob(app, 'sweep-facts')
    expect(await factsOf(property)).toBe(0)
    expect(await factsOf(staying)).toBe(theirs)
    expect((await other.get('/api/metrics')).body).toMatchObject({ clicks: expect.any(Number) })
    expect((await other.send('POST', '/api/sync', { property: 'https://staying.example/' })).status).toBe(202)
  })

  test('leaves no trace in any table that names people', async ({ app, own: { name, person }, leaving: { proof, sql, connect } }) => {
    await connect()
    const [row] = await sql<{ id: string }>('SELECT id FROM users WHERE username = $1', [name.toLowerCase()])
    await person.send('POST', '/api/delivery-settings', {})
    await person.send('POST', '/api/user/two-factor', { password })
    await app.visitor().send('POST', '/api/auth/forgot-password', { email: `${name}@example.test` })
    expect((await remove(person, proof())).status).toBe(204)
    const columns = await sql<{ tableName: string; columnName: string }>(
      `SELECT table_name AS "tableName", column_name AS "columnName" FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type IN ('text', 'jsonb')`,
    )
    expect(columns.length).toBeGreaterThan(30)
    for (const { tableName, columnName } of columns) {
      const found = await sql(`SELECT 1 FROM ${tableName} WHERE ${columnName}::text LIKE '%' || $1 || '%'`, [row?.id])
      expect([tableName, columnName, found.length]).toEqual([tableName, columnName, 0])
    }
  })

  test('frees the name, the address and the Google account', async ({
    app,
    own: { name, person },
    leaving: { proof, revocationDone, connect },
  }) => {
    await connect()
    await remove(person, proof())
    person = await registered(app, name, 'another-password')
    expect((await person.get('/api/user')).body).toMatchObject({ username: name, accessToken: null, gscProperties: null })
    await revocationDone()
    expect(await connect()).toBeGreaterThan(0)
  })

  test('ends paid subscriptions at Stripe', async ({ app, own: { person }, leaving: { proof, address } }) => {
    const answer = await person.send('POST', '/api/create-subscription', { planType: 'pro' })
    await app.stripe.pay((answer.body as { clientSecret: string }).clientSecret)
    await until(
      async () => (await person.get('/api/user')).body as { plan: string },
      ({ plan }) => plan === 'pro',
    )
    const { id } = await app.stripe.customerOf(address())
    expect((await remove(person, proof())).status).toBe(204)
    const isKnown = async () => (await app.stripe.state()).customers.some((customer) => customer.id === id)
    await until(isKnown, (known) => !known)
    expect((await app.stripe.state()).subscriptions.filter(({ customer, status }) => customer === id && status !== 'canceled')).toEqual([])
  })

  test('needs no password for a user who only ever signed in with Google', async ({ app, own: { account } }) => {
    const google = await newPerson(app, { email: `only.${account}` })
    const { username } = (await google.get('/api/user')).body as { username: string }
    expect((await remove(google, { username })).status).toBe(204)
    expect((await google.get('/api/user')).status).toBe(401)
  })

  test('is finished later if the erasure fails: until then the account is closed, and its name taken', async ({
    app,
    own: { name, account, person },
    leaving: { proof, sql, isThere, address, tokensAtGoogle, revocationDone, connect },
  }) => {
    await connect()
    const { tokens } = await tokensAtGoogle()
    const undo = await refusing(sql, 'BEFORE DELETE ON users')
    expect((await remove(person, proof())).status).toBe(204)
    await app.mail.mailTo(address(), { kind: 'account-deleted' })
    await revocationDone()
    expect((await tokensAtGoogle()).tokens.refresh).toBe(tokens.refresh - 1)
    expect((await person.get('/api/user')).status).toBe(401)
    expect((await app.visitor().send('POST', '/api/auth/login', proof())).status).toBe(401)
    const again = { username: name, email: 'next@example.test', password }
    expect((await app.visitor().send('POST', '/api/auth/register', again)).status).toBe(409)
    const email = `only.${account}`
    const google = await newPerson(app, { email })
    const { username } = (await google.get('/api/user')).body as { username: string }
    expect((await remove(google, { username })).status).toBe(204)
    expect(await throughConsent(app.visitor(), { account: email })).toMatch(/^\/login\?error=/)
    await runJob(app, 'erase-accounts')
    expect(await isThere()).toBe(true)
    await undo()
    await runJob(app, 'erase-accounts')
    expect(await isThere()).toBe(false)
    expect((await app.visitor().send('POST', '/api/auth/register', again)).status).toBe(200)
    expect(await throughConsent(app.visitor(), { account: email })).toMatch(/^\/onboarding/)
    app.logLines.length = 0
  })

  test('happens once if requested twice at the same time', async ({ app, own: { person }, leaving: { proof, address, farewells } }) => {
    const answers = await Promise.all([remove(person, proof()), remove(person, proof())])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401])
    await app.mail.mailTo(address(), { kind: 'account-deleted' })
    expect(await farewells()).toHaveLength(1)
  })
})

describe('is refused, with the wrong field and without changes, when', () => {
  test.for([
    ['the name is a different one', { username: 'somebody', password }, 400, 'username'],
    ['the name is in a different case', { username: 'PERSON', password }, 400, 'username'],
    ['the name is empty', { username: '', password }, 400, 'username'],
    ['the name is missing', { password }, 400, 'username'],
  ] as const)('%s', async ([_what, body, status, field], { own: { person }, leaving: { isThere } }) => {
    expect(await remove(person, body)).toMatchObject({ status, body: { field, message: expect.any(String) } })
    expect(await isThere()).toBe(true)
  })

  test('the password is missing or wrong', async ({ own: { name, person }, leaving: { isThere } }) => {
    expect(await remove(person, { username: name })).toMatchObject({
      status: 400,
      body: { field: 'password', message: 'Enter your password.' },
    })
    expect(await remove(person, { username: name, password: 'not-the-password' })).toMatchObject({
      status: 403,
      body: { field: 'password', message: 'Incorrect password.' },
    })
    expect(await isThere()).toBe(true)
    expect((await person.get('/api/user')).status).toBe(200)
  })

  test('passwords are being guessed', async ({ own: { name, person }, leaving: { proof, isThere } }) => {
    const guesses: number[] = []
    for (let n = 0; n < 12; n += 1) guesses.push((await remove(person, { username: name, password: `guess-number-${n}` })).status)
    expect(guesses.slice(-1)).toEqual([429])
    expect((await remove(person, proof())).status).toBe(429)
    expect(await isThere()).toBe(true)
  })

  test('nobody is signed in', async ({ app, leaving: { proof, isThere } }) => {
    expect((await remove(app.visitor(), proof())).status).toBe(401)
    expect(await isThere()).toBe(true)
  })

  test('another site sends the request', async ({ own: { person }, leaving: { proof, isThere } }) => {
    const answer = await person.send('DELETE', '/api/user', proof(), { headers: { origin: 'https://evil.example' } })
    expect(answer.status).toBe(403)
    expect(await isThere()).toBe(true)
  })
})

describe('the work to do elsewhere', { tags: ['full'] }, () => {
  test('is queued together with the deletion or not at all', async ({ app, own: { site, person }, leaving: { proof, sql, connect } }) => {
    await connect()
    const jobs = () => sql(`SELECT 1 FROM jobs.job WHERE name IN ('google-revocations', 'mail')`)
    const before = (await jobs()).length
    const undo = await refusing(sql, 'BEFORE DELETE ON google_connections')
    const answer = await remove(person, proof())
    await undo()
    expect(answer.status).toBe(500)
    expect((await jobs()).length).toBe(before)
    expect((await person.get('/api/user')).body).toMatchObject({ accessToken: 'redacted', selectedProperty: site })
    app.logLines.length = 0
  })

  test('is retried until Google answers, even after a restart', async ({
    app,
    own: { person },
    leaving: { proof, tokensAtGoogle, connect },
  }) => {
    await connect()
    const { tokens } = await tokensAtGoogle()
    await app.google.call('POST', 'fail', { error: 'unavailable503', seconds: 60, kind: 'revoke' })
    expect((await remove(person, proof())).status).toBe(204)
    await until(
      () => app.google.requests(),
      (requests) => requests.some(({ kind, status }) => kind === 'revoke' && status === 503),
    )
    await app.restart()
    expect((await tokensAtGoogle()).tokens.refresh).toBe(tokens.refresh)
    await app.google.stopFailing()
    await until(
      async () => {
        await hasten((await app.stores()).sql, 'google-revocations')
        return tokensAtGoogle()
      },
      (now) => now.tokens.refresh === tokens.refresh - 1,
    )
  })

  test("doesn't cut off another account that is connected to the same Google account", async ({
    app,
    own: { name, account, person },
    leaving: { proof, revocationDone, connect },
  }) => {
    await connect()
    const twin = await registered(app, `${name}.twin`, password)
    expect(await throughConsent(twin, { account })).toContain('connected=true')
    await remove(person, proof())
    await revocationDone()
    expect((await twin.get('/api/gsc-properties')).status).toBe(200)
  })
})
