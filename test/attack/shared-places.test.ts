import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { groupByCause, type Trace } from '../../src/core/alerting/cause.ts'
import { createFairStreams } from '../../src/server/platform/clickhouse/fair-streams.ts'
import { newTenancy, runAs } from '../../src/server/platform/tenant.ts'

// Somebody with many accounts, or many alerts, and what everybody shares: the places of files being sent, and the event loop.

const from = <T>(origin: string, work: () => T): T => runAs({ ...newTenancy(), origin }, work)

test('sixteen accounts on one network, which read their files as slowly as allowed, leave places for other networks', async () => {
  const enter = createFairStreams({ places: 32, perTenant: 2, perNetwork: 8, everyMs: 20 })
  const leaving = new AbortController()
  let held = 0
  const wishes = Array.from({ length: 32 }, (_, at) =>
    from('198.51.100.7', () => enter(`account ${Math.floor(at / 2)}`, leaving.signal)).then(
      (place) => {
        held += 1
        return place
      },
      () => null,
    ),
  )
  await sleep(50)
  expect(held).toBe(8)
  for (let at = 0; at < 24; at++) await from(`203.0.113.${at}`, () => enter(`somebody ${at}`))
  // As soon as one of the network's own is over, its next one begins.
  const [first] = await Promise.all(wishes.slice(0, 1))
  first?.leave()
  await sleep(10)
  expect(held).toBe(9)
  leaving.abort(new Error('left'))
  await Promise.all(wishes)
})

test('while all places of a network are taken and a neighbor waits, whoever reads slowest there leaves, and nobody elsewhere', async () => {
  const enter = createFairStreams({ places: 32, perTenant: 2, perNetwork: 2, everyMs: 20, graceMs: 50, leastBytesASecond: 1_000 })
  const slow = async (account: string, network: string) => {
    const place = await from(network, () => enter(account))
    const leaving = new AbortController()
    async function* pieces() {
      while (!leaving.signal.aborted) yield Buffer.alloc(1)
    }
    void (async () => {
      const monitored = place.watch(pieces(), () => {
        leaving.abort()
        place.leave()
      })
      for await (const _ of monitored) await sleep(10)
    })()
    return () => leaving.signal.aborted
  }
  const elsewhere = await slow('elsewhere', '203.0.113.1')
  const near = [await slow('ann', '198.51.100.7'), await slow('ben', '198.51.100.7')]
  const neighbor = await from('198.51.100.7', () => enter('cleo'))
  expect(near.map((hasLeft) => hasLeft()).filter(Boolean)).toHaveLength(1)
  expect(elsewhere()).toBe(false)
  neighbor.leave()
})

test('each of tens of thousands of alerts about the queries of one page is compared with a few, not with all others', () => {
  let reads = 0
  const trace = (at: number): Trace => ({
    key: `${at}`,
    entity: { kind: 'query', name: `query ${at}` },
    metric: 'clicks',
    previous: 100,
    current: 20,
    isOverAYear: false,
    get change() {
      reads += 1
      return at % 2 === 0 ? -80 : 80
    },
    page: '/lamp',
    // Some have been sent already, and lead nothing anymore.
    alert: at % 3 === 0 ? { isRecent: at % 2 === 0 } : null,
  })
  const traces = Array.from({ length: 30_000 }, (_, at) => trace(at))
  expect(groupByCause(traces).size).toBeGreaterThan(10_000)
  expect(reads).toBeLessThan(50 * traces.length)
})
