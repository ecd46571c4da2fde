import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { ownerOf, statusOf, synced } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { metrics } from '../../contract/metrics.ts'

const site = 'https://away.example/'
const today = '2026-05-02'

const test = appTest({ today: '2026-03-18', demo: false, sliceMs: 500 })
  .extend('owner', { scope: 'file' }, ({ app }) => ownerOf(app, site, { profile: 'local', days: 20 }))
  .extend('before', { scope: 'file' }, async ({ app, owner }) => {
    const before = await statusOf(owner, site)
    await app.google.setToday(today)
    return before
  })

const cards = async (owner: Visitor) => metrics.parse((await owner.get('/api/metrics')).body)

test('a property that catches up and is interrupted: no day is shown as complete before all of them are stored', async ({
  app,
  owner,
  before,
}) => {
  const known = await cards(owner)
  await app.google.fail({ error: 'loadQuota', times: 1, after: 40, kind: 'query', site })
  await owner.send('POST', '/api/sync', { property: site })
  const stopped = await until(
    () => statusOf(owner, site),
    ({ state, running }) => state === 'quota' && !running,
    60_000,
  )
  const { completeThrough, lastSyncedAt } = before
  expect(stopped).toMatchObject({ completeThrough, lastSyncedAt })
  expect(stopped.lastDate! > before.lastDate!).toBe(true)
  expect(await cards(owner)).toEqual(known)
}, 70_000)

test('the next attempt continues after the stored days, and completes them all', async ({ app, owner, before: _before }) => {
  const { lastDate } = await statusOf(owner, site)
  await app.google.forgetRequests()
  await owner.send('POST', '/api/sync', { property: site })
  const done = await synced(owner, site, 60_000)
  const asked = (await app.google.requests()).filter(({ dims }) => dims?.includes('query'))
  expect(asked.filter(({ startDate }) => startDate! <= lastDate!)).toEqual([])
  expect(done.lastDate).toBe(today)
  expect(done.completeThrough! >= '2026-04-28').toBe(true)
  expect((await cards(owner)).current.end).toBe(done.completeThrough)
  await expectStoredAsAtGoogle(app, site, { start: '2026-02-27', end: today })
}, 70_000)
