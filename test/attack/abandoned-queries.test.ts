import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { connections, createServerClient } from '../../src/server/platform/clickhouse/clickhouse-server.ts'
import { placesOfOne, readFairly } from '../../src/server/platform/fair-reads.ts'
import { newTenancy, runAs } from '../../src/server/platform/tenant.ts'
import { recordingLog } from '../support/platform.ts'

// Somebody who asks ClickHouse for much and hangs up, again and again, so that their queries no longer count but go on.

const share = placesOfOne(connections)

type Kill = { id: string; isAwaited: boolean; response: ServerResponse }

/** Stands in for a ClickHouse server, which doesn't notice that a client has left: a slow statement runs until it is ended here. */
async function startServer() {
  const running = new Map<string, ServerResponse>()
  const kills: Kill[] = []
  let begun = 0
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const statement = String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    const kill = /^KILL QUERY WHERE query_id = '([^']+)' (A?SYNC)/.exec(statement)
    if (kill) return void kills.push({ id: kill[1]!, isAwaited: kill[2] === 'SYNC', response })
    if (!statement.includes('slow')) return void response.end('{"one":1}\n')
    begun += 1
    running.set(new URL(request.url!, 'http://server').searchParams.get('query_id')!, response)
    // Such as by a proxy that waits for less long than we do.
    if (statement.includes('cut off')) response.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://user:password@127.0.0.1:${(server.address() as AddressInfo).port}/ranklark`
  const { log, lines } = recordingLog()
  const client = createServerClient(address, log)
  onTestFinished(async () => {
    for (const response of running.values()) response.destroy()
    await client.close()
    server.closeAllConnections()
    server.close()
  })
  return {
    client: readFairly(client, connections),
    running,
    kills,
    begun: () => begun,
    logged: () => lines.filter((line) => line.includes('GRANT SELECT ON system.processes')),
    /** The engine comes to the end of a block and sees that it is to stop. */
    obey({ id, response }: Kill): void {
      running
        .get(id)
        ?.writeHead(500, { 'X-ClickHouse-Exception-Code': '394' })
        .end('Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED)\n')
      running.delete(id)
      response.end()
    },
    /** Its user may not see what is running. */
    deny({ response }: Kill): void {
      response
        .writeHead(403, { 'X-ClickHouse-Exception-Code': '497' })
        .end('Code: 497. DB::Exception: Not enough privileges: SELECT(query_id) ON system.processes. (ACCESS_DENIED)\n')
    },
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

const query = ({ client }: Server, statement: string) => client.query({ query: statement, format: 'JSONEachRow' })
const file = ({ client }: Server, statement: string) => client.exec({ query: `${statement} FORMAT CSV` })

/** Many at once, as two hundred requests do; `leave` hangs up on all of them. */
function askMany(server: Server, ask: (on: Server, statement: string) => Promise<unknown> = query, statement = 'SELECT slow') {
  const leaving = new AbortController()
  const left = new Error('left')
  const answers = Array.from({ length: 200 }, () => runAs(newTenancy(leaving.signal, 'mallory'), () => ask(server, statement)))
  return {
    leave: () => leaving.abort(left),
    outcomes: Promise.all(answers.map((answer) => answer.catch((error: unknown) => error))),
    left,
  }
}

const isAnsweredTo = (server: Server, person: string) =>
  runAs(newTenancy(undefined, person), async () => (await query(server, 'SELECT 1 AS one')).json())

test('somebody who hangs up again and again never has more queries running than their share', async () => {
  const server = await startServer()
  for (let visit = 0; visit < 5; visit += 1) {
    const { leave } = askMany(server)
    await expect.poll(() => server.running.size).toBeGreaterThanOrEqual(share)
    // By then, whatever else was sent has arrived as well.
    for (let asked = 0; asked < 5; asked += 1) expect(await isAnsweredTo(server, 'ben')).toEqual([{ one: 1 }])
    leave()
  }
  expect(server.begun()).toBe(share)
})

test('the server is told to end abandoned queries, and their places are free as soon as it has', async () => {
  const server = await startServer()
  const { leave, outcomes, left } = askMany(server)
  await expect.poll(() => server.running.size).toBe(share)
  const first = new Set(server.running.keys())
  leave()
  await expect.poll(() => new Set(server.kills.map(({ id }) => id))).toEqual(first)
  for (const kill of server.kills.splice(0)) server.obey(kill)
  expect(new Set(await outcomes)).toEqual(new Set([left]))
  expect(await isAnsweredTo(server, 'mallory')).toEqual([{ one: 1 }])
})

test("a query that hadn't begun when the server was told to end it is ended by the next attempt", async () => {
  const server = await startServer()
  const { leave, outcomes, left } = askMany(server)
  await expect.poll(() => server.running.size).toBe(share)
  leave()
  await expect.poll(() => server.kills.length).toBe(share)
  // It knows no such query.
  for (const { response } of server.kills.splice(0)) response.end()
  await expect.poll(() => server.kills.length, { timeout: 5_000 }).toBe(share)
  for (const kill of server.kills.splice(0)) server.obey(kill)
  expect(new Set(await outcomes)).toEqual(new Set([left]))
})

test('the same goes for the queries of files', async () => {
  const server = await startServer()
  const { leave, outcomes, left } = askMany(server, file)
  await expect.poll(() => server.running.size).toBeGreaterThan(0)
  leave()
  await expect.poll(() => server.kills.length).toBe(server.begun())
  for (const kill of server.kills.splice(0)) server.obey(kill)
  expect(new Set(await outcomes)).toEqual(new Set([left]))
})

test('a query whose answer breaks off keeps its place until the server says that it has ended', async () => {
  const server = await startServer()
  askMany(server, query, 'SELECT slow, cut off')
  await expect.poll(() => server.kills.filter(({ isAwaited }) => isAwaited).length).toBe(share)
  await nextTurn()
  expect(server.begun()).toBe(share)
  server.obey(server.kills.shift()!)
  await expect.poll(() => server.begun()).toBe(share + 1)
})

test('a query whose end the server is not allowed to confirm keeps its place until its time is over, and the log names the missing grant once', async () => {
  const server = await startServer()
  const cutOff = () =>
    runAs(newTenancy(undefined, 'mallory'), async () => {
      const [clickhouse_settings, asked] = [{ max_execution_time: 1 }, performance.now()]
      await server.client.query({ query: 'SELECT slow, cut off', clickhouse_settings }).catch(() => {})
      return performance.now() - asked
    })
  const lasted = Promise.all([cutOff(), cutOff()])
  await expect.poll(() => server.kills.length).toBe(2)
  for (const kill of server.kills.splice(0)) server.deny(kill)
  for (const ms of await lasted) expect(ms).toBeGreaterThan(990)
  expect(server.logged()).toHaveLength(1)
})

test('so does the log if abandoned queries cannot be ended', async () => {
  const server = await startServer()
  const { leave } = askMany(server)
  await expect.poll(() => server.running.size).toBe(share)
  leave()
  await expect.poll(() => server.kills.length).toBe(share)
  for (const kill of server.kills.splice(0)) server.deny(kill)
  await expect.poll(() => server.logged().length).toBe(1)
})
