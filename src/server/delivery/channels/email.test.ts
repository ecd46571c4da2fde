import { describe, expect } from 'vitest'

import { appTest } from '../../../../test/support/app-test.ts'
import type { TestApp } from '../../../../test/support/app.ts'
import { member, moveTo } from '../../../../test/support/people.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import { deliveryChannels } from '../../../contract/delivery/channels.ts'

const path = '/api/delivery-channels'
const day = 24 * 3600_000
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('someone', async ({ app }) => {
    app.google.setNow('2026-03-18')
    const own = `person${++people}@example.test`
    const other = `team${people}@example.test`
    const person = await member(app, { email: own })
    return { own, other, person }
  })
  .extend('mailbox', ({ app, someone: { own, person } }) => {
    const email = async () => deliveryChannels.parse((await person.get(path)).body).email
    const choose = (address: string | null, who = person) => who.send('PUT', `${path}/email`, { address })
    const confirm = (token: string, who = app.visitor()) => who.send('POST', `${path}/email/confirm`, { token })
    /** The token in the latest email to an address. */
    async function tokenTo(address: string): Promise<string> {
      const [link = ''] = (await app.mail.mailTo(address, { kind: 'confirm-delivery-address' })).links
      expect(link).toMatch(new RegExp(`^${app.url}/confirm-delivery\\?token=[\\w.-]+$`))
      return new URL(link).searchParams.get('token') ?? ''
    }
    async function confirmed(address: string): Promise<void> {
      await choose(address)
      expect(await confirm(await tokenTo(address))).toMatchObject({ status: 200 })
    }
    const row = async () => {
      const { sql } = await app.stores()
      const [found] = await sql<{ destination: string | null; waiting: string | null }>(
        `SELECT destination, waiting FROM delivery_channels JOIN users ON users.id = user_id WHERE email = $1 AND channel = 'email'`,
        [own],
      )
      return found
    }
    return { email, choose, confirm, tokenTo, confirmed, row }
  })

describe('email goes', () => {
  test("to the account's address by default", async ({ someone: { own }, mailbox: { email } }) => {
    expect(await email()).toEqual({ locked: null, to: own, problem: null, lastSentAt: null, waitingFor: null, unconfirmed: null })
  })

  test('to another address once it is confirmed', async ({
    app,
    someone: { own, other },
    mailbox: { email, choose, confirm, tokenTo },
  }) => {
    expect(await choose(other)).toMatchObject({ status: 200, body: { email: { to: own, waitingFor: other } } })
    const token = await tokenTo(other)
    expect(await email()).toMatchObject({ to: own, waitingFor: other })
    expect(await confirm(token)).toMatchObject({ status: 200, body: { address: other } })
    expect(await email()).toMatchObject({ to: other, waitingFor: null })
    expect(await confirm(token)).toMatchObject({ status: 200, body: { address: other } })
    expect(await email()).toMatchObject({ to: other, waitingFor: null })
    expect(await app.mail.mails(own)).toEqual([])
  })

  test(
    'to the previous address until the new one is confirmed',
    { tags: ['full'] },
    async ({ someone: { other }, mailbox: { choose, confirmed } }) => {
      await confirmed(other)
      expect(await choose(`next.${other}`)).toMatchObject({ body: { email: { to: other, waitingFor: `next.${other}` } } })
    },
  )

  test.for([
    ['null', () => null],
    ...inFull([
      ['its name', (own: string) => own],
      ['its name in capitals', (own: string) => own.toUpperCase()],
    ]),
  ] as const)(
    "to the account's address again: %s",
    async ([_how, address], { someone: { own, other }, mailbox: { choose, confirmed } }) => {
      await confirmed(other)
      expect(await choose(address(own))).toMatchObject({ status: 200, body: { email: { to: own, waitingFor: null } } })
    },
  )

  test(
    "to the account's address, even after that changes",
    { tags: ['full'] },
    async ({ app, someone: { own, other, person }, mailbox: { email, choose } }) => {
      await choose(other)
      await choose(null)
      await moveTo(app, person, `new.${own}`)
      expect(await email()).toMatchObject({ to: `new.${own}`, waitingFor: null })
    },
  )

  test(
    "to another address, even after the account's changes",
    { tags: ['full'] },
    async ({ app, someone: { own, other, person }, mailbox: { email, choose, confirm, tokenTo } }) => {
      await choose(other)
      await moveTo(app, person, `new.${own}`)
      expect(await email()).toMatchObject({ to: `new.${own}`, waitingFor: other })
      await confirm(await tokenTo(other))
      await moveTo(app, person, other)
      expect(await email()).toMatchObject({ to: other, waitingFor: null })
      await moveTo(app, person, own)
      expect(await email()).toMatchObject({ to: other })
    },
  )
})

