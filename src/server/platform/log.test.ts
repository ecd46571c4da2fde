import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function written(pretty: boolean, write: (log: ReturnType<typeof createLog>) => void): string {
  let output = ''
  write(createLog('info', pretty, { write: (line) => (output += line) }))
  return output
}

test("credentials aren't logged, at any depth", () => {
  const output = written(false, (log) =>
    log.info({
      password: 'hunter2',
      req: { headers: { authorization: 'Bearer hunter2', cookie: 'session=hunter2', 'set-cookie': 'hunter2' } },
      tokens: { refresh_token: 'hunter2', accessToken: 'hunter2' },
      google: { clientSecret: 'hunter2' },
      user: 'alice',
    }),
  )
  expect(output).not.toContain('hunter2')
  expect(output).toContain('alice')
})

test('an error is logged without the request that libraries attach to it', () => {
  const request = { headers: { authorization: 'Bearer hunter2' }, data: 'refresh_token=hunter2' }
  const cause = Object.assign(new Error('refused'), { config: request })
  const err = Object.assign(new Error('not exchanged', { cause }), {
    code: 'E_REFUSED',
    status: 400,
    config: request,
    response: { config: request },
  })
  const output = written(false, (log) => log.error({ err, error: new AggregateError([cause], 'several') }, 'failed'))
  expect(output).not.toContain('hunter2')
  const { err: logged, error } = JSON.parse(output) as { err: Record<string, unknown>; error: Record<string, unknown> }
  expect(logged).toMatchObject({ type: 'Error', message: 'not exchanged: refused', code: 'E_REFUSED', status: 400 })
  expect(logged['stack']).toContain('log.test.ts')
  expect(error['aggregateErrors']).toMatchObject([{ message: 'refused' }])
})

test('plain lines for a terminal', () => {
  expect(written(true, (log) => log.warn({ ms: 12, site: 'a.example' }, 'slow'))).toBe('warn slow ms=12 site=a.example\n')
  expect(written(true, (log) => log.error({ err: new Error('broken') }, 'failed'))).toMatch(/^error failed\nError: broken\n {4}at /)
})

test('lines below the level are omitted', () => {
  expect(written(false, (log) => log.debug('detail'))).toBe('')
})
