import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { nameTenant } from '../platform/tenant.ts'
import { answerError } from './errors.ts'
import { endSlowReaders } from './slow-readers.ts'
import { addTenants } from './tenants.ts'

// Shorter answers than what must be read within five minutes, so that none is sent in pieces. More than a connection buffers, though.

const mebibyte = 1024 ** 2
const length = 8 * mebibyte
const usual = { bytes: 16 * mebibyte, ms: 600_000 }

async function serve({ least = usual, perRequester = 20 * mebibyte, together = 400 * mebibyte } = {}) {
  const app = Fastify({ forceCloseConnections: true })
  onTestFinished(() => app.close())
  app.setErrorHandler(answerError)
  addTenants(app)
  endSlowReaders(app, least, { perRequester, together })
  const waiting: (() => void)[] = []
  app.get('/:who', async (request) => {
    await nameTenant((request.params as { who: string }).who)
    return 'x'.repeat(length)
  })
  app.post('/late/:who', async (request) => {
    await nameTenant((request.params as { who: string }).who)
    await new Promise<void>((go) => waiting.push(go))
    return 'x'.repeat(length)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  /** An answer whose beginning has arrived. */
  const hold = async (who: string) => {
    const answer = await fetch(`${url}/${who}`)
    expect(answer.status).toBe(200)
    return {
      answer,
      read: () =>
        answer.text().then(
          (text) => text.length,
          () => 'broken off',
        ),
    }
  }
  const ask = async (who: string) => {
    const answer = await fetch(`${url}/${who}`)
    return { status: answer.status, text: await answer.text() }
  }
  return { app, url, waiting, hold, ask }
}

describe('answers that nobody reads', () => {
  test('count against whoever asked, however short they are; nobody else is refused', async () => {
    const { hold, ask } = await serve()
    const held = [await hold('ann'), await hold('ann')]
    expect(await ask('ann')).toEqual({ status: 429, text: expect.stringContaining('several large downloads in progress') })
    expect((await ask('ben')).text).toHaveLength(length)
    for (const { read } of held) expect(await read()).toBe(length)
    await until(
      () => ask('ann'),
      ({ status }) => status === 200,
    )
  })

  test('are ended if nothing of them is taken, however short they are', async () => {
    const { app, hold } = await serve({ least: { bytes: 16 * mebibyte, ms: 300 } })
    const held = await Promise.all(['ann', 'ann', 'ben'].map(hold))
    const open = () => new Promise<number>((done) => app.server.getConnections((_error, count) => done(count)))
    await until(open, (count) => count === 0)
    for (const { read } of held) expect(await read()).toBe('broken off')
  })

  test(
    'of everybody together fill the memory up to a limit: the oldest of whoever holds the most make room for others',
    { tags: ['full'] },
    async () => {
      const { hold, ask } = await serve({ together: 30 * mebibyte })
      const [first, second, bens] = [await hold('ann'), await hold('ann'), await hold('ben')]
      const cys = await hold('cy')
      expect(await first.read()).toBe('broken off')
      // All of them hold the same now: whoever wants more than the others waits.
      expect(await ask('ben')).toEqual({ status: 429, text: expect.stringContaining('Please try again in a minute') })
      for (const { read } of [second, bens, cys]) expect(await read()).toBe(length)
      await until(
        () => ask('ben'),
        ({ status }) => status === 200,
      )
    },
  )

  test("don't count once nobody can read them anymore", { tags: ['full'] }, async () => {
    const { url, waiting, ask } = await serve()
    for (let at = 1; at <= 5; at += 1) {
      const gone = new AbortController()
      const left = fetch(`${url}/late/ann`, { method: 'POST', signal: gone.signal }).catch(() => 'left')
      await until(
        async () => waiting.length,
        (count) => count === at,
      )
      gone.abort()
      expect(await left).toBe('left')
    }
    // The server has seen them leave, too.
    await until(
      () => ask('ann'),
      ({ status }) => status === 200,
    )
    for (const go of waiting) go()
    expect((await ask('ann')).text).toHaveLength(length)
  })
})
