import type { z } from 'zod'
import { apiError, type ApiError } from '../../contract/common.ts'
import { logFailure } from '../lib/log.ts'

/** An answer that is not 2xx. Its text is the status, a colon, and the body (or the status text when there is none). */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  readonly status: number
  /** The server's own words, and the input they are about, when the body held them. */
  readonly problem: ApiError | null

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`)
    this.status = status
    this.problem = parseProblem(body)
  }
}

/** What to tell a person about a failed call: the server's message, or else `fallback`. */
export function failureText(error: unknown, fallback: string): string {
  return (error instanceof ApiFailure && error.problem?.message) || fallback
}

export type Call = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  signal?: AbortSignal
}

/**
 * Asks the server and parses what it answers. A success whose body is not JSON is logged and yields null.
 * @throws ApiFailure when the answer is not 2xx; ZodError when it is not what the contract says
 */
export async function ask<T extends z.ZodType>(answer: T, path: string, call: Call = {}): Promise<z.infer<T> | null> {
  const body = await send(path, call)
  return body === null ? null : answer.parse(body)
}

/** Like {@link ask}, where going on without an answer makes no sense. */
export async function askFor<T extends z.ZodType>(answer: T, path: string, call: Call = {}): Promise<z.infer<T>> {
  return answer.parse(await send(path, call))
}

/** A read that has no answer for someone who is not signed in, instead of an error. */
export async function askIfSignedIn<T extends z.ZodType>(answer: T, path: string, call: Call = {}): Promise<z.infer<T> | null> {
  try {
    return await ask(answer, path, call)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return null
    throw error
  }
}

/** Like {@link ask}, for calls whose answer the browser does not read. */
export async function send(path: string, { method = 'GET', body, signal }: Call = {}): Promise<unknown> {
  const response = await fetch(path, {
    method,
    credentials: 'include',
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  const text = await response.text()
  if (!response.ok) throw new ApiFailure(response.status, response.statusText, text)
  return parseJson(text, path)
}

export function parseJson(text: string, path: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch (error) {
    logFailure(`The answer of ${path} is not JSON`, error)
    return null
  }
}

function parseProblem(body: string): ApiError | null {
  try {
    const parsed = apiError.safeParse(JSON.parse(body))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
