import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WaitedTooLong } from '../platform/active-time.ts'
import { readFairly } from '../platform/fair-reads.ts'
import { abandonedNow, aborted, forTenant, newTenancy, runAs } from '../platform/tenant.ts'
import { TookTooLong } from '../platform/clickhouse/clickhouse-errors.ts'
import { askInHalves, createQuestionTime, scopeInTime, withinTime } from './question-time.ts'

/** Reads on an engine that answers on command. */
function engine(atATime: number) {
  const running: (() => void)[] = []
  const answer = () => new Promise((resolve) => running.push(() => resolve('answered')))
  const client = readFairly({ query: answer, exec: answer } as unknown as ClickHouseClient, atATime)
  return {
    ask: () => client.query({ query: 'SELECT 1' }),
    async answerOne() {
      running.shift()?.()
      await nextTurn()
    },
  }
}

test("an account isn't penalized because its questions had to wait behind others'", async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ask, answerOne } = engine(2)
  const innocent = { id: 1, userId: 'innocent' }
  for (const user of ['ann', 'ben']) void forTenant(user, ask)
  await nextTurn()
  const time = createQuestionTime()
  const answer = time.ask([innocent], ask)
  await nextTurn()
  vi.advanceTimersByTime(600_000)
  await answerOne()
  vi.advanceTimersByTime(9_000)
  await answerOne()
  await answerOne()
  expect(await answer).toBe('answered')
  expect(time.isUsedUp(innocent)).toBe(false)
  expect(time.rests()).toEqual(new Map())
})

test('the time that its own questions take counts', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ask, answerOne } = engine(2)
  const slow = { id: 1, userId: 'slow' }
  const time = createQuestionTime()
  const answer = time.ask([slow], ask)
  await nextTurn()
  vi.advanceTimersByTime(70_000)
  await answerOne()
  expect(await answer).toBe('answered')
  expect(time.isUsedUp(slow)).toBe(true)
  expect(time.rests()).toEqual(new Map([['slow', 700_000]]))
})

test('an account whose figures are queried together with those of a slow one is not charged for it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const ownerOf = (property: { id: number; userId: string }) => ({ property })
  const all = [
    { id: 1, userId: 'slow' },
    { id: 2, userId: 'ann' },
    { id: 3, userId: 'ben' },
    { id: 4, userId: 'slow' },
  ].map(ownerOf)
  const time = createQuestionTime()
  const engineTakes = (some: readonly (typeof all)[number][]) => {
    const isSlow = some.some(({ property }) => property.userId === 'slow')
    vi.advanceTimersByTime(isSlow ? 20_000 : 100)
    return isSlow ? Promise.reject(new TookTooLong('Timeout exceeded')) : Promise.resolve(some.map(({ property }) => property.id))
  }
  const answers = await askInHalves(all, time, engineTakes, ({ property }) => -property.id)
  expect(answers.toSorted((a, b) => a - b)).toEqual([-4, -1, 2, 3])
  expect(time.rests()).toEqual(new Map([['slow', 400_000]]))
})

test('a question about several accounts that is abandoned when their time together is up costs none of them anything', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ask = () => aborted(abandonedNow()!)
  const [ann, slow] = [
    { id: 1, userId: 'ann' },
    { id: 2, userId: 'slow' },
  ]
  const time = createQuestionTime()
  const together = withinTime(60_000, async () => void (await time.ask([ann, slow], ask)))
  await vi.advanceTimersByTimeAsync(61_000)
  await together
  const alone = withinTime(10_000, async () => void (await time.ask([slow], ask)))
  await vi.advanceTimersByTimeAsync(11_000)
  await alone
  expect([...time.rests().keys()]).toEqual(['slow'])
})

test('finding out what a rule covers has a time limit that does not include waiting, and ends when the work is abandoned', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ask, answerOne } = engine(1)
  const property = { id: 1, userId: 'slow' }
  const outcome = (answer: Promise<unknown>) => answer.catch((error: unknown) => error)

  const time = createQuestionTime()
  const running = outcome(scopeInTime(property, time, ask))
  await vi.advanceTimersByTimeAsync(21_000)
  expect(await running).toBeInstanceOf(TookTooLong)
  // Its query still has the only place.
  const waiting = outcome(scopeInTime(property, time, ask))
  await vi.advanceTimersByTimeAsync(61_000)
  expect(await waiting).toBeInstanceOf(WaitedTooLong)
  expect(time.isUsedUp(property)).toBe(false)

  const job = new AbortController()
  const expired = outcome(runAs(newTenancy(job.signal), () => scopeInTime(property, time, ask)))
  job.abort(new Error('expired'))
  expect(await expired).toEqual(new Error('expired'))
  await answerOne()
})
