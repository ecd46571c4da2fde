import { z } from 'zod'
import type { ApiScope } from '../../contract/api-keys.ts'
import { apiBase } from '../../contract/api-v1/common.ts'
import type { Endpoint, Taken } from '../../contract/endpoint.ts'
import type { Person } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { AnnotationsService } from '../annotations/service.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import { issueWords } from '../platform/issue-words.ts'
import type { AnalyticsService } from '../analytics/service.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from '../sync/service.ts'
import type { Cursors } from './paging.ts'

/** What operations are carried out with. */
export type ApiServices = {
  sites: SitesService
  sync: SyncService
  annotations: AnnotationsService
  analytics: AnalyticsService
  alerts: AlertsService
  cursors: Cursors
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: () => string
}
/** Who asks, and what answers them. */
export type ApiContext = { person: Person; services: ApiServices }

/** Groups of the reference, in its order. */
export const apiTags = ['Properties', 'Figures', 'Alerts', 'Conditions', 'Annotations', 'Exports'] as const

/** An endpoint for programs. */
type ApiEndpoint = Endpoint & { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; access: { key: ApiScope } }

/** What is said about an operation: the OpenAPI document, the reference and MCP's tools are made of it. */
type Told = {
  /** In camel case, a verb first: `listKeywords`. */
  id: string
  summary: string
  description: string
  tag: (typeof apiTags)[number]
  /** A request as somebody might make it. */
  example: { params?: Record<string, string>; query?: Record<string, string | number>; body?: unknown }
}

/** A file that is made as fast as it is read. */
export type ApiFile = { fileName: string; pieces: AsyncIterable<string> }

/** How an operation answers when all is well; `pages`: as part of a list, with `next`. */
export type Answers =
  | { kind: 'json'; status: 200 | 201; schema: z.ZodType; pages: boolean }
  | { kind: 'csv'; status: 200 }
  | { kind: 'nothing'; status: 204 }

export type Answer = { kind: 'json'; body: unknown } | { kind: 'csv'; file: ApiFile } | { kind: 'nothing' }

/** A request's parts, as they came. */
export type RawInput = { params?: unknown; query?: unknown; body?: unknown }

export type Operation = Told & {
  endpoint: ApiEndpoint
  method: ApiEndpoint['method']
  /** Below the API's own address, parameters in braces: `/alerts/{id}`. */
  path: string
  /** What a key needs. */
  scope: ApiScope
  params: z.ZodObject | null
  query: z.ZodObject | null
  body: z.ZodType | null
  answers: Answers
  /** Reads the input, does it, and holds the answer to its schema. A change is done by `settle`. @throws Refusal */
  run(context: ApiContext, raw: RawInput, settle: Settle): Promise<Answer>
}

/** What is left to do of a change once everything for it is looked up: in a transaction, if one is given. Uses no other connection. */
export type Change<T> = (trx?: Db) => Promise<T>
/** Does a change, and with it, in one transaction, what has to be there if and only if it is done. */
export type Settle = (change: Change<Answer>) => Promise<Answer>

/** Whether carrying it out twice may make a difference. A backtest is a POST for its length alone. */
export const changesData = ({ scope }: Pick<Operation, 'scope'>): boolean => scope === 'write'

type Input<E extends Endpoint> = { params: Taken<E, 'params'>; query: Taken<E, 'query'>; body: Taken<E, 'body'> }
type JsonEndpoint = ApiEndpoint & { answer: z.ZodType }
type Stated<E extends ApiEndpoint, Result> = Told & { endpoint: E; handle(context: ApiContext, input: Input<E>): Result }

/** An operation that answers JSON. */
export function operation<E extends JsonEndpoint & { method: 'GET' }>({
  pages = false,
  handle,
  ...told
}: Stated<E, Promise<z.input<E['answer']>>> & {
  /** Its answer holds `next`, its query extends `pageQuery`. */
  pages?: boolean
}): Operation {
  const { answer } = told.endpoint
  return {
    ...described(told),
    answers: { kind: 'json', status: 200, schema: answer, pages },
    run: async (context, raw) => ({ kind: 'json', body: answer.parse(await handle(context, read(told.endpoint, raw))) }),
  }
}

/** An operation that changes something, or whose request would be too long for an address, and answers JSON. */
export function change<E extends JsonEndpoint>({
  handle,
  ...told
}: Stated<E, Change<z.input<E['answer']>> | Promise<Change<z.input<E['answer']>>>>): Operation {
  const { answer, status } = told.endpoint
  return {
    ...described(told),
    answers: { kind: 'json', status: status === 201 ? 201 : 200, schema: answer, pages: false },
    async run(context, raw, settle) {
      const done = await handle(context, read(told.endpoint, raw))
      return settle(async (trx) => ({ kind: 'json', body: answer.parse(await done(trx)) }))
    },
  }
}

/** An operation that answers a CSV file. */
export function fileOperation<E extends ApiEndpoint & { answer: 'file' }>({ handle, ...told }: Stated<E, Promise<ApiFile>>): Operation {
  return {
    ...described(told),
    answers: { kind: 'csv', status: 200 },
    run: async (context, raw) => ({ kind: 'csv', file: await handle(context, read(told.endpoint, raw)) }),
  }
}

/** A change of which nothing is to be told but that it is done. */
export function silentChange<E extends ApiEndpoint & { answer?: never }>({ handle, ...told }: Stated<E, Change<void>>): Operation {
  return {
    ...described(told),
    answers: { kind: 'nothing', status: 204 },
    async run(context, raw, settle) {
      const done = handle(context, read(told.endpoint, raw))
      return settle(async (trx) => {
        await done(trx)
        return { kind: 'nothing' }
      })
    },
  }
}

function described<T extends Told & { endpoint: ApiEndpoint }>(told: T) {
  const { method, path, access, params = null, query = null, body = null } = told.endpoint
  const short = path.slice(apiBase.length).replaceAll(/:(\w+)/g, '{$1}')
  return { ...told, method, path: short, scope: access.key, params, query, body }
}

const nothing: z.ZodType = z.object({})

/** @throws Refusal 400 with the field */
function read<E extends Endpoint>({ params, query, body }: E, raw: RawInput): Input<E> {
  return {
    params: part(params, raw.params ?? {}),
    // A filter that is misspelt would answer something else than what was asked for.
    query: part(query?.strict(), raw.query ?? {}),
    body: part(body, raw.body ?? {}),
  } as Input<E>
}

function part(schema: z.ZodType | undefined, given: unknown): unknown {
  const parsed = (schema ?? nothing).safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  if (unknownKey !== undefined) throw new Refusal(400, `There is no parameter ${unknownKey.slice(0, 100)}.`, unknownKey.slice(0, 100))
  if (issue === undefined) throw new Refusal(400, "The request isn't valid.")
  const { code, message, path, ...details } = issue
  const field = path.join('.')
  throw new Refusal(400, issueWords({ field, code, message, details }), field || undefined)
}
