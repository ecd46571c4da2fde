import type { ClickHouseClient } from '@clickhouse/client'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createAnswerCache } from '../common/answer-cache.ts'
import { readFairly } from './fair-reads.ts'
import { forTenant, forTenantInTime } from './tenant.ts'

// Long questions of others take both slots of the engine, while this work's time is limited.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** An engine with two slots, whose questions take as many seconds as they say. */
function engine() {
  const answer = ({ query }: { query: string }) => new Promise((resolve) => setTimeout(resolve, Number(query) * 1_000, 'answered'))
  const client = readFairly({ query: answer, exec: answer } as unknown as ClickHouseClient, 2)
  const ask = (seconds: number) => client.query({ query: String(seconds) }) as Promise<unknown>
  /** Two people keep both slots busy for this long. */
  const busy = (seconds: number) => {
    for (const user of ['ann', 'ben']) void forTenant(user, () => ask(seconds))
  }
  return { ask, busy }
}

const limits = { activeMs: 15_000, waitMs: 25_000 }

/** The outcome after this many seconds. */
async function after(seconds: number, outcome: Promise<unknown>): Promise<unknown> {
  const ended = outcome.catch((error: Error) => error.name)
  await vi.advanceTimersByTimeAsync(seconds * 1_000)
  return Promise.race([ended, Promise.resolve('still waiting')])
}

test("a question that waits twenty seconds for others' and then takes ten of its own is in time for a limit of fifteen", async () => {
  const { ask, busy } = engine()
  busy(20)
  let tookMs = 0
  const outcome = forTenantInTime('cy', { ...limits, took: (ms) => (tookMs = ms) }, () => ask(10))
  expect(await after(30, outcome)).toBe('answered')
  expect(tookMs).toBe(10_000)
})

test('one that takes longer itself is too late, however little it waited', async () => {
  const { ask, busy } = engine()
  busy(5)
  const outcome = forTenantInTime('cy', limits, () => ask(16))
  expect(await after(19, outcome)).toBe('still waiting')
  expect(await after(2, outcome)).toBe('TimeoutError')
})

test('one that waits too long is told apart, even if its answer is shared', async () => {
  const { ask, busy } = engine()
  busy(60)
  const cache = createAnswerCache({ entries: 10, bytes: 1_000, bytesOfTenant: 1_000 })
  const outcome = forTenantInTime('cy', limits, () => cache.get('figures', () => ask(1)))
  expect(await after(26, outcome)).toBe('WaitedTooLong')
})

test('while one of its questions is answered, the wait of its others counts', async () => {
  const { ask } = engine()
  const outcome = forTenantInTime('cy', limits, () => Promise.all([ask(10), ask(10), ask(10)]))
  // Two slots: the third begins after the others.
  expect(await after(21, outcome)).toBe('TimeoutError')
})

test("work with a limit of time doesn't wait behind its own person's questions", async () => {
  const { ask } = engine()
  for (let at = 0; at < 40; at += 1) void forTenant('cy', () => ask(60))
  const outcome = forTenantInTime('cy', limits, () => ask(10))
  expect(await after(11, outcome)).toBe('answered')
})
