import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairStreams, type StreamPlace } from './fair-streams.ts'

const limits = { places: 4, perTenant: 2, everyMs: 20, graceMs: 50, leastBytesASecond: 1_000 }

/** A place whose stream is read at a pace, and made at another; ends with `true` if its reader had to leave. */
function read(place: StreamPlace, bytesAtOnce: number, { readMs = 10, madeMs = 0 } = {}) {
  const left = Promise.withResolvers<boolean>()
  const stop = new AbortController()
  async function* pieces() {
    while (!stop.signal.aborted) {
      await sleep(madeMs)
      yield Buffer.alloc(bytesAtOnce)
    }
  }
  void (async () => {
    const monitored = place.watch(pieces(), () => {
      stop.abort()
      left.resolve(true)
    })
    for await (const _ of monitored) if (readMs > 0) await sleep(readMs)
    place.leave()
    left.resolve(false)
  })()
  return { left: left.promise, stop: () => stop.abort() }
}

test('while others wait and every place is taken, whoever reads slowest leaves; quick readers stay', async () => {
  const enter = createFairStreams(limits)
  const quick = [read(await enter('ann'), 10_000), read(await enter('ann'), 10_000)]
  const [slow, slowest] = [read(await enter('ben'), 2), read(await enter('ben'), 1)]
  const third = read(await enter('cleo'), 10_000)
  expect(await slowest.left).toBe(true)
  const fourth = read(await enter('cleo'), 10_000)
  expect(await slow.left).toBe(true)
  for (const each of [...quick, third, fourth]) each.stop()
  expect(await Promise.all([...quick, third, fourth].map(({ left }) => left))).toEqual([false, false, false, false])
})

test("a tenant that already has its share doesn't make anybody leave", async () => {
  const enter = createFairStreams(limits)
  const all = [await enter('ann'), await enter('ann'), await enter('ben'), await enter('ben')].map((place) => read(place, 1))
  const stop = new AbortController()
  const waiting = enter('ann', stop.signal).catch((error: Error) => error.message)
  await sleep(200)
  stop.abort(new Error('given up'))
  expect(await waiting).toBe('given up')
  for (const each of all) each.stop()
  expect(await Promise.all(all.map(({ left }) => left))).toEqual([false, false, false, false])
})

test("streams that wait for the engine aren't taken for slow readers: those leave", async () => {
  const enter = createFairStreams(limits)
  // The engine has yet to begin one answer, and is slow to make the other.
  const begins = Promise.withResolvers<void>()
  const place = await enter('ann')
  let hasLeft = false
  async function* late() {
    await begins.promise
    yield Buffer.alloc(1)
  }
  const monitored = place.watch(late(), () => (hasLeft = true))
  const first = monitored.next()
  const made = read(await enter('ann'), 40, { readMs: 0, madeMs: 50 })
  await sleep(2 * limits.graceMs)
  const [slow, quick] = [read(await enter('ben'), 1), read(await enter('ben'), 10_000)]
  const third = read(await enter('cleo'), 10_000)
  expect(await slow.left).toBe(true)
  // Somebody else waits on, but there is no slow reader left.
  const stop = new AbortController()
  const given = enter('dan', stop.signal).catch((error: Error) => error.message)
  await sleep(2 * limits.graceMs)
  stop.abort(new Error('given up'))
  expect(await given).toBe('given up')
  begins.resolve()
  await first
  for (const each of [made, quick, third]) each.stop()
  expect(await Promise.all([made, quick, third].map(({ left }) => left))).toEqual([false, false, false])
  expect(hasLeft).toBe(false)
})
