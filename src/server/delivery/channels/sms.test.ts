import { describe, expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { member } from '../../../../test/support/people.ts'
import { deliveryChannels } from '../../../contract/delivery/channels.ts'

const path = '/api/delivery-channels/sms'
const minute = 60_000
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('own', async ({ app }) => {
    await app.sms.reset()
    app.google.setNow('2026-03-18')
    const address = `person${++people}@example.test`
    const number = `+4420794${String(60_000 + people)}`
    const person = await member(app, { email: address, plan: 'pro' })
    return { address, number, person }
  })
  .extend('phone', ({ app, own: { address, number, person } }) => {
    const sms = async () => deliveryChannels.parse((await person.get('/api/delivery-channels')).body).sms
    const settings = async () => (await person.get('/api/delivery-settings')).body
    const ask = (to = number, who = person) => who.send('PUT', path, { number: to })
    const confirm = (code: string, who = person) => who.send('POST', `${path}/confirm`, { code })
    const codeTo = async (to: string): Promise<string> =>
      /^\d{6}(?= is your Ranklark code\.)/.exec((await app.sms.messageTo(to)).body)?.[0] ?? ''
    const connect = async (to = number) => {
      await ask(to)
      expect(await confirm(await codeTo(to))).toMatchObject({ status: 200 })
    }
    const onPlan = async (plan: string) =>
      (await app.stores()).sql('UPDATE people SET plan = $2 WHERE user_id = (SELECT id FROM users WHERE email = $1)', [address, plan])
    return { sms, settings, ask, confirm, codeTo, connect, onPlan }
  })

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const masked = (full: string) => `+44 •••• ${full.slice(-4)}`
const waited = { message: 'No code was requested. Enter your number to get one.', field: 'code' }

describe('a phone number', () => {
  test('is confirmed by the code sent to it, which turns text messages on', async ({
    own: { number },
    phone: { sms, settings, ask, confirm, codeTo },
  }) => {
    expect(await sms()).toEqual({ locked: null, to: null, problem: null, lastSentAt: null, waitingFor: null })
    expect(await ask(' +44 (20) 794-60.' + number.slice(-3))).toMatchObject({
      status: 200,
      body: { sms: { to: null, waitingFor: masked(number) } },
    })
    expect(await settings()).toBeNull()
    expect(await confirm(` ${await codeTo(number)} `)).toMatchObject({
      status: 200,
      body: { sms: { to: masked(number), waitingFor: null } },
    })
    expect(await sms()).toMatchObject({ to: masked(number), waitingFor: null })
    expect(await settings()).toMatchObject({ smsEnabled: true, emailEnabled: true, criticalAlerts: true, frequency: 'daily' })
  })

  test("keeps getting messages until a new one is confirmed, and the switch doesn't change", async ({
    own: { number, person },
    phone: { sms, settings, ask, confirm, codeTo, connect },
  }) => {
    await connect()
    await person.send('PATCH', '/api/delivery-settings', { smsEnabled: false })
    const next = '+33612345678'
    await ask(next)
    expect(await sms()).toMatchObject({ to: masked(number), waitingFor: '+33 •••• 5678' })
    await confirm(await codeTo(next))
    expect(await sms()).toMatchObject({ to: '+33 •••• 5678', waitingFor: null })
    expect(await settings()).toMatchObject({ smsEnabled: false })
  })

  test('is removed together with an unconfirmed one, which turns text messages off', async ({
    own: { person },
    phone: { settings, ask, confirm, codeTo, connect },
  }) => {
    await connect()
    await ask('+33612345678')
    const code = await codeTo('+33612345678')
    expect(await person.send('DELETE', path)).toMatchObject({ status: 200, body: { sms: { to: null, waitingFor: null } } })
    expect(await settings()).toMatchObject({ smsEnabled: false })
    expect(await confirm(code)).toMatchObject({ status: 409, body: waited })
    expect((await person.send('DELETE', path)).status).toBe(200)
  })

  test('that is connected again is turned on again', async ({ own: { person }, phone: { settings, connect } }) => {
    await connect()
    await person.send('DELETE', path)
    await connect()
    expect(await settings()).toMatchObject({ smsEnabled: true })
  })

  test.for(['', '07700 900123', '020 7946 0000', '+0 123456789', '+44', '+44 20 7946 0000 0000 0000', '+44x2079460000'])(
    "%j isn't valid",
    async (typed, { app, phone: { ask } }) => {
      const answer = await ask(typed)
      expect(answer).toMatchObject({
        status: 400,
        body: { message: 'Include the country code, such as +1 202 555 0147', field: 'number' },
      })
      expect(await app.sms.messages()).toEqual([])
    },
  )
})

describe('a code', () => {
  test('can be requested again; only the latest one is valid', async ({ own: { number }, phone: { ask, confirm, codeTo } }) => {
    const codes: string[] = []
    for (let asked = 1; asked <= 3; asked++) {
      await ask()
      codes.push(await codeTo(number))
    }
    const last = codes.at(-1) ?? ''
    const before = codes.filter((code) => code !== last)
    expect(before).not.toEqual([])
    const answers = await Promise.all(before.map((code) => confirm(code)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
    expect((await confirm(last)).status).toBe(200)
  })

  test('can be tried five times', async ({ own: { number }, phone: { sms, ask, confirm, codeTo } }) => {
    await ask()
    const code = await codeTo(number)
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect(await confirm(another(code))).toMatchObject({
        status: 400,
        body: { message: 'This code is incorrect. Check it and try again.', field: 'code' },
      })
    }
    expect(await confirm(another(code))).toMatchObject({ status: 400, body: { message: expect.stringContaining("you're out of tries") } })
    expect(await confirm(code)).toMatchObject({ status: 409, body: waited })
    expect(await sms()).toMatchObject({ to: null, waitingFor: null })
  })

  test("can't be tried more often by sending attempts at once", async ({ own: { number }, phone: { ask, confirm, codeTo } }) => {
    await ask()
    const code = await codeTo(number)
    const answers = await Promise.all(Array.from({ length: 12 }, () => confirm(another(code))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(400), ...Array(7).fill(409)])
    expect((await confirm(code)).status).toBe(409)
  })

  test('is valid for ten minutes', async ({ app, own: { number }, phone: { sms, ask, confirm, codeTo } }) => {
    await ask()
    const code = await codeTo(number)
    app.google.advance(10 * minute - 1000)
    expect(await sms()).toMatchObject({ waitingFor: masked(number) })
    app.google.advance(1000)
    expect(await sms()).toMatchObject({ waitingFor: null })
    expect(await confirm(code)).toMatchObject({
      status: 400,
      body: { message: 'This code has expired. Request a new one.', field: 'code' },
    })
  })

  test("doesn't work for anyone else", async ({ app, own: { address, number }, phone: { ask, confirm, codeTo } }) => {
    await ask()
    const stranger = await member(app, { email: `stranger.${address}`, plan: 'pro' })
    expect(await confirm(await codeTo(number), stranger)).toMatchObject({ status: 409, body: waited })
    expect((await confirm(await codeTo(number), app.visitor())).status).toBe(401)
    expect((await confirm(await codeTo(number))).status).toBe(200)
  })

  test.for(['', '12345', '1234567', 'abcdef'])("%j isn't valid", async (code, { phone: { confirm } }) => {
    expect(await confirm(code)).toMatchObject({ status: 400, body: { message: 'Enter the 6-digit code', field: 'code' } })
  })

  test('is sent to one person at most five times an hour', async ({ app, own: { number }, phone: { ask } }) => {
    for (let sent = 1; sent <= 5; sent++) expect((await ask(`+4477009001${people}${sent}`)).status).toBe(200)
    expect(await ask()).toMatchObject({
      status: 429,
      body: { message: expect.stringMatching(/^Too many attempts\. Please try again in \d+ minutes\.$/) },
    })
    expect(await app.sms.messages(number)).toEqual([])
  })

  test('is sent to one number at most five times an hour, whoever requests it', async ({
    app,
    own: { address, number },
    phone: { ask },
  }) => {
    const several = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => member(app, { email: `${name}.${address}`, plan: 'pro' })),
    )
    const answers = await Promise.all(several.map((each) => ask(number, each)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429])
    expect(await app.sms.messages(number)).toHaveLength(5)
  })
})

