import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairStreams, type StreamPlace } from './fair-streams.ts'

const limits = { places: 4, perTenant: 2, everyMs: 20, graceMs: 50, leastBytesASecond: 1_000 }

/** A place whose stream is read at a pace; ends with `true` if its reader had to leave. */
function read(place: StreamPlace, bytesAtOnce: number) {
  const left = Promise.withResolvers<boolean>()
  const stop = new AbortController()
  async function* pieces() {
    while (!stop.signal.aborted) {
      yield Buffer.alloc(bytesAtOnce)
      await sleep(10)
    }
  }
  void (async () => {
    for await (const _ of place.watch(pieces(), () => {
      stop.abort()
      left.resolve(true)
    }));
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

test("streams that wait for the engine aren't taken for slow readers: those leave, and whoever begins to read late has their time", async () => {
  const enter = createFairStreams(limits)
  // Admitted, but the engine has yet to begin their answers.
  const [early, late] = [await enter('ann'), await enter('ann')]
  await sleep(2 * limits.graceMs)
  const [slow, quick] = [read(await enter('ben'), 1), read(await enter('ben'), 10_000)]
  const third = read(await enter('cleo'), 10_000)
  expect(await slow.left).toBe(true)
  const begun = [read(early, 10_000), read(late, 10_000)]
  // Somebody else waits on, but there is no slow reader left.
  const stop = new AbortController()
  const waiting = enter('dan', stop.signal).catch((error: Error) => error.message)
  await sleep(2 * limits.graceMs)
  stop.abort(new Error('given up'))
  expect(await waiting).toBe('given up')
  for (const each of [quick, third, ...begun]) each.stop()
  expect(await Promise.all([quick, third, ...begun].map(({ left }) => left))).toEqual([false, false, false, false])
})
