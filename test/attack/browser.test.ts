import type { AddressInfo } from 'node:net'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webRoot } from '../../src/server/http/static-files.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type RawAnswer, type RawRequest, rawRequest } from '../support/raw-request.ts'
import { totp } from '../support/totp.ts'

// What the server tells and sends to browsers, on an installation at https://rank.example behind a proxy.

const home = 'https://rank.example'

let app: TestApp
let port: number
beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false, env: { BASE_URL: home } })
  port = (app.server.app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

/** A browser: keeps its cookies, and says where a request comes from. */
function createBrowser(): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async ask(request) {
      const { method = 'GET', body, headers } = request
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const own = {
        host: 'rank.example',
        ...(cookie !== '' && { cookie }),
        ...(method !== 'GET' && { origin: home, 'sec-fetch-site': 'same-origin' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const answer = await rawRequest(port, { ...request, headers: { ...own, ...headers } })
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
  }
}
type Browser = { cookies: Map<string, string>; ask(request: RawRequest): Promise<RawAnswer> }

const json = (value: unknown) => JSON.stringify(value)
const post = (path: string, value: unknown = {}, headers = {}): RawRequest => ({ method: 'POST', path, body: json(value), headers })
const password = 'a-good-password'
const session = '__Host-ranklark.session_token'
let people = 0
async function registered(browser = createBrowser()): Promise<{ browser: Browser; username: string }> {
  const username = `person${(people += 1)}`
  const form = { username, email: `${username}@example.test`, password }
  const headers = { 'x-forwarded-for': `10.3.0.${people}` }
  expect(await browser.ask(post('/api/auth/register', form, headers))).toMatchObject({ status: 200 })
  return { browser, username }
}
const login = (browser: Browser, username: string, secret = password) =>
  browser.ask(post('/api/auth/login', { username, password: secret }))
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.ask({ path: '/api/user' })).status === 200

describe('headers of every kind of response', () => {
  const asset = readdirSync(join(webRoot, 'assets')).find((name) => name.endsWith('.js'))
  const answers: [what: string, request: RawRequest, status: number][] = [
    ['the landing page', { path: '/' }, 200],
    ['a page without the app', { path: '/help' }, 200],
    ['the app', { path: '/dashboard' }, 200],
    ['a shared report', { path: '/shared/token' }, 200],
    ['API reference', { path: '/api/docs' }, 200],
    ['a page that does not exist', { path: '/nothing/here' }, 404],
    ['a script', { path: `/assets/${asset}` }, 200],
    ['a picture', { path: '/favicon.svg' }, 200],
    ['JSON', { path: '/api/plans' }, 200],
    ['a document', { path: '/api/v1/openapi.json' }, 200],
    ['a redirect', { path: '/api/auth/google' }, 302],
    ['somebody who is not signed in', { path: '/api/user' }, 401],
    ['a route that does not exist', { path: '/api/nothing' }, 404],
    ['a program without a key', { path: '/api/v1/properties' }, 401],
    ['an MCP client without a key', post('/mcp'), 401],
    ['broken JSON', { ...post('/api/auth/login'), body: '{' }, 400],
    ['another type', { ...post('/api/auth/login'), headers: { 'content-type': 'text/plain' } }, 415],
    ['too much', { ...post('/api/auth/login'), body: 'x'.repeat(1024 * 1024 + 1) }, 413],
    ['another site', post('/api/auth/login', {}, { origin: 'https://evil.example' }), 403],
    ['a missing shared report', { path: '/api/shared/token' }, 404],
    ['an operator', { path: '/healthz' }, 200],
  ]

  test.each(answers)('%s', async (_what, request, status) => {
    const answer = await createBrowser().ask(request)
    expect(answer.status).toBe(status)
    const { headers } = answer
    const policy = new Map(
      String(headers['content-security-policy'])
        .split(';')
        .map((directive) => [directive.trim().split(' ')[0] ?? '', directive.trim().split(' ').slice(1)]),
    )
    expect(policy.get('default-src')).toEqual(["'self'"])
    for (const name of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy.get(name)).toEqual(["'none'"])
    expect(policy.get('form-action')).toEqual(["'self'"])
    const scripts = policy.get('script-src') ?? policy.get('default-src') ?? []
    expect(scripts.filter((source) => /unsafe|^\*$|^https?:$|^data:|^blob:/.test(source))).toEqual([])
    expect(headers).toMatchObject({
      'strict-transport-security': expect.stringMatching(/max-age=3\d{7}/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': expect.stringMatching(/^(strict-origin-when-cross-origin|no-referrer)$/),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\).*microphone=\(\).*payment=\(/),
    })
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers['server']).toBeUndefined()
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test.each(answers.filter(([, request]) => !request.path.startsWith('/api') || request.path === '/api/docs'))(
    '%s contains no inline script or style',
    async (_what, request) => {
      const { headers, text } = await createBrowser().ask(request)
      if (!String(headers['content-type']).startsWith('text/html')) return
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/i)
      expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i)
      for (const [, source = ''] of text.matchAll(/<(?:script|link|img|iframe)[^>]*\s(?:src|href)="([^"]*)"/g))
        expect(source).toMatch(/^(\/(?!\/)|data:,$)/)
    },
  )

  test.each(['/reset-password', '/undo-email', '/verify-email', '/confirm-delivery', '/unsubscribe'])(
    'the page behind the link to %s passes its URL on to nobody',
    async (path) => {
      const { status, headers } = await createBrowser().ask({ path: `${path}?token=secret` })
      expect(status).toBe(200)
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' })
    },
  )

  test('no response for one person is cached for another', async () => {
    const { browser } = await registered()
    for (const path of ['/api/user', '/api/auth/session', '/api/metrics', '/api/user/export', '/api/nothing'])
      expect((await browser.ask({ path })).headers['cache-control']).toBe('no-store')
  })

  test('refusals before there is a request are JSON, never a page', async () => {
    const answer = await createBrowser().ask({ path: '/%zz<script>alert(1)</script>' })
    expect(answer.status).toBe(400)
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'content-type': expect.not.stringContaining('html') })
  })

  test('a path in a response is JSON, whatever it contains', async () => {
    const answer = await createBrowser().ask({ path: '/api/<script>alert(1)</script>' })
    expect(answer).toMatchObject({ status: 404, headers: { 'content-type': expect.stringContaining('application/json') } })
  })
})

