import type { z } from 'zod'

/** What every path of ours begins with that is no page. */
export const apiRoot = '/api/'

/**
 * Who may ask:
 * - `session`: whoever is signed in.
 * - `key`: a program with an API key that may do this.
 * - `machine`: the command line on the server's own machine.
 * - `anybody`, and why that gives nothing away.
 */
export type Access = 'session' | 'machine' | { readonly key: 'read' | 'write' } | { readonly anybody: string }

/**
 * What a session alone is not enough for, since it may have been borrowed:
 * - `always`: the session has proven within ten minutes who it is.
 * - `without-password`: the request carries the password; an account that has none proves it as above.
 * - `by-content`: depends on what is sent; the route says when.
 * - `by-route`: the route asks by itself, since it answers visitors too.
 */
export type Proof = 'always' | 'without-password' | 'by-content' | 'by-route'

/** One thing that can be asked of the server. Its route, the browser's call, tests and documents all derive from it. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters as `:id`. */
  readonly path: string
  readonly access: Access
  readonly proof?: Proof
  /** Whether other sites' pages may send it too: it reads no cookie. */
  readonly fromAnywhere?: true
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The JSON of a success, a file, or a page (also a redirect) that the browser opens by itself. Without it the answer is empty. */
  readonly answer?: z.ZodType | 'file' | 'page'
  /** Of a success: 200, or 204 for an empty answer, unless it says otherwise. */
  readonly status?: 201 | 202
}

type Unknown<E> = { readonly [K in Exclude<keyof E, keyof Endpoint>]: never }

/** States an endpoint, and keeps its exact type. */
export const endpoint = <const E extends Endpoint>(stated: E & Unknown<E>): E => stated

export const statusOf = ({ status, answer }: Endpoint): 200 | 201 | 202 | 204 => status ?? (answer === undefined ? 204 : 200)

type Schema<E, Part extends 'params' | 'query' | 'body'> = E extends { readonly [P in Part]: infer S extends z.ZodType } ? S : never

/** A part of a request as the server takes it, parsed; undefined where there is none. */
export type Taken<E extends Endpoint, Part extends 'params' | 'query' | 'body'> = [Schema<E, Part>] extends [never]
  ? undefined
  : z.output<Schema<E, Part>>

/** What a success says: undefined when it is empty. */
export type AnswerOf<E extends Endpoint> = E extends { readonly answer: infer A extends z.ZodType } ? z.output<A> : undefined

/** Addresses hold text: a number may stand for the text that it is parsed from, and what is undefined is left out. */
type Written<S extends z.ZodType> = {
  readonly [K in keyof z.input<S>]: z.input<S>[K] | (K extends keyof z.output<S> ? z.output<S>[K] : never) | undefined
}
type OrNone<Part extends string, Value> = undefined extends Value
  ? { readonly [P in Part]?: Value }
  : object extends Value
    ? { readonly [P in Part]?: Value }
    : { readonly [P in Part]: Value }
type Filled<E, Part extends 'params' | 'query'> = [Schema<E, Part>] extends [never] ? object : OrNone<Part, Written<Schema<E, Part>>>

/** What a query string is made of. */
export type QueryOf<E extends Endpoint> = Written<Schema<E, 'query'>>
/** What an address is filled with. */
export type InAddress<E extends Endpoint> = Filled<E, 'params'> & Filled<E, 'query'>
/** What a request is made of. */
export type Given<E extends Endpoint> = InAddress<E> &
  ([Schema<E, 'body'>] extends [never] ? object : OrNone<'body', z.input<Schema<E, 'body'>>>)
/** An argument that may be left out where nothing in it is needed. */
export type Argument<T> = object extends T ? [given?: T] : [given: T]

/** Where an endpoint is asked, below an installation's address: parameters and query filled in and encoded. */
export function addressOf<E extends Endpoint>({ path }: E, ...[given]: Argument<InAddress<E>>): string {
  const { params = {}, query = {} }: { params?: object; query?: object } = given ?? {}
  const values: Readonly<Record<string, unknown>> = { ...params }
  const filled = path.replaceAll(/:(\w+)/g, (_place, name: string) => encodeURIComponent(String(values[name])))
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))
  return search.size === 0 ? filled : `${filled}?${search}`
}
