import { expect, test, vi } from 'vitest'
import { createLimit, createSpaced, pause } from './concurrency.ts'

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

test('something asked for again and again happens at once, then less and less often, and at last once more', () => {
  vi.useFakeTimers({ now: 0 })
  try {
    const at: number[] = []
    const spaced = createSpaced(() => at.push(Date.now() / 1_000), { first: 2_000, most: 60_000 })
    for (let second = 0; second < 300; second += 1) {
      spaced.ask()
      vi.advanceTimersByTime(1_000)
    }
    expect(at).toEqual([0, 2, 6, 14, 30, 62, 122, 182, 242])
    // What was asked for while waiting isn't forgotten, and nothing happens unasked.
    vi.advanceTimersByTime(600_000)
    expect(at.slice(9)).toEqual([302])
    spaced.ask()
    spaced.ask()
    spaced.reset()
    vi.advanceTimersByTime(600_000)
    expect(at.slice(10)).toEqual([900])
    spaced.ask()
    spaced.ask()
    vi.advanceTimersByTime(2_000)
    expect(at.slice(11)).toEqual([1_500, 1_502])
  } finally {
    vi.useRealTimers()
  }
})
