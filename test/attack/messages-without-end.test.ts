import { describe, expect } from 'vitest'
import { alertMailsADay, alertTextsADay, codesADay } from '../../src/contract/delivery/limits.ts'
import { deliveryChannels } from '../../src/contract/delivery/channels.ts'
import { appTest } from '../support/app-test.ts'
import { member } from '../support/people.ts'
import type { Visitor } from '../support/visitor.ts'

// An account that sends text messages and emails without end at the operator's cost, or to somebody who wants none.

const path = '/api/delivery-channels'
const aDay = 40
let people = 0

const test = appTest({ today: '2026-03-18', demo: false, env: { SMS_A_DAY: String(aDay), SMS_COUNTRIES: '1,+44' } }).extend(
  'attack',
  async ({ app }) => {
    await Promise.all([app.mail.reset(), app.sms.reset()])
    app.google.setNow('2026-03-18')
    const { sql } = await app.stores()
    await sql('DELETE FROM day_counts')
    /** With an account that has been here for a week, unless it is a young one. */
    const someone = async (isYoung = false) => {
      const address = `attacker${++people}@example.test`
      const person = await member(app, { email: address, plan: 'pro' })
      if (!isYoung) await sql(`UPDATE users SET created_at = '2026-01-01', email_verified = true WHERE email = $1`, [address])
      return { address, person }
    }
    const ask = (who: Visitor, number: string) => who.send('PUT', `${path}/sms`, { number })
    const connect = async (who: Visitor, number: string) => {
      await ask(who, number)
      const [code] = /\d{6}/.exec((await app.sms.messageTo(number)).body) ?? []
      expect((await who.send('POST', `${path}/sms/confirm`, { code })).status).toBe(200)
      await app.sms.clear()
    }
    const trial = (who: Visitor, channel: 'email' | 'sms') => who.send('POST', `${path}/${channel}/test`)
    const channels = async (who: Visitor) => deliveryChannels.parse((await who.get(path)).body)
    /** Forgets the attempts of the last hour. */
    const hourLater = () => sql('DELETE FROM attempts')
    /** This many have been sent today. */
    const used = async (what: string, whose: string, count: number) => {
      const [user] = await sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [whose])
      await sql(
        `INSERT INTO day_counts (what, whose, day, used) VALUES ($1, $2, $3, $4)
         ON CONFLICT (what, whose, day) DO UPDATE SET used = excluded.used`,
        [what, user?.id ?? whose, app.google.now().toISOString().slice(0, 10), count],
      )
    }
    return { someone, ask, connect, trial, channels, used, hourLater }
  },
)

describe('text messages', () => {
  test(
    "codes that are refused, so that nobody gets them, don't keep a number's owner from getting theirs",
    { tags: ['full'] },
    async ({ app, attack: { someone, used } }) => {
      const number = '+447700900777'
      const ask = (who: Visitor, network: string) => who.send('PUT', `${path}/sms`, { number }, { headers: { 'x-forwarded-for': network } })
      for (const place of [1, 2, 3, 4]) {
        const { person, address } = await someone()
        await used('code-text', address, codesADay)
        for (let n = 0; n < 5; n += 1)
          expect(await ask(person, `198.51.100.${place}`)).toMatchObject({
            status: 429,
            body: { message: 'You can request up to 5 codes a day. Request another code tomorrow (UTC).' },
          })
      }
      const owner = await someone()
      expect((await ask(owner.person, '198.51.100.9')).status).toBe(200)
      expect((await app.sms.messageTo(number)).body).toContain('is your Ranklark code')
    },
  )

  test('codes: limited per day for each account, each number and everybody together, and only to countries that the operator allows', async ({
    app,
    attack: { someone, ask, hourLater },
  }) => {
    const [first, second, third] = [(await someone()).person, (await someone()).person, (await someone()).person]
    const refusal = (message: string) => ({ status: 429, body: { message, field: 'number' } })
    expect(await ask(third, '+882 13 300 0000')).toMatchObject({
      status: 400,
      body: {
        message: 'This installation sends text messages only to numbers that begin with +1 or +44. Enter one of those.',
        field: 'number',
      },
    })
    // A new number each time, and a pause whenever the attempts of an hour are used up.
    for (let sent = 1; sent <= codesADay; sent++) expect((await ask(first, `+44770090020${sent}`)).status).toBe(200)
    await hourLater()
    expect(await ask(first, '+447700900300')).toMatchObject(
      refusal('You can request up to 5 codes a day. Request another code tomorrow (UTC).'),
    )

    // One number, from several accounts.
    for (let sent = 1; sent <= codesADay; sent++) expect((await ask(second, '+447700900400')).status).toBe(200)
    await hourLater()
    expect(await ask(third, '+447700900400')).toMatchObject(
      refusal('A phone number can receive up to 5 codes a day. Request another code tomorrow (UTC).'),
    )

    // Another number, another account: all together have a quarter of the day's text messages.
    expect(await ask(third, '+447700900500')).toMatchObject(
      refusal("This installation can't send any more codes today. Request another code tomorrow (UTC)."),
    )
    expect(await app.sms.messages()).toHaveLength(aDay / 4)
    app.google.setNow('2026-03-19')
    expect((await ask(first, '+447700900300')).status).toBe(200)
  })

  test("what the SMS service doesn't accept isn't counted", async ({ app, attack: { someone, ask, hourLater } }) => {
    const { person } = await someone()
    await app.sms.setNumber('+447700900600', 21614)
    for (let tried = 1; tried < codesADay; tried++) expect((await ask(person, '+447700900600')).status).toBe(400)
    await hourLater()
    for (let sent = 1; sent <= codesADay; sent++) expect((await ask(person, '+447700900601')).status).toBe(200)
  })

  test('alerts and tests: limited per day for each account and for everybody together; the next day they resume', async ({
    app,
    attack: { someone, connect, trial, channels, used },
  }) => {
    const { address, person } = await someone()
    await connect(person, '+447700900700')
    await used('alert-text', address, alertTextsADay - 1)
    expect((await trial(person, 'sms')).status).toBe(200)
    const own = 'Your account can send up to 50 text messages a day. Alerts on this channel resume tomorrow (UTC).'
    expect(await trial(person, 'sms')).toMatchObject({ status: 429, body: { message: own } })
    expect((await channels(person)).sms.problem).toBe(own)

    const other = await someone()
    await connect(other.person, '+447700900701')
    await used('text', 'everybody', aDay)
    const all = 'This installation can send up to 40 text messages a day. Alerts on this channel resume tomorrow (UTC).'
    expect(await trial(other.person, 'sms')).toMatchObject({ status: 429, body: { message: all } })
    expect((await channels(other.person)).sms.problem).toBe(all)
    expect(await app.sms.messages()).toEqual([])

    app.google.setNow('2026-03-19')
    expect((await channels(person)).sms.problem).toBeNull()
    expect((await trial(person, 'sms')).status).toBe(200)
  })
})