describe('cookies', () => {
  test('are only for https, for this host and not for scripts, and expire', async () => {
    const browser = createBrowser()
    const lines: string[] = []
    const keep = async (request: RawRequest) => lines.push(...((await browser.ask(request)).headers['set-cookie'] ?? []))
    await keep(post('/api/auth/register', { username: 'cookies', email: 'cookies@example.test', password }))
    await keep({ path: '/api/auth/google?redirect=/account' })
    await keep(post('/api/auth/logout'))
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) {
      expect(line).toMatch(/; HttpOnly(;|$)/i)
      expect(line).toMatch(/; Secure(;|$)/i)
      expect(line).toMatch(/; SameSite=(Lax|Strict)(;|$)/i)
      expect(line).toMatch(/; Path=\//i)
      expect(line).not.toMatch(/; Domain=/i)
    }
    expect(lines.some((line) => line.startsWith(`${session}=`))).toBe(true)
  })

  test("a session under the http name is ignored: writing cookies can't put anybody into another account", async () => {
    const { browser } = await registered()
    const attacker = browser.cookies.get(session)!
    const victim = createBrowser()
    victim.cookies.set('ranklark.session_token', attacker)
    expect(await isSignedIn(victim)).toBe(false)
    victim.cookies.set(session, attacker)
    expect(await isSignedIn(victim)).toBe(true)
  })
})

