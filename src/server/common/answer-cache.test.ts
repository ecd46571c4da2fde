import { expect, test } from 'vitest'
import { abandonedNow, forTenant, holdingSlot, holdsSlotNow, newTenancy, runAs, serverTenant, tenantNow } from '../platform/tenant.ts'
import { type CacheBounds, createAnswerCache } from './answer-cache.ts'

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
    const answer = runAs(newTenancy(gone.signal), () => cache.get('key', compute))
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

/** Somebody's request, or the server's, some of whose work holds a place that others wait for. */
const requestsOf = (cache: ReturnType<typeof createAnswerCache>) => {
  const lines: { who: string; first: boolean; answer(value: string): void; fail(error: Error): void }[] = []
  const ask = (tenant: string, { holds = false } = {}) => {
    const request = () =>
      cache.get('key', () => {
        const { promise, resolve, reject } = Promise.withResolvers<string>()
        lines.push({ who: tenantNow(), first: holdsSlotNow(), answer: resolve, fail: reject })
        return promise
      })
    return forTenant(tenant, () => (holds ? holdingSlot(request) : request()))
  }
  return { lines, ask }
}

test("nobody waits in somebody else's line: unfinished work is shared only by those who would wait in the same one", async () => {
  const { lines, ask } = requestsOf(createAnswerCache({ entries: 10, bytes: 10_000, bytesOfTenant: 5_000 }))
  const attacker = ask('attacker')
  const asked = [ask(serverTenant), ask('ben'), ask('attacker', { holds: true })]
  const again = [ask('attacker'), ask('ben'), ask(serverTenant), ask('attacker', { holds: true })]
  expect(lines.map(({ who, first }) => [who, first])).toEqual([
    ['attacker', false],
    [serverTenant, false],
    ['ben', false],
    ['attacker', true],
  ])
  lines[2]?.fail(new Error("ben's failure"))
  await expect(asked[1]).rejects.toThrow("ben's failure")
  await expect(again[1]).rejects.toThrow("ben's failure")
  for (const at of [1, 3]) lines[at]?.answer('answer')
  expect(await Promise.all([asked[0], asked[2], again[2], again[3]])).toEqual(Array(4).fill('answer'))
  // The attacker's own is still waiting. Once they are there, answers are shared by everybody.
  expect(await Promise.all([ask('ben'), ask('attacker'), ask('cleo', { holds: true })])).toEqual(Array(3).fill('answer'))
  expect(lines).toHaveLength(4)
  lines[0]?.answer('answer')
  expect(await Promise.all([attacker, again[0]])).toEqual(['answer', 'answer'])
  expect(await ask('cleo')).toBe('answer')
})

test('whoever is abandoned stops waiting at once, even if others go on', async () => {
  const { ask } = desk()
  const [first, second] = [ask(), ask()]
  first.leave()
  await expect(first.answer).rejects.toThrow('gone')
  second.leave()
})

/** Whether a result of this length was kept; it is computed, and perhaps kept, if not. */
function keeper(bounds: CacheBounds) {
  const cache = createAnswerCache(bounds)
  let computed = 0
  const ask = (tenant: string, key: string, length = 10) =>
    forTenant(tenant, () =>
      cache.get(key, async () => {
        computed += 1
        return 'x'.repeat(length)
      }),
    )
  const isKept = async (tenant: string, key: string, length?: number): Promise<boolean> => {
    const before = computed
    await ask(tenant, key, length)
    return computed === before
  }
  return { ask, isKept }
}

test('results take a limited amount of memory, and one tenant only part of it', async () => {
  const { ask, isKept } = keeper({ entries: 100, bytes: 10_000, bytesOfTenant: 5_000 })
  await ask('small', 'one page', 1_000)
  for (let n = 0; n < 20; n += 1) await ask('large', `list ${n}`, 2_000)
  expect(await isKept('small', 'one page', 1_000)).toBe(true)
  expect(await isKept('large', 'list 19', 2_000)).toBe(true)
  expect(await isKept('large', 'list 1', 2_000)).toBe(false)
  expect(await isKept('large', 'longer than everything', 20_000)).toBe(false)
  expect(await isKept('large', 'longer than everything', 20_000)).toBe(false)
})

test('a tenant with endless small results makes room by losing its own oldest ones; nobody else loses any', async () => {
  const { ask, isKept } = keeper({ entries: 300, bytes: 1e6, bytesOfTenant: 1e6 })
  for (let n = 0; n < 100; n += 1) await ask('ben', `ben's ${n}`)
  for (let n = 0; n < 1_000; n += 1) await ask('attacker', `random ${n}`)
  for (let n = 0; n < 100; n += 1) expect(await isKept('ben', `ben's ${n}`)).toBe(true)
  // While nobody needs the room it has more than its share.
  expect(await isKept('attacker', 'random 999')).toBe(true)
  expect(await isKept('attacker', 'random 801')).toBe(true)
  expect(await isKept('attacker', 'random 799')).toBe(false)
})

test('the last result of a tenant may exceed its share if the cache allows it, and goes first if room is needed', async () => {
  const { ask, isKept } = keeper({ entries: 100, bytes: 10_000, bytesOfTenant: 2_000, bytesOfLast: 8_000 })
  await ask('ben', 'page', 1_000)
  await ask('ann', 'small page', 500)
  await ask('ann', 'large page', 7_000)
  for (let view = 0; view < 3; view += 1) expect(await isKept('ann', 'large page', 7_000)).toBe(true)
  expect(await isKept('ann', 'small page', 500)).toBe(false)
  expect(await isKept('ann', 'too large a page', 9_000)).toBe(false)
  expect(await isKept('ann', 'too large a page', 9_000)).toBe(false)
  await ask('ann', 'large page', 7_000)
  await ask('eve', 'large page of another', 7_000)
  expect(await isKept('eve', 'large page of another', 7_000)).toBe(true)
  expect(await isKept('ben', 'page', 1_000)).toBe(true)
})