describe("when a code can't be sent", () => {
  test('the error for an unreachable number is shown at the number field', async ({ app, own: { number }, phone: { sms, ask } }) => {
    await app.sms.setNumber(number, 21614)
    expect(await ask()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("This isn't a mobile number."), field: 'number' },
    })
    expect(await sms()).toMatchObject({ to: null, waitingFor: null })
  })

  test('an error of the provider names it, and the previous number stays', async ({
    app,
    own: { number },
    phone: { sms, ask, connect },
  }) => {
    await connect()
    await app.sms.fail({ status: 500, times: 1 })
    expect(await ask('+33612345678')).toMatchObject({ status: 502, body: { message: expect.stringContaining('The SMS service') } })
    expect(await sms()).toMatchObject({ to: masked(number), waitingFor: null })
  })
})

describe('the plan decides', () => {
  const refusal = { status: 403, body: { message: "Your Free plan doesn't include SMS alerts. Available on Pro and Agency plans." } }

  test("Free gets no codes, and codes sent earlier aren't accepted", async ({
    app,
    own: { number },
    phone: { sms, ask, confirm, codeTo, onPlan },
  }) => {
    await ask()
    const code = await codeTo(number)
    await onPlan('free')
    await app.sms.clear()
    expect(await sms()).toMatchObject({ locked: refusal.body.message })
    expect(await ask()).toMatchObject(refusal)
    expect(await app.sms.messages()).toEqual([])
    expect(await confirm(code)).toMatchObject(refusal)
    await onPlan('pro')
    expect((await confirm(code)).status).toBe(200)
  })

  test('a number is kept after its plan ends, and can be removed without one', async ({
    own: { number, person },
    phone: { sms, connect, onPlan },
  }) => {
    await connect()
    await onPlan('free')
    expect(await sms()).toMatchObject({ to: masked(number), locked: refusal.body.message })
    expect(await person.send('DELETE', path)).toMatchObject({ status: 200, body: { sms: { to: null } } })
  })
})

test('numbers and codes are encrypted in the database', async ({ app, own: { address, number }, phone: { ask, codeTo, connect } }) => {
  await connect()
  await ask()
  const code = await codeTo(number)
  const { sql } = await app.stores()
  const [row] = await sql<{ destination: string; waiting: string }>(
    `SELECT delivery_channels.* FROM delivery_channels JOIN users ON users.id = user_id WHERE email = $1 AND channel = 'sms'`,
    [address],
  )
  expect(row).toMatchObject({ destination: expect.stringMatching(/^v2\./), waiting: expect.stringMatching(/^v2\./) })
  expect(JSON.stringify(row)).not.toContain(number.slice(3))
  expect(JSON.stringify(row)).not.toContain(code)
  expect(JSON.stringify(await sql('SELECT key FROM attempts'))).not.toContain(number.slice(1))
})
