import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BENCH_ACCOUNT, BLOG, DEMO_ACCOUNT, LARGE, LOCAL, openBench, SHOP } from '../testing.ts'
import type { Bench } from '../testing.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
beforeEach(() => bench.control('POST', 'reset', { keepTokens: true }))
afterAll(() => bench.google.close())

const forbidden = (site: string) =>
  `User does not have sufficient permission for site '${site}'. See also: https://support.google.com/webmasters/answer/2451999.`

test('sites.list has the three samples for the demo account and the large one only for the other', async () => {
  const demo = await bench.get('/webmasters/v3/sites')
  expect(demo.headers.get('content-type')).toBe('application/json; charset=UTF-8')
  expect(demo.body).toEqual({
    siteEntry: [
      { siteUrl: SHOP, permissionLevel: 'siteOwner' },
      { siteUrl: BLOG, permissionLevel: 'siteFullUser' },
      { siteUrl: LOCAL, permissionLevel: 'siteRestrictedUser' },
    ],
  })
  const other = await bench.get('/webmasters/v3/sites', await bench.tokenOf(BENCH_ACCOUNT))
  expect(other.body.siteEntry?.map((site) => site.siteUrl)).toEqual([LARGE])
})

test('no property at all: {} without siteEntry', async () => {
  await bench.control('POST', 'accounts', { email: 'empty@x.example' })
  const { access_token } = await bench.control('POST', 'grant', { account: 'empty@x.example' })
  expect((await bench.get('/webmasters/v3/sites', String(access_token))).text).toBe('{}')
})

const getSite = (site: string) => bench.get(`/webmasters/v3/sites/${encodeURIComponent(site)}`)

test('sites.get returns one site, matched verbatim; a wrong form answers 403', async () => {
  expect((await getSite(BLOG)).body).toEqual({ siteUrl: BLOG, permissionLevel: 'siteFullUser' })
  for (const wrong of [BLOG.slice(0, -1), BLOG.replace('https', 'http'), 'lumenandloom.example', 'sc-domain:LumenAndLoom.example', LARGE]) {
    const answer = await getSite(wrong)
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual({
      error: { code: 403, message: forbidden(wrong), errors: [{ message: forbidden(wrong), domain: 'global', reason: 'forbidden' }] },
    })
  }
})

test('siteUnverifiedUser is listed but may not query; a removed permission answers 403 until it is restored', async () => {
  await bench.control('PUT', 'permissions', { account: DEMO_ACCOUNT, site: SHOP, permission: 'siteUnverifiedUser' })
  expect((await bench.get('/webmasters/v3/sites')).body.siteEntry?.[0]).toEqual({ siteUrl: SHOP, permissionLevel: 'siteUnverifiedUser' })
  expect((await bench.query(SHOP, {})).body.error?.message).toBe(forbidden(SHOP))
  await bench.control('PUT', 'permissions', { account: DEMO_ACCOUNT, site: SHOP, permission: null })
  expect((await bench.get('/webmasters/v3/sites')).body.siteEntry).toHaveLength(2)
  expect((await bench.query(SHOP, {})).status).toBe(403)
  await bench.control('PUT', 'permissions', { account: DEMO_ACCOUNT, site: SHOP, permission: 'siteRestrictedUser' })
  expect((await bench.query(SHOP, {})).status).toBe(200)
})

test('names that need encoding work like any other, and their pages are percent-encoded', async () => {
  for (const site of ['https://例え.jp/a b/', 'http://x.example:8080/ü/', "https://x.example/it's/?q=1&r=%2F/"]) {
    await bench.control('POST', 'sites', { account: DEMO_ACCOUNT, site, profile: 'local' })
    const answer = await bench.query(site, { dimensions: ['page'] })
    expect(answer.status).toBe(200)
    expect(answer.body.rows?.length).toBeGreaterThan(10)
    for (const row of answer.body.rows ?? []) expect(row.keys?.[0]).toMatch(/^[\x21-\x7e]+$/)
  }
})

test("without a valid token: Google's 401", async () => {
  for (const token of ['nonsense', '']) {
    const answer = await bench.get('/webmasters/v3/sites', token)
    expect(answer.status).toBe(401)
    expect(answer.body.error).toMatchObject({
      code: 401,
      status: 'UNAUTHENTICATED',
      errors: [{ message: 'Invalid Credentials', reason: 'authError', location: 'Authorization', locationType: 'header' }],
    })
    expect(answer.body.error?.message).toMatch(/^Request had invalid authentication credentials\. Expected OAuth 2 access token/)
  }
})

test('a token without the Search Console scope: 403 ACCESS_TOKEN_SCOPE_INSUFFICIENT', async () => {
  const { access_token } = await bench.control('POST', 'grant', { account: DEMO_ACCOUNT, scopes: ['openid', 'email'] })
  const answer = await bench.get('/webmasters/v3/sites', String(access_token))
  expect(answer.status).toBe(403)
  expect(answer.body.error).toMatchObject({
    message: 'Request had insufficient authentication scopes.',
    details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
  })
})

test('unknown paths answer 404', async () => {
  expect((await bench.get('/webmasters/v3/nothing')).status).toBe(404)
  expect((await bench.get(`/webmasters/v3/sites/${encodeURIComponent(SHOP)}/searchAnalytics/query`)).status).toBe(404)
})
