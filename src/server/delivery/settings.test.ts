import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { member } from '../../../test/support/people.ts'
import { deliverySettings } from '../../contract/delivery/delivery.ts'
import type { PlanId } from '../../contract/user.ts'

const path = '/api/delivery-settings'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('own', async ({ app }) => {
    const name = `person${++people}`
    const person = await member(app, { email: `${name}@example.test`, password: 'a-good-password' })
    return { name, person }
  })
  .extend('desk', ({ app, own: { name, person } }) => {
    const onPlan = async (plan: PlanId) =>
      (await app.stores()).sql('UPDATE people SET plan = $2 WHERE user_id = (SELECT id FROM users WHERE username = $1)', [name, plan])
    const settings = async () => deliverySettings.nullable().parse((await person.get(path)).body)
    const create = (body: object) => person.send('POST', path, body)
    const change = (body: object) => person.send('PATCH', path, body)
    return { onPlan, settings, create, change }
  })

/** As in SPEC §9, and sent as in §7. */
const switches = { emailEnabled: true, criticalAlerts: true, warningAlerts: true, positiveAlerts: false, slackEnabled: false }
const defaults = {
  ...switches,
  smsEnabled: false,
  webhookEnabled: false,
  timeZone: 'UTC',
  digestHour: 8,
  digestWeekday: 1,
  digestWhenQuiet: true,
  quietHours: null,
}

describe('before anything is chosen', () => {
  test('settings are null, as JSON', async ({ own: { person } }) => {
    const answer = await person.get(path)
    expect(answer).toMatchObject({ status: 200, body: null })
    expect(answer.headers.get('content-type')).toMatch('application/json')
  })

  test("settings can't be changed", async ({ desk: { settings, change } }) => {
    expect(await change({ emailEnabled: false })).toMatchObject({ status: 404, body: { message: 'No preferences exist yet.' } })
    expect(await settings()).toBeNull()
  })
})

describe('creating settings', () => {
  test.for([
    ['free', 'weekly'],
    ['pro', 'daily'],
    ['agency', 'daily'],
  ] as const)('on %s gives the defaults, with a %s digest', async ([plan, frequency], { desk: { onPlan, settings, create } }) => {
    await onPlan(plan)
    const answer = await create({})
    expect(answer).toMatchObject({ status: 201, body: { ...defaults, frequency } })
    expect(await settings()).toEqual(answer.body)
  })

  test('accepts the switches and any changed field, as the browser sends them', async ({ desk: { create } }) => {
    expect(await create({ ...switches, positiveAlerts: true })).toMatchObject({ status: 201, body: { ...defaults, positiveAlerts: true } })
  })

  test('is refused if there are some, and they stay', async ({ desk: { settings, create } }) => {
    await create({ emailEnabled: false })
    expect(await create({ emailEnabled: true })).toMatchObject({ status: 409, body: { message: expect.stringContaining('already') } })
    expect(await settings()).toMatchObject({ emailEnabled: false })
  })

  test('twice at once creates them once', async ({ desk: { create } }) => {
    const answers = await Promise.all([create({}), create({}), create({})])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })
})

