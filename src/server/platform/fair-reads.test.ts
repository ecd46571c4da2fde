import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../../../test/support/platform.ts'
import { endSlowReaders } from '../http/slow-readers.ts'
import { addTenants } from '../http/tenants.ts'
import { type ClickHouse, type ClickHouseClient, openClickHouse } from './clickhouse/clickhouse.ts'
import { readFairly } from './fair-reads.ts'
import { createFairShare } from './fair-share.ts'
import { forTenant, serverTenant, nameOwner, nameTenant, tenantNow } from './tenant.ts'

let dataDir: string
let clickhouse: ClickHouse
let client: ClickHouseClient
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'ranklark-reads-'))
  clickhouse = await openClickHouse({ dataDir, memoryBytes: 512 * 1024 ** 2, log: silentLog })
  client = readFairly(clickhouse.client, clickhouse.atATime)
})
afterAll(async () => {
  await clickhouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const ask = (tenant: string, query: string, signal?: AbortSignal) =>
  forTenant(tenant, async () => {
    const answer = await client.query({ query, format: 'JSONEachRow', ...(signal && { abort_signal: signal }) })
    return answer.json()
  })

test("while one user has forty heavy queries waiting, another's is answered after a few of them", async () => {
  const answered: string[] = []
  const note = (who: string) => () => void answered.push(who)
  const all = Array.from({ length: 40 }, () => ask('ann', 'SELECT sleep(0.05)').then(note('ann')))
  await ask('ben', 'SELECT 1').then(note('ben'))
  expect(answered.indexOf('ben')).toBeLessThanOrEqual(clickhouse.atATime)
  await Promise.all(all)
  expect(answered).toHaveLength(41)
})

test('files that cannot be read give their places back', async () => {
  const read = (query: string) => forTenant('ann', async () => client.exec({ query }))
  for (let tries = 0; tries < 3; tries += 1) await expect(read('SELECT nothing FROM nowhere FORMAT CSV')).rejects.toThrow('nowhere')
  const { stream } = await read('SELECT 1 FORMAT CSV')
  expect((await Array.fromAsync(stream)).join('')).toBe('1\n')
})

test("while two users' long queries take every place they can get, the server's own runs at once", async () => {
  const answered: string[] = []
  const note = (who: string) => () => void answered.push(who)
  const long = ['ann', 'ben'].flatMap((user) => Array.from({ length: 8 }, () => ask(user, 'SELECT sleep(0.5)').then(note(user))))
  await nextTurn()
  // An evaluation asks one question after another.
  for (let question = 0; question < 5; question += 1) await ask(serverTenant, 'SELECT 1').then(note('server'))
  expect(answered).toEqual(Array.from({ length: 5 }, () => 'server'))
  await Promise.all(long)
})

test('work that holds a place others wait for goes before the forty queries its own user has waiting', { tags: ['full'] }, async () => {
  const answered: string[] = []
  const note = (who: string) => () => void answered.push(who)
  const scarce = createFairShare({ places: 1, perTenant: 1, isScarce: true })
  const own = Array.from({ length: 40 }, () => ask('ann', 'SELECT sleep(0.05)').then(note('query')))
  await nextTurn()
  await forTenant('ann', () =>
    scarce.run('ann', async () => {
      for (let question = 0; question < 3; question += 1)
        await client.query({ query: 'SELECT 1', format: 'JSONEachRow' }).then((answer) => answer.json())
    }),
  ).then(note('report'))
  await forTenant('ben', () => scarce.run('ben', async () => note('evaluation')()))
  // It may have one place more than its user's share, so it needn't even wait for a running query.
  expect(answered.indexOf('evaluation')).toBeLessThanOrEqual(clickhouse.atATime)
  await Promise.all(own)
  expect(answered).toHaveLength(42)
})

test('one that fails, or is abandoned, frees its place', async () => {
  const stop = new AbortController()
  const questions = Array.from({ length: 12 }, () => ask('ann', 'SELECT nonsense'))
  questions.push(ask('ann', 'SELECT 1', stop.signal))
  stop.abort(new Error('gone'))
  expect(new Set((await Promise.allSettled(questions)).map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(await ask('ann', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test("queries of users who left aren't sent to ClickHouse anymore, nor is anybody kept waiting for them", { tags: ['full'] }, async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  addTenants(app)
  let [came, ended] = [0, 0]
  app.get('/heavy', async () => {
    await nameTenant('ann')
    came += 1
    const answer = await client.query({ query: 'SELECT sleep(0.3)', format: 'JSONEachRow' }).finally(() => (ended += 1))
    return answer.json()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const sockets = Array.from({ length: 40 }, () => connect({ host: '127.0.0.1', port }))
  for (const socket of sockets) socket.on('error', () => {}).write('GET /heavy HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => came).toBe(40)
  for (const socket of sockets) socket.destroy()
  // All but those that the engine is running already.
  await expect.poll(() => ended).toBeGreaterThanOrEqual(40 - clickhouse.atATime)
  expect(await ask('ann', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await expect.poll(() => ended).toBe(40)
})

test('a user with two streamed responses gets the third when one was read or abandoned; others get theirs', async () => {
  const read = (tenant: string) => forTenant(tenant, async () => (await client.exec({ query: 'SELECT 1 FORMAT CSV' })).stream)
  const held = [await read('ann'), await read('ann')]
  let isOpen = false
  const third = read('ann').then((stream) => {
    isOpen = true
    return stream
  })
  // Somebody else's answer arrives although it was requested later.
  for await (const piece of await read('ben')) expect(String(piece)).toBe('1\n')
  await nextTurn()
  expect(isOpen).toBe(false)
  held[0]?.destroy()
  for await (const piece of await third) expect(String(piece)).toBe('1\n')
  held[1]?.destroy()
})

test("the files of many users don't keep a write waiting", async () => {
  const done: string[] = []
  const files = Array.from({ length: 10 }, (_, at) =>
    forTenant(`reader ${at}`, async () => {
      const { stream } = await client.exec({ query: 'SELECT sleep(0.1) FORMAT CSV' })
      for await (const piece of stream) expect(String(piece)).toBe('0\n')
      done.push('file')
    }),
  )
  // All of them have asked before.
  await nextTurn()
  await client.command({ query: 'CREATE TABLE written (at UInt8) ENGINE = Memory' })
  done.push('write')
  await Promise.all(files)
  expect(done.indexOf('write')).toBeLessThan(5)
})

test('two users with endless queries and downloads share the slots of one queue, and a write gets its turn', async () => {
  let [running, most, read] = [0, 0, 0]
  let isWritten = false
  const counted = <Args extends unknown[], Answer>(send: (...args: Args) => Promise<Answer>) => {
    return async (...args: Args): Promise<Answer> => {
      most = Math.max(most, (running += 1))
      return send(...args).finally(() => ((running -= 1), (read += 1)))
    }
  }
  const { query, exec } = clickhouse.client
  const own = Object.assign(Object.create(clickhouse.client) as ClickHouseClient, {
    query: counted(query.bind(clickhouse.client)),
    exec: counted(exec.bind(clickhouse.client)),
  })
  const shared = readFairly(own, clickhouse.atATime)
  const isOver = () => isWritten || read >= 400
  const asking = async () => {
    while (!isOver()) await (await shared.query({ query: 'SELECT sleep(0.05)', format: 'JSONEachRow' })).json()
  }
  const downloading = async () => {
    while (!isOver()) for await (const _ of (await shared.exec({ query: 'SELECT sleep(0.05) FORMAT CSV' })).stream);
  }
  const users = ['ann', 'ben'].flatMap((user) => [
    ...Array.from({ length: 12 }, () => forTenant(user, asking)),
    ...Array.from({ length: 2 }, () => forTenant(user, downloading)),
  ])
  await expect.poll(() => read).toBeGreaterThan(0)
  const before = read
  await shared.command({ query: 'SELECT 1' })
  isWritten = true
  expect(read - before).toBeLessThanOrEqual(4 * clickhouse.atATime)
  await Promise.all(users)
  // One is kept for the server's own queries.
  expect(most).toBe(clickhouse.atATime - 1)
})

test('long responses that one person does not read are limited in bytes; nobody else is refused', { tags: ['full'] }, async () => {
  const mebibyte = 1024 ** 2
  const app = Fastify({ forceCloseConnections: true })
  onTestFinished(() => app.close())
  addTenants(app)
  endSlowReaders(app, { bytes: mebibyte, ms: 60_000 }, { perRequester: 40 * mebibyte, together: 400 * mebibyte })
  app.get('/answer/:tenant', async (request) => {
    await nameTenant((request.params as { tenant: string }).tenant)
    return 'x'.repeat(16 * mebibyte)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}/answer`
  const untaken = [new AbortController(), new AbortController()]
  // Kept: a response that nobody can read anymore is let go.
  const held = await Promise.all(untaken.map(({ signal }) => fetch(`${address}/ann`, { signal })))
  expect(held.map(({ status }) => status)).toEqual([200, 200])
  const refused = await fetch(`${address}/ann`)
  expect([refused.status, await refused.json()]).toEqual([
    429,
    expect.objectContaining({ message: expect.stringContaining('downloads in progress') }),
  ])
  expect((await (await fetch(`${address}/ben`)).text()).length).toBe(16 * mebibyte)
  untaken[0]?.abort()
  // The server notices when the connection is gone.
  const again = async () => (await (await fetch(`${address}/ann`)).text()).length
  await expect.poll(again).toBe(16 * mebibyte)
  untaken[1]?.abort()
})

test(
  "long responses that visitors of a person's links don't read count against their network, not against that person",
  { tags: ['full'] },
  async () => {
    const mebibyte = 1024 ** 2
    const app = Fastify({ forceCloseConnections: true, trustProxy: true })
    onTestFinished(() => app.close())
    addTenants(app)
    endSlowReaders(app, { bytes: mebibyte, ms: 60_000 }, { perRequester: 40 * mebibyte, together: 400 * mebibyte })
    const long = async () => 'x'.repeat(16 * mebibyte)
    app.get('/mine', async () => {
      await nameTenant('ann')
      return long()
    })
    app.get('/shared', async () => {
      nameOwner('ann')
      expect(tenantNow()).toBe('ann')
      return long()
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const askFrom = (place: string, from: string, signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}${place}`, { headers: { 'x-forwarded-for': from }, ...(signal && { signal }) })
    const untaken = new AbortController()
    // Kept: a response that nobody can read anymore is let go.
    const held = [await askFrom('/shared', '203.0.113.1', untaken.signal), await askFrom('/shared', '203.0.113.1', untaken.signal)]
    expect((await askFrom('/shared', '203.0.113.1')).status).toBe(429)
    for (const each of ['/shared', '/mine']) expect((await (await askFrom(each, '203.0.113.2')).text()).length).toBe(16 * mebibyte)
    expect(held.map(({ status }) => status)).toEqual([200, 200])
    untaken.abort()
  },
)

describe('a response that is hardly read', { tags: ['full'] }, () => {
  const mebibyte = 1024 ** 2
  const bytes = 16 * mebibyte
  const least = { bytes: mebibyte / 4, ms: 600 }

  /** A server whose answers exceed what a connection buffers for a slow reader. */
  async function serve() {
    const app = Fastify()
    onTestFinished(() => app.close())
    endSlowReaders(app, least)
    app.get('/export/:tenant', async (request, reply) => {
      const { tenant } = request.params as { tenant: string }
      const { stream } = await forTenant(tenant, () => client.exec({ query: `SELECT repeat('x', 1023) FROM numbers(${bytes / 1024})` }))
      return reply.send(Readable.from(inPieces(stream), { highWaterMark: 1 }))
    })
    app.get('/at-once', async () => 'x'.repeat(bytes))
    app.get('/now-and-then', async (_request, reply) => reply.send(Readable.from(nowAndThen())))
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    return (place: string): Socket => {
      const socket = connect({ host: '127.0.0.1', port })
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {}).write(`GET ${place} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      return socket
    }
  }

  async function* inPieces(stream: AsyncIterable<Buffer>) {
    for await (const all of stream) for (let at = 0; at < all.length; at += 25_000) yield all.subarray(at, at + 25_000)
  }

  async function* nowAndThen() {
    for (let second = 0; second < 5; second += 1) {
      yield 'a line\n'
      await new Promise((done) => setTimeout(done, least.ms / 2))
    }
    yield 'the end'
  }

  /** Reads to the end, pausing after every two megabytes. */
  async function read(socket: Socket, pauseMs = 0): Promise<string> {
    const pieces: string[] = []
    let taken = 0
    for await (const piece of socket) {
      pieces.push(String(piece))
      taken += (piece as Buffer).length
      if (pauseMs === 0 || taken < 2 * mebibyte) continue
      taken = 0
      await new Promise((done) => setTimeout(done, pauseMs))
    }
    return pieces.join('')
  }

  test('is ended, and whoever waits for its place gets it', async () => {
    const open = await serve()
    const held = [open('/export/ann'), open('/export/ann')]
    for (const socket of held) await once(socket, 'readable')
    expect((await read(open('/export/ann'))).length).toBeGreaterThan(bytes)
    for (const socket of held) expect((await read(socket)).length).toBeLessThan(bytes)
  })

  test('is ended although it is complete: it occupies memory meanwhile', async () => {
    const open = await serve()
    const socket = open('/at-once')
    await once(socket, 'readable')
    await new Promise((done) => setTimeout(done, 2 * least.ms))
    expect((await read(socket)).length).toBeLessThan(bytes)
    expect((await read(open('/at-once'), 200)).length).toBeGreaterThan(bytes)
  })

  test('differs from one read steadily over a slow line, or produced slowly', async () => {
    const open = await serve()
    const begun = performance.now()
    const [steady, slow] = await Promise.all([read(open('/export/ben'), 200), read(open('/now-and-then'))])
    expect(steady.length).toBeGreaterThan(bytes)
    expect(slow).toContain('the end')
    expect(performance.now() - begun).toBeGreaterThan(2 * least.ms)
  })
})
