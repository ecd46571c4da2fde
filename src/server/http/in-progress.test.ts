import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { Abandoned, abandonedNow, nameTenant } from '../platform/tenant.ts'
import { answerError } from './errors.ts'
import { limitInProgress } from './in-progress.ts'
import { addTenants } from './tenants.ts'

/** A server that keeps requests in progress until they are let go, each under the name in its address; without one, a visitor's. */
async function serve(most = { person: { atOnce: 2, waiting: 3 }, network: { atOnce: 4, waiting: 5 } }) {
  const app = Fastify({ forceCloseConnections: true, trustProxy: true })
  app.setErrorHandler(answerError)
  addTenants(app)
  limitInProgress(app, most)
  const inProgress: { who: string; letGo(): void }[] = []
  app.get('/healthz', async () => 'ok')
  app.post('/done-anyway/:who', async (request) => {
    const { who } = request.params as { who: string }
    await nameTenant(who)
    await new Promise<void>((letGo) => inProgress.push({ who, letGo }))
    return 'done'
  })
  app.get('/:who?', async (request) => {
    const { who = 'visitor' } = request.params as { who?: string }
    if (who !== 'visitor') await nameTenant(who)
    // Each route of a person asks more than once who they are.
    if (who !== 'visitor') await nameTenant(who)
    await Promise.race([
      new Promise<void>((letGo) => inProgress.push({ who, letGo })),
      new Promise<never>((_resolve, reject) => abandonedNow()?.addEventListener('abort', () => reject(new Abandoned()))),
    ])
    return 'done'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const letAllGo = () => inProgress.splice(0).forEach(({ letGo }) => letGo())
  onTestFinished(async () => {
    letAllGo()
    await app.close()
  })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const answers: number[] = []
  const ask = async (path = '', from = '203.0.113.1', signal?: AbortSignal, method = 'GET') => {
    const answer = await fetch(`${url}/${path}`, {
      method,
      headers: { 'x-forwarded-for': from },
      ...(signal && { signal }),
    })
    const body = await answer.text()
    answers.push(answer.status)
    return { status: answer.status, body }
  }
  const count = (who: string, expected: number) =>
    until(
      async () => inProgress.filter((one) => one.who === who).length,
      (found) => found === expected,
    )
  return { ask, answers, count, inProgress, letAllGo }
}

test("one person's requests beyond the limit wait, those beyond the line are refused, and nobody else notices", async () => {
  const { ask, answers, count, inProgress, letAllGo } = await serve()
  const all = Array.from({ length: 8 }, () => ask('ann'))
  await count('ann', 2)
  await until(
    async () => answers.length,
    (found) => found === 3,
  )
  expect(answers).toEqual([429, 429, 429])
  const others = [ask('ben'), ask(), ask()]
  await count('ben', 1)
  await count('visitor', 2)
  expect((await ask('healthz')).status).toBe(200)
  expect(inProgress.filter(({ who }) => who === 'ann')).toHaveLength(2)
  for (let left = 5; left > 0; left -= Math.min(left, 2)) {
    await count('ann', Math.min(left, 2))
    letAllGo()
  }
  const ended = await Promise.all([...all, ...others])
  expect(ended.filter(({ status }) => status === 200)).toHaveLength(8)
  const refused = ended.find(({ status }) => status === 429)
  expect(JSON.parse(refused?.body ?? '')).toEqual({
    message: 'You have too many requests in progress. Wait for them to finish, then try again.',
  })
})

test("visitors' requests are limited by network, and those of people behind it don't count toward it once they are known", async () => {
  const { ask, answers, count, letAllGo } = await serve()
  const all: Promise<{ status: number }>[] = []
  for (const who of ['ann', 'ben', 'cy']) {
    all.push(ask(who), ask(who))
    await count(who, 2)
  }
  for (let at = 0; at < 10; at += 1) all.push(ask())
  await count('visitor', 4)
  await until(
    async () => answers,
    ([status]) => status === 429,
  )
  // Whoever switches among the addresses of one customer's IPv6 network stays one requester.
  for (let at = 0; at < 5; at += 1) all.push(ask('', `2001:db8:7:${at}::1`))
  await count('visitor', 8)
  all.push(ask('', '198.51.100.7'))
  await count('visitor', 9)
  expect((await ask('healthz')).status).toBe(200)
  // Five and one were waiting.
  letAllGo()
  await count('visitor', 5)
  letAllGo()
  await count('visitor', 1)
  letAllGo()
  expect((await Promise.all(all)).filter(({ status }) => status === 200)).toHaveLength(6 + 9 + 6)
})

test('what a person has in progress from one network leaves them their places on another', async () => {
  const { ask, answers, count, letAllGo } = await serve()
  const elsewhere = Array.from({ length: 6 }, () => ask('ann', '198.51.100.7'))
  await count('ann', 2)
  await until(
    async () => answers,
    ([status]) => status === 429,
  )
  const own = [ask('ann'), ask('ann')]
  await count('ann', 4)
  letAllGo()
  expect((await Promise.all(own)).map(({ status }) => status)).toEqual([200, 200])
  await count('ann', 2)
  letAllGo()
  await count('ann', 1)
  letAllGo()
  await Promise.all(elsewhere)
})

test('whoever leaves makes room, in the line too', async () => {
  const { ask, answers, count, inProgress, letAllGo } = await serve()
  const stop = { line: new AbortController(), others: new AbortController() }
  const asked = (signal: AbortSignal, times: number) =>
    Array.from({ length: times }, () => ask('ann', '203.0.113.1', signal).catch(() => ({ status: 'left' })))
  const working = asked(stop.others.signal, 2)
  await count('ann', 2)
  const line = asked(stop.line.signal, 3)
  // The line is full: refused until those who wait there have left.
  const another = () => ask('ann', '203.0.113.1', AbortSignal.timeout(200)).catch(() => ({ status: 'waiting' }))
  await until(another, ({ status }) => status === 429)
  stop.line.abort()
  await until(another, ({ status }) => status === 'waiting')
  expect(inProgress).toHaveLength(2)
  stop.others.abort()
  expect((await Promise.all([...working, ...line])).map(({ status }) => status)).toEqual(Array(5).fill('left'))
  const again = [ask('ann'), ask('ann')]
  const ended = async () => {
    letAllGo()
    return answers.filter((status) => status === 200).length
  }
  await until(ended, (found) => found === 2)
  await Promise.all(again)
})

test('hanging up frees no place while the work goes on, and what is still waiting then is never begun', async () => {
  const { ask, count, inProgress, letAllGo } = await serve()
  const stop = new AbortController()
  const change = (signal?: AbortSignal) => ask('done-anyway/ann', '203.0.113.1', signal, 'POST').catch(() => ({ status: 'left' }))
  const left = Array.from({ length: 5 }, () => change(stop.signal))
  await count('ann', 2)
  stop.abort()
  await Promise.all(left)
  // Again and again: at most two are running for nobody, and three are waiting in line.
  for (let round = 0; round < 5; round += 1) {
    const again = new AbortController()
    const asked = [change(again.signal), change(again.signal)]
    await ask('ben', '203.0.113.1', AbortSignal.timeout(50)).catch(() => {})
    again.abort()
    await Promise.all(asked)
  }
  expect(inProgress.filter(({ who }) => who === 'ann')).toHaveLength(2)
  const next = change()
  await ask('ben', '203.0.113.1', AbortSignal.timeout(50)).catch(() => {})
  expect(inProgress.filter(({ who }) => who === 'ann')).toHaveLength(2)
  letAllGo()
  await count('ann', 1)
  letAllGo()
  expect((await next).status).toBe(200)
})
