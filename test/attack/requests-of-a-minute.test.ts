import { connect } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { ordinaryMax } from '../../src/server/accounts/serve.ts'
import { startTestApp } from '../support/app.ts'
import { registered } from '../support/people.ts'
import { withRouteTable } from '../support/route-table.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'

// Somebody who asks for the same thing in a loop, without a pause: every request takes a query or more.

const { started: app, routes } = await withRouteTable(() => startTestApp({ demo: false }))
afterAll(() => app.close())

test('every route of people who are logged in has a limit per minute', () => {
  const ofPeople = routes.filter(({ endpoint }) => endpoint?.access === 'session')
  expect(ofPeople.length).toBeGreaterThan(100)
  expect(ofPeople.filter(({ isLimited }) => !isLimited).map(({ method, url }) => `${method} ${url}`)).toEqual([])
})

test('every route that anybody may call has a limit per minute, unless it says why not', () => {
  const ofAnybody = routes.filter(({ endpoint }) => typeof endpoint?.access === 'object' && 'anybody' in endpoint.access)
  expect(ofAnybody.length).toBeGreaterThan(20)
  const unlimited = ofAnybody
    .filter(({ isLimited, method }) => !isLimited && method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url}`)
  expect(unlimited.toSorted()).toEqual([
    'GET /api/docs',
    'GET /api/plans',
    'GET /api/v1/openapi.json',
    'POST /api/auth/forgot-password',
    'POST /api/auth/register',
    'POST /api/auth/two-factor',
    'POST /api/stripe/webhook',
  ])
})

test('a link from an email that is opened in a loop has to wait for the next minute, whether or not it is valid', async () => {
  const open = async () =>
    (await fetch(`${app.url}/api/unsubscribe?token=made-up`, { headers: { 'x-forwarded-for': '198.51.100.77' } })).status
  const statuses: number[] = []
  // The minute may end in between, once.
  while (!statuses.includes(429) && statuses.length <= 120) statuses.push(await open())
  expect(new Set(statuses.slice(0, 60))).toEqual(new Set([400]))
  expect(statuses.at(-1)).toBe(429)
})

test('whoever asks without a pause waits for the next minute; other people and other routes are answered', async () => {
  const [busy, calm] = [await registered(app, 'busy'), await registered(app, 'calm')]
  const statuses: number[] = []
  // The minute may end in between, once.
  while (!statuses.includes(429) && statuses.length <= 2 * ordinaryMax)
    statuses.push(...(await Promise.all(Array.from({ length: 40 }, async () => (await busy.get('/api/keys')).status))))
  expect(new Set(statuses.slice(0, ordinaryMax))).toEqual(new Set([200]))
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(await busy.get('/api/keys')).toMatchObject({
    status: 429,
    body: { message: 'Too many requests. Please wait a minute and try again.' },
  })
  expect((await busy.get('/api/user')).status).toBe(200)
  expect((await calm.get('/api/keys')).status).toBe(200)
})

test('checking the session in a loop is limited too, and so is logging out; visitors still get an answer', { tags: ['full'] }, async () => {
  const busy = await registered(app, 'in-a-loop')
  const statuses: number[] = []
  while (!statuses.includes(429) && statuses.length <= 2 * ordinaryMax)
    statuses.push(...(await Promise.all(Array.from({ length: 40 }, async () => (await busy.get('/api/auth/session')).status))))
  expect(new Set(statuses.slice(0, ordinaryMax))).toEqual(new Set([200]))
  expect(statuses).toContain(429)
  expect((await app.visitor().get('/api/auth/session')).status).toBe(200)
  expect(routes.find(({ url }) => url === '/api/auth/logout')).toMatchObject({ isLimited: true })
  expect((await busy.send('POST', '/api/auth/logout')).status).toBeLessThan(300)
})

const elsewhere = { 'x-forwarded-for': '198.51.100.7' }
const cookiesOf = ({ cookies }: Visitor): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

test(
  "whoever has a copy of somebody's cookie, on another network, doesn't use up their requests per minute",
  { tags: ['full'] },
  async () => {
    const owner = await registered(app, 'copied')
    for (const path of ['/api/auth/session', '/api/user/export']) {
      const thiefs = async () => (await fetch(`${app.url}${path}`, { headers: { ...elsewhere, cookie: cookiesOf(owner) } })).status
      const statuses: number[] = []
      while (!statuses.includes(429) && statuses.length <= 2 * ordinaryMax)
        statuses.push(...(await Promise.all(Array.from({ length: 40 }, thiefs))))
      expect(statuses).toContain(429)
      expect((await owner.get(path)).status).toBe(200)
    }
  },
)

test("a copied cookie that keeps as many requests in progress as allowed doesn't hold up the owner's", async () => {
  const owner = await registered(app, 'kept-waiting')
  const { port } = new URL(app.url)
  // A body has half a minute to arrive.
  const head = ['POST /api/annotations HTTP/1.1', `host: localhost:${port}`, `cookie: ${cookiesOf(owner)}`]
  const slow = [...head, `x-forwarded-for: ${elsewhere['x-forwarded-for']}`, 'content-type: application/json', 'content-length: 40', '', '']
  let refused = 0
  for (let at = 0; at < 400; at += 1) {
    const socket = connect({ host: 'localhost', port: Number(port) })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    socket.on('data', (chunk) => (refused += /^HTTP\/1\.1 429 .*in progress/s.test(chunk.toString()) ? 1 : 0))
    socket.write(slow.join('\r\n'))
  }
  await until(
    async () => refused,
    (count) => count > 0,
  )
  expect((await owner.send('POST', '/api/user/proof', { password: 'a-good-password' })).status).toBe(204)
  expect((await owner.send('DELETE', '/api/user/sessions')).status).toBe(204)
})

test('a change counts once, although it is admitted before and after its body', { tags: ['full'] }, async () => {
  const person = await registered(app, 'changes')
  const statuses: number[] = []
  for (let at = 0; at < (ordinaryMax / 40) * 0.75; at += 1)
    statuses.push(...(await Promise.all(Array.from({ length: 40 }, async () => (await person.send('DELETE', '/api/keys/999999')).status))))
  expect(statuses.filter((status) => status === 429)).toEqual([])
})
