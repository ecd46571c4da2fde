import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../contract/endpoint.ts'
import { ApiFailure, callIfSignedIn, callOrNull, failureText, NoAnswer, refusalText, UnreadableAnswer } from './client.ts'

function answer(body: string, init: ResponseInit = {}) {
  const fetch = vi.fn<() => Promise<Response>>(async () => new Response(body, init))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

const thing = endpoint({ method: 'GET', path: '/api/thing', access: 'session', answer: z.object({ name: z.string() }) })
const makeThing = endpoint({ ...thing, method: 'POST', body: z.object({ a: z.number() }) })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a failure reads as status, colon, body', async () => {
  answer('{"message":"No such property","field":"property"}', { status: 404, statusText: 'Not Found' })
  const failure = await callOrNull(thing).catch((error: unknown) => error)
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
  await expect(callOrNull(thing)).rejects.toThrow(/^502: Bad Gateway$/)
})

test('a failure with an unexpected body has no message for people', async () => {
  answer('<h1>oops</h1>', { status: 500 })
  const failure = await callOrNull(thing).catch((error: unknown) => error)
  expect(failureText(failure, 'Something went wrong')).toBe('Something went wrong')
})

test('a success that is not JSON is logged and yields null', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  answer('<!doctype html>')
  await expect(callOrNull(thing)).resolves.toBeNull()
  expect(log).toHaveBeenCalledOnce()
})

test('a response that violates the contract is reported in a sentence, never as a schema', async () => {
  answer('{"name":1}')
  const failure = await callOrNull(thing).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(UnreadableAnswer)
  expect(failureText(failure)).toBe('The server’s response could not be read. Reload the page and try again.')
})

test.each([
  [false, 'You are offline.'],
  [true, 'Ranklark could not be reached.'],
])('without a response, and the browser online: %s, it says so, in our words', async (onLine, reason) => {
  vi.stubGlobal('navigator', { onLine })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const failure = await callOrNull(thing).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(NoAnswer)
  expect(failureText(failure)).toBe(`${reason} Check your connection and try again.`)
  // The text from SPEC §8 stays.
  expect(failureText(failure, 'There was an error creating your account')).toBe('There was an error creating your account')
  expect(refusalText(failure, 'Invalid username or password')).toBe(`${reason} Check your connection and try again.`)
})

test('input is only called wrong if the server refused it', () => {
  const wrong = 'Invalid username or password'
  expect(refusalText(new ApiFailure(401, 'Unauthorized', ''), wrong)).toBe(wrong)
  expect(refusalText(new ApiFailure(400, '', '{"message":"Words of the server."}'), wrong)).toBe('Words of the server.')
  expect(refusalText(new ApiFailure(503, '', '<html>'), wrong)).toBe(
    'Something went wrong on the server (503). Please try again in a moment.',
  )
})

test("an aborted request isn't a failure", async () => {
  const given = new AbortController()
  given.abort()
  vi.stubGlobal('fetch', () => Promise.reject(given.signal.reason))
  await expect(callOrNull(thing, { signal: given.signal })).rejects.toBe(given.signal.reason)
})

test('sends cookies and JSON', async () => {
  const fetch = answer('{"name":"a"}')
  await expect(callOrNull(makeThing, { body: { a: 1 } })).resolves.toEqual({ name: 'a' })
  expect(fetch).toHaveBeenCalledWith('/api/thing', expect.objectContaining({ credentials: 'include', method: 'POST', body: '{"a":1}' }))
})

test('a read for signed-in users returns null on 401 and fails otherwise', async () => {
  answer('', { status: 401 })
  await expect(callIfSignedIn(thing)).resolves.toBeNull()
  answer('', { status: 403 })
  await expect(callIfSignedIn(thing)).rejects.toThrow(/^403/)
})
