import { expect, test } from 'vitest'
import { loginForm } from './account/auth.ts'
import { userPatch } from './account/profile.ts'
import { user } from './user.ts'

const ann = {
  id: '1',
  username: 'ann',
  email: 'ann@example.test',
  emailVerified: true,
  pendingEmail: null,
  googleSignIns: [],
  hasPassword: true,
  twoFactorEnabled: false,
  plan: 'free',
  planChosen: true,
  siteLimit: 1,
  sitesMonitored: 0,
  sitesPaused: 0,
  selectedProperty: null,
  accessToken: 'redacted',
  refreshToken: null,
  gscProperties: null,
  demo: false,
}

test('a user can never carry a real token', () => {
  expect(user.safeParse(ann).success).toBe(true)
  expect(user.safeParse({ ...ann, accessToken: 'ya29.secret' }).success).toBe(false)
  expect(user.safeParse({ ...ann, refreshToken: '1//secret' }).success).toBe(false)
})

test('disconnecting takes exactly the four nulls', () => {
  const nulls = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }
  expect(userPatch.safeParse(nulls).success).toBe(true)
  expect(userPatch.safeParse({ ...nulls, accessToken: 'mine' }).success).toBe(false)
  expect(userPatch.safeParse({ accessToken: null }).success).toBe(false)
})

test("the login form's errors are in the words of the specification", () => {
  const messages = loginForm.safeParse({ username: 'ab', password: '12345' }).error?.issues.map((issue) => issue.message)
  expect(messages).toEqual(['Username must be at least 3 characters', 'Password must be at least 6 characters'])
})