describe('text messages from many new accounts', () => {
  test("don't use up what is kept for those that have been here for a week", async ({
    app,
    attack: { someone, ask, connect, trial, channels, used },
  }) => {
    const [young, old] = [await someone(true), await someone()]
    await connect(young.person, '+447700900800')
    await connect(old.person, '+447700900801')
    await used('text', 'everybody', (aDay * 3) / 4)
    const all = "This installation can't send any more text messages for new accounts today."
    const message = `${all} Alerts on this channel resume tomorrow (UTC).`
    expect(await trial(young.person, 'sms')).toMatchObject({ status: 429, body: { message } })
    expect((await channels(young.person)).sms.problem).toBe(message)
    expect((await trial(old.person, 'sms')).status).toBe(200)
    expect((await channels(old.person)).sms.problem).toBeNull()

    await used('text', 'everybody', 0)
    await used('code-text', 'everybody', Math.ceil((aDay / 4) * (3 / 4)))
    const code = { message: `${all} Request another code tomorrow (UTC).` }
    expect(await ask(young.person, '+447700900802')).toMatchObject({ body: code })
    expect((await ask(old.person, '+447700900803')).status).toBe(200)
    expect(await app.sms.messages()).toHaveLength(2)
  })
})

describe('emails about alerts', () => {
  test('are limited per day for each account; the next day they resume', async ({ app, attack: { someone, trial, channels, used } }) => {
    const { address, person } = await someone()
    await used('alert-mail', address, alertMailsADay - 1)
    expect((await trial(person, 'email')).status).toBe(200)
    const message = 'Your account can send up to 500 alert emails a day. Alerts on this channel resume tomorrow (UTC).'
    expect(await trial(person, 'email')).toMatchObject({ status: 429, body: { message } })
    expect((await channels(person)).email.problem).toBe(message)
    expect(await app.mail.mails(address)).toHaveLength(1)
    app.google.setNow('2026-03-19')
    expect((await channels(person)).email.problem).toBeNull()
    expect((await trial(person, 'email')).status).toBe(200)
  })

  test('never go to somebody who has unsubscribed, whatever the owner of the account does', async ({
    app,
    attack: { someone, trial, channels },
  }) => {
    const { address, person } = await someone()
    const victim = `victim${people}@bank.example`
    const choose = (to: string | null) => person.send('PUT', `${path}/email`, { address: to })
    await choose(victim)
    const [link = ''] = (await app.mail.mailTo(victim, { kind: 'confirm-delivery-address' })).links
    const token = new URL(link).searchParams.get('token')
    const confirm = () => app.visitor().send('POST', `${path}/email/confirm`, { token })
    expect((await confirm()).status).toBe(200)
    await trial(person, 'email')
    const url = /^<(.+)>$/.exec((await app.mail.mailTo(victim, { kind: 'test' })).header('list-unsubscribe') ?? '')?.[1] ?? ''
    expect((await fetch(url, { method: 'POST' })).status).toBe(200)
    await app.mail.clear()

    // Turning email back on, entering the address again in any spelling, the old link, and a detour via another address.
    await person.send('PATCH', '/api/delivery-settings', { emailEnabled: true })
    expect((await channels(person)).email).toMatchObject({ to: address, waitingFor: null })
    const message = `${victim} has unsubscribed from your account's alert emails. Enter another address.`
    for (const typed of [victim, victim.toUpperCase()])
      expect(await choose(typed)).toMatchObject({ status: 409, body: { message, field: 'address' } })
    expect((await confirm()).status).toBe(400)
    await choose(`other.${address}`)
    await choose(null)
    expect((await choose(victim)).status).toBe(409)
    expect((await trial(person, 'email')).body).toEqual({ to: address })
    expect(await app.mail.mails(victim)).toEqual([])
  })
})
