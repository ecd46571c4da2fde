import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { newPerson, refresh, select, shortenHistory, statusOf, stoppedAs, synced } from '../../../test/support/people.ts'

const busy = 'https://busy.example/'
const calm = 'https://calm.example/'
const span = { start: '2026-03-16', end: '2026-03-18' }

const test = appTest({ today: '2026-03-18', demo: false }).extend('owner', { scope: 'file' }, async ({ app }) => {
  const owner = await newPerson(app, { plan: 'pro', sites: { [busy]: 'local', [calm]: 'local' } })
  await shortenHistory(app, busy, 3)
  await select(owner, busy)
  await synced(owner, busy)
  return owner
})
test.afterEach(({ app }) => app.google.stopFailing())

/** Something new to fetch, so that the test would notice a sync that gave up. */
const reviseYesterday = (app: TestApp, factor: number) => app.google.revise(busy, '2026-03-17', { factor })

const minutesUntil = (app: TestApp, retryAt: string | null): number => (Date.parse(retryAt!) - app.google.now().getTime()) / 60_000

test('429 without Retry-After: retried after a pause', { tags: ['full'] }, async ({ app, owner }) => {
  await reviseYesterday(app, 1.2)
  await app.google.fail({ error: 'rate429', times: 2, kind: 'query', site: busy })
  expect((await refresh(owner, busy)).state).toBe('ok')
  await expectStoredAsAtGoogle(app, busy, span)
})

test('403 quotaExceeded: retried after a pause', async ({ app, owner }) => {
  await reviseYesterday(app, 1.3)
  await app.google.fail({ error: 'quota403', times: 2, kind: 'query', site: busy })
  expect((await refresh(owner, busy)).state).toBe('ok')
  await expectStoredAsAtGoogle(app, busy, span)
})

test('429 with Retry-After: not retried earlier', async ({ app, owner }) => {
  await reviseYesterday(app, 1.4)
  await app.google.forgetRequests()
  await app.google.fail({ error: 'rate429', times: 1, kind: 'query', site: busy, retryAfter: 1 })
  expect((await refresh(owner, busy)).state).toBe('ok')
  const [refused, repeated] = (await app.google.requests()).filter((request) => request.kind === 'query')
  expect([refused?.status, repeated?.status]).toEqual([429, 200])
  expect(Date.parse(repeated!.at) - Date.parse(refused!.at)).toBeGreaterThanOrEqual(990)
  await expectStoredAsAtGoogle(app, busy, span)
})

test('a long Retry-After: waited out in the state quota, not shortened', async ({ app, owner }) => {
  await app.google.fail({ error: 'rate429', times: 1, kind: 'query', site: busy, retryAfter: 1800 })
  const status = await refresh(owner, busy)
  expect(status.state).toBe('quota')
  expect(status.message).toContain('will resume automatically')
  expect(minutesUntil(app, status.retryAt)).toBeGreaterThanOrEqual(30)
  expect((await refresh(owner, busy)).state).toBe('ok')
})

test('a quota that stays exhausted: the state is quota, with a time to continue', async ({ app, owner }) => {
  await app.google.fail({ error: 'quota403', times: 1000, kind: 'query', site: busy })
  const status = await refresh(owner, busy)
  expect(status.state).toBe('quota')
  expect(minutesUntil(app, status.retryAt)).toBeGreaterThan(0)
  await app.google.stopFailing()
  expect((await refresh(owner, busy)).state).toBe('ok')
})

test(
  'the load quota: waited out for 15 minutes while other properties continue, then resumed',
  { tags: ['full'] },
  async ({ app, owner }) => {
    await reviseYesterday(app, 1.5)
    await app.google.fail({ error: 'loadQuota', times: 1000, kind: 'query', site: busy })
    const waiting = await refresh(owner, busy)
    expect(waiting.state).toBe('quota')
    expect(minutesUntil(app, waiting.retryAt)).toBeGreaterThanOrEqual(15)
    expect(minutesUntil(app, waiting.retryAt)).toBeLessThan(17)
    // One request was enough: more would only worsen the load quota.
    expect((await app.google.requests()).at(-1)).toMatchObject({ siteUrl: busy, status: 403 })

    await shortenHistory(app, calm, 3)
    await select(owner, calm)
    await synced(owner, calm)
    await expectStoredAsAtGoogle(app, calm, span)

    await app.google.stopFailing()
    await app.google.forgetRequests()
    app.google.advance(14 * 60_000)
    await app.lookForDue()
    await refresh(owner, calm)
    expect((await app.google.requests()).filter((request) => request.siteUrl === busy)).toEqual([])
    expect((await statusOf(owner, busy)).state).toBe('quota')

    app.google.advance(3 * 60_000)
    await app.lookForDue()
    await stoppedAs(owner, busy, 'ok')
    await expectStoredAsAtGoogle(app, busy, span)
  },
)
