import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../../test/support/app.ts'

/** A server with this public address. */
async function serverAt(address: string) {
  const app = await startTestApp({ demo: false, env: { BASE_URL: address } })
  onTestFinished(() => app.close())
  return app.server.app
}
const ann = { username: 'ann', email: 'ann@example.test', password: 'a-good-password' }

const cookiesOf = (answer: { headers: Record<string, unknown> }): string[] => [answer.headers['set-cookie'] ?? []].flat().map(String)

test('with https, every cookie is only sent over https, and the session still works', async () => {
  const server = await serverAt('https://rank.example')
  const registered = await server.inject({ method: 'POST', url: '/api/auth/register', payload: ann })
  const leaving = await server.inject({ url: '/api/auth/google' })
  const cookies = [...cookiesOf(registered), ...cookiesOf(leaving)].filter((cookie) => !/max-age=0/i.test(cookie))
  expect(cookies.length).toBeGreaterThan(1)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; Secure(;|$)/)
    // For this host only: a neighbor on the same domain can't set a cookie with this name.
    expect(cookie).toMatch(/^__Host-ranklark\./)
    expect(cookie).toMatch(/; Path=\/(;|$)/)
    expect(cookie).not.toMatch(/; Domain=/i)
  }
  const session = cookies.find((cookie) => cookie.includes('session_token'))?.split(';')[0] ?? ''
  expect((await server.inject({ url: '/api/user', headers: { cookie: session } })).statusCode).toBe(200)
  const planted = session.replace('__Host-', '__Secure-')
  expect((await server.inject({ url: '/api/user', headers: { cookie: planted } })).statusCode).toBe(401)
  // Tells browsers to stay on https.
  const answer = await server.inject({ url: '/api/auth/session' })
  expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{7,}/)
})

test('with http there is no https to enforce, and the session works all the same', async () => {
  const server = await serverAt('http://rank.example')
  const registered = await server.inject({ method: 'POST', url: '/api/auth/register', payload: ann })
  for (const answer of [registered, await server.inject({ url: '/' }), await server.inject({ url: '/nothing' })])
    expect(answer.headers).not.toHaveProperty('strict-transport-security')
  const session = cookiesOf(registered).find((cookie) => cookie.includes('session_token')) ?? ''
  expect(session).not.toMatch(/; Secure(;|$)/i)
  const cookie = session.split(';')[0]
  expect((await server.inject({ url: '/api/user', headers: { cookie } })).statusCode).toBe(200)
})
