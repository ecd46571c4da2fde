import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { startWebhook } from '../../../../emulators/webhook/server.ts'
import { askNameServers } from './addresses.ts'
import { post } from './request.ts'

// Names of webhooks are chosen by customers, and so are the name servers that answer for them, or don't.

const types = { a: 1, aaaa: 28 }
const codes = { none: 0, failure: 2, unknown: 3 }

type Answer = { a?: readonly number[]; code?: keyof typeof codes }

/** A name server, and the names it was asked for; `null` never answers. */
async function nameServer(answer: Answer | null): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = []
  const socket: Socket = createSocket('udp4', (question, { port, address }) => {
    const end = question.indexOf(0, 12)
    const labels: string[] = []
    for (let at = 12; at < end; at += (question[at] ?? 0) + 1)
      labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)))
    asked.push(labels.join('.'))
    if (answer === null) return
    const found = answer.a && question.readUInt16BE(end + 1) === types.a ? answer.a : null
    const header = Buffer.from(question.subarray(0, 12))
    header.writeUInt16BE(0x8180 | codes[answer.code ?? 'none'], 2)
    header.writeUInt16BE(found ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    const record = found ? Buffer.from([0xc0, 12, 0, types.a, 0, 1, 0, 0, 0, 60, 0, 4, ...found]) : Buffer.alloc(0)
    socket.send(Buffer.concat([header, question.subarray(12, end + 5), record]), port, address)
  }).bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

const ask = (url: string, server: string, timeoutMs = 5_000) =>
  post({
    url: new URL(url),
    headers: {},
    body: '{}',
    reach: 'public',
    signal: new AbortController().signal,
    timeoutMs,
    nameServers: [server],
  })

const waiting = (what: string): number => process.getActiveResourcesInfo().filter((each) => each === what).length

test("names that nobody answers for don't tie up a thread, and are abandoned with their requests", async () => {
  const silent = await nameServer(null)
  const names = Array.from({ length: 24 }, (_, at) => `label-${at}.silent.example`)
  const sockets = waiting('UDPWrap')
  const asking = names.map((name) => ask(`https://${name}/hook`, silent.address, 1_000))
  await expect.poll(() => new Set(silent.asked).size).toBe(names.length)
  // The system's lookups, of which few run at once for everybody.
  expect(waiting('GetAddrInfoReqWrap')).toBe(0)
  for (const posted of await Promise.all(asking)) expect(posted).toEqual({ kind: 'failed', what: "didn't respond within 1 seconds" })
  expect(waiting('QueryReqWrap')).toBe(0)
  expect(waiting('UDPWrap')).toBe(sockets)
})

test('a name with only an IPv4 address has that one', async () => {
  const names = await nameServer({ a: [93, 184, 216, 34] })
  const found = await new Promise((done) =>
    askNameServers(AbortSignal.timeout(5_000), [names.address])('hooks.example', { all: true }, (...answer) => done(answer)),
  )
  expect(found).toEqual([null, [{ address: '93.184.216.34', family: 4 }]])
})

test.each([
  ['does not exist', { code: 'unknown' }, { kind: 'failed', what: "has a host name that doesn't exist" }],
  ['has no address', {}, { kind: 'failed', what: "has a host name that doesn't exist" }],
  ["can't be looked up", { code: 'failure' }, { kind: 'failed', what: "has a host name that couldn't be looked up" }],
  ['is in a private network', { a: [10, 0, 0, 7] }, { kind: 'blocked' }],
  ['is this machine', { a: [127, 0, 0, 1] }, { kind: 'blocked' }],
] as const)('a name that %s', async (_what, answer, outcome) => {
  const server = await startWebhook()
  onTestFinished(() => server.close())
  const names = await nameServer(answer)
  expect(await ask(`http://hooks.example:${new URL(server.url).port}/hook`, names.address)).toEqual(outcome)
  expect(names.asked).toContain('hooks.example')
})

test('a name server that is not there', async () => {
  expect(await ask('http://hooks.example/', '127.0.0.1:9')).toEqual({
    kind: 'failed',
    what: "has a host name that couldn't be looked up",
  })
})
