import { readdir } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished } from 'vitest'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'
import { comeBack, consent, leaveForGoogle, throughConsent } from '../support/consent.ts'
import { confirmAddress, leaveUnproven, mailedToken, registered } from '../support/people.ts'
import { databaseUrlOf } from '../support/stores.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'
import { importLines } from '../../src/contract/import.ts'
import { reportShareMade } from '../../src/contract/reports/reports.ts'

// Somebody else is logged in as the owner, is thrown out, and hopes that what they began before takes effect afterwards.

const password = 'a-good-password'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false }).extend('victim', async ({ app }) => {
  const name = `thrown${++people}`
  const owner = await registered(app, name)
  await confirmAddress(app, owner, `${name}@example.test`)
  const { sql } = await app.stores()
  await sql(`UPDATE people SET plan = 'agency', granted_plan = 'agency' FROM users WHERE users.id = user_id AND username = $1`, [name])
  await leaveUnproven(app)
  const thief = app.visitor()
  await thief.send('POST', '/api/auth/login', { username: name, password })
  await leaveUnproven(app)
  return { name, owner, thief }
})

const cookieOf = (who: Visitor) => [...who.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
const isIn = async (who: Visitor): Promise<boolean> => (await who.get('/api/user')).status === 200

async function logOutOthers(owner: Visitor): Promise<number> {
  await owner.send('POST', '/api/user/proof', { password })
  return (await owner.send('DELETE', '/api/user/sessions')).status
}

/** Two weeks of figures. */
const figures = (clicks: number): string => {
  const days = Array.from({ length: 14 }, (_, at) => `2026-03-${String(at + 1).padStart(2, '0')},${clicks},100000,3`)
  return ['date,clicks,impressions,position', ...days].join('\n')
}

async function importAtOnce(app: TestApp, who: Visitor, site: string, csv: string): Promise<number> {
  const form = new FormData()
  form.append('property', site)
  form.append('file', new Blob([csv]), 'figures.csv')
  return (await fetch(new URL('/api/import', app.url), { method: 'POST', body: form, headers: { cookie: cookieOf(who) } })).status
}

/** Begins an upload, waits until the server has admitted it and receives its file, and leaves the rest to `finish`. */
async function slowUpload(app: TestApp, who: Visitor, site: string, csv: string, accept = '*/*') {
  const boundary = 'of-a-slow-upload'
  const request = http.request(new URL('/api/import', app.url), {
    method: 'POST',
    headers: { cookie: cookieOf(who), accept, 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
  })
  const part = (disposition: string, content: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}`
  request.write(`${part('name="property"', site)}\r\n${part('name="file"; filename="mine.csv"', csv.slice(0, 100))}`)
  const received = async () => readdir(path.join(app.dataDir, 'uploads')).catch(() => [])
  await until(received, (files) => files.length > 0)
  return async () => {
    request.end(`${csv.slice(100)}\r\n--${boundary}--\r\n`)
    return answered
  }
}

/** Shares a property's reports, and returns what its link shows. */
async function shared(app: TestApp, owner: Visitor, site: string): Promise<() => Promise<unknown>> {
  await owner.send('POST', '/api/user/proof', { password })
  const made = await owner.send('POST', '/api/report-shares', { subject: { property: site }, kind: 'week', days: 30 })
  const { pathname } = new URL(reportShareMade.parse(made.body).url)
  return async () => (await app.visitor().get(pathname.replace('/shared/', '/api/shared/'))).body
}

describe('an upload under way', () => {
  test('is dropped if its session has ended when it would become visible', async ({ app, victim: { owner, thief } }) => {
    const site = 'https://client.example/'
    expect(await importAtOnce(app, owner, site, figures(500))).toBe(200)
    const finish = await slowUpload(app, thief, site, figures(1))
    expect(await logOutOthers(owner)).toBe(204)
    expect([await isIn(owner), await isIn(thief)]).toEqual([true, false])
    const shows = await shared(app, owner, site)
    const before = await shows()
    expect(await finish()).toMatchObject({ status: 401 })
    expect(await shows()).toEqual(before)
    expect(JSON.stringify(before)).toContain('3500')
  })

  test('makes no new property either', async ({ app, victim: { name, owner, thief } }) => {
    const finish = await slowUpload(app, thief, 'https://mine.example/', figures(1))
    expect(await logOutOthers(owner)).toBe(204)
    expect(await finish()).toMatchObject({ status: 401 })
    const { sql } = await app.stores()
    const made = await sql('SELECT properties.name FROM properties JOIN users ON users.id = user_id WHERE username = $1', [name])
    expect(made).toEqual([])
  })

  test("is dropped if it came from a copy of the owner's own cookie", { tags: ['full'] }, async ({ app, victim: { owner } }) => {
    const site = 'https://copied.example/'
    expect(await importAtOnce(app, owner, site, figures(500))).toBe(200)
    const finish = await slowUpload(app, owner, site, figures(1))
    expect(await logOutOthers(owner)).toBe(204)
    expect(await finish()).toMatchObject({ status: 401 })
    expect(await importAtOnce(app, owner, site, figures(2))).toBe(200)
  })

  test('asks for the password if others see the property by then', { tags: ['full'] }, async ({ app, victim: { owner, thief } }) => {
    const site = 'https://shown.example/'
    expect(await importAtOnce(app, owner, site, figures(500))).toBe(200)
    const finish = await slowUpload(app, thief, site, figures(1), importLines)
    const shows = await shared(app, owner, site)
    const before = await shows()
    const { status, body } = await finish()
    expect(status).toBe(200)
    // With progress, the answer is the last line; the browser asks, and sends the files again.
    expect(JSON.parse(body.trim().split('\n').at(-1) ?? '')).toMatchObject({ status: 403, problem: { code: 'proof-needed' } })
    expect(await shows()).toEqual(before)
  })

  test('counts a proof of identity that its own session gives meanwhile', async ({ app, victim: { owner } }) => {
    const site = 'https://proven.example/'
    expect(await importAtOnce(app, owner, site, figures(500))).toBe(200)
    const finish = await slowUpload(app, owner, site, figures(1))
    const shows = await shared(app, owner, site)
    expect(await finish()).toMatchObject({ status: 200 })
    expect(JSON.stringify(await shows())).not.toContain('3500')
  })
})

/** Keeps others waiting for what this statement locks, until released. */
async function hold(app: TestApp, statement: string) {
  const holder = new pg.Client({ connectionString: await databaseUrlOf(app.dataDir) })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('BEGIN')
  await holder.query(statement)
  const { sql } = await app.stores()
  const waiting = () => sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
  return {
    waits: (count: number) => until(waiting, ({ length }) => length >= count),
    release: () => holder.query('COMMIT'),
  }
}

test('a request that waits while its session is ended changes nothing', async ({ app, victim: { name, owner, thief } }) => {
  await owner.send('POST', '/api/user/proof', { password })
  const { waits, release } = await hold(
    app,
    `SELECT FROM people JOIN users ON users.id = user_id WHERE username = '${name}' FOR UPDATE OF people`,
  )
  const ended = owner.send('DELETE', '/api/user/sessions')
  await waits(1)
  const note = { date: '2026-03-01', text: 'Mine', property: null, inReports: false }
  const written = thief.send('POST', '/api/annotations', note)
  await waits(2)
  await release()
  expect((await ended).status).toBe(204)
  expect((await written).status).toBe(401)
  expect((await owner.get('/api/annotations')).body).toMatchObject({ notes: [] })
})

const nothing = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }

test.for([
  ['deleting the account', (who: Visitor, username: string) => who.send('DELETE', '/api/user', { username, password })],
  ['disconnecting Google', (who: Visitor) => who.send('PATCH', '/api/user', nothing)],
  ['confirming another address', (who: Visitor, _username: string, token: string) => who.send('POST', '/api/auth/verify-email', { token })],
] as const)(
  '%s waits while its session is ended, and then changes nothing',
  async ([_what, begin], { app, victim: { name, owner, thief } }) => {
    for (const who of [owner, thief]) await who.send('POST', '/api/user/proof', { password })
    const theirs = `thief-of-${name}@example.test`
    await thief.send('PATCH', '/api/user', { email: theirs })
    const token = await mailedToken(app, theirs, 'confirm-address')
    const { waits, release } = await hold(
      app,
      `SELECT FROM people JOIN users ON users.id = user_id WHERE username = '${name}' FOR UPDATE OF people`,
    )
    const ended = owner.send('DELETE', '/api/user/sessions')
    await waits(1)
    const begun = begin(thief, name, token)
    await waits(2)
    await release()
    expect((await ended).status).toBe(204)
    expect((await begun).status).toBe(401)
    expect((await owner.get('/api/user')).body).toMatchObject({ email: `${name}@example.test` })
  },
)

test('somebody whose session is renewed while they are at Google is told so when they return', async ({ app, victim: { name, owner } }) => {
  const account = `${name}@google.example`
  await app.google.account(account, {})
  for (const [errand, outcome] of [
    ['sign-in', '/account?sign-in=renewed'],
    ['data', '/account?connected=renewed'],
  ] as const) {
    await owner.send('POST', '/api/user/proof', { password })
    const back = await consent(await leaveForGoogle(owner, '/account', errand), { account })
    expect(await logOutOthers(owner)).toBe(204)
    expect(await comeBack(owner, back)).toBe(outcome)
  }
})

test(
  'a Google login that is being added while they are removed is not added',
  { tags: ['full'] },
  async ({ app, victim: { name, owner } }) => {
    const [own, evil] = [`${name}@google.example`, `evil-${name}@google.example`]
    for (const account of [own, evil]) await app.google.account(account, {})
    await owner.send('POST', '/api/user/proof', { password })
    expect(await throughConsent(owner, { account: own, errand: 'sign-in', redirect: '/account' })).toBe('/account?sign-in=true')
    const thief = app.visitor()
    await thief.send('POST', '/api/auth/login', { username: name, password })
    const back = await consent(await leaveForGoogle(thief, '/account', 'sign-in'), { account: evil })
    // The removal comes first: the thief's return was admitted, and waits behind it.
    const { waits, release } = await hold(
      app,
      `SELECT FROM people JOIN users ON users.id = user_id WHERE username = '${name}' FOR UPDATE OF people`,
    )
    const removing = owner.send('DELETE', '/api/user/google-sign-ins')
    await waits(1)
    const adding = comeBack(thief, back)
    await waits(2)
    await release()
    expect((await removing).status).toBe(200)
    expect(await adding).toBe('/login?error=auth_failed')
    const { sql } = await app.stores()
    expect(
      await sql('SELECT google_sign_ins.email FROM google_sign_ins JOIN users ON users.id = user_id WHERE username = $1', [name]),
    ).toEqual([])

    // The other way round, it is added, found and removed.
    const again = app.visitor()
    await again.send('POST', '/api/auth/login', { username: name, password })
    const second = await consent(await leaveForGoogle(again, '/account', 'sign-in'), { account: evil })
    const counts = await hold(app, 'LOCK TABLE day_counts IN EXCLUSIVE MODE')
    const added = comeBack(again, second)
    await counts.waits(1)
    const removed = owner.send('DELETE', '/api/user/google-sign-ins')
    await counts.waits(2)
    await counts.release()
    expect(await added).toBe('/account?sign-in=true')
    expect((await removed).status).toBe(200)
    expect(
      await sql('SELECT google_sign_ins.email FROM google_sign_ins JOIN users ON users.id = user_id WHERE username = $1', [name]),
    ).toEqual([])
    expect(await isIn(again)).toBe(false)
  },
)