describe('a session', () => {
  test('is a new one at each login, whatever the browser sent, and the old one ends', async () => {
    const { browser, username } = await registered()
    const first = browser.cookies.get(session)!
    const planted = createBrowser()
    planted.cookies.set(session, first)
    expect((await login(planted, username)).status).toBe(200)
    const second = planted.cookies.get(session)!
    expect(second).not.toBe(first)
    expect(await isSignedIn(browser)).toBe(false)
    planted.cookies.set(session, 'chosen-by-somebody-else')
    expect((await login(planted, username)).status).toBe(200)
    expect(planted.cookies.get(session)).not.toMatch(/chosen/)
  })

  test("of somebody else doesn't change owner by logging in over it", async () => {
    const [attacker, victim] = [await registered(), await registered()]
    const planted = createBrowser()
    planted.cookies.set(session, attacker.browser.cookies.get(session)!)
    expect((await login(planted, victim.username)).status).toBe(200)
    expect((await attacker.browser.ask({ path: '/api/user' })).text).not.toContain(victim.username)
    expect(await isSignedIn(attacker.browser)).toBe(false)
  })

  test('changes with the password, and all others end', async () => {
    const { browser, username } = await registered()
    const [thief, other] = [createBrowser(), createBrowser()]
    thief.cookies.set(session, browser.cookies.get(session)!)
    await login(other, username)
    expect(await isSignedIn(other)).toBe(true)
    const change = { currentPassword: password, newPassword: 'another-password' }
    expect((await browser.ask(post('/api/user/password', change))).status).toBe(204)
    expect([await isSignedIn(browser), await isSignedIn(thief), await isSignedIn(other)]).toEqual([true, false, false])
  })

  test('changes when a second factor is switched on and off', async () => {
    const { browser } = await registered()
    const thief = createBrowser()
    const { secret } = JSON.parse((await browser.ask(post('/api/user/two-factor', { password }))).text) as { secret: string }
    for (const act of [
      post('/api/user/two-factor/confirm', { code: totp(secret) }),
      { ...post('/api/user/two-factor', { password }), method: 'DELETE' },
    ]) {
      thief.cookies.set(session, browser.cookies.get(session)!)
      expect(await isSignedIn(thief)).toBe(true)
      expect((await browser.ask(act)).status).toBe(200)
      expect([await isSignedIn(browser), await isSignedIn(thief)]).toEqual([true, false])
    }
  })

  test("isn't opened by the first of two steps", async () => {
    const { browser, username } = await registered()
    const { secret } = JSON.parse((await browser.ask(post('/api/user/two-factor', { password }))).text) as { secret: string }
    await browser.ask(post('/api/user/two-factor/confirm', { code: totp(secret) }))
    const half = createBrowser()
    expect((await login(half, username)).text).toBe('{"twoFactor":true}')
    for (const path of ['/api/user', '/api/metrics', '/api/user/export']) expect((await half.ask({ path })).status).toBe(401)
    expect((await half.ask(post('/api/user/password', { currentPassword: password, newPassword: 'x-x-x-x-x' }))).status).toBe(401)
  })
})

