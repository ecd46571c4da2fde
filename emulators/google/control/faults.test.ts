import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BLOG, DEMO_ACCOUNT, openBench, SHOP } from '../testing.ts'
import type { Bench } from '../testing.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
beforeEach(() => bench.control('POST', 'reset', { keepTokens: true }))
afterAll(() => bench.google.close())

const fail = (fault: Record<string, unknown>) => bench.control('POST', 'fail', fault)

test.each([
  ['unauthorized', 401, 'authError'],
  ['forbiddenSite', 403, 'forbidden'],
  ['apiDisabled', 403, 'accessNotConfigured'],
  ['scopeMissing', 403, 'insufficientPermissions'],
  ['quota403', 403, 'quotaExceeded'],
  ['loadQuota', 403, 'quotaExceeded'],
  ['rate429', 429, 'rateLimitExceeded'],
  ['internal500', 500, 'backendError'],
  ['unavailable503', 503, 'backendError'],
])('%s fails as many calls as requested and then stops', async (error, status, reason) => {
  await fail({ error, times: 2, kind: 'query' })
  expect((await bench.get('/webmasters/v3/sites')).status).toBe(200)
  for (let i = 0; i < 2; i++) {
    const answer = await bench.query(SHOP, {})
    expect(answer.status).toBe(status)
    expect(answer.body.error?.errors?.[0]).toMatchObject({ reason })
  }
  expect((await bench.query(SHOP, {})).status).toBe(200)
})

test('the details that clients check are there', async () => {
  await fail({ error: 'apiDisabled' })
  expect((await bench.query(SHOP, {})).body.error).toMatchObject({
    status: 'PERMISSION_DENIED',
    details: [{ reason: 'SERVICE_DISABLED', metadata: { service: 'searchconsole.googleapis.com' } }],
  })
  await fail({ error: 'loadQuota' })
  expect((await bench.query(SHOP, {})).body.error?.message).toBe('Search Analytics load quota exceeded.')
  await fail({ error: 'rate429', retryAfter: 7 })
  const limited = await bench.query(SHOP, {})
  expect(limited.headers.get('retry-after')).toBe('7')
  expect(limited.body.error?.status).toBe('RESOURCE_EXHAUSTED')
  await fail({ error: 'rate429' })
  expect((await bench.query(SHOP, {})).headers.has('retry-after')).toBe(false)
})

test('a fault can apply to one site, one grouping, one search type, later pages, or begin later', async () => {
  await fail({ error: 'internal500', site: BLOG })
  expect((await bench.query(SHOP, {})).status).toBe(200)
  expect((await bench.query(BLOG, {})).status).toBe(500)
  await fail({ error: 'internal500', dims: ['date', 'query'] })
  expect((await bench.query(SHOP, { dimensions: ['query', 'date'] })).status).toBe(200)
  expect((await bench.query(SHOP, { dimensions: ['date', 'query'] })).status).toBe(500)
  await fail({ error: 'internal500', type: 'discover' })
  expect((await bench.query(SHOP, {})).status).toBe(200)
  expect((await bench.query(SHOP, { type: 'discover' })).status).toBe(500)
  await fail({ error: 'internal500', laterPages: true })
  expect((await bench.query(SHOP, { dimensions: ['query'] })).status).toBe(200)
  expect((await bench.query(SHOP, { dimensions: ['query'], startRow: 1000 })).status).toBe(500)
  await fail({ error: 'internal500', after: 2 })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await bench.query(SHOP, {})).status)
  expect(statuses).toEqual([200, 200, 500, 200])
})

test('a fault can last for a time instead of a number of calls', async () => {
  await fail({ error: 'loadQuota', seconds: 60, site: SHOP })
  for (let i = 0; i < 3; i++) expect((await bench.query(SHOP, {})).status).toBe(403)
  expect((await bench.query(BLOG, {})).status).toBe(200)
  await bench.control('DELETE', 'fail')
  expect((await bench.query(SHOP, {})).status).toBe(200)
})

test('the token endpoint can fail too', async () => {
  const { refresh_token } = await bench.control('POST', 'grant', { account: DEMO_ACCOUNT })
  const fields = {
    client_id: bench.google.clientId,
    client_secret: bench.google.clientSecret,
    grant_type: 'refresh_token',
    refresh_token: String(refresh_token),
  }
  await fail({ error: 'invalidGrant', kind: 'token' })
  expect((await bench.form('/token', fields)).body).toEqual({
    error: 'invalid_grant',
    error_description: 'Token has been expired or revoked.',
  })
  expect((await bench.form('/token', fields)).status).toBe(200)
})

test('a body can be cut off in the middle, with or without the connection', async () => {
  await fail({ error: 'truncatedBody' })
  await expect(bench.query(SHOP, { dimensions: ['query'] })).rejects.toThrow('terminated')
  await fail({ error: 'truncatedClean' })
  await expect(bench.query(SHOP, { dimensions: ['query'] })).rejects.toThrow(SyntaxError)
  expect((await bench.query(SHOP, { dimensions: ['query'] })).status).toBe(200)
})

test('a call can be reset, never be answered, or be answered with something else', async () => {
  const sites = `${bench.google.url}/webmasters/v3/sites`
  await fail({ error: 'connectionReset' })
  await expect(fetch(sites)).rejects.toThrow('fetch failed')
  await fail({ error: 'hang' })
  await expect(fetch(sites, { signal: AbortSignal.timeout(150) })).rejects.toThrow(/timeout/)
  await fail({ error: 'notJson' })
  const answer = await bench.query(SHOP, {})
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch('text/html')
})

test('a call can be held, while others are answered, until faults are ended', async () => {
  await fail({ error: 'held', kind: 'sites' })
  let isAnswered = false
  const held = bench.get('/webmasters/v3/sites').finally(() => (isAnswered = true))
  expect((await bench.query(SHOP, {})).status).toBe(200)
  expect(isAnswered).toBe(false)
  await bench.control('DELETE', 'fail')
  expect((await held).status).toBe(200)
})

test('calls can be slowed down', async () => {
  await bench.control('PUT', 'delay', { ms: 120, kind: 'query' })
  const start = performance.now()
  await bench.get('/webmasters/v3/sites')
  const middle = performance.now()
  await bench.query(SHOP, {})
  expect(middle - start).toBeLessThan(110)
  expect(performance.now() - middle).toBeGreaterThan(115)
})
