import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { newPerson, refresh, select, shortenHistory, statusOf, stoppedAs, synced } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import type { SyncStatus } from '../../contract/sync.ts'

const account = 'owner@example.test'
const site = 'https://www.refused.example/'
const other = 'https://other.example/'
const seen: SyncStatus[] = []

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await newPerson(app, { email: account, plan: 'pro', sites: { [other]: 'empty', [site]: 'local' } })
    for (const each of [other, site]) {
      await shortenHistory(app, each, 3)
      await select(owner, each)
      await synced(owner, each)
    }
    return owner
  })
  .extend(
    'refusedWith',
    { scope: 'file' },
    ({ app, owner }) =>
      async (error: Parameters<TestApp['google']['fail']>[0]['error']): Promise<SyncStatus> => {
        await app.google.fail({ error, times: 1000, kind: 'query', site })
        const status = await refresh(owner, site)
        seen.push(status)
        return status
      },
  )
test.afterEach(async ({ app, owner }) => {
  await app.google.stopFailing()
  expect(await refresh(owner, site)).toMatchObject({ state: 'ok', message: null, action: null, retryAt: null })
})

test('a revoked permission: says so and whom to ask', async ({ app, owner }) => {
  await app.google.permit(account, site, null)
  const status = await refresh(owner, site)
  seen.push(status)
  expect(status.state).toBe('permission_missing')
  expect(status.message).toContain(site)
  expect(status.message).toContain('has no access to')
  expect(status.action?.href).toBe('https://search.google.com/search-console')
  expect((await statusOf(owner, other)).state).toBe('ok')
  await app.google.permit(account, site, 'siteOwner')
})

test('the wrong form of a name: names the right one', async ({ app, owner }) => {
  await app.google.permit(account, site, null)
  await app.google.call('POST', 'sites', { account, site: 'sc-domain:refused.example', profile: 'empty' })
  const status = await refresh(owner, site)
  seen.push(status)
  expect(status.state).toBe('property_form')
  expect(status.message).toContain('as refused.example, not https://www.refused.example/')
  expect(status.action).toEqual({ label: 'Choose the property', href: '/onboarding/sites' })
  await app.google.permit(account, 'sc-domain:refused.example', null)
  await app.google.permit(account, site, 'siteOwner')
})

test('a disabled API: says where to enable it, and continues by itself afterwards', async ({ app, owner, refusedWith }) => {
  const status = await refusedWith('apiDisabled')
  expect(status.state).toBe('api_disabled')
  expect(status.message).toContain('disabled')
  expect(status.action?.href).toContain('console.cloud.google.com')

  await app.google.stopFailing()
  app.google.advance(Date.parse(status.retryAt!) - app.google.now().getTime() + 1000)
  await app.lookForDue()
  await stoppedAs(owner, site, 'ok')
})

test('a missing scope: asks to reconnect with the box checked', async ({ refusedWith }) => {
  const status = await refusedWith('scopeMissing')
  expect(status.state).toBe('scope_missing')
  expect(status.message).toContain('box is checked')
  expect(status.action?.href).toBe('/api/auth/google?redirect=/dashboard')
  expect(status.retryAt).toBeNull()
})

test('a Google that stays down: is retried automatically', async ({ app, owner, refusedWith }) => {
  const status = await refusedWith('internal500')
  expect(status.state).toBe('google_unavailable')
  expect(status.retryAt).not.toBeNull()
  await app.google.stopFailing()
  app.google.advance(Date.parse(status.retryAt!) - app.google.now().getTime() + 1000)
  await app.lookForDue()
  await until(
    () => statusOf(owner, site),
    ({ state }) => state === 'ok',
  )
})

test("an error for one search type: the property isn't taken for one without it", async ({ app, owner }) => {
  const { sql } = await app.stores()
  const typesOf = () =>
    sql<{ search_type: string }>(
      'SELECT search_type FROM search_type_syncs JOIN properties ON id = property_id WHERE name = $1 ORDER BY search_type',
      [site],
    ).then((rows) => rows.map((row) => row.search_type))
  expect(await typesOf()).toEqual(['web'])
  const image = { site, type: 'image', date: '2026-03-01', until: '2026-03-15' }
  await app.google.call('PUT', 'rows', { ...image, rows: [{ query: 'q', page: `${site}a`, clicks: 1, impressions: 5, position: 2 }] })
  await sql('UPDATE property_syncs SET types_probed_at = NULL FROM properties WHERE property_id = id AND name = $1', [site])
  await app.google.fail({ error: 'internal500', times: 1000, kind: 'query', site, type: 'image' })
  expect(await refresh(owner, site)).toMatchObject({ state: 'google_unavailable' })
  await app.google.stopFailing()
  await refresh(owner, site)
  expect(await typesOf()).toEqual(['image', 'web'])
})

test('no two of them look alike to the owner', () => {
  expect(seen).toHaveLength(5)
  expect(new Set(seen.map((status) => status.state)).size).toBe(5)
  expect(new Set(seen.map((status) => status.message)).size).toBe(5)
})
