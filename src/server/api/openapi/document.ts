import { apiBase, apiDocs } from '../../../contract/api-v1/common.ts'
import { problems } from '../../../contract/api-v1/problems.ts'
import { apiTags, changesData, type Operation } from '../operation.ts'
import { requestsPerMinute } from '../rate-limit.ts'
import exampleAnswers from './example-answers.json' with { type: 'json' }
import { type Parameter, parametersOf } from './parameters.ts'
import { type JsonSchema, schemasOf } from './schemas.ts'
import { version } from '../../platform/version.ts'

type Ref = { $ref: string }
type Header = { description: string; schema: JsonSchema }
type Media = { schema: JsonSchema; example?: unknown }
export type Response = { description: string; headers?: Record<string, Ref | Header>; content?: Record<string, Media> }

export type DocumentedOperation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters: (Parameter | Ref)[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response | Ref>
  'x-scope': 'read' | 'write'
}

type Path = Partial<Record<'get' | 'post' | 'patch' | 'delete', DocumentedOperation>>

/** An OpenAPI 3.1 document, limited to what we use. */
export type OpenApiDocument = {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, Path>
  components: {
    schemas: Record<string, JsonSchema>
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    responses: Record<string, Response>
    securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; bearerFormat: string; description: string }>
  }
}

/** Describes operations from their definitions. @param baseUrl this installation's URL */
export function openApiOf(operations: readonly Operation[], baseUrl: string): OpenApiDocument {
  const schemas = schemasOf(operations)
  const paths: Record<string, Path> = {}
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {})
    path[methodOf(operation)] = documented(operation, schemas)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Ranklark API',
      version,
      description: `Google Search Console data, alerts and alert rules. To get started, see ${baseUrl}${apiDocs}.`,
    },
    servers: [{ url: `${baseUrl}${apiBase}` }],
    tags: apiTags.map((name) => ({ name })),
    security: [{ key: [] }],
    paths,
    components: {
      schemas: schemas.components,
      parameters: headerParameters,
      headers,
      responses: problemResponses(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', bearerFormat: 'rk_…', description: 'A key created under API & Webhooks.' },
      },
    },
  }
}

const methodOf = ({ method }: Operation) => method.toLowerCase() as Lowercase<Operation['method']>

const answersById: Readonly<Record<string, unknown>> = exampleAnswers

function documented(operation: Operation, { refOfBody, refOfAnswer }: ReturnType<typeof schemasOf>): DocumentedOperation {
  const { id, method, tag, summary, description, scope, body, answers, example } = operation
  const answer = answers.kind === 'json' ? { schema: refOfAnswer(answers.schema), example: answersById[id] } : null
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...parametersOf(operation),
      ...(changesData(operation) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(method === 'GET' && answers.kind === 'json' ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: refOfBody(body), example: example.body } } } }),
    responses: {
      [answers.status]: {
        description: { json: 'Success.', csv: 'The CSV file.', nothing: 'Success, without a body.' }[answers.kind],
        headers: headersOf(operation),
        ...(answer && { content: { 'application/json': answer } }),
        ...(answers.kind === 'csv' && { content: { 'text/csv': { schema: { type: 'string' } } } }),
      },
      ...(method === 'GET' && answers.kind === 'json' ? { 304: { description: 'Not modified since the response with that ETag.' } } : {}),
      ...Object.fromEntries(
        problemStatuses(operation).map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
      ),
    },
    'x-scope': scope,
  }
}

const ref = (name: string): Ref => ({ $ref: `#/components/headers/${name}` })

function headersOf({ method, answers }: Operation): Record<string, Ref> {
  return {
    'RateLimit-Limit': ref('RateLimitLimit'),
    'RateLimit-Remaining': ref('RateLimitRemaining'),
    'RateLimit-Reset': ref('RateLimitReset'),
    ...(method === 'GET' && answers.kind === 'json' && { ETag: ref('ETag') }),
    ...(answers.kind === 'json' && answers.pages && { Link: ref('Link') }),
    ...(method !== 'GET' && { 'Idempotent-Replayed': ref('IdempotentReplayed') }),
  }
}

const headers: Record<string, Header> = {
  RateLimitLimit: {
    description: `The number of requests a key can make per minute: ${requestsPerMinute}. A file counts as ten.`,
    schema: { type: 'integer' },
  },
  RateLimitRemaining: { description: 'The number of requests left in the current minute.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until the limit resets.', schema: { type: 'integer' } },
  RetryAfter: { description: 'Seconds to wait before the next request.', schema: { type: 'integer' } },
  ETag: {
    description: 'Identifies this response. Send it as `If-None-Match` to find out whether it is still current.',
    schema: { type: 'string' },
  },
  Link: { description: 'The URL of the next page, with `rel="next"`; absent on the last page.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` if this is the response to an earlier request with the same key.',
    schema: { type: 'string' },
  },
}

const headerParameters: Record<string, Parameter> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A unique value of your choice. Repeating the request with it within 24 hours changes nothing and returns the first response.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of a response you already have.',
    schema: { type: 'string' },
  },
}

/** The problems an operation can answer with, in addition to those of every server. */
function problemStatuses({ params, query, body, method, answers }: Operation): number[] {
  const names = params !== null || (query !== null && 'property' in query.shape)
  const paged = answers.kind === 'json' && answers.pages
  const changes = method !== 'GET'
  return [
    400,
    401,
    403,
    ...(names ? [404] : []),
    ...(paged || changes ? [409] : []),
    ...(body ? [413, 415] : []),
    ...(changes ? [422] : []),
    429,
    500,
  ]
}

const responseName = (status: number): string => `Problem${status}`

function problemResponses(): Record<string, Response> {
  const byStatus = Map.groupBy(Object.values(problems), ({ status }) => status)
  return Object.fromEntries(
    Array.from(byStatus, ([status, some]) => [
      responseName(status),
      {
        description: `${some.map(({ title }) => title).join('; ')}.`,
        ...(status === 429 && { headers: { 'Retry-After': ref('RetryAfter') } }),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}
