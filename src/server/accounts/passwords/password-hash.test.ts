import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { registered } from '../../../../test/support/people.ts'

const test = appTest({ demo: false, realPasswords: true })

test('a password is stored as a memory-hard hash, different for each user, and verified by it', { tags: ['full'] }, async ({ app }) => {
  const password = 'a-good-password'
  for (const name of ['ann', 'ben']) await registered(app, name, password)
  const { sql } = await app.stores()
  const stored = (await sql<{ password: string }>('SELECT password FROM accounts')).map((row) => row.password)
  for (const hash of stored) expect(hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
  expect(new Set(stored).size).toBe(2)
  expect(stored.join()).not.toContain(password)
  const login = async (word: string) => (await app.visitor().send('POST', '/api/auth/login', { username: 'ann', password: word })).status
  expect([await login(password), await login('another-password')]).toEqual([200, 401])
})
