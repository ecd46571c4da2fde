import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { member } from '../../../test/support/people.ts'

let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('own', async ({ app }) => {
    const address = `ann${++people}@example.test`
    const person = await member(app, { email: address, plan: 'pro' })
    return { address, person }
  })
  .extend('emails', ({ app, own: { address, person } }) => {
    const settings = async () => (await person.get('/api/delivery-settings')).body
    /** Where a mail program posts to when somebody unsubscribes from the latest email to an address. */
    async function oneClickOf(to = address): Promise<string> {
      expect((await person.send('POST', '/api/delivery-channels/email/test')).status).toBe(200)
      const mail = await app.mail.mailTo(to, { kind: 'test' })
      expect(mail.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
      const url = /^<(.+)>$/.exec(mail.header('list-unsubscribe') ?? '')?.[1] ?? ''
      expect(url.startsWith(`${app.url}/api/unsubscribe?token=`)).toBe(true)
      return url
    }
    return { settings, oneClickOf }
  })

const post = (url: string, init: RequestInit = {}) => fetch(url, { method: 'POST', ...init })
const look = async (url: string): Promise<unknown> => (await fetch(url)).json()
const masked = 'a•••@example.test'

test('anyone with the email can see what would end, and end it, without logging in and repeatedly', async ({
  emails: { settings, oneClickOf },
}) => {
  const url = await oneClickOf()
  for (let time = 1; time <= 2; time++) {
    expect(await look(url)).toEqual({ address: masked, subscribed: true })
    expect(await settings()).toBeNull()
  }
  for (let time = 1; time <= 2; time++) {
    const answer = await post(url)
    expect([answer.status, await answer.json()]).toEqual([200, { address: masked, subscribed: false }])
    expect(await look(url)).toEqual({ address: masked, subscribed: false })
    expect(await settings()).toMatchObject({ emailEnabled: false, criticalAlerts: true, slackEnabled: false, frequency: 'daily' })
  }
})

test('only email is turned off', async ({ own: { person }, emails: { settings, oneClickOf } }) => {
  const url = await oneClickOf()
  await person.send('POST', '/api/delivery-settings', { slackEnabled: true, frequency: 'weekly', warningAlerts: false })
  await post(url)
  expect(await settings()).toMatchObject({ emailEnabled: false, slackEnabled: true, frequency: 'weekly', warningAlerts: false })
})

test('email that is turned on again can be turned off again', async ({ own: { person }, emails: { settings, oneClickOf } }) => {
  const url = await oneClickOf()
  await post(url)
  await person.send('PATCH', '/api/delivery-settings', { emailEnabled: true })
  expect(await look(url)).toMatchObject({ subscribed: true })
  await post(url)
  expect(await settings()).toMatchObject({ emailEnabled: false })
})

describe('one-click unsubscribe in a mail program (RFC 8058)', () => {
  const form = 'List-Unsubscribe=One-Click'
  const multipart = new FormData()
  multipart.append('List-Unsubscribe', 'One-Click')

  test.for<[string, RequestInit]>([
    ['a form', { body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['a form with parts', { body: multipart }],
    [
      'a form from another site',
      { body: new URLSearchParams(form), headers: { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' } },
    ],
    ['a form without an origin', { body: new URLSearchParams(form), headers: { origin: 'null' } }],
    ['nothing', {}],
  ])('works with %s', async ([_what, init], { emails: { settings, oneClickOf } }) => {
    const answer = await post(await oneClickOf(), init)
    expect([answer.status, await answer.json()]).toEqual([200, { address: masked, subscribed: false }])
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await settings()).toMatchObject({ emailEnabled: false })
  })

  test('rejects large bodies', async ({ emails: { settings, oneClickOf } }) => {
    expect((await post(await oneClickOf(), { body: 'x'.repeat(5000) })).status).toBe(413)
    expect(await settings()).toBeNull()
  })

  test('opens no other route to cross-site requests', async ({ own: { person }, emails: { settings } }) => {
    const headers = { origin: 'https://mail.example' }
    const paths = ['/api/unsubscribe/', '/api/unsubscribed', '/api/delivery-settings?x=/api/unsubscribe']
    const answers = await Promise.all(paths.map((path) => person.send('POST', path, {}, { headers })))
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(await settings()).toBeNull()
  })
})

describe('an unsubscribe link', () => {
  const refusal = { message: 'This link is incomplete or too old. Open it again from the email, or from a newer one.', field: 'token' }

  test("that we didn't create is refused", async ({ app, emails: { settings, oneClickOf } }) => {
    const url = await oneClickOf()
    const [payload = '', signature = ''] = (new URL(url).searchParams.get('token') ?? '').split('.')
    const claim = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const other = Buffer.from(JSON.stringify({ ...claim, address: 'x@example.test' })).toString('base64url')
    for (const token of ['x', payload, `${other}.${signature}`, `${payload}.${signature.slice(0, -2)}`]) {
      const made = `${app.url}/api/unsubscribe?token=${token}`
      for (const answer of [await post(made), await fetch(made)]) expect([answer.status, await answer.json()]).toEqual([400, refusal])
    }
    expect((await post(`${app.url}/api/unsubscribe`)).status).toBe(400)
    expect(await settings()).toBeNull()
  })

  test("can't be replaced by a confirmation link", async ({ app, own: { address, person }, emails: { oneClickOf } }) => {
    await person.send('PUT', '/api/delivery-channels/email', { address: `team.${address}` })
    const [link = ''] = (await app.mail.mailTo(`team.${address}`)).links
    expect((await post(link.replace('/confirm-delivery?', '/api/unsubscribe?'))).status).toBe(400)
    const token = new URL(await oneClickOf()).searchParams.get('token')
    expect((await person.send('POST', '/api/delivery-channels/email/confirm', { token })).status).toBe(400)
  })

  test(
    'for an address that no longer gets email ends nothing',
    { tags: ['full'] },
    async ({ app, own: { address, person }, emails: { settings, oneClickOf } }) => {
      const url = await oneClickOf()
      const team = `team.${address}`
      await person.send('PUT', '/api/delivery-channels/email', { address: team })
      const [link = ''] = (await app.mail.mailTo(team)).links
      await person.send('POST', '/api/delivery-channels/email/confirm', { token: new URL(link).searchParams.get('token') })
      const urlOfTeam = await oneClickOf(team)
      expect(await look(url)).toEqual({ address: masked, subscribed: false })
      expect((await post(url)).status).toBe(200)
      expect(await look(urlOfTeam)).toEqual({ address: 't•••@example.test', subscribed: true })
      await post(urlOfTeam)
      expect(await settings()).toMatchObject({ emailEnabled: false })
    },
  )

  test('for a deleted account keeps the next one from asking, and then says that no more emails will come', async ({
    own: { person },
    emails: { oneClickOf },
  }) => {
    const url = await oneClickOf()
    const { username } = (await person.get('/api/user')).body as { username: string }
    expect((await person.send('DELETE', '/api/user', { username })).status).toBe(204)
    expect(await look(url)).toEqual({ address: masked, subscribed: false, asked: true })
    expect((await post(url)).status).toBe(200)
    expect(await look(url)).toEqual({ address: masked, subscribed: false })
  })
})

test('pending announcements are rescheduled', async ({ app, own: { address }, emails: { oneClickOf } }) => {
  const url = await oneClickOf()
  const { sql } = await app.stores()
  const scheduled = () => sql('SELECT 1 FROM digest_schedules JOIN users ON users.id = user_id WHERE email = $1', [address])
  expect(await scheduled()).toHaveLength(0)
  await post(url)
  expect(await scheduled()).toHaveLength(1)
})
