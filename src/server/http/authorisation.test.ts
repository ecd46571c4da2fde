import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { newPerson, ownerOf } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'

const site = 'https://mine.example/'
const other = 'https://theirs.example/'
const nulls = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }

let app: TestApp
const cast = {} as Record<'owner' | 'stranger' | 'visitor', Visitor>

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
  cast.owner = await ownerOf(app, site, { profile: 'local', days: 8, email: 'owner@example.test' })
  cast.stranger = await newPerson(app, { email: 'stranger@example.test', sites: { [other]: 'empty' } })
  cast.visitor = app.visitor()
  const rules = (await cast.owner.get('/api/alert-conditions')).body as { id: string }[]
  ids.condition = rules[0]!.id
  const { sql } = await app.stores()
  const [row] = await sql<{ id: string }>(
    `INSERT INTO alerts (property_id, type, entity_kind, entity_name, severity, state, message, opened_at, judged_at)
     SELECT id, 'clicks', 'connection', 'data_late', 'warning', 'firing', 'Late', now(), now() FROM properties WHERE name = $1 RETURNING id`,
    [site],
  )
  ids.alert = row!.id
})
afterAll(() => app.close())

type Who = keyof typeof cast
const ask = async (who: Who, method: string, path: string, body?: unknown): Promise<number> =>
  (method === 'GET' ? await cast[who].get(path) : await cast[who].send(method as 'POST', path, body)).status

const named = `property=${encodeURIComponent(site)}`