describe('changing settings', () => {
  test.for([
    ['emailEnabled', false],
    ['criticalAlerts', false],
    ['warningAlerts', false],
    ['positiveAlerts', true],
    ['slackEnabled', true],
    ['smsEnabled', true],
    ['webhookEnabled', true],
    ['frequency', 'weekly'],
    ['timeZone', 'America/Argentina/Buenos_Aires'],
    ['digestHour', 0],
    ['digestWeekday', 7],
    ['digestWhenQuiet', false],
    ['quietHours', { from: 22, until: 7 }],
  ] as const)('%s alone', async ([field, value], { desk: { onPlan, settings, create, change } }) => {
    await onPlan('agency')
    const before = deliverySettings.parse((await create({})).body)
    const answer = await change({ [field]: value })
    expect(answer).toMatchObject({ status: 200, body: { ...before, [field]: value } })
    expect(await settings()).toEqual(answer.body)
  })

  test.for([
    [{ emailEnabled: 'yes' }, 'emailEnabled'],
    [{ frequency: 'hourly' }, 'frequency'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ timeZone: '' }, 'timeZone'],
    // Offsets, the first ones with a true minus sign: browsers accept them as time zones.
    [{ timeZone: '−05:00' }, 'timeZone'],
    [{ timeZone: '−0500' }, 'timeZone'],
    [{ timeZone: '−05' }, 'timeZone'],
    [{ timeZone: '+05:30' }, 'timeZone'],
    [{ digestHour: 24 }, 'digestHour'],
    [{ digestHour: 7.5 }, 'digestHour'],
    [{ digestWeekday: 0 }, 'digestWeekday'],
    [{ digestWeekday: 8 }, 'digestWeekday'],
    [{ digestWhenQuiet: null }, 'digestWhenQuiet'],
    [{ quietHours: { from: 22 } }, 'quietHours.until'],
    [{ quietHours: { from: -1, until: 7 } }, 'quietHours.from'],
    [{ quietHours: { from: 7, until: 7 } }, 'quietHours'],
    [{}, undefined],
    [{ nothingKnown: true }, undefined],
  ] as const)('%j is refused', async ([body, field], { desk: { create, change } }) => {
    await create({})
    const answer = await change(body)
    expect(answer.status).toBe(400)
    expect((answer.body as { field?: string }).field).toBe(field)
  })
})

test('quiet hours are removed with null', async ({ desk: { settings, create, change } }) => {
  await create({ quietHours: { from: 23, until: 6 } })
  expect(await settings()).toMatchObject({ quietHours: { from: 23, until: 6 } })
  expect(await change({ quietHours: null })).toMatchObject({ status: 200, body: { quietHours: null } })
  expect(await settings()).toMatchObject({ quietHours: null })
})

test('quiet hours that never end are refused with a message', async ({ desk: { settings, create } }) => {
  const body = { message: 'Quiet hours must end at a different time than they start', field: 'quietHours' }
  expect(await create({ quietHours: { from: 7, until: 7 } })).toMatchObject({ status: 400, body })
  expect(await settings()).toBeNull()
})

test('a new digest time applies immediately', async ({ app, own: { name }, desk: { create, change } }) => {
  const { sql } = await app.stores()
  const next = async () => {
    const [row] = await sql<{ next: Date }>(
      'SELECT next_at AS next FROM digest_schedules JOIN users ON users.id = user_id WHERE username = $1',
      [name],
    )
    return row?.next.toISOString()
  }
  // A Wednesday, noon in California.
  await create({ frequency: 'weekly' })
  expect(await next()).toBe('2026-03-23T08:00:00.000Z')
  await change({ digestHour: 18, digestWeekday: 5 })
  expect(await next()).toBe('2026-03-20T18:00:00.000Z')
  await change({ timeZone: 'America/New_York' })
  expect(await next()).toBe('2026-03-20T22:00:00.000Z')
})

describe('a stored value that was once accepted as a time zone', () => {
  const storedAs = async (app: TestApp, name: string, zone: string) => {
    const { sql } = await app.stores()
    await sql('UPDATE delivery_settings SET time_zone = $2 WHERE user_id = (SELECT id FROM users WHERE username = $1)', [name, zone])
  }

  test('becomes the zone of that offset', async ({ app, own: { name }, desk: { settings, create } }) => {
    await create({ frequency: 'weekly' })
    await storedAs(app, name, '+05:30')
    expect(await settings()).toMatchObject({ timeZone: 'Asia/Kolkata' })
    expect(await settings()).not.toHaveProperty('unknownTimeZone')
  })

  test('becomes UTC if there is no such zone, and the owner sees that until they choose another', async ({
    app,
    own: { name },
    desk: { settings, create, change },
  }) => {
    await create({ frequency: 'weekly' })
    await storedAs(app, name, '+05:17')
    const utc = { timeZone: 'UTC', unknownTimeZone: '+05:17' }
    expect(await settings()).toMatchObject(utc)
    expect(await change({ quietHours: { from: 22, until: 7 } })).toMatchObject({ status: 200, body: utc })
    await change({ timeZone: 'Europe/Berlin' })
    expect(await settings()).toMatchObject({ timeZone: 'Europe/Berlin' })
    expect(await settings()).not.toHaveProperty('unknownTimeZone')
  })
})

