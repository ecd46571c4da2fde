import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inBatches } from './batches.ts'

/** A store that answers when it is told to, and remembers what it was asked together. */
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

test('who asks while a query is under way is answered by the next one, together with the others', async () => {
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

test('more than 32 are asked in turns', async () => {
  const { look, asked, answer } = slowStore()
  const all = Promise.all(Array.from({ length: 70 }, (_, at) => look(String(at))))
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn()
    await answer()
  }
  expect(await all).toEqual(Array.from({ length: 70 }, (_, at) => `of ${at}`))
  expect(asked.map((keys) => keys.length)).toEqual([32, 32, 6])
})

test('a query that fails fails for those it was for, and nobody after them', async () => {
  const { look, answer } = slowStore()
  const broken = look('broken').catch((error: Error) => error.message)
  await nextTurn()
  const later = look('a')
  await answer()
  expect(await broken).toBe('broken')
  await answer()
  expect(await later).toBe('of a')
})
