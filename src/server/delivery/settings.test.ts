import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { registered } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { deliverySettings } from '../../contract/delivery.ts'
import type { PlanId } from '../../contract/user.ts'

const path = '/api/delivery-settings'
let app: TestApp
let people = 0
let name: string
let person: Visitor

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
})
afterAll(() => app.close())
beforeEach(async () => {
  name = `person${++people}`
  person = await registered(app, name)
})

const onPlan = async (plan: PlanId) =>
  (await app.stores()).sql('UPDATE people SET plan = $2 WHERE user_id = (SELECT id FROM users WHERE username = $1)', [name, plan])
const settings = async () => deliverySettings.nullable().parse((await person.get(path)).body)
const create = (body: object) => person.send('POST', path, body)
const change = (body: object) => person.send('PATCH', path, body)
const defaults = { emailEnabled: true, criticalAlerts: true, warningAlerts: true, positiveAlerts: false, slackEnabled: false }

describe('before anything was chosen', () => {
  test('there are none, as JSON', async () => {
    const answer = await person.get(path)
    expect(answer).toMatchObject({ status: 200, body: null })
    expect(answer.headers.get('content-type')).toMatch('application/json')
  })

  test('there is nothing to change', async () => {
    expect(await change({ emailEnabled: false })).toMatchObject({ status: 404, body: { message: 'There are no preferences yet.' } })
    expect(await settings()).toBeNull()
  })
})

describe('creating', () => {
  test.each([
    ['free', 'weekly'],
    ['pro', 'daily'],
    ['agency', 'daily'],
  ] as const)('on %s: the defaults, with a %s digest', async (plan, frequency) => {
    await onPlan(plan)
    const answer = await create({})
    expect(answer).toMatchObject({ status: 201, body: { ...defaults, frequency } })
    expect(await settings()).toEqual(answer.body)
  })

  test('with the switches and any changed field, as the browser sends them', async () => {
    expect(await create({ ...defaults, positiveAlerts: true })).toMatchObject({ status: 201, body: { ...defaults, positiveAlerts: true } })
  })

  test('when there are some is refused, and they stay', async () => {
    await create({ emailEnabled: false })
    expect(await create({ emailEnabled: true })).toMatchObject({ status: 409, body: { message: expect.stringContaining('already') } })
    expect(await settings()).toMatchObject({ emailEnabled: false })
  })

  test('twice at the same time makes them once', async () => {
    const answers = await Promise.all([create({}), create({}), create({})])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })
})

describe('changing', () => {
  test.each([
    ['emailEnabled', false],
    ['criticalAlerts', false],
    ['warningAlerts', false],
    ['positiveAlerts', true],
    ['slackEnabled', true],
    ['frequency', 'weekly'],
  ] as const)('%s alone', async (field, value) => {
    await onPlan('pro')
    const before = deliverySettings.parse((await create({})).body)
    const answer = await change({ [field]: value })
    expect(answer).toMatchObject({ status: 200, body: { ...before, [field]: value } })
    expect(await settings()).toEqual(answer.body)
  })

  test.each([
    [{ emailEnabled: 'yes' }, 'emailEnabled'],
    [{ frequency: 'hourly' }, 'frequency'],
    [{}, undefined],
    [{ nothingKnown: true }, undefined],
  ])('%j is refused', async (body, field) => {
    await create({})
    const answer = await change(body)
    expect(answer.status).toBe(400)
    expect((answer.body as { field?: string }).field).toBe(field)
  })
})

describe('the plan decides', () => {
  test.each([
    ['free', { slackEnabled: true }, 'Your Free plan has no Slack alerts. Available on Pro and Agency plans.'],
    ['free', { frequency: 'daily' }, 'Your Free plan has no daily alerts. Available on Pro and Agency plans.'],
    ['free', { frequency: 'instant' }, 'Your Free plan has no real-time alerts. Available on Agency plan.'],
    ['pro', { frequency: 'instant' }, 'Your Pro plan has no real-time alerts. Available on Agency plan.'],
  ] as const)('%s: %j is refused', async (plan, body, message) => {
    await onPlan(plan)
    const [field] = Object.keys(body)
    expect(await create(body)).toMatchObject({ status: 403, body: { message, field } })
    expect(await settings()).toBeNull()
    await create({})
    expect(await change(body)).toMatchObject({ status: 403, body: { message, field } })
    expect(await settings()).toMatchObject({ slackEnabled: false })
  })

  test.each([
    ['pro', { slackEnabled: true, frequency: 'daily' }],
    ['agency', { slackEnabled: true, frequency: 'instant' }],
    ['free', { slackEnabled: false, frequency: 'weekly' }],
  ] as const)('%s: %j is allowed', async (plan, body) => {
    await onPlan(plan)
    expect(await create(body)).toMatchObject({ status: 201, body })
  })

  test('a plan that ends puts what it covered out of force, and the next one that covers it puts it back', async () => {
    await onPlan('agency')
    await create({ slackEnabled: true, frequency: 'instant', warningAlerts: false })
    await onPlan('pro')
    expect(await settings()).toMatchObject({ slackEnabled: true, frequency: 'daily', warningAlerts: false })
    await onPlan('free')
    expect(await settings()).toMatchObject({ slackEnabled: false, frequency: 'weekly', warningAlerts: false })
    // Changing something else meanwhile does not give up what rests.
    expect(await change({ positiveAlerts: true })).toMatchObject({ status: 200, body: { slackEnabled: false, frequency: 'weekly' } })
    await onPlan('agency')
    expect(await settings()).toMatchObject({ slackEnabled: true, frequency: 'instant', warningAlerts: false, positiveAlerts: true })
  })
})

test("nobody sees or changes another's", async () => {
  await create({ emailEnabled: false })
  const stranger = await registered(app, `${name}.stranger`)
  expect((await stranger.get(path)).body).toBeNull()
  expect((await stranger.send('PATCH', path, { emailEnabled: true })).status).toBe(404)
  const visitor = app.visitor()
  for (const answer of [await visitor.get(path), await visitor.send('POST', path, {}), await visitor.send('PATCH', path, {})])
    expect(answer.status).toBe(401)
  expect(await settings()).toMatchObject({ emailEnabled: false })
})
