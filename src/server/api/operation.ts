import { z } from 'zod'
import type { ApiScope } from '../../contract/api-keys.ts'
import type { Person } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { AnnotationsService } from '../annotations/service.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import { issueWords } from '../platform/issue-words.ts'
import type { ReportsService } from '../reports/service.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from '../sync/service.ts'
import type { Cursors } from './paging.ts'

/** What operations are carried out with. */
export type ApiServices = {
  sites: SitesService
  sync: SyncService
  annotations: AnnotationsService
  reports: ReportsService
  alerts: AlertsService
  cursors: Cursors
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: () => string
}
/** Who asks, and what answers them. */
export type ApiContext = { person: Person; services: ApiServices }

/** Groups of the reference, in its order. */
export const apiTags = ['Properties', 'Figures', 'Alerts', 'Conditions', 'Annotations', 'Exports'] as const

/** What is said about an operation: routes, the OpenAPI document, the reference and MCP's tools are made of it. */
type Described = {
  /** In camel case, a verb first: `listKeywords`. */
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, parameters in braces: `/alerts/{id}`. */
  path: string
  summary: string
  description: string
  tag: (typeof apiTags)[number]
  /** What a key needs. */
  scope: ApiScope
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

export type Operation = Described & {
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

type Nothing = z.ZodObject<Record<never, never>>
type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = { params: z.output<P>; query: z.output<Q>; body: z.output<B> }
type Asks<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> = Described & { params?: P; query?: Q; body?: B }
type Asking = { method: 'GET' }
type Changing = { method: Exclude<Described['method'], 'GET'> }

/** An operation that answers JSON. */
export function operation<
  A extends z.ZodType,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = Nothing,
>({
  answer,
  pages = false,
  handle,
  ...asks
}: Asks<P, Q, B> &
  Asking & {
    answer: A
    /** Its answer holds `next`, its query extends `pageQuery`. */
    pages?: boolean
    handle(context: ApiContext, input: Input<P, Q, B>): Promise<z.input<A>>
  }): Operation {
  return {
    ...described(asks),
    answers: { kind: 'json', status: 200, schema: answer, pages },
    run: async (context, raw) => ({ kind: 'json', body: answer.parse(await handle(context, read(asks, raw))) }),
  }
}

/** An operation that changes something, or whose request would be too long for an address, and answers JSON. */
export function change<
  A extends z.ZodType,
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = Nothing,
>({
  answer,
  status = 200,
  handle,
  ...asks
}: Asks<P, Q, B> &
  Changing & {
    answer: A
    status?: 200 | 201
    handle(context: ApiContext, input: Input<P, Q, B>): Change<z.input<A>> | Promise<Change<z.input<A>>>
  }): Operation {
  return {
    ...described(asks),
    answers: { kind: 'json', status, schema: answer, pages: false },
    async run(context, raw, settle) {
      const done = await handle(context, read(asks, raw))
      return settle(async (trx) => ({ kind: 'json', body: answer.parse(await done(trx)) }))
    },
  }
}

/** An operation that answers a CSV file. */
export function fileOperation<Q extends z.ZodObject>({
  handle,
  ...asks
}: Asks<Nothing, Q, Nothing> & Asking & { handle(context: ApiContext, input: Input<Nothing, Q, Nothing>): Promise<ApiFile> }): Operation {
  return {
    ...described(asks),
    answers: { kind: 'csv', status: 200 },
    run: async (context, raw) => ({ kind: 'csv', file: await handle(context, read(asks, raw)) }),
  }
}

/** A change of which nothing is to be told but that it is done. */
export function silentChange<P extends z.ZodObject>({
  handle,
  ...asks
}: Asks<P, Nothing, Nothing> & Changing & { handle(context: ApiContext, input: Input<P, Nothing, Nothing>): Change<void> }): Operation {
  return {
    ...described(asks),
    answers: { kind: 'nothing', status: 204 },
    async run(context, raw, settle) {
      const done = handle(context, read(asks, raw))
      return settle(async (trx) => {
        await done(trx)
        return { kind: 'nothing' }
      })
    },
  }
}

function described<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>({ params, query, body, ...rest }: Asks<P, Q, B>) {
  return { ...rest, params: params ?? null, query: query ?? null, body: body ?? null }
}

const nothing: z.ZodType = z.object({})

/** @throws Refusal 400 with the field */
function read<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(asks: Asks<P, Q, B>, raw: RawInput): Input<P, Q, B> {
  return {
    params: part(asks.params, raw.params ?? {}),
    // A filter that is misspelt would answer something else than what was asked for.
    query: part(asks.query?.strict(), raw.query ?? {}),
    body: part(asks.body, raw.body ?? {}),
  } as Input<P, Q, B>
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
