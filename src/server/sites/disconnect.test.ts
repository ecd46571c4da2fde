import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { ownerOf, select, shortenHistory, statusOf, synced } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { metrics } from '../../contract/metrics.ts'
import { user } from '../../contract/user.ts'

const account = 'owner@example.test'
const site = 'https://leaving.example/'
const nothing = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }
let app: TestApp
let owner: Visitor

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
  owner = await ownerOf(app, site, { profile: 'local', days: 20, email: account })
})
afterAll(() => app.close())

test('nulls disconnect: revoked at Google; tokens, properties and selection are gone', async () => {
  const answer = await owner.send('PATCH', '/api/user', nothing)
  expect(answer.status).toBe(200)
  expect(user.parse(answer.body)).toMatchObject({ ...nothing, sitesMonitored: 0, email: account })
  expect(user.parse((await owner.get('/api/user')).body)).toMatchObject(nothing)
  expect((await owner.get('/api/gsc-properties')).body).toEqual([])
  expect((await owner.get('/api/metrics')).body).toBeNull()

  expect((await app.google.requests()).some((request) => request.kind === 'revoke' && request.status === 200)).toBe(true)
  expect(await app.google.call('GET', 'state')).toMatchObject({ tokens: { access: 0, refresh: 0 } })
  expect(await (await app.stores()).sql('SELECT * FROM google_connections')).toEqual([])
})

test('a disconnected property is not synced', async () => {
  await app.google.forgetRequests()
  await app.lookForDue()
  expect((await owner.send('POST', '/api/sync', { property: site })).status).toBe(404)
  expect(await app.google.requests()).toEqual([])
})

test('disconnecting twice does no harm', async () => {
  expect((await owner.send('PATCH', '/api/user', nothing)).status).toBe(200)
})

test('half of the nulls are no request to disconnect', async () => {
  const answer = await owner.send('PATCH', '/api/user', { accessToken: null })
  expect(answer.status).toBe(400)
})

test('connecting again brings the stored history back without fetching it anew', async () => {
  expect(await throughConsent(owner, { account })).toBe('/dashboard?connected=true')
  const back = user.parse((await owner.get('/api/user')).body)
  expect(back.gscProperties).toMatchObject([{ name: site, monitored: false }])
  expect(back.selectedProperty).toBeNull()

  await app.google.forgetRequests()
  await select(owner, site)
  expect(metrics.parse((await owner.get('/api/metrics')).body).clicks).toBeGreaterThan(0)
  await synced(owner, site)
  await expectStoredAsAtGoogle(app, site, { start: '2026-02-27', end: '2026-03-18' })
  const { completeThrough } = await statusOf(owner, site)
  const refetched = (await app.google.requests()).filter(
    (request) => request.dims?.includes('query') && request.startDate! <= completeThrough!,
  )
  expect(refetched).toEqual([])
})

test('a Google that does not confirm the revocation does not keep the person connected', async () => {
  await app.google.call('POST', 'tokens/revoke', { account })
  const answer = await owner.send('PATCH', '/api/user', nothing)
  expect(user.parse(answer.body).accessToken).toBeNull()
})

test('disconnecting and connecting again while a sync runs leaves a sound connection, and the sync ends complete', async () => {
  await throughConsent(owner, { account })
  await app.google.call('POST', 'sites', { account, site: 'https://busy.example/', permission: 'siteOwner', profile: 'local' })
  await owner.get('/api/gsc-properties')
  await shortenHistory(app, 'https://busy.example/', 60)
  await app.google.call('PUT', 'delay', { ms: 30, kind: 'query' })
  await select(owner, 'https://busy.example/')
  await until(
    () => statusOf(owner, 'https://busy.example/'),
    (status) => status.firstDate !== null,
  )
  await owner.send('PATCH', '/api/user', nothing)
  await throughConsent(owner, { account })
  await select(owner, 'https://busy.example/')
  await app.google.call('PUT', 'delay', { ms: 0, kind: 'query' })
  expect(await synced(owner, 'https://busy.example/')).toMatchObject({ state: 'ok', message: null })
  await expectStoredAsAtGoogle(app, 'https://busy.example/', { start: '2026-01-20', end: '2026-03-18' })
})
