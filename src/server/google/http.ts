import type { z } from 'zod'
import type { Clock } from '../platform/clock.ts'
import { readErrorAnswer, retryAfterSeconds } from './error-body.ts'
import { fail, type GoogleResult, succeed } from './problem.ts'

/** A request that takes longer is lost; Google's slowest answers take about 30 s. */
const timeoutMs = 90_000

/**
 * One authorized JSON call. An answer that breaks off, isn't JSON or has another shape counts as Google being unavailable: it is retried,
 * and none of it is used.
 */
export async function callGoogle<T>(
  clock: Clock,
  request: { url: string; accessToken: string; body?: unknown; answer: z.ZodType<T>; signal?: AbortSignal },
): Promise<GoogleResult<T>> {
  const timeout = AbortSignal.timeout(timeoutMs)
  let status: number
  let retryAfter: string | null
  let text: string
  try {
    const response = await fetch(request.url, {
      method: request.body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${request.accessToken}`,
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: 'error',
      signal: request.signal ? AbortSignal.any([timeout, request.signal]) : timeout,
    })
    status = response.status
    retryAfter = response.headers.get('retry-after')
    text = await response.text()
  } catch (error) {
    request.signal?.throwIfAborted()
    return fail('unavailable', describe(error))
  }
  if (status !== 200) {
    const { kind, detail } = readErrorAnswer(status, text)
    return fail(kind, detail, retryAfterSeconds(retryAfter, clock.now()))
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return fail('unavailable', 'The response was cut off.')
  }
  const parsed = request.answer.safeParse(body)
  return parsed.success ? succeed(parsed.data) : fail('unavailable', `Unexpected response format: ${parsed.error.issues[0]?.message}`)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
