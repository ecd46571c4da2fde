import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { callersATurn, inBatches, oncePerKey } from './batches.ts'

/** A store that answers on command, and remembers what it was asked together. */
function slowStore() {
  const asked: string[][] = []
  const answers: (() => void)[] = []
  const look = inBatches((keys) => {
    asked.push([...keys])
    return new Promise<Map<string, string>>((resolve, reject) => {
      answers.push(() => (keys.includes('broken') ? reject(new Error('broken')) : resolve(new Map(keys.map((key) => [key, `of ${key}`])))))
    })
  })
  const answer = async (): Promise<void> => {
    answers.shift()?.()
    await nextTurn()
  }
  return { look, asked, answer }
}

test('requests during a query are answered by the next one, together', async () => {
  const { look, asked, answer } = slowStore()
  const first = look('a')
  await nextTurn()
  const others = Promise.all([look('b'), look('c'), look('b'), look('a')])
  await answer()
  expect(await first).toBe('of a')
  await answer()
  expect(await others).toEqual(['of b', 'of c', 'of b', 'of a'])
  expect(asked).toEqual([['a'], ['b', 'c', 'a']])
})

test('more than 32 are sent in several queries', async () => {
  const { look, asked, answer } = slowStore()
  const all = Promise.all(Array.from({ length: 70 }, (_, at) => look(String(at))))
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn()
    await answer()
  }
  expect(await all).toEqual(Array.from({ length: 70 }, (_, at) => `of ${at}`))
  expect(asked.map((keys) => keys.length)).toEqual([32, 32, 6])
})

test('a thousand callers of one key share a query, and continue sixteen at a time with turns for others in between', async () => {
  const { look, asked, answer } = slowStore()
  let turn = 0
  const continued = new Map<number, number>()
  const all = Array.from({ length: 1_000 }, async () => {
    expect(await look('a')).toBe('of a')
    continued.set(turn, (continued.get(turn) ?? 0) + 1)
  })
  await nextTurn()
  void answer()
  for (; continued.size * callersATurn < all.length && turn < 1_000; turn += 1) await nextTurn()
  await Promise.all(all)
  expect(asked).toEqual([['a']])
  expect(Math.max(...continued.values())).toBe(callersATurn)
  expect(continued.size).toBe(Math.ceil(all.length / callersATurn))
})

test('a failed query fails for its own requests, and not for later ones', async () => {
  const { look, answer } = slowStore()
  const broken = look('broken').catch((error: Error) => error.message)
  await nextTurn()
  const later = look('a')
  await answer()
  expect(await broken).toBe('broken')
  await answer()
  expect(await later).toBe('of a')
})

test('work runs once at a time per key, and those who ask meanwhile share the next run, after a failure too', async () => {
  const begun: string[] = []
  const ends: PromiseWithResolvers<string>[] = []
  const run = oncePerKey((key) => {
    begun.push(key)
    const end = Promise.withResolvers<string>()
    ends.push(end)
    return end.promise
  })
  const failing = run('a').catch((error: Error) => error.message)
  const others = Promise.all([run('a'), run('a'), run('b')])
  expect(begun).toEqual(['a', 'b'])
  ends[1]?.resolve('of b')
  ends[0]?.reject(new Error('broken'))
  expect(await failing).toBe('broken')
  await nextTurn()
  expect(begun).toEqual(['a', 'b', 'a'])
  ends[2]?.resolve('of a')
  expect(await others).toEqual(['of a', 'of a', 'of b'])
  void run('a')
  expect(begun).toHaveLength(4)
})
