import { describe, expect } from 'vitest'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'
import { throughConsent } from '../support/consent.ts'
import { confirmAddress, registered } from '../support/people.ts'
import { totp } from '../support/totp.ts'
import type { Visitor } from '../support/visitor.ts'
import { sessionList, twoFactorSetup } from '../../src/contract/account/profile.ts'

// Somebody has a copy of the owner's cookie, so the list of sessions shows one entry for both. The owner gets suspicious.

const password = 'a-good-password'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false }).extend('victim', async ({ app }) => {
  const name = `copied${++people}`
  const owner = await registered(app, name)
  await confirmAddress(app, owner, `${name}@example.test`)
  return { name, owner }
})

/** A browser with the cookies that another browser has now. */
function copyOf(app: TestApp, from: Visitor): Visitor {
  const copy = app.visitor()
  for (const [name, value] of from.cookies) copy.cookies.set(name, value)
  return copy
}
const isIn = async (who: Visitor): Promise<boolean> => (await who.get('/api/user')).status === 200

/** Lets the owner act, and tells who is still logged in: the owner's browser, and the copy of its cookie. */
async function afterwards(app: TestApp, owner: Visitor, act: () => Promise<{ status: number }>) {
  const thief = copyOf(app, owner)
  expect([await isIn(owner), await isIn(thief)]).toEqual([true, true])
  const { status } = await act()
  return { status, owner: await isIn(owner), thief: await isIn(thief) }
}

describe('a copy of the owner’s cookie', () => {
  test('ends when the owner logs out other sessions, even if the list shows no other', async ({ app, victim: { owner } }) => {
    const before = sessionList.parse((await owner.get('/api/user/sessions')).body)
    expect(before).toMatchObject([{ current: true }])
    const ended = await afterwards(app, owner, () => owner.send('DELETE', '/api/user/sessions'))
    expect(ended).toEqual({ status: 204, owner: true, thief: false })
    // The owner's own session goes on: same entry, same proof of identity.
    expect(sessionList.parse((await owner.get('/api/user/sessions')).body)).toEqual(before)
    expect((await owner.get('/api/user/export')).status).toBe(200)
  })

  test('ends when the owner creates new recovery codes', { tags: ['full'] }, async ({ app, victim: { owner } }) => {
    const { secret } = twoFactorSetup.parse((await owner.send('POST', '/api/user/two-factor', { password })).body)
    const on = await afterwards(app, owner, () => owner.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) }))
    expect(on).toEqual({ status: 200, owner: true, thief: false })
    const renewed = await afterwards(app, owner, () => owner.send('POST', '/api/user/two-factor/recovery-codes', { password }))
    expect(renewed).toEqual({ status: 200, owner: true, thief: false })
    const off = await afterwards(app, owner, () => owner.send('DELETE', '/api/user/two-factor', { password }))
    expect(off).toEqual({ status: 200, owner: true, thief: false })
  })

  test('ends when the owner removes Google logins', { tags: ['full'] }, async ({ app, victim: { name, owner } }) => {
    const account = `${name}@google.example`
    await app.google.account(account, {})
    await throughConsent(owner, { account, errand: 'sign-in', redirect: '/account' })
    const removed = await afterwards(app, owner, () => owner.send('DELETE', '/api/user/google-sign-ins'))
    expect(removed).toEqual({ status: 200, owner: true, thief: false })
  })

  test('ends when the owner changes the password', async ({ app, victim: { owner } }) => {
    const change = { currentPassword: password, newPassword: 'another-good-one', endAccess: false }
    const changed = await afterwards(app, owner, () => owner.send('POST', '/api/user/password', change))
    expect(changed).toEqual({ status: 204, owner: true, thief: false })
  })

  test(
    'ends others at the same moment as the owner, within ten minutes of a proof: only one of the two goes on',
    { tags: ['full'] },
    async ({ app, victim: { owner } }) => {
      const thief = copyOf(app, owner)
      const answers = await Promise.all([owner, thief].map((who) => who.send('DELETE', '/api/user/sessions')))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401])
      expect([await isIn(owner), await isIn(thief)].toSorted()).toEqual([false, true])
    },
  )

  test(
    'other tabs of the same browser share the new cookie, and what they asked before is answered',
    { tags: ['full'] },
    async ({ app, victim: { owner } }) => {
      // A browser sends every tab's requests with the cookies it has at that moment.
      const asked = ['/api/user', '/api/user/sessions', '/api/audit-log'].map((path) => owner.get(path))
      const before = await Promise.all(asked)
      expect((await owner.send('DELETE', '/api/user/sessions')).status).toBe(204)
      expect(before.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await owner.get('/api/audit-log')).status).toBe(200)
      // A request that still has the old cookie is refused without taking the new one away.
      const late = copyOf(app, owner)
      expect((await owner.send('DELETE', '/api/user/sessions')).status).toBe(204)
      const refused = await late.get('/api/user')
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []])
      expect(await isIn(owner)).toBe(true)
    },
  )
})
