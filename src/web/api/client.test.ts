import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiFailure, ask, askIfSignedIn, failureText } from './client.ts'

function answer(body: string, init: ResponseInit = {}) {
  const fetch = vi.fn<() => Promise<Response>>(async () => new Response(body, init))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

const thing = z.object({ name: z.string() })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a failure reads as status, colon, body', async () => {
  answer('{"message":"No such property","field":"property"}', { status: 404, statusText: 'Not Found' })
  const failure = await ask(thing, '/api/thing').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiFailure)
  expect(failure).toMatchObject({
    message: '404: {"message":"No such property","field":"property"}',
    status: 404,
    problem: { message: 'No such property', field: 'property' },
  })
  expect(failureText(failure, 'fallback')).toBe('No such property')
})

test('a failure without a body carries the status text', async () => {
  answer('', { status: 502, statusText: 'Bad Gateway' })
  await expect(ask(thing, '/api/thing')).rejects.toThrow(/^502: Bad Gateway$/)
})

test('a failure whose body is not the error shape has no words for a person', async () => {
  answer('<h1>oops</h1>', { status: 500 })
  const failure = await ask(thing, '/api/thing').catch((error: unknown) => error)
  expect(failureText(failure, 'Something went wrong')).toBe('Something went wrong')
})

test('a success that is not JSON is logged and yields null', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  answer('<!doctype html>')
  await expect(ask(thing, '/api/thing')).resolves.toBeNull()
  expect(log).toHaveBeenCalledOnce()
})

test('an answer that breaks the contract is an error', async () => {
  answer('{"name":1}')
  await expect(ask(thing, '/api/thing')).rejects.toThrow(z.ZodError)
})

test('sends cookies and JSON', async () => {
  const fetch = answer('{"name":"a"}')
  await expect(ask(thing, '/api/thing', { method: 'POST', body: { a: 1 } })).resolves.toEqual({ name: 'a' })
  expect(fetch).toHaveBeenCalledWith('/api/thing', expect.objectContaining({ credentials: 'include', method: 'POST', body: '{"a":1}' }))
})

test('a read for signed-in people answers null on 401 and fails on the rest', async () => {
  answer('', { status: 401 })
  await expect(askIfSignedIn(thing, '/api/thing')).resolves.toBeNull()
  answer('', { status: 403 })
  await expect(askIfSignedIn(thing, '/api/thing')).rejects.toThrow(/^403/)
})