/** What each of the cast gets for a request that is about the owner's property. */
const routes: [method: string, path: string, body: unknown, expected: Record<Who, number>][] = [
  ['GET', '/api/auth/session', undefined, { owner: 200, stranger: 200, visitor: 200 }],
  ['GET', '/api/user', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['GET', '/api/user/export', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['DELETE', '/api/user', { username: 'somebody.else' }, { owner: 400, stranger: 400, visitor: 401 }],
  ['POST', '/api/delivery-settings', {}, { owner: 201, stranger: 201, visitor: 401 }],
  ['GET', '/api/delivery-settings', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['PATCH', '/api/delivery-settings', { emailEnabled: false }, { owner: 200, stranger: 200, visitor: 401 }],
  ['GET', '/api/delivery-channels', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['PUT', '/api/delivery-channels/email', { address: null }, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/delivery-channels/email/confirm', { token: 'x' }, { owner: 400, stranger: 400, visitor: 400 }],
  ['POST', '/api/delivery-channels/email/test', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['PUT', '/api/delivery-channels/slack', { channel: '#seo' }, { owner: 403, stranger: 403, visitor: 401 }],
  ['DELETE', '/api/delivery-channels/slack', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/delivery-channels/slack/test', undefined, { owner: 403, stranger: 403, visitor: 401 }],
  ['PUT', '/api/delivery-channels/sms', { number: '+442079460000' }, { owner: 403, stranger: 403, visitor: 401 }],
  ['POST', '/api/delivery-channels/sms/confirm', { code: '000000' }, { owner: 403, stranger: 403, visitor: 401 }],
  ['DELETE', '/api/delivery-channels/sms', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/delivery-channels/sms/test', undefined, { owner: 403, stranger: 403, visitor: 401 }],
  ['PUT', '/api/delivery-channels/webhook', { url: 'https://example.com/' }, { owner: 403, stranger: 403, visitor: 401 }],
  ['POST', '/api/delivery-channels/webhook/secret', undefined, { owner: 403, stranger: 403, visitor: 401 }],
  ['DELETE', '/api/delivery-channels/webhook', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/delivery-channels/webhook/test', undefined, { owner: 403, stranger: 403, visitor: 401 }],
  ['POST', '/api/alerts/test-email', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['GET', '/api/unsubscribe?token=x', undefined, { owner: 400, stranger: 400, visitor: 400 }],
  ['POST', '/api/unsubscribe?token=x', undefined, { owner: 400, stranger: 400, visitor: 400 }],
  ['PATCH', '/api/user', { username: 'ab' }, { owner: 400, stranger: 400, visitor: 400 }],
  ['PATCH', '/api/user', {}, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/user/password', { currentPassword: 'none', newPassword: 'another' }, { owner: 403, stranger: 403, visitor: 401 }],
  ['GET', '/api/user/sessions', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['DELETE', '/api/user/sessions', undefined, { owner: 204, stranger: 204, visitor: 401 }],
  ['POST', '/api/user/two-factor', {}, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/user/two-factor/confirm', { code: '000000' }, { owner: 400, stranger: 400, visitor: 401 }],
  ['POST', '/api/user/two-factor/recovery-codes', {}, { owner: 409, stranger: 409, visitor: 401 }],
  ['DELETE', '/api/user/two-factor', {}, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/auth/verify-email/send', undefined, { owner: 202, stranger: 202, visitor: 401 }],
  ['GET', '/api/plans', undefined, { owner: 200, stranger: 200, visitor: 200 }],
  ['POST', '/api/create-subscription', { planType: 'free' }, { owner: 200, stranger: 200, visitor: 401 }],
  ['GET', '/api/subscription', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/subscription/preview', { planType: 'pro' }, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/subscription/change', { planType: 'agency' }, { owner: 409, stranger: 409, visitor: 401 }],
  ['POST', '/api/subscription/resume', undefined, { owner: 409, stranger: 409, visitor: 401 }],
  ['POST', '/api/subscription/refresh', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/subscription/portal', undefined, { owner: 409, stranger: 409, visitor: 401 }],
  ['POST', '/api/stripe/webhook', {}, { owner: 400, stranger: 400, visitor: 400 }],
  ['GET', '/api/gsc-properties', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['POST', '/api/gsc-properties/select', { selectedProperty: site }, { owner: 200, stranger: 404, visitor: 401 }],
  ['POST', '/api/gsc-properties/monitor', { sites: [site] }, { owner: 200, stranger: 404, visitor: 401 }],
  ['GET', '/api/metrics', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['GET', `/api/metrics?${named}`, undefined, { owner: 200, stranger: 404, visitor: 401 }],
  ['GET', '/api/sync', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['GET', `/api/sync?${named}`, undefined, { owner: 200, stranger: 404, visitor: 401 }],
  ['POST', '/api/sync', { property: site }, { owner: 202, stranger: 404, visitor: 401 }],
  ['GET', `/api/alert-conditions?${named}`, undefined, { owner: 200, stranger: 404, visitor: 401 }],
  ['POST', `/api/alert-conditions?${named}`, { type: 'clicks' }, { owner: 201, stranger: 404, visitor: 401 }],
  ['POST', `/api/alert-conditions/backtest?${named}`, { type: 'clicks' }, { owner: 200, stranger: 404, visitor: 401 }],
  ['PATCH', '/api/alert-conditions/:id', { threshold: 20 }, { owner: 200, stranger: 404, visitor: 401 }],
  ['POST', '/api/alert-conditions/:id/duplicate', undefined, { owner: 201, stranger: 404, visitor: 401 }],
  ['DELETE', '/api/alert-conditions/0', undefined, { owner: 404, stranger: 404, visitor: 401 }],
  ['GET', '/api/alert-templates', undefined, { owner: 200, stranger: 200, visitor: 401 }],
  ['GET', `/api/alerts?${named}`, undefined, { owner: 200, stranger: 404, visitor: 401 }],
  ['GET', `/api/alerts/count?${named}`, undefined, { owner: 200, stranger: 404, visitor: 401 }],
  ['GET', `/api/alerts/export.csv?${named}`, undefined, { owner: 200, stranger: 404, visitor: 401 }],
  ['POST', `/api/alerts/evaluate?${named}`, undefined, { owner: 200, stranger: 404, visitor: 401 }],
  ['GET', '/api/alerts/:id', undefined, { owner: 200, stranger: 404, visitor: 401 }],
  ['POST', '/api/alerts/acknowledge', { ids: [':id'] }, { owner: 200, stranger: 404, visitor: 401 }],
  ['POST', '/api/alerts/viewed', { ids: [':id'] }, { owner: 200, stranger: 404, visitor: 401 }],
  ['POST', `/api/alerts/view-all?${named}`, undefined, { owner: 200, stranger: 404, visitor: 401 }],
  ['POST', '/api/alerts/:id/snooze', { until: '2026-04-01T00:00:00Z' }, { owner: 200, stranger: 404, visitor: 401 }],
  ['POST', '/api/alerts/:id/unsnooze', undefined, { owner: 200, stranger: 404, visitor: 401 }],
]

/** The owner's own rule and alert, where a path or body says `:id`. */
const ids = { condition: '', alert: '' }
const withIds = <T>(path: string, part: T): T => {
  const id = path.includes('alert-conditions') ? ids.condition : ids.alert
  return part === undefined ? part : (JSON.parse(JSON.stringify(part).replaceAll(':id', id)) as T)
}

describe.each(['owner', 'stranger', 'visitor'] as const)('the %s', (who) => {
  test.each(routes)('%s %s', async (method, path, body, expected) => {
    expect(await ask(who, method, withIds(path, path), withIds(path, body))).toBe(expected[who])
  })
})

/** Full paths of the tree that Fastify prints, in which each branch stands indented below its stem. */
function pathsIn(tree: string): string[] {
  const stems: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = ''] = /^(.*── )(\S*)/.exec(line) ?? []
    if (indent === '') return []
    const depth = indent.length / 4
    stems[depth] = (stems[depth - 1] ?? '') + part
    return [stems[depth]]
  })
}

test('every route of the API is in the table above, or is a way in or out', () => {
  const own = [
    '/api/auth/register',
    '/api/auth/login',
    '/api/auth/two-factor',
    '/api/auth/forgot-password',
    '/api/auth/reset-password',
    '/api/auth/verify-email',
    '/api/auth/logout',
    '/api/auth/google',
    '/api/auth/google/callback',
    '/api/user',
    '/api/import',
    '/api/import/hand-over',
  ]
  const tested = new Set([...routes.map(([, path]) => path.split('?')[0]), ...own])
  const paths = pathsIn(app.server.app.printRoutes({ commonPrefix: false })).filter((path) => path.startsWith('/api/'))
  expect(paths).toContain('/api/gsc-properties/select')
  expect(paths.filter((path) => !tested.has(path))).toEqual([])
})

test("a stranger sees nothing of the owner's, not even its name", async () => {
  for (const path of [
    '/api/user',
    '/api/gsc-properties',
    '/api/sync',
    '/api/metrics',
    '/api/alerts?property=all',
    '/api/alerts/export.csv?property=all',
    '/api/alert-conditions',
  ]) {
    expect(JSON.stringify((await cast.stranger.get(path)).body)).not.toContain('mine.example')
  }
})

test('a stranger who disconnects does not touch the owner', async () => {
  expect((await cast.stranger.send('PATCH', '/api/user', nulls)).status).toBe(200)
  expect((await cast.visitor.send('PATCH', '/api/user', nulls)).status).toBe(401)
  expect((await cast.owner.get('/api/user')).body).toMatchObject({ accessToken: 'redacted', selectedProperty: site })
})

describe('a request that another site makes a browser send', () => {
  const forged = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  test.each(forged)('%j is refused', async (headers) => {
    const answer = await cast.owner.send('POST', '/api/gsc-properties/select', { selectedProperty: site }, { headers })
    expect(answer).toMatchObject({ status: 403, body: { message: 'This request comes from another site and was not carried out.' } })
    const login = await app.visitor().send('POST', '/api/auth/login', { username: 'demo', password: 'demo-password' }, { headers })
    expect(login.status).toBe(403)
  })

  test('our own pages are not meant by that', async () => {
    const headers = { origin: new URL(app.url).origin, 'sec-fetch-site': 'same-origin' }
    expect((await cast.owner.send('POST', '/api/sync', { property: site }, { headers })).status).toBe(202)
  })

  test('a form of another site, which cannot send JSON, is refused', async () => {
    const headers = { 'content-type': 'text/plain' }
    const answer = await cast.owner.send('POST', '/api/gsc-properties/select', { selectedProperty: site }, { headers })
    expect([400, 415]).toContain(answer.status)
  })
})
