import { expect, test } from 'vitest'
import { createLimit, pause } from './concurrency.ts'

/** Work that lasts until told to end. */
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

test('only a limited number run at a time, in order of arrival', async () => {
  const limited = createLimit(2)
  const log: string[] = []
  const { signal } = new AbortController()
  const [a, b, c] = [work('a', log), work('b', log), work('c', log)]
  const all = Promise.all([a, b, c].map(({ run }) => limited(run, signal)))
  await Promise.resolve()
  expect(log).toEqual(['a', 'b'])
  b.end()
  await expect.poll(() => log).toEqual(['a', 'b', 'c'])
  a.end()
  c.end()
  expect(await all).toEqual(['a', 'b', 'c'])
})

test('what is canceled while waiting never starts, and failures make room', async () => {
  const limited = createLimit(1)
  const log: string[] = []
  const given = new AbortController()
  const { signal } = new AbortController()
  const [a, b] = [work('a', log), work('b', log)]
  const first = limited(a.run, signal)
  void limited(b.run, given.signal)
  given.abort()
  a.end()
  await first
  await expect(limited(() => Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
  expect(await limited(() => Promise.resolve('next'), signal)).toBe('next')
  expect(log).toEqual(['a'])
  await expect(limited(a.run, given.signal)).rejects.toThrow('aborted')
})

test('a pause ends immediately when canceled', async () => {
  const given = new AbortController()
  const waiting = pause(1_000_000, given.signal)
  given.abort()
  await expect(waiting).rejects.toThrow('aborted')
  await pause(0, new AbortController().signal)
})
