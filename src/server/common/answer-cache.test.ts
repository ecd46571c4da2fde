import { expect, test } from 'vitest'
import { abandonedNow, forTenant, newTenancy, within } from '../platform/tenant.ts'
import { createAnswerCache } from './answer-cache.ts'

/** Results that complete on demand, and callers who can leave. */
function desk() {
  const cache = createAnswerCache({ entries: 10, bytes: 10_000, bytesOfTenant: 5_000 })
  const computed: PromiseWithResolvers<string>[] = []
  const compute = () => {
    const answer = Promise.withResolvers<string>()
    computed.push(answer)
    const abandoned = abandonedNow()
    abandoned?.addEventListener('abort', () => answer.reject(abandoned.reason))
    return answer.promise
  }
  const ask = () => {
    const gone = new AbortController()
    const answer = within(newTenancy(gone.signal), () => cache.get('key', compute))
    answer.catch(() => {})
    return { answer, leave: () => gone.abort(new Error('gone')) }
  }
  return { computed, ask, askForGood: () => cache.get('key', compute) }
}

test('concurrent requests share one result, even if the first of them leaves', async () => {
  const { computed, ask } = desk()
  const [first, second] = [ask(), ask()]
  first.leave()
  computed[0]?.resolve('answer')
  expect(await second.answer).toBe('answer')
  expect(await ask().answer).toBe('answer')
  expect(computed).toHaveLength(1)
})

test('once all have left the work ends, and the next request starts it again', async () => {
  const { computed, ask } = desk()
  const [first, second] = [ask(), ask()]
  first.leave()
  second.leave()
  await expect(second.answer).rejects.toThrow('gone')
  const third = ask()
  computed[1]?.resolve('answer')
  expect(await third.answer).toBe('answer')
})

test("work that can't be abandoned is never ended, and an existing result stays", async () => {
  const { computed, ask, askForGood } = desk()
  const first = ask()
  const kept = askForGood()
  first.leave()
  computed[0]?.resolve('answer')
  expect(await kept).toBe('answer')
  ask().leave()
  expect(await ask().answer).toBe('answer')
  expect(computed).toHaveLength(1)
})

test("a failure reaches everyone who waited, and isn't cached", async () => {
  const { computed, ask } = desk()
  const [first, second] = [ask(), ask()]
  computed[0]?.reject(new Error('broken'))
  for (const { answer } of [first, second]) await expect(answer).rejects.toThrow('broken')
  const third = ask()
  computed[1]?.resolve('answer')
  expect(await third.answer).toBe('answer')
})

test('results take a limited amount of memory, and one tenant only part of it', async () => {
  const cache = createAnswerCache({ entries: 100, bytes: 10_000, bytesOfTenant: 5_000 })
  let computed = 0
  const ask = (tenant: string, key: string, length: number) =>
    forTenant(tenant, () =>
      cache.get(key, async () => {
        computed += 1
        return 'x'.repeat(length)
      }),
    )
  const isKept = async (tenant: string, key: string, length: number): Promise<boolean> => {
    const before = computed
    await ask(tenant, key, length)
    return computed === before
  }
  await ask('small', 'one page', 1_000)
  for (let n = 0; n < 20; n += 1) await ask('large', `list ${n}`, 2_000)
  expect(await isKept('small', 'one page', 1_000)).toBe(true)
  expect(await isKept('large', 'list 19', 2_000)).toBe(true)
  expect(await isKept('large', 'list 1', 2_000)).toBe(false)
  expect(await isKept('large', 'longer than everything', 20_000)).toBe(false)
  expect(await isKept('large', 'longer than everything', 20_000)).toBe(false)
})