describe('a confirmation link', () => {
  const stale = { message: "Another address was chosen after this email was sent, so notifications won't be sent here.", field: 'token' }

  test('is valid for seven days', async ({ app, someone: { own, other }, mailbox: { email, choose, confirm, tokenTo } }) => {
    await choose(other)
    const token = await tokenTo(other)
    app.google.advance(7 * day - 1000)
    expect(await email()).toMatchObject({ waitingFor: other })
    app.google.advance(1000)
    expect(await confirm(token)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('This link has expired.'), field: 'token' },
    })
    expect(await email()).toMatchObject({ to: own, waitingFor: null })
  })

  test('is invalid once another address is chosen', async ({ someone: { own, other }, mailbox: { email, choose, confirm, tokenTo } }) => {
    await choose(other)
    const token = await tokenTo(other)
    await choose(`next.${other}`)
    expect(await confirm(token)).toMatchObject({ status: 400, body: stale })
    await choose(null)
    expect(await confirm(token)).toMatchObject({ status: 400, body: stale })
    expect(await confirm(await tokenTo(`next.${other}`))).toMatchObject({ status: 400, body: stale })
    expect(await email()).toMatchObject({ to: own, waitingFor: null })
  })

  test("that we didn't create is refused", async ({ someone: { own, other }, mailbox: { email, choose, confirm, tokenTo } }) => {
    await choose(other)
    const [payload = '', signature = ''] = (await tokenTo(other)).split('.')
    const claim = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const forged = Buffer.from(JSON.stringify({ ...claim, address: own })).toString('base64url')
    for (const token of ['x', '..', payload, `${forged}.${signature}`, `${payload}.${signature.slice(1)}`]) {
      expect(await confirm(token)).toMatchObject({
        status: 400,
        body: { message: 'This link is incomplete. Open it again from the email.', field: 'token' },
      })
    }
    expect(await confirm('')).toMatchObject({ status: 400, body: { field: 'token' } })
    expect(await email()).toMatchObject({ to: own, waitingFor: other })
  })

  test('for a deleted account says so', async ({ someone: { other, person }, mailbox: { choose, confirm, tokenTo } }) => {
    await choose(other)
    const token = await tokenTo(other)
    const { username } = (await person.get('/api/user')).body as { username: string }
    expect((await person.send('DELETE', '/api/user', { username })).status).toBe(204)
    expect(await confirm(token)).toMatchObject({ status: 404, body: { message: 'This account no longer exists.' } })
  })
})

describe('an address that no longer accepts email', () => {
  const close = async (app: TestApp, own: string) =>
    (await app.stores()).sql(
      `INSERT INTO delivery_channels (user_id, channel, problem, problem_since) SELECT id, 'email', 'Unknown there', now() FROM users WHERE email = $1
        ON CONFLICT (user_id, channel) DO UPDATE SET problem = excluded.problem, problem_since = excluded.problem_since`,
      [own],
    )

  test('is shown with the error, which entering it again clears', async ({
    app,
    someone: { own, other },
    mailbox: { email, choose, confirmed },
  }) => {
    await confirmed(other)
    await close(app, own)
    expect(await email()).toMatchObject({ to: other, problem: 'Unknown there' })
    await app.mail.clear()
    expect(await choose(other)).toMatchObject({ body: { email: { to: other, problem: null, waitingFor: null } } })
    expect(await app.mail.mails(other)).toEqual([])
    await close(app, own)
    expect(await choose(null)).toMatchObject({ body: { email: { to: own, problem: null } } })
  })

  test('keeps its error while another address waits for confirmation', async ({
    app,
    someone: { own, other },
    mailbox: { email, choose, confirm, tokenTo },
  }) => {
    await close(app, own)
    expect(await choose(other)).toMatchObject({ body: { email: { to: own, problem: 'Unknown there' } } })
    await confirm(await tokenTo(other))
    expect(await email()).toMatchObject({ to: other, problem: null })
  })

  test("has its error cleared by a new account address, if it was the account's", async ({
    app,
    someone: { own, person },
    mailbox: { email },
  }) => {
    await close(app, own)
    await moveTo(app, person, `new.${own}`)
    expect(await email()).toMatchObject({ to: `new.${own}`, problem: null })
  })

  test(
    'keeps its error then if it was another address',
    { tags: ['full'] },
    async ({ app, someone: { own, other, person }, mailbox: { email, confirmed } }) => {
      await confirmed(other)
      await close(app, own)
      await moveTo(app, person, `new.${own}`)
      expect(await email()).toMatchObject({ to: other, problem: 'Unknown there' })
    },
  )
})

test('the email says whose messages it is about', async ({ app, someone: { other, person }, mailbox: { choose } }) => {
  await choose(other)
  const { username } = (await person.get('/api/user')).body as { username: string }
  expect((await app.mail.mailTo(other)).text).toContain(username)
})

test.for(['nobody', 'a b@example.com', 'a@example.com, b@example.com', '"x"@example.com', 'a@example.com\nBcc: b@example.com', ''])(
  "%j isn't a valid address",
  async (address, { mailbox: { choose } }) => {
    expect(await choose(address)).toMatchObject({ status: 400, body: { message: 'Please enter a valid email address', field: 'address' } })
  },
)

test(
  'confirmation emails are limited per person and per address',
  { tags: ['full'] },
  async ({ app, someone: { own, other }, mailbox: { email, choose } }) => {
    for (let letter = 1; letter <= 5; letter++) expect((await choose(`team${letter}.${other}`)).status).toBe(200)
    const wait = { status: 429, body: { message: expect.stringMatching(/^Too many attempts\. Please try again in \d+ minutes\.$/) } }
    expect(await choose(other)).toMatchObject(wait)
    expect(await email()).toMatchObject({ waitingFor: `team5.${other}` })
    expect((await choose(null)).status).toBe(200)

    const target = `target.${other}`
    const several = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => member(app, { email: `${name}.${own}` })))
    const answers = await Promise.all(several.map((each) => choose(target, each)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429])
  },
)

test('addresses are encrypted in the database', async ({ someone: { other }, mailbox: { choose, confirmed, row } }) => {
  await confirmed(other)
  await choose(`next.${other}`)
  const { destination, waiting } = (await row()) ?? {}
  for (const sealed of [destination, waiting]) {
    expect(sealed).toMatch(/^v2\./)
    expect(sealed).not.toContain('example')
  }
})
