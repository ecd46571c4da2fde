import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { newPerson, refresh, select, shortenHistory, statusOf, stoppedAs, synced } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

const account = 'owner@example.test'
const site = 'https://token.example/'
const span = { start: '2026-02-19', end: '2026-03-18' }

const test = appTest({ today: '2026-03-18', demo: false }).extend('owner', { scope: 'file' }, async ({ app }) => {
  const owner = await newPerson(app, { email: account, sites: { [site]: 'local' } })
  await shortenHistory(app, site, 28)
  return owner
})

test('a token revoked mid-backfill: the owner sees why it stopped and how to reconnect', async ({ app, owner }) => {
  await app.google.delay(60, 'query')
  await select(owner, site)
  const midway = await until(
    () => statusOf(owner, site),
    (status) => status.firstDate !== null,
  )
  expect(midway.daysLeft).toBeGreaterThan(0)
  await app.google.call('POST', 'tokens/revoke', { account })

  const stopped = await stoppedAs(owner, site, 'token_revoked')
  expect(stopped.message).toContain('Google access expired or was revoked')
  expect(stopped.message).toContain('stored data is safe')
  expect(stopped.action).toEqual({ label: 'Reconnect Google', href: '/api/auth/google?redirect=/dashboard' })
  expect(stopped.retryAt).toBeNull()
  expect(stopped.daysLeft).toBeGreaterThan(0)
  expect(stopped.firstDate! <= midway.firstDate!).toBe(true)
  await app.google.delay(0)
})

test("while the token is dead, Google isn't asked repeatedly", async ({ app, owner }) => {
  await app.google.forgetRequests()
  await app.lookForDue()
  expect((await refresh(owner, site)).state).toBe('token_revoked')
  const asked = await app.google.requests()
  expect(asked.filter((request) => request.kind === 'query')).toEqual([])
})

test('reconnecting without the Search Console box: the owner sees that this permission is missing now', async ({ owner }) => {
  expect(await throughConsent(owner, { account, untick: true })).toBe('/dashboard?connected=false')
  const status = await statusOf(owner, site)
  expect(status.state).toBe('scope_missing')
  expect(status.message).toContain('make sure the Search Console box is checked')
})

test('after reconnecting, the old message disappears immediately; the sync continues where it stopped and completes', async ({
  app,
  owner,
}) => {
  const stopped = await statusOf(owner, site)
  await app.google.forgetRequests()
  // Google is slow with the first answer.
  await app.google.delay(1_000, 'query')
  expect(await throughConsent(owner, { account })).toBe('/dashboard?connected=true')
  const going = await statusOf(owner, site)
  expect(going).toMatchObject({ state: 'ok', message: null, action: null, running: true, firstDate: stopped.firstDate })
  expect(going.daysLeft).toBe(stopped.daysLeft)
  await app.google.delay(0)
  await synced(owner, site)
  await expectStoredAsAtGoogle(app, site, span)
  const again = (await app.google.requests()).filter(
    (request) => request.dims?.join() === 'date,query,page' && request.startDate! >= stopped.firstDate!,
  )
  const final = stopped.completeThrough!
  expect(again.filter((request) => request.startDate! <= final)).toEqual([])
})

test(
  'an access token that expires early: renewed once for all calls in progress, nothing lost',
  { tags: ['full'] },
  async ({ app, owner }) => {
    await app.google.revise(site, '2026-03-17', { factor: 1.5 })
    await app.google.forgetRequests()
    await app.google.delay(60)
    // The first call finds what is new; the next four are in flight together.
    await app.google.fail({ error: 'unauthorized', times: 4, after: 1, kind: 'query' })
    expect((await refresh(owner, site)).state).toBe('ok')
    await app.google.delay(0)
    const calls = await app.google.requests()
    expect(calls.filter((request) => request.status === 401)).toHaveLength(4)
    expect(calls.filter((request) => request.kind === 'token')).toHaveLength(1)
    await expectStoredAsAtGoogle(app, site, span)
  },
)

test('a 401 right after a renewal means that the grant itself is dead', async ({ app, owner }) => {
  await app.google.fail({ error: 'unauthorized', times: 1000, kind: 'query' })
  expect((await refresh(owner, site)).state).toBe('token_revoked')
  await app.google.stopFailing()
  expect((await refresh(owner, site)).state).toBe('ok')
})

test("a token endpoint that is down doesn't look like a dead token", { tags: ['full'] }, async ({ app, owner }) => {
  await app.google.call('POST', 'tokens/expire-access', { account })
  await app.google.fail({ error: 'notJson', times: 1000, kind: 'token' })
  expect((await refresh(owner, site)).state).toBe('google_unavailable')
  await app.google.stopFailing()
  expect((await refresh(owner, site)).state).toBe('ok')
})
