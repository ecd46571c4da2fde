import { z } from 'zod'
import { apiError, type ApiError, proofNeeded } from '../../contract/common.ts'
import { addressOf, type AnswerOf, type Argument, type Endpoint, type Given } from '../../contract/endpoint.ts'
import { logFailure } from '../lib/log.ts'
import { askForProof } from '../lib/proof.ts'

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

/** No answer came: the person has no network, or the server is away. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'

  constructor(cause: unknown) {
    super(navigator.onLine ? 'Ranklark could not be reached.' : 'You are offline.', { cause })
  }
}

/** A success that does not hold what the contract says: a defect, or a page that is older than its server. */
export class UnreadableAnswer extends Error {
  override name = 'UnreadableAnswer'

  readonly path: string

  constructor(path: string, cause: unknown) {
    super('The server’s response could not be read.', { cause })
    this.path = path
  }
}

/** What to tell a person about a failed call: the server's own message, or else `fallback`; without one, what is known of why. */
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
    ? `The server refused the request (${status}).`
    : `Something went wrong on the server (${status}). Please try again in a moment.`
}

/** The same where `fallback` says what was wrong with what somebody gave, which only holds when the server refused it. */
export function refusalText(error: unknown, fallback: string): string {
  return error instanceof ApiFailure && error.status < 500 ? failureText(error, fallback) : failureText(error)
}

type Call<E extends Endpoint> = Given<E> & { signal?: AbortSignal }

/**
 * Asks the server and parses what it answers.
 * @throws ApiFailure when the answer is not 2xx; NoAnswer when there is none; UnreadableAnswer when it is not what the contract says
 */
export async function call<E extends Endpoint>(endpoint: E, ...[given]: Argument<Call<E>>): Promise<AnswerOf<E>> {
  const address = addressOf<Endpoint>(endpoint, given)
  return readAnswer(endpoint, await exchange(endpoint, address, given ?? {}), address)
}

/** The same for an endpoint of which only whoever names it knows what its requests need. */
export const callAny: <E extends Endpoint>(endpoint: E, given: { query?: object; signal: AbortSignal }) => Promise<AnswerOf<E>> =
  call as never

/** Like {@link call}, but null for a success whose body is not JSON, which is logged. */
export async function callOrNull<E extends Endpoint>(endpoint: E, ...[given]: Argument<Call<E>>): Promise<AnswerOf<E> | null> {
  const address = addressOf<Endpoint>(endpoint, given)
  const body = await exchange(endpoint, address, given ?? {})
  return body === null ? null : readAnswer(endpoint, body, address)
}

/** A read that has no answer for someone who is not signed in, instead of an error. */
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
 * Fetches an address of the server's, and what `read` takes of its answer. Where the server wants to know that it is still the person
 * themselves, they are asked, and it is fetched again.
 * @throws ApiFailure, NoAnswer
 */
export async function reach<T>(address: string, request: RequestInit, read: (response: Response) => Promise<T>): Promise<T> {
  try {
    return await reachOnce(address, request, read)
  } catch (error) {
    const isAsked = error instanceof ApiFailure && error.problem?.code === proofNeeded
    if (!isAsked || !(await askForProof())) throw error
    return reachOnce(address, request, read)
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
