import { z } from 'zod'
import type { ApiScope } from '../../contract/api-keys.ts'
import { apiBase } from '../../contract/api-v1/common.ts'
import type { Endpoint, Taken } from '../../contract/endpoint.ts'
import type { Person } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { AnnotationsService } from '../annotations/service.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import { buildInTurn } from '../common/long-answers.ts'
import { validationMessage } from '../platform/validation-message.ts'
import type { AnalyticsService } from '../analytics/service.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from '../sync/service.ts'
import type { Cursors } from './paging.ts'

/** The services behind the operations. */
export type ApiServices = {
  sites: SitesService
  sync: SyncService
  annotations: AnnotationsService
  analytics: AnalyticsService
  alerts: AlertsService
  cursors: Cursors
  /** This installation's URL, without a trailing slash. */
  baseUrl: () => string
}
/** The caller, and the services. */
export type ApiContext = { person: Person; services: ApiServices }

/** The reference's groups, in order. */
export const apiTags = ['Properties', 'Figures', 'Alerts', 'Conditions', 'Annotations', 'Exports'] as const

/** An endpoint for programs. */
type ApiEndpoint = Endpoint & { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; access: { key: ApiScope } }

/** An operation's description, the source of the OpenAPI document, the reference and MCP's tools. */
type Described = {
  summary: string
  description: string
  /** A realistic request. */
  example: { params?: Record<string, string>; query?: Record<string, string | number>; body?: unknown }
}

/** A file produced as fast as it is read. */
export type ApiFile = { fileName: string; pieces: AsyncIterable<string> }

/** An operation's success response; `pages`: a part of a list, with `next`. */
export type Answers =
  | { kind: 'json'; status: 200 | 201; schema: z.ZodType; pages: boolean }
  | { kind: 'csv'; status: 200 }
  | { kind: 'nothing'; status: 204 }

export type Answer = { kind: 'json'; body: unknown } | { kind: 'csv'; file: ApiFile } | { kind: 'nothing' }

/** The unparsed parts of a request. */
export type RawInput = { params?: unknown; query?: unknown; body?: unknown }

export type Operation = Described & {
  /** In camel case, starting with a verb: `listKeywords`. */
  id: string
  tag: (typeof apiTags)[number]
  endpoint: ApiEndpoint
  method: ApiEndpoint['method']
  /** Relative to the API's URL, with parameters in braces: `/alerts/{id}`. */
  path: string
  /** The scope a key needs. */
  scope: ApiScope
  params: z.ZodObject | null
  query: z.ZodObject | null
  body: z.ZodType | null
  answers: Answers
  /** Parses the input, runs, and validates the answer against its schema. `settle` performs a change. @throws Refusal */
  run(context: ApiContext, raw: RawInput, settle: Settle): Promise<Answer>
}

/** The rest of a change once everything for it is looked up: runs in the given transaction, if any, and uses no other connection. */
export type Change<T> = (trx?: Db) => Promise<T>
/** Performs a change together with anything that has to exist if and only if it happened, in one transaction. */
export type Settle = (change: Change<Answer>) => Promise<Answer>

/** Whether running it twice may make a difference. A backtest is a POST only because of its length. */
export const changesData = ({ scope }: Pick<Operation, 'scope'>): boolean => scope === 'write'

type Input<E extends Endpoint> = { params: Taken<E, 'params'>; query: Taken<E, 'query'>; body: Taken<E, 'body'> }
type JsonEndpoint = ApiEndpoint & { answer: z.ZodType }
type Stated<E extends ApiEndpoint, Result> = Described & { handle(context: ApiContext, input: Input<E>): Result }
type StatedChange<E extends ApiEndpoint, T> = Described & { handle(context: ApiContext, input: Input<E>, trx?: Db): Promise<T> }
/** An operation before its group gives it a name. */
type Unnamed = Omit<Operation, 'id' | 'tag'>

/** The operations of one of the reference's groups, by name. */
export const operationsOf = (tag: Operation['tag'], operations: Readonly<Record<string, Unnamed>>): readonly Operation[] =>
  Object.entries(operations).map(([id, unnamed]) => ({ ...unnamed, id, tag }))

