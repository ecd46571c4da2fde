import { parseCookies } from 'better-auth/cookies'
import { describe, expect, test as plain } from 'vitest'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'
import { leaveUnproven, newPerson, registered } from '../support/people.ts'
import { totp } from '../support/totp.ts'
import type { Visitor } from '../support/visitor.ts'
import { twoFactorSetup } from '../../src/contract/account/profile.ts'
import { session, user } from '../../src/contract/user.ts'
import { cookiesOf, headersOf } from '../../src/server/accounts/caller.ts'

// One Cookie header that two programs parse differently: one session is checked, but another is used.

const password = 'a-good-password'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false }).extend('username', () => `person${++people}`)

const isSignedIn = async (who: Visitor) => session.parse((await who.get('/api/auth/session')).body).authenticated
const cookieNamed = (who: Visitor, end: string): [name: string, value: string] =>
  [...who.cookies].find(([name]) => name.endsWith(end)) ?? ['', '']

async function guarded(app: TestApp, name: string): Promise<{ owner: Visitor; secret: string }> {
  const owner = await registered(app, name)
  const { secret } = twoFactorSetup.parse((await owner.send('POST', '/api/user/two-factor', { password })).body)
  expect((await owner.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) })).status).toBe(200)
  return { owner, secret }
}

describe('quotation marks around a cookie', () => {
  test("don't hide who guesses at a second factor: no code is tried, not even the right one", async ({ app, username }) => {
    const { secret } = await guarded(app, username)
    const thief = app.visitor()
    expect((await thief.send('POST', '/api/auth/login', { username, password })).body).toEqual({ twoFactor: true })
    const [cookie, value] = cookieNamed(thief, '.two_factor')
    const enter = (quote: string) =>
      app
        .visitor()
        .send('POST', '/api/auth/two-factor', { code: totp(secret) }, { headers: { cookie: `${cookie}=${quote}${value}${quote}` } })
    for (let n = 0; n < 6; n++) expect(await enter('"')).toMatchObject({ status: 401, body: { field: 'login' } })
    expect((await enter('')).status).toBe(200)
  })

  test("don't let one session prove its identity for another", async ({ app, username }) => {
    const victim = await newPerson(app, { email: `${username}@example.test` })
    const thief = await registered(app, `${username}-thief`)
    await leaveUnproven(app)
    const [cookie, stolen] = cookieNamed(victim, '.session_token')
    const [, own] = cookieNamed(thief, '.session_token')
    const both = [
      `${cookie}="${stolen}"; ${cookie}=${own}`,
      `${cookie}=${own}; ${cookie}="${stolen}"`,
      `${cookie}=${own}; ${cookie}=${stolen}`,
    ]
    for (const header of both) {
      await app.visitor().send('POST', '/api/user/two-factor', {}, { headers: { cookie: header } })
      await app.visitor().send('DELETE', '/api/user/two-factor', {}, { headers: { cookie: header } })
    }
    const { sql } = await app.stores()
    const { id } = user.parse((await victim.get('/api/user')).body)
    expect(await sql('SELECT 1 FROM two_factors WHERE user_id = $1', [id])).toEqual([])
    expect(await isSignedIn(victim)).toBe(true)
  })
})

describe('a session cookie whose signature is spelled differently', () => {
  test.for([
    ['without its padding', (value: string) => value.replace(/=+$/, '')],
    ['with more padding', (value: string) => `${value}=`],
    [
      'in the alphabet of URLs',
      (value: string) => value.replace(/\.[^.]*$/, (end) => end.replaceAll('+', '-').replaceAll('/', '_').replace(/=$/, '')),
    ],
    ['with a stray character', (value: string) => value.replace(/\.([^.]*)$/, '.!$1')],
  ] as const)("%s isn't a session, and tries nobody else's code", async ([, respelled], { app, username }) => {
    const { secret } = await guarded(app, username)
    const thief = await registered(app, `${username}-thief`)
    const half = app.visitor()
    expect((await half.send('POST', '/api/auth/login', { username, password })).body).toEqual({ twoFactor: true })
    const [sessionCookie, own] = cookieNamed(thief, '.session_token')
    const [challengeCookie, challenge] = cookieNamed(half, '.two_factor')
    const cookie = `${sessionCookie}=${encodeURIComponent(respelled(decodeURIComponent(own)))}; ${challengeCookie}=${challenge}`
    const visitor = app.visitor()
    const answer = await visitor.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) }, { headers: { cookie } })
    expect(answer.status).toBe(401)
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test("with one's own session, nobody else's code is tried", async ({ app, username }) => {
    const { secret } = await guarded(app, username)
    const thief = await registered(app, `${username}-thief`)
    const half = app.visitor()
    await half.send('POST', '/api/auth/login', { username, password })
    const [sessionCookie, own] = cookieNamed(thief, '.session_token')
    const [challengeCookie, challenge] = cookieNamed(half, '.two_factor')
    const cookie = `${sessionCookie}=${own}; ${challengeCookie}=${challenge}`
    const visitor = app.visitor()
    expect((await visitor.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) }, { headers: { cookie } })).status).toBe(409)
    expect(await isSignedIn(visitor)).toBe(false)
  })
})

plain.for([
  'a=1; b=2',
  'a="1"; a=2',
  '"a"=1; a = 2 ',
  'a=1;a=2; =3; b',
  'a; b=2; c',
  'a=%22x%22; b=%zz; c=%E0%A4%A',
  'a==; b=a=b=c; c="',
  'a=x,y; b="x;y"; c=1',
  '__Host-ranklark.session_token="t.s"; __Host-ranklark.session_token=u.v',
])('what is passed on from %j is read there as it is read here', (header) => {
  const handedOn = headersOf({ cookies: header, userAgent: undefined, address: '192.0.2.1' }).get('cookie') ?? ''
  expect([...parseCookies(handedOn)]).toEqual([...cookiesOf(header)])
})
