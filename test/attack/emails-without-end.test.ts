import pg from 'pg'
import { describe, expect, onTestFinished } from 'vitest'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'
import { comeBack, consent, leaveForGoogle, throughConsent } from '../support/consent.ts'
import { confirmAddress, mailedToken, member } from '../support/people.ts'
import { databaseUrlOf } from '../support/stores.ts'
import { until } from '../support/until.ts'
import type { Answer, Visitor } from '../support/visitor.ts'
import { user } from '../../src/contract/user.ts'

// Somebody who floods a mailbox that never agreed, in the operator's name, or uses up what its owner and their neighbors need.

const password = 'a-good-password'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false }).extend('victim', () => {
  const name = `victim${++people}`
  return { name, email: `${name}@elsewhere.example` }
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
/** Another IPv4 network each time. */
let networks = 0
const network = (): string => {
  networks += 1
  return `198.51.${Math.floor(networks / 250)}.${(networks % 250) + 1}`
}

const allSent = async (app: TestApp) => {
  const { sql } = await app.stores()
  await until(
    () => sql(`SELECT FROM jobs.job WHERE (name LIKE 'mail%' OR name = 'password-resets') AND state IN ('created', 'retry', 'active')`),
    (waiting) => waiting.length === 0,
  )
}
const kindsTo = async (app: TestApp, address: string) => {
  await allSent(app)
  return (await app.mail.mails(address)).map(({ kind }) => kind)
}
/** What is counted by the hour or less starts over. */
const hourLater = async (app: TestApp) =>
  (await app.stores()).sql('DELETE FROM attempts WHERE expire < extract(epoch FROM now()) * 1000 + 3_600_000')
const daysLater = async (app: TestApp, days: number) => {
  const { sql } = await app.stores()
  await sql('DELETE FROM attempts')
  await sql('UPDATE letter_counts SET since = since - $1 * $2::interval', [days, '1 day'])
}
const statusesOf = async (times: number, ask: () => Promise<Answer>) => {
  const found: number[] = []
  for (let at = 0; at < times; at += 1) found.push((await ask()).status)
  return found
}
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value)

let names = 0
const register = (app: TestApp, email: string, address: string, who = app.visitor(), username = `claims-it-${++names}`) =>
  who.send('POST', '/api/auth/register', { username, email, password }, from(address))
const forgot = (app: TestApp, email: string, address: string) =>
  app.visitor().send('POST', '/api/auth/forgot-password', { email }, from(address))
const resend = (who: Visitor, address: string) => who.send('POST', '/api/auth/verify-email/send', {}, from(address))

describe("emails about accounts that claim somebody's address", () => {
  test('are limited to ten a month from one network, whatever it asks for; the answers stay the same', async ({
    app,
    victim: { email },
  }) => {
    const stranger = network()
    for (let hour = 0; hour < 3; hour += 1) {
      expect(await statusesOf(5, () => register(app, email, stranger))).toEqual(times(5, 200))
      expect(await statusesOf(6, () => forgot(app, email, stranger))).toEqual([...times(5, 202), 429])
      await hourLater(app)
    }
    // Each request for links was one email, though it reached five accounts.
    expect((await kindsTo(app, email)).toSorted()).toEqual([...times(5, 'confirm-address'), ...times(5, 'reset-password')])
    const account = app.visitor()
    expect((await register(app, email, stranger, account)).status).toBe(200)
    expect((await resend(account, stranger)).status).toBe(202)
    expect((await account.send('PATCH', '/api/user', { email: `other-${email}` }, from(network()))).status).toBe(200)
    expect((await account.send('PATCH', '/api/user', { email }, from(stranger))).status).toBe(200)
    expect(await kindsTo(app, email)).toHaveLength(10)
    // Nor from its other addresses: an IPv6 customer has 65,536 networks.
    const customer = (n: number) => `2001:db8:${people}:${n.toString(16)}::1`
    for (let n = 0; n < 5; n += 1) await register(app, email, customer(n))
    await hourLater(app)
    for (let n = 5; n < 10; n += 1) await register(app, email, customer(n))
    await hourLater(app)
    for (let n = 10; n < 15; n += 1) await register(app, email, customer(n))
    expect(await kindsTo(app, email)).toHaveLength(20)

    await daysLater(app, 29)
    await forgot(app, email, stranger)
    expect(await kindsTo(app, email)).toHaveLength(20)
    await daysLater(app, 2)
    await forgot(app, email, stranger)
    expect(await kindsTo(app, email)).toHaveLength(21)
  })

  test("don't keep its owner from registering, confirming and resetting", { tags: ['full'] }, async ({ app, victim: { email, name } }) => {
    const strangers = [network(), network(), network(), network()]
    for (let hour = 0; hour < 3; hour += 1) {
      for (const stranger of strangers) {
        await statusesOf(5, () => register(app, email, stranger))
        await statusesOf(5, () => forgot(app, email, stranger))
      }
      await hourLater(app)
    }
    await allSent(app)
    await app.mail.clear()
    // Without causing emails, they use up nothing that others share; the same hour, the owner arrives.
    for (const stranger of strangers) {
      await statusesOf(5, () => register(app, email, stranger))
      await statusesOf(5, () => forgot(app, email, stranger))
    }
    expect(await kindsTo(app, email)).toEqual([])
    const [home, owner] = [network(), app.visitor()]
    expect((await register(app, email, home, owner, name)).status).toBe(200)
    expect((await forgot(app, email, home)).status).toBe(202)
    expect((await kindsTo(app, email)).toSorted()).toEqual(['confirm-address', 'reset-password'])
    await confirmAddress(app, owner, email)

    // From now on only the hourly limits apply, from any network, and a new start has no past.
    await app.mail.clear()
    for (let hour = 0; hour < 3; hour += 1) {
      await hourLater(app)
      expect(await statusesOf(5, () => forgot(app, email, home))).toEqual(times(5, 202))
    }
    expect(await kindsTo(app, email)).toEqual(times(15, 'reset-password'))
    await owner.send('POST', '/api/user/proof', { password })
    expect((await owner.send('DELETE', '/api/user', { username: name, password })).status).toBe(204)
    await app.mail.clear()
    await hourLater(app)
    expect((await register(app, email, home, app.visitor(), name)).status).toBe(200)
    expect(await kindsTo(app, email)).toContain('confirm-address')
  })

  test(
    "don't reveal, once there are no more, whether an account has confirmed it",
    { tags: ['full'] },
    async ({ app, victim: { email } }) => {
      const [owner, owned] = [app.visitor(), `owned-${email}`]
      await register(app, owned, network(), owner)
      await confirmAddress(app, owner, owned)
      await hourLater(app)
      const strangers = Array.from({ length: 5 }, network)
      const seen = async (address: string) => {
        const found: number[] = []
        for (let hour = 0; hour < 3; hour += 1) {
          for (const stranger of strangers) {
            found.push(...(await statusesOf(5, () => forgot(app, address, stranger))))
            found.push(...(await statusesOf(5, () => register(app, address, stranger))))
          }
          await hourLater(app)
        }
        return found
      }
      expect(await seen(owned)).toEqual(await seen(email))
      // Both were queued alike: what is left out is left out later.
      const { sql } = await app.stores()
      await allSent(app)
      await sql('DELETE FROM jobs.job')
      for (const address of [email, owned]) await register(app, address, strangers[0] ?? '')
      expect(await sql(`SELECT FROM jobs.job WHERE name LIKE 'mail%'`)).toHaveLength(2)
    },
  )

  test('reach 300 addresses a day from one network', { tags: ['full'] }, async ({ app, victim: { email } }) => {
    const [stranger, neighbor] = [network(), network()]
    await register(app, email, stranger)
    const { sql } = await app.stores()
    await sql(`UPDATE attempts SET points = 300 WHERE key = $1`, [`letter-address:${stranger}`])
    const another = `another-${email}`
    expect((await register(app, another, stranger)).status).toBe(200)
    expect((await forgot(app, another, stranger)).status).toBe(202)
    expect(await kindsTo(app, another)).toEqual([])
    expect((await forgot(app, another, neighbor)).status).toBe(202)
    expect(await kindsTo(app, another)).toEqual(['reset-password'])
  })

  test(
    'are limited as well for accounts that come from Google, which are deleted and created again',
    { tags: ['full'] },
    async ({ app, victim: { email } }) => {
      // A work address that has another reader by now: Google still logs its former one in.
      await app.google.account(email, {}, { consumer: true })
      const comeAndGo = async () => {
        const visitor = app.visitor()
        const place = await throughConsent(visitor, { account: email })
        const { username, emailVerified } = user.parse((await visitor.get('/api/user')).body)
        expect([place, emailVerified]).toEqual(['/onboarding/plan?connected=true', false])
        expect((await visitor.send('DELETE', '/api/user', { username })).status).toBe(204)
      }
      for (let at = 0; at < 7; at += 1) await comeAndGo()
      expect(await kindsTo(app, email)).toEqual(times(5, 'confirm-address'))
      await hourLater(app)
      for (let at = 0; at < 7; at += 1) await comeAndGo()
      await hourLater(app)
      await comeAndGo()
      expect(await kindsTo(app, email)).toEqual(times(10, 'confirm-address'))
    },
  )

  test('are sent once if somebody comes from Google twice at the same moment, and both get the one account', async ({
    app,
    victim: { name, email },
  }) => {
    await app.google.account(email, {}, { consumer: true })
    const visitors = [app.visitor(), app.visitor()]
    const returns = await Promise.all(
      visitors.map(async (who) => ({ who, back: await consent(await leaveForGoogle(who), { account: email }) })),
    )
    const holder = new pg.Client({ connectionString: await databaseUrlOf(app.dataDir) })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE users IN EXCLUSIVE MODE')
    const { sql } = await app.stores()
    const places = Promise.all(returns.map(({ who, back }) => comeBack(who, back)))
    await until(
      () => sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
      (waiting) => waiting.length === 2,
    )
    await holder.query('COMMIT')
    for (const place of await places) expect(place).not.toContain('error')
    const loggedIn = await Promise.all(visitors.map(async (who) => user.parse((await who.get('/api/user')).body).username))
    expect(loggedIn).toEqual([name, name])
    expect(await kindsTo(app, email)).toEqual(['confirm-address'])
  })
})

test("taken usernames, for which nothing is emailed, don't keep an address's owner from registering", async ({
  app,
  victim: { email, name },
}) => {
  await register(app, `other-${email}`, network(), app.visitor(), `taken-by-${name}`)
  for (const stranger of [network(), network(), network(), network()])
    expect(await statusesOf(5, () => register(app, email, stranger, app.visitor(), `taken-by-${name}`))).toEqual(times(5, 409))
  expect((await register(app, email, network(), app.visitor(), name)).status).toBe(200)
  expect(await mailedToken(app, email, 'confirm-address')).toBeTruthy()
})

describe('emails that ask whether alerts may be sent to an address', () => {
  const choose = (who: Visitor, address: string, place: string) => who.send('PUT', '/api/delivery-channels/email', { address }, from(place))

  test(
    "to a hundred addresses don't keep anybody else in the network from choosing theirs",
    { tags: ['full'] },
    async ({ app, victim: { email, name } }) => {
      const [attacker, colleague] = await Promise.all(['attacker', 'colleague'].map((who) => member(app, { email: `${who}-of-${email}` })))
      const office = network()
      const asked: number[] = []
      for (let at = 0; at < 102; at += 1) {
        if (at % 5 === 0) await hourLater(app)
        asked.push((await choose(attacker!, `nobody${at}@${name}.example`, office)).status)
      }
      expect(asked).toEqual(times(102, 200))
      expect((await choose(colleague!, `team-of-${email}`, office)).status).toBe(200)
    },
  )

  test(
    'are limited to ten a month from one network to an address that ignores them, and none are lost on one that agreed',
    { tags: ['full'] },
    async ({ app, victim: { email } }) => {
      const [person, home, team] = [await member(app, { email: `person-of-${email}` }), network(), `team-of-${email}`]
      const asked: number[] = []
      for (let at = 0; at < 12; at += 1) {
        await hourLater(app)
        asked.push((await choose(person, team, home)).status)
        const token = await mailedToken(app, team, 'confirm-delivery-address')
        expect((await app.visitor().send('POST', '/api/delivery-channels/email/confirm', { token })).status).toBe(200)
        await app.mail.clear()
        await person.send('PUT', '/api/delivery-channels/email', { address: null })
      }
      expect(asked).toEqual(times(12, 200))

      const ask = async () => {
        await hourLater(app)
        return choose(person, email, home)
      }
      expect(await statusesOf(10, ask)).toEqual(times(10, 200))
      const refused = {
        message: `${email} hasn't responded to our earlier emails. Enter another address, or try again in 30 days.`,
        field: 'address',
      }
      expect(await ask()).toMatchObject({ status: 429, body: refused })
      await hourLater(app)
      expect((await choose(person, email, network())).status).toBe(200)
      expect(await kindsTo(app, email)).toHaveLength(11)
      await daysLater(app, 31)
      expect((await ask()).status).toBe(200)
    },
  )

  test(
    "use up what all networks share only if they are sent, so three networks don't keep an address from its owner",
    { tags: ['full'] },
    async ({ app, victim: { email } }) => {
      const strangers = await Promise.all([1, 2, 3].map((n) => member(app, { email: `stranger${n}-of-${email}` })))
      const places = strangers.map(() => network())
      const [owner, home] = [await member(app, { email: `owner-of-${email}` }), network()]
      const hours: { asked: number; owner: number }[] = []
      for (let hour = 0; hour < 4; hour += 1) {
        const asked: number[] = []
        for (const [at, who] of strangers.entries()) asked.push(...(await statusesOf(5, () => choose(who, email, places[at] ?? ''))))
        hours.push({ asked: asked.filter((status) => status === 200).length, owner: (await choose(owner, email, home)).status })
        await hourLater(app)
      }
      expect(hours).toEqual([
        { asked: 15, owner: 429 },
        { asked: 15, owner: 429 },
        { asked: 0, owner: 200 },
        { asked: 0, owner: 200 },
      ])
      // What the owner was refused isn't counted against them.
      const { sql } = await app.stores()
      expect(await sql(`SELECT asks FROM letter_counts WHERE about = 'alerts' AND asks = 2`)).toHaveLength(1)
    },
  )

  test("aren't counted for somebody who unsubscribed and isn't asked", async ({ app, victim: { email } }) => {
    const strangers = await Promise.all([1, 2, 3].map((n) => member(app, { email: `unwanted${n}-of-${email}` })))
    const { sql } = await app.stores()
    await sql(`INSERT INTO alert_mail_refusals (user_id, address, at) SELECT id, $1, now() FROM users WHERE email LIKE $2`, [
      email,
      `unwanted%-of-${email}`,
    ])
    for (const who of strangers) expect(await statusesOf(5, () => choose(who, email, network()))).toEqual(times(5, 409))
    const owner = await member(app, { email: `owner-of-${email}` })
    expect((await choose(owner, email, network())).status).toBe(200)
  })
})
