import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const signedOut = { authenticated: false, user: null, demo: false }

test.each([
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a failure', () => Promise.resolve(new Response('', { status: 500 }))],
  ['an answer of another shape', () => Promise.resolve(new Response('{"authenticated":"perhaps"}'))],
])('a session that cannot be checked is logged, and nobody is signed in: %s', async (_why, answer) => {
  vi.stubGlobal('fetch', vi.fn<() => Promise<Response>>(answer))
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await createQueryClient().fetchQuery(sessionQuery)).toEqual(signedOut)
  expect(log).toHaveBeenCalledOnce()
})
