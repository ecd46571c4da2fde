import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', env: { BASE_URL: 'https://rank.example' } })
})
afterAll(() => app.close())

test('behind https every cookie is sent over https only', async () => {
  const visitor = app.visitor()
  const login = await visitor.send('POST', '/api/auth/login', { username: 'demo', password: 'demo-password' })
  const leaving = await visitor.get('/api/auth/google')
  const cookies = [...login.headers.getSetCookie(), ...leaving.headers.getSetCookie()].filter((cookie) => !/max-age=0/i.test(cookie))
  expect(cookies.length).toBeGreaterThan(1)
  for (const cookie of cookies) expect(cookie).toMatch(/; Secure(;|$)/)
  expect((await visitor.get('/api/user')).status).toBe(200)
})

test('and browsers are told to stay with https', async () => {
  expect((await app.visitor().get('/api/auth/session')).headers.get('strict-transport-security')).toMatch(/max-age=\d{7,}/)
})
