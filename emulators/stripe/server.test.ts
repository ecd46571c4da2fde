import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startStripe } from './server.ts'
import { clientOf, openBench, paidSubscription } from './testing.ts'

test("a restart keeps customers, subscriptions, cards, and the clock's offset", { tags: ['full'] }, async () => {
  const stateDir = join(mkdtempSync(join(tmpdir(), 'stripe-')), 'state')
  const first = await openBench({ stateDir })
  const { subscription } = await paidSubscription(first)
  await first.control('POST', 'advance', { days: 40 })
  await first.close()
  expect(statSync(join(stateDir, 'stripe.json')).mode & 0o077).toBe(0)

  const second = await startStripe({ stateDir })
  const stripe = clientOf(second)
  const kept = await stripe.subscriptions.retrieve(subscription.id, { expand: ['default_payment_method'] })
  expect(kept).toMatchObject({ status: 'active', default_payment_method: { card: { last4: '4242' } } })
  expect(kept.items.data[0]?.current_period_start).toBeGreaterThan(Date.now() / 1000 + 20 * 86_400)
  expect((await stripe.prices.list()).data).toHaveLength(2)
  await second.close()
  rmSync(stateDir, { recursive: true })
})

test('a taken port is refused, and closing ends hanging calls', async () => {
  const bench = await openBench()
  await expect(startStripe({ port: bench.standIn.port })).rejects.toThrow(/EADDRINUSE/)
  await bench.control('POST', 'fail', { hang: true })
  const hanging = bench.stripe.customers.list().then(
    () => undefined,
    (error: unknown) => error,
  )
  await expect.poll(async () => (await bench.control<{ total: number }>('GET', 'requests')).total).toBe(1)
  await bench.close()
  expect(await hanging).toBeInstanceOf(Error)
})

test('custom keys and secrets are used if given', async () => {
  const own = await startStripe({ secretKey: 'sk_test_own_key_of_a_test', publishableKey: 'pk_test_own', webhookSecret: 'whsec_own' })
  expect(own).toMatchObject({ publishableKey: 'pk_test_own', webhookSecret: 'whsec_own', scriptUrl: `${own.url}/v3/stripe.js` })
  expect((await clientOf(own).customers.list()).data).toEqual([])
  await own.close()
})