/** An operation that returns JSON. */
export function operation<E extends JsonEndpoint & { method: 'GET' }>(
  endpoint: E,
  {
    pages = false,
    handle,
    ...stated
  }: Stated<E, Promise<z.input<E['answer']>>> & {
    /** Its answer contains `next`, its query extends `pageQuery`. */
    pages?: boolean
  },
): Unnamed {
  const { answer } = endpoint
  return {
    ...described(endpoint, stated),
    answers: { kind: 'json', status: 200, schema: answer, pages },
    run: (context, raw) =>
      buildInTurn(endpoint, async () => ({ kind: 'json', body: answer.parse(await handle(context, read(endpoint, raw))) })),
  }
}

/** An operation that changes something and returns JSON. */
export const change = <E extends JsonEndpoint>(endpoint: E, { handle, ...stated }: StatedChange<E, z.input<E['answer']>>): Unnamed =>
  preparedChange(endpoint, { ...stated, handle: async (context, input) => (trx) => handle(context, input, trx) })

/** The same if it has to look something up first, or if its request would only be too long for a URL. */
export function preparedChange<E extends JsonEndpoint>(
  endpoint: E,
  { handle, ...stated }: Stated<E, Promise<Change<z.input<E['answer']>>>>,
): Unnamed {
  const { answer, status } = endpoint
  return {
    ...described(endpoint, stated),
    answers: { kind: 'json', status: status === 201 ? 201 : 200, schema: answer, pages: false },
    async run(context, raw, settle) {
      const done = await handle(context, read(endpoint, raw))
      return settle(async (trx) => ({ kind: 'json', body: answer.parse(await done(trx)) }))
    },
  }
}

/** An operation that returns a CSV file. */
export const fileOperation = <E extends ApiEndpoint & { answer: 'file' }>(
  endpoint: E,
  { handle, ...stated }: Stated<E, Promise<ApiFile>>,
): Unnamed => ({
  ...described(endpoint, stated),
  answers: { kind: 'csv', status: 200 },
  run: async (context, raw) => ({ kind: 'csv', file: await handle(context, read(endpoint, raw)) }),
})

/** A change that returns nothing. */
export const silentChange = <E extends ApiEndpoint & { answer?: never }>(
  endpoint: E,
  { handle, ...stated }: StatedChange<E, void>,
): Unnamed => ({
  ...described(endpoint, stated),
  answers: { kind: 'nothing', status: 204 },
  async run(context, raw, settle) {
    const input = read(endpoint, raw)
    return settle(async (trx) => {
      await handle(context, input, trx)
      return { kind: 'nothing' }
    })
  },
})

function described(endpoint: ApiEndpoint, stated: Described) {
  const { method, path, access, params = null, query = null, body = null } = endpoint
  const short = path.slice(apiBase.length).replaceAll(/:(\w+)/g, '{$1}')
  return { ...stated, endpoint, method, path: short, scope: access.key, params, query, body }
}

const nothing: z.ZodType = z.object({})

/** @throws Refusal 400 naming the field */
function read<E extends Endpoint>({ params, query, body }: E, raw: RawInput): Input<E> {
  return {
    params: part(params, raw.params ?? {}),
    // A misspelled filter would silently return something other than requested.
    query: part(query?.strict(), raw.query ?? {}),
    body: part(body, raw.body ?? {}),
  } as Input<E>
}

function part(schema: z.ZodType | undefined, given: unknown): unknown {
  const parsed = (schema ?? nothing).safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  if (unknownKey !== undefined) throw new Refusal(400, `Unknown parameter: ${unknownKey.slice(0, 100)}.`, unknownKey.slice(0, 100))
  if (issue === undefined) throw new Refusal(400, "The request isn't valid.")
  const { code, message, path, ...details } = issue
  const field = path.join('.')
  throw new Refusal(400, validationMessage({ field, code, message, details }), field || undefined)
}
