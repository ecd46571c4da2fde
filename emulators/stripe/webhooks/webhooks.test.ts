import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBench } from '../testing.ts'
import type { Bench } from '../testing.ts'
import type { Delivery } from './deliveries.ts'

let bench: Bench

beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const deliveries = async () => (await bench.control<{ deliveries: Delivery[] }>('GET', 'deliveries')).deliveries

test("events arrive signed, with the SDK's version, and can be listed", async () => {
  const { id } = await bench.stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'mine' })
  expect(await bench.types()).toEqual(['customer.created'])
  const [event] = bench.received
  expect(event).toMatchObject({
    api_version: '2026-10-28.endive',
    livemode: false,
    data: { object: { id } },
    request: { idempotency_key: 'mine' },
  })
  const { data } = await bench.stripe.events.list({ type: 'customer.*' })
  expect(data.map((each) => each.id)).toEqual([event?.id])
  expect(await bench.stripe.events.retrieve(event!.id)).toMatchObject({ type: 'customer.created', pending_webhooks: 0 })
})

test('previous values are only given for changes', async () => {
  const { id } = await bench.stripe.customers.create({ name: 'A', metadata: { one: '1', two: '2' } })
  await bench.stripe.customers.update(id, { name: 'B', metadata: { two: '3', three: '4' } })
  await bench.stripe.customers.update(id, { name: 'B' })
  expect(await bench.types()).toEqual(['customer.created', 'customer.updated'])
  expect(bench.received[1]?.data.previous_attributes).toEqual({ name: 'A', metadata: { two: '2', three: null } })
})

test('a bad response is followed by another attempt', async () => {
  await bench.control('PUT', 'settings', { webhookRetrySeconds: [0.05, 0.1] })
  bench.answerWith(500)
  await bench.stripe.customers.create()
  await bench.types()
  expect((await deliveries())[0]).toMatchObject({ state: 'pending', attempts: [{ status: 500 }] })
  bench.answerWith(200)
  await expect.poll(async () => (await deliveries())[0]?.state).toBe('delivered')
  bench.answerWith(503)
  await bench.stripe.customers.create()
  await expect.poll(async () => (await deliveries())[1]?.state).toBe('failed')
  expect((await deliveries())[1]?.attempts).toHaveLength(3)
})

test('deliveries are held, then released in reverse order and twice', async () => {
  await bench.control('POST', 'deliveries/hold')
  for (const name of ['a', 'b', 'c']) await bench.stripe.customers.create({ name })
  expect(await bench.types()).toEqual([])
  await bench.control('POST', 'deliveries/release', { order: 'reversed', times: 2 })
  expect(bench.received.map((event) => (event.data.object as { name?: string }).name)).toEqual(['c', 'c', 'b', 'b', 'a', 'a'])
  await bench.stripe.customers.create({ name: 'd' })
  expect(await bench.types()).toHaveLength(7)
})

test('an event can be resent, and a forged one is rejected', async () => {
  await bench.stripe.customers.create()
  await bench.types()
  const { id } = bench.received[0]!
  expect(await bench.control('POST', 'redeliver', { event: id, times: 2 })).toMatchObject({ outcomes: [{ status: 200 }, { status: 200 }] })
  expect(bench.received.map((event) => event.id)).toEqual([id, id, id])
  for (const signature of ['wrongSecret', 'missing', 'old', 'otherBody']) {
    const forged = { type: 'customer.subscription.updated', object: { id: 'sub_x', status: 'active' }, signature }
    expect(await bench.control('POST', 'forge', forged)).toMatchObject({ outcomes: [{ status: 400 }] })
  }
  expect(bench.received).toHaveLength(3)
})

test('endpoints are created through the API, with their own secret, and only for the events they want', async () => {
  const { url } = (await bench.stripe.webhookEndpoints.list()).data[0]!
  const made = await bench.stripe.webhookEndpoints.create({ url, enabled_events: ['customer.deleted'] })
  expect(made.secret).toMatch(/^whsec_/)
  expect(await bench.stripe.webhookEndpoints.retrieve(made.id)).not.toHaveProperty('secret')
  const customer = await bench.stripe.customers.create()
  await bench.stripe.customers.del(customer.id)
  await bench.types()
  expect((await deliveries()).map(({ type, endpoint }) => [type, endpoint === made.id])).toEqual([
    ['customer.created', false],
    ['customer.deleted', false],
    ['customer.deleted', true],
  ])
  expect(await bench.stripe.webhookEndpoints.del(made.id)).toMatchObject({ deleted: true })
})