describe('requests that other pages make a browser send', () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'https://rank.example.evil.example' },
    { origin: 'https://evil.example/rank.example' },
    { origin: 'https://rank.example:8443' },
    { origin: 'http://rank.example' },
    { origin: 'https://sub.rank.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'file://' },
    // A page can't make a browser send this, but a careless proxy could let it through.
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', host: 'rank.example' },
    // A foreign name that resolves to us (DNS rebinding): to a browser, its pages and our responses are same-site.
    { origin: 'https://evil.example', host: 'evil.example' },
    { origin: 'https://localhost.evil.example', host: 'localhost.evil.example' },
    { origin: 'https://127.0.0.1.evil.example:3000', host: '127.0.0.1.evil.example:3000' },
    { origin: undefined, 'sec-fetch-site': 'cross-site' },
    { origin: undefined, 'sec-fetch-site': 'same-site' },
  ]
  let browser: Browser
  beforeAll(async () => {
    ;({ browser } = await registered())
  })

  test.each(foreign)('%j', async (headers) => {
    const given = Object.fromEntries(Object.entries({ 'sec-fetch-site': undefined, ...headers }).filter(([, value]) => value !== undefined))
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { host: 'rank.example', cookie, 'content-type': 'application/json', ...given }
    for (const method of ['POST', 'DELETE']) {
      const path = method === 'POST' ? '/api/auth/logout' : '/api/user/sessions'
      expect((await rawRequest(port, { method, path, headers: sent, body: '{}' })).status).toBe(403)
    }
    expect(await isSignedIn(browser)).toBe(true)
  })

  test("a program that isn't a browser doesn't say where it comes from, and sends nobody's cookie", async () => {
    const sent = { host: 'rank.example', 'content-type': 'application/json' }
    const answer = await rawRequest(port, { ...post('/api/auth/login', { username: 'nobody', password }), headers: sent })
    expect(answer.status).toBe(401)
  })

  test('nothing changes by only opening a URL', async () => {
    for (const path of ['/api/auth/logout', '/api/user/password', '/api/user/sessions?_method=DELETE', '/api/user?_method=DELETE'])
      await browser.ask({ path, headers: { 'x-http-method-override': 'DELETE', 'sec-fetch-site': 'cross-site' } })
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe('redirects', () => {
  const elsewhere = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%5cevil.example',
    '/%2f%2fevil.example',
    'https:evil.example',
    'https:/evil.example',
    '/\t/evil.example',
    '/%09/evil.example',
    '/\n/evil.example',
    '%0d%0aLocation:%20https://evil.example',
    'javascript:alert(1)',
    '/dashboard@evil.example',
    '/dashboard/../..//evil.example',
    '.evil.example',
  ]
  test.each(elsewhere)("don't go to %j", async (place) => {
    const encoded = encodeURIComponent(place)
    for (const path of [
      `/api/auth/google?redirect=${encoded}`,
      `/api/auth/google/callback?redirect=${encoded}&next=${encoded}&state=${encoded}&code=x`,
      `/?next=${encoded}`,
      `/login?next=${encoded}&redirect=${encoded}`,
      `//evil.example/${encoded}`,
      `/${encoded}`,
    ]) {
      const { browser } = { browser: createBrowser() }
      const { status, headers } = await browser.ask({ path })
      expect(status).toBeLessThan(500)
      const to = headers.location
      if (to === undefined) continue
      const google = new URL(app.google.url).origin
      expect([home, google]).toContain(new URL(to, home).origin)
      expect(to).not.toContain('evil')
    }
  })

  test('newline characters in a URL end no header', async () => {
    for (const path of [
      '/api/auth/google?redirect=/account%0d%0aset-cookie:%20a=b',
      '/%0d%0aset-cookie:%20a=b',
      '/api/%0d%0aset-cookie:%20a=b',
    ]) {
      const { headers } = await createBrowser().ask({ path })
      expect((headers['set-cookie'] ?? []).filter((line) => line.startsWith('a='))).toEqual([])
    }
  })

  test('a foreign name that resolves to us appears in none of our links', async () => {
    const { username } = await registered()
    const request = post('/api/auth/forgot-password', { email: `${username}@example.test` })
    // For programs: no page there may request anything.
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    const { status } = await rawRequest(port, { ...request, headers: { ...headers, 'content-type': 'application/json' } })
    expect(status).toBeLessThan(300)
    const mail = await app.mail.mailTo(`${username}@example.test`, { kind: 'reset-password' })
    expect(mail.links.filter((link) => new URL(link).origin !== home)).toEqual([])
    expect(mail.html).not.toContain('evil.example')
  })
})
