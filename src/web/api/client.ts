import { z } from 'zod'
import { apiError, type ApiError, proofNeeded } from '../../contract/common.ts'
import { addressOf, type AnswerOf, type Argument, type Endpoint, type Given } from '../../contract/endpoint.ts'
import { logFailure } from '../lib/log.ts'
import { askForProof } from '../lib/proof.ts'

/** An answer other than 2xx. Its text is the status, a colon, and the body (or the status text if it is empty). */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  readonly status: number
  /** The server's own words, and the input they are about, if the body has them. */
  readonly problem: ApiError | null

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`)
    this.status = status
    this.problem = parseProblem(body)
  }
}

/** No answer came: there is no network, or the server is down. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'

  constructor(cause: unknown) {
    super(navigator.onLine ? 'Ranklark could not be reached.' : 'You are offline.', { cause })
  }
}

/** A success that doesn't match the contract: a bug, or a page older than its server. */
export class UnreadableAnswer extends Error {
  override name = 'UnreadableAnswer'

  readonly path: string

  constructor(path: string, cause: unknown) {
    super('The server’s response could not be read.', { cause })
    this.path = path
  }
}

/** What to tell a person about a failed call: the server's own message, or else `fallback`; without one, the known cause. */
export function failureText(error: unknown, fallback?: string): string {
  if (error instanceof ApiFailure && error.problem?.message) return error.problem.message
  return fallback ?? reasonOf(error)
}

function reasonOf(error: unknown): string {
  if (error instanceof NoAnswer) return `${error.message} Check your connection and try again.`
  if (error instanceof UnreadableAnswer) return `${error.message} Reload the page and try again.`
  if (!(error instanceof ApiFailure)) return 'Something went wrong. Try reloading.'
  const { status } = error
  if (status === 401) return 'Your session has ended. Please log in again.'
  if (status === 429) return 'Too many requests. Please try again in a moment.'
  return status < 500
    ? `The server refused the request (${status}). Reload the page and try again.`
    : `Something went wrong on the server (${status}). Please try again in a moment.`
}

/** Same if `fallback` describes invalid input, which only applies if the server refused it. */
export function refusalText(error: unknown, fallback: string): string {
  return error instanceof ApiFailure && error.status < 500 ? failureText(error, fallback) : failureText(error)
}

type Call<E extends Endpoint> = Given<E> & { signal?: AbortSignal }

/**
 * Calls the server and parses its answer.
 * @throws ApiFailure for an answer other than 2xx; NoAnswer without one; UnreadableAnswer if it doesn't match the contract
 */
export async function call<E extends Endpoint>(endpoint: E, ...[given]: Argument<Call<E>>): Promise<AnswerOf<E>> {
  const address = addressOf<Endpoint>(endpoint, given)
  return readAnswer(endpoint, await exchange(endpoint, address, given ?? {}), address)
}

/** Same for an endpoint whose parameters only the caller knows. */
export const callAny: <E extends Endpoint>(endpoint: E, given: { query?: object; signal: AbortSignal }) => Promise<AnswerOf<E>> =
  call as never

/** Like {@link call}, but null for a success whose body isn't JSON, which is logged. */
export async function callOrNull<E extends Endpoint>(endpoint: E, ...[given]: Argument<Call<E>>): Promise<AnswerOf<E> | null> {
  const address = addressOf<Endpoint>(endpoint, given)
  const body = await exchange(endpoint, address, given ?? {})
  return body === null ? null : readAnswer(endpoint, body, address)
}

/** A read that resolves to nothing instead of failing for somebody who isn't signed in. */
export async function callIfSignedIn<E extends Endpoint>(endpoint: E, ...given: Argument<Call<E>>): Promise<AnswerOf<E> | null> {
  try {
    return await callOrNull(endpoint, ...given)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return null
    throw error
  }
}

/** @throws UnreadableAnswer */
export function readAnswer<E extends Endpoint>({ answer }: E, body: unknown, address: string): AnswerOf<E> {
  if (!(answer instanceof z.ZodType)) return undefined as AnswerOf<E>
  const parsed = answer.safeParse(body)
  if (!parsed.success) throw new UnreadableAnswer(address, parsed.error)
  return parsed.data as AnswerOf<E>
}

async function exchange(
  { method }: Endpoint,
  address: string,
  { body, signal }: { body?: unknown; signal?: AbortSignal },
): Promise<unknown> {
  const request: RequestInit = {
    method,
    credentials: 'include',
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }
  return parseJson(await reach(address, request, (response) => response.text()), address)
}

/**
 * Fetches a server URL, and returns what `read` extracts from its answer. If the server requires proof of identity, asks the person and
 * fetches again.
 * @throws ApiFailure, NoAnswer
 */
export const reach = <T>(address: string, request: RequestInit, read: (response: Response) => Promise<T>): Promise<T> =>
  provingIdentity(() => reachOnce(address, request, read))

/** Does something again once the person has proven their identity, if the server asks for that. */
export async function provingIdentity<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const isAsked = error instanceof ApiFailure && error.problem?.code === proofNeeded
    if (!isAsked || !(await askForProof())) throw error
    return attempt()
  }
}

async function reachOnce<T>(address: string, request: RequestInit, read: (response: Response) => Promise<T>): Promise<T> {
  try {
    const response = await fetch(address, request)
    if (!response.ok) throw new ApiFailure(response.status, response.statusText, await response.text())
    return await read(response)
  } catch (error) {
    if (error instanceof ApiFailure || request.signal?.aborted) throw error
    throw new NoAnswer(error)
  }
}

export function parseJson(text: string, path: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch (error) {
    logFailure(`The response from ${path} is not JSON`, error)
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
