import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { registered } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'

const test = appTest({ today: '2026-03-18', demo: false })

const headline = 'SEO insights that find you'
const ask = (app: TestApp, path: string, init: RequestInit = {}) => fetch(new URL(path, app.url), { redirect: 'manual', ...init })

const cookiesOf = ({ cookies }: Visitor) => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') })

/** The status for a browser that returns with its cached copy. Not with `fetch`, which bypasses every cache once it is given a tag. */
async function comeBack(app: TestApp, url: string, person?: Visitor): Promise<number> {
  const headers = { 'accept-encoding': 'br' }
  const first = await app.server.app.inject({ url, headers })
  const tag = String(first.headers.etag)
  const { statusCode } = await app.server.app.inject({
    url,
    headers: { ...headers, 'if-none-match': tag, ...(person && cookiesOf(person)) },
  })
  return statusCode
}

describe('the home page', () => {
  test.for(['/', '/?utm_source=letter&utm_medium=mail'])('%s: a visitor gets the landing page', async (path, { app }) => {
    const answer = await ask(app, path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(await answer.text()).toContain(headline)
  })

  test.for(['/', '/?utm_source=letter'])('%s: someone logged in is redirected to the dashboard', async (path, { app }) => {
    const person = await registered(app, `reader${path.length}`)
    const answer = await person.get(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/dashboard'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    await person.send('POST', '/api/auth/logout')
    expect((await person.get(path)).body).toContain(headline)
  })

  test("an unsigned session doesn't count", async ({ app }) => {
    expect((await ask(app, '/', { headers: { cookie: 'ranklark.session_token=made.up' } })).status).toBe(200)
  })

  test("a cached copy is revalidated every time, so it doesn't hide that someone has logged in", async ({ app }) => {
    const first = await ask(app, '/')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    expect(first.headers.get('vary')).toMatch(/cookie/)
    expect(await comeBack(app, '/')).toBe(304)
    expect(await comeBack(app, '/?utm_source=letter')).toBe(304)
    expect(await comeBack(app, '/', await registered(app, 'returning'))).toBe(302)
  })

  test('HEAD responds like GET, without a body', async ({ app }) => {
    const answer = await ask(app, '/', { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    const person = await registered(app, 'glancing')
    expect((await ask(app, '/', { method: 'HEAD', headers: cookiesOf(person) })).status).toBe(302)
  })

  test('only a demo shows the demo login', async ({ app }) => {
    expect(await (await ask(app, '/')).text()).not.toContain('demo-password')
  })
})

test.for([
  ['/help', 'Help Center'],
  ['/privacy', 'Privacy Policy'],
  ['/terms', 'Terms of Service'],
] as const)('%s is public, logged in or not', async ([path, title], { app }) => {
  const person = await registered(app, `reads${path.slice(1)}`)
  for (const { status, body } of [await app.visitor().get(path), await person.get(`${path}?from=footer`)]) {
    expect(status).toBe(200)
    expect(body).toContain(`<h1`)
    expect(body).toContain(title)
  }
  expect(await comeBack(app, path)).toBe(304)
})
