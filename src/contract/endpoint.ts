import type { z } from 'zod'

/** The prefix of all our paths that aren't pages. */
export const apiRoot = '/api/'

/**
 * Who may call an endpoint:
 * - `session`: anyone signed in.
 * - `key`: a program with an API key that allows it.
 * - `machine`: the command line on the server's own machine.
 * - `anybody`, and why that reveals nothing.
 */
export type Access = 'session' | 'machine' | { readonly key: 'read' | 'write' } | { readonly anybody: string }

/**
 * What a session alone isn't enough for, since it may have been taken over:
 * - `always`: the session has proven its identity within ten minutes.
 * - `without-password`: the request includes the password; an account without one proves it as above.
 * - `by-content`: depends on the request's content; the route says when.
 * - `by-route`: the route checks it itself, since it also serves visitors, or reads the body itself.
 */
export type Proof = 'always' | 'without-password' | 'by-content' | 'by-route'

/** Maximum size of a request body in bytes, unless its endpoint sets another: all of it is parsed before it can be validated. */
export const mostBodyBytes = 64 * 1024

/** One endpoint of the server. Its route, the browser's call, tests and documents all derive from it. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters as `:id`. */
  readonly path: string
  readonly access: Access
  readonly proof?: Proof
  /** Whether other sites' pages may call it too: it reads no cookie. */
  readonly fromAnywhere?: true
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The longest body in bytes, if it may exceed `mostBodyBytes`. */
  readonly bodyBytes?: number
  /** A success's JSON, a file, or a page (or redirect) that the browser opens itself. Otherwise the answer is empty. */
  readonly answer?: z.ZodType | 'file' | 'page'
  /**
   * Why its answer may be long, so that only a few are built at a time (server/common/long-answers.ts): `names` may fill megabytes; `days` are
   * numbers for each stored day, of which an import may bring ten thousand.
   */
  readonly isLong?: 'names' | 'days'
  /** Whether it is a read like a GET, in another method only because of its length. */
  readonly changesNothing?: true
  /** For success: by default 200, or 204 for an empty answer. */
  readonly status?: 201 | 202
}

type Unknown<E, Known = Endpoint> = { readonly [K in Exclude<keyof E, keyof Known>]: never }

/** Declares an endpoint, keeping its exact type. */
export const endpoint = <const E extends Endpoint>(stated: E & Unknown<E>): E => stated

type Method = Endpoint['method']
type Rest = Omit<Endpoint, 'method' | 'path' | 'access'>
type Called<M, P, A, E> = { readonly method: M; readonly path: P; readonly access: A } & E

const verb =
  <M extends Method, A extends Access>(method: M, access: A) =>
  <const P extends string, const E extends Rest = object>(path: P, stated?: E & Unknown<E, Rest>): Called<M, P, A, E> =>
    Object.assign({ method, path, access }, stated)

const verbs = <const R extends Access, const W extends Access>(read: R, write: W) => ({
  get: verb('GET', read),
  post: verb('POST', write),
  put: verb('PUT', write),
  patch: verb('PATCH', write),
  remove: verb('DELETE', write),
})

/** Declares an endpoint for anyone signed in: `signedIn.get('/api/sites', { answer: sites })`. */
export const signedIn = verbs('session', 'session')
/** Declares one for a program whose key allows reading (GET) or writing (the others). */
export const withKey = verbs({ key: 'read' }, { key: 'write' })

export const statusOf = ({ status, answer }: Endpoint): 200 | 201 | 202 | 204 => status ?? (answer === undefined ? 204 : 200)

type Schema<E, Part extends 'params' | 'query' | 'body'> = E extends { readonly [P in Part]: infer S extends z.ZodType } ? S : never

/** A request's part as the server receives it, parsed; undefined if there is none. */
export type Taken<E extends Endpoint, Part extends 'params' | 'query' | 'body'> = [Schema<E, Part>] extends [never]
  ? undefined
  : z.output<Schema<E, Part>>

/** A success's content: undefined if it is empty. */
export type AnswerOf<E extends Endpoint> = E extends { readonly answer: infer A extends z.ZodType } ? z.output<A> : undefined

/** URLs contain text: a number may stand for the text that it is parsed from, and undefined values are left out. */
type Written<S extends z.ZodType> = {
  readonly [K in keyof z.input<S>]: z.input<S>[K] | (K extends keyof z.output<S> ? z.output<S>[K] : never) | undefined
}
type OrNone<Part extends string, Value> = undefined extends Value
  ? { readonly [P in Part]?: Value }
  : object extends Value
    ? { readonly [P in Part]?: Value }
    : { readonly [P in Part]: Value }
type Filled<E, Part extends 'params' | 'query'> = [Schema<E, Part>] extends [never] ? object : OrNone<Part, Written<Schema<E, Part>>>

/** The values for a query string. */
export type QueryOf<E extends Endpoint> = Written<Schema<E, 'query'>>
/** The values for a URL. */
export type InAddress<E extends Endpoint> = Filled<E, 'params'> & Filled<E, 'query'>
/** The values for a request. */
export type Given<E extends Endpoint> = InAddress<E> &
  ([Schema<E, 'body'>] extends [never] ? object : OrNone<'body', z.input<Schema<E, 'body'>>>)
/** An argument that may be omitted if nothing in it is required. */
export type Argument<T> = object extends T ? [given?: T] : [given: T]

/** An endpoint's path, relative to the installation's URL: parameters and query filled in and encoded. */
export function addressOf<E extends Endpoint>({ path }: E, ...[given]: Argument<InAddress<E>>): string {
  const { params = {}, query = {} }: { params?: object; query?: object } = given ?? {}
  const values: Readonly<Record<string, unknown>> = { ...params }
  const filled = path.replaceAll(/:(\w+)/g, (_place, name: string) => encodeURIComponent(String(values[name])))
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))
  return search.size === 0 ? filled : `${filled}?${search}`
}
