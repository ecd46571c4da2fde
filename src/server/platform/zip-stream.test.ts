import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { unzip } from '../../../test/support/unzip.ts'
import { until } from '../../../test/support/until.ts'
import { zipStream } from './zip-stream.ts'

const at = new Date('2026-03-18T20:00:00Z')

async function* pieces(...texts: (string | Uint8Array)[]) {
  yield* texts
}

test('files of text and of chunks are read back unchanged', async () => {
  const zip = zipStream(
    [
      { name: 'README.txt', content: 'Grüße\n' },
      { name: 'facts/one/total.csv', content: pieces('a,b\r\n', new TextEncoder().encode('1,ü\r\n'), '2,3\r\n') },
      { name: 'empty.txt', content: pieces() },
      { name: 'leer.txt', content: '' },
    ],
    at,
  )
  expect([...(await unzip(await buffer(zip)))]).toEqual([
    ['README.txt', 'Grüße\n'],
    ['facts/one/total.csv', 'a,b\r\n1,ü\r\n2,3\r\n'],
    ['empty.txt', ''],
    ['leer.txt', ''],
  ])
})

test('an archive without files is valid', async () => {
  expect((await unzip(await buffer(zipStream([], at)))).size).toBe(0)
})

/** Endless incompressible text, and how much of it was requested. */
function endless() {
  const state = { asked: 0, closed: false }
  async function* content() {
    try {
      for (;;) {
        state.asked += 1
        yield crypto.getRandomValues(new Uint8Array(60_000))
      }
    } finally {
      state.closed = true
    }
  }
  return { state, content: content() }
}

test('no more is produced than is read, and nothing once the reader has left', async () => {
  const { state, content } = endless()
  let begun = false
  async function* next() {
    begun = true
    yield ''
  }
  const zip = zipStream(
    [
      { name: 'endless', content },
      { name: 'next', content: next() },
    ],
    at,
  )
  await until(
    async () => zip.readableLength,
    (length) => length > 0,
  )
  await new Promise((resolve) => setTimeout(resolve, 200))
  // Only as much as fits in the buffers along the way.
  expect(state.asked).toBeLessThan(30)
  zip.destroy()
  await until(async () => state.closed, Boolean)
  const asked = state.asked
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(state.asked).toBe(asked)
  expect(begun).toBe(false)
})

test('a failing file fails the archive', async () => {
  async function* failing() {
    yield 'some'
    throw new Error('the store is gone')
  }
  await expect(buffer(zipStream([{ name: 'a', content: failing() }], at))).rejects.toThrow('the store is gone')
})