describe('the plan decides', () => {
  test.for([
    ['free', { slackEnabled: true }, "Your Free plan doesn't include Slack alerts. Available on Pro and Agency plans."],
    ['free', { frequency: 'daily' }, "Your Free plan doesn't include daily alerts. Available on Pro and Agency plans."],
    ['free', { frequency: 'instant' }, "Your Free plan doesn't include real-time alerts. Available on the Agency plan."],
    ['free', { smsEnabled: true }, "Your Free plan doesn't include SMS alerts. Available on Pro and Agency plans."],
    ['free', { webhookEnabled: true }, "Your Free plan doesn't include webhook alerts. Available on the Agency plan."],
    ['pro', { webhookEnabled: true }, "Your Pro plan doesn't include webhook alerts. Available on the Agency plan."],
    ['pro', { frequency: 'instant' }, "Your Pro plan doesn't include real-time alerts. Available on the Agency plan."],
  ] as const)('%s: %j is refused', async ([plan, body, message], { desk: { onPlan, settings, create, change } }) => {
    await onPlan(plan)
    const [field] = Object.keys(body)
    expect(await create(body)).toMatchObject({ status: 403, body: { message, field } })
    expect(await settings()).toBeNull()
    await create({})
    expect(await change(body)).toMatchObject({ status: 403, body: { message, field } })
    expect(await settings()).toMatchObject({ slackEnabled: false, smsEnabled: false, webhookEnabled: false })
  })

  test.for([
    ['pro', { slackEnabled: true, smsEnabled: true, frequency: 'daily' }],
    ['agency', { slackEnabled: true, smsEnabled: true, webhookEnabled: true, frequency: 'instant' }],
    ['free', { slackEnabled: false, smsEnabled: false, webhookEnabled: false, frequency: 'weekly' }],
  ] as const)('%s: %j is allowed', async ([plan, body], { desk: { onPlan, create } }) => {
    await onPlan(plan)
    expect(await create(body)).toMatchObject({ status: 201, body })
  })

  test('settings beyond the plan are suspended when it ends, and restored by the next plan that covers them', async ({
    desk: { onPlan, settings, create, change },
  }) => {
    await onPlan('agency')
    await create({ slackEnabled: true, smsEnabled: true, webhookEnabled: true, frequency: 'instant', warningAlerts: false })
    await onPlan('pro')
    const onPro = { slackEnabled: true, smsEnabled: true, webhookEnabled: false, frequency: 'daily', warningAlerts: false }
    expect(await settings()).toMatchObject(onPro)
    await onPlan('free')
    const onFree = { slackEnabled: false, smsEnabled: false, webhookEnabled: false, frequency: 'weekly' }
    expect(await settings()).toMatchObject({ ...onFree, warningAlerts: false })
    // Changing something else meanwhile keeps what is suspended.
    expect(await change({ positiveAlerts: true })).toMatchObject({ status: 200, body: onFree })
    await onPlan('agency')
    const onAgency = { slackEnabled: true, smsEnabled: true, webhookEnabled: true, frequency: 'instant' }
    expect(await settings()).toMatchObject({ ...onAgency, warningAlerts: false, positiveAlerts: true })
  })
})

test("nobody can see or change someone else's settings", async ({ app, own: { name }, desk: { settings, create } }) => {
  await create({ emailEnabled: false })
  const stranger = await member(app, { email: `${name}.stranger@example.test`, password: 'a-good-password' })
  expect((await stranger.get(path)).body).toBeNull()
  expect((await stranger.send('PATCH', path, { emailEnabled: true })).status).toBe(404)
  const visitor = app.visitor()
  for (const answer of [await visitor.get(path), await visitor.send('POST', path, {}), await visitor.send('PATCH', path, {})])
    expect(answer.status).toBe(401)
  expect(await settings()).toMatchObject({ emailEnabled: false })
})
