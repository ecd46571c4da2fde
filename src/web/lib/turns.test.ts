import { expect, test } from 'vitest'
import { createTurns, pause } from './turns.ts'

/** Work that lasts until it is told to end. */
function work(name: string, log: string[]) {
  const { promise, resolve } = Promise.withResolvers<string>()
  return {
    run: () => {
      log.push(name)
      return promise
    },
    end: () => resolve(name),
  }
}

test('only so many are under way at a time, in the order in which they came', async () => {
  const inTurn = createTurns(2)
  const log: string[] = []
  const { signal } = new AbortController()
  const [a, b, c] = [work('a', log), work('b', log), work('c', log)]
  const all = Promise.all([a, b, c].map(({ run }) => inTurn(run, signal)))
  await Promise.resolve()
  expect(log).toEqual(['a', 'b'])
  b.end()
  await expect.poll(() => log).toEqual(['a', 'b', 'c'])
  a.end()
  c.end()
  expect(await all).toEqual(['a', 'b', 'c'])
})

test('what is given up while it waits never begins, and what fails makes room', async () => {
  const inTurn = createTurns(1)
  const log: string[] = []
  const given = new AbortController()
  const { signal } = new AbortController()
  const [a, b] = [work('a', log), work('b', log)]
  const first = inTurn(a.run, signal)
  void inTurn(b.run, given.signal)
  given.abort()
  a.end()
  await first
  await expect(inTurn(() => Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
  expect(await inTurn(() => Promise.resolve('next'), signal)).toBe('next')
  expect(log).toEqual(['a'])
  await expect(inTurn(a.run, given.signal)).rejects.toThrow('aborted')
})

test('a pause ends at once when it is given up', async () => {
  const given = new AbortController()
  const waiting = pause(1_000_000, given.signal)
  given.abort()
  await expect(waiting).rejects.toThrow('aborted')
  await pause(0, new AbortController().signal)
})
