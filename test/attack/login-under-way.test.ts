import { afterAll, expect, test } from 'vitest'
import { quickPasswords, startTestApp } from '../support/app.ts'
import { confirmAddress, mailedToken, registered } from '../support/people.ts'

// Somebody who knows the old password keeps logins on their way, for one of them to end behind the change that locks them out.

let held: { reached: PromiseWithResolvers<void>; go: PromiseWithResolvers<void> } | null = null
const app = await startTestApp({
  today: '2026-03-18',
  demo: false,
  passwords: {
    ...quickPasswords,
    async verify(attempt) {
      const now = held
      held = null
      now?.reached.resolve()
      await now?.go.promise
      return quickPasswords.verify(attempt)
    },
  },
})
afterAll(() => app.close())

const password = 'the-one-before'
const email = 'victim@example.test'

test('a login that began before the password was replaced lets nobody in after it', async () => {
  const owner = await registered(app, 'victim', password)
  await confirmAddress(app, owner, email)
  await app.visitor().send('POST', '/api/auth/forgot-password', { email })
  const token = await mailedToken(app, email, 'reset-password')

  const thief = app.visitor()
  const { reached, go } = (held = { reached: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() })
  const login = thief.send('POST', '/api/auth/login', { username: 'victim', password })
  await reached.promise
  expect((await app.visitor().send('POST', '/api/auth/reset-password', { token, password: 'of-the-owner-now' })).status).toBe(204)
  go.resolve()
  expect(await login).toMatchObject({ status: 401, body: { message: 'Invalid username or password' } })
  expect((await thief.get('/api/user')).status).toBe(401)
  const { sql } = await app.stores()
  expect(await sql('SELECT 1 FROM sessions')).toEqual([])
  expect((await app.visitor().send('POST', '/api/auth/login', { username: 'victim', password: 'of-the-owner-now' })).status).toBe(200)
})
