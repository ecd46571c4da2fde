import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { apiBase, apiDocs } from '../../contract/api-v1/common.ts'
import { type Problem, type ProblemName, problems } from '../../contract/api-v1/problems.ts'
import { mostBodyBytes } from '../../contract/endpoint.ts'
import { Refusal, storeIsAway, storeIsBackAfterSeconds, overTimeWords } from '../common/errors.ts'
import { onResponseEnd } from '../common/on-response-end.ts'
import { sendFile } from '../common/send-file.ts'
import { awayStore, isOverTime, isUnstorable } from '../platform/store-outages.ts'
import { etagOf, isKnown } from './etag.ts'
import type { KeyAccess } from './key-access.ts'
import { type KeyHolder, requireScope } from './keys.ts'
import { type Answer, type ApiServices, changesData, type Operation, type Settle } from './operation.ts'
import { ApiProblem, problemOfRefusal, problemOfStatus } from './problem.ts'
import { costOfFile } from './rate-limit.ts'
import { fingerprintOf, type RepeatedRequests, type TakenRequest } from './repeated-requests.ts'

export type V1RoutesDeps = { operations: readonly Operation[]; services: ApiServices; keyAccess: KeyAccess; requests: RepeatedRequests }

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'An idempotency key must be 1 to 255 letters, digits or symbols, without spaces')

/** Every operation, for callers with a key. Cookies mean nothing here, and other sites' pages can't read answers. */
export const v1Routes =
  (deps: V1RoutesDeps): FastifyPluginAsync =>
  async (app) => {
    await app.register(async (api) => addRoutes(api, deps), { prefix: apiBase })
  }

function addRoutes(api: FastifyInstance, { operations, services, keyAccess, requests }: V1RoutesDeps): void {
  const answerProblem = problemAnswers(services.baseUrl)
  api.setErrorHandler(answerProblem)
  api.setNotFoundHandler((request, reply) =>
    answerProblem(new ApiProblem('not-found', `No such endpoint: ${request.method} ${pathOf(request)}`), request, reply),
  )
  // A repeated request may learn that nothing has changed.
  api.addHook('onSend', async (_request, reply) => void reply.headers({ 'cache-control': 'private, no-cache', vary: 'authorization' }))

  for (const operation of operations) addOperation(api, operation, { services, keyAccess, requests })
  for (const [path, methods] of methodsByPath(operations)) {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !methods.includes(method))
    api.route({
      method: others,
      url: path,
      exposeHeadRoute: false,
      handler: (request, reply) => {
        const allow = methods.join(', ')
        const detail = `${pathOf(request)} only accepts ${allow}.`
        return answerProblem(new ApiProblem('method-not-allowed', detail, { headers: { allow } }), request, reply)
      },
    })
  }
}

function addOperation(
  api: FastifyInstance,
  operation: Operation,
  { services, keyAccess, requests }: Omit<V1RoutesDeps, 'operations'>,
): void {
  const holders = new WeakMap<FastifyRequest, KeyHolder>()
  const named = new WeakMap<FastifyRequest, TakenRequest>()
  const holderOf = (request: FastifyRequest): KeyHolder => {
    const holder = holders.get(request)
    if (!holder) throw new Error('A request came without a key')
    return holder
  }
  const { answers } = operation
  const isGet = operation.method === 'GET'

  api.route({
    method: operation.method,
    url: routePath(operation),
    config: { endpoint: operation.endpoint },
    bodyLimit: operation.endpoint.bodyBytes ?? mostBodyBytes,
    exposeHeadRoute: answers.kind === 'json',

    async onRequest(request, reply) {
      const { holder, headers } = await keyAccess.enter(request, answers.kind === 'csv' ? costOfFile : 1)
      void reply.headers(headers)
      requireScope(holder, operation.scope)
      holders.set(request, holder)
    },

    async preHandler(request, reply) {
      const given = request.headers['idempotency-key']
      if (!changesData(operation) || given === undefined) return
      const key = idempotencyKey.safeParse(given)
      if (!key.success) throw new ApiProblem('invalid-request', key.error.issues[0]?.message ?? '', { field: 'Idempotency-Key' })
      const fingerprint = fingerprintOf(request.method, request.url, request.body)
      const { key: apiKey, person } = holderOf(request)
      const asked = { apiKeyId: apiKey.id, userId: person.id, idempotencyKey: key.data, fingerprint }
      const begun = await requests.begin(asked)
      if ('status' in begun) return send(reply.status(begun.status).header('idempotent-replayed', 'true'), begun.body)
      named.set(request, begun)
      // A client that disconnects before it is carried out may retry with the same key.
      onResponseEnd(reply.raw, () => {
        if (named.delete(request))
          void requests
            .forget(begun)
            .catch((error: unknown) => request.log.error({ err: error }, 'an idempotency key could not be released'))
      })
    },

    async handler(request, reply) {
      const { params, query, body } = request
      const asked = named.get(request)
      named.delete(request)
      const context = { person: holderOf(request).person, services }
      const settle: Settle = (change) =>
        asked ? requests.carryOut(asked, change, (answer) => ({ status: answers.status, body: textOf(answer) })) : change()
      const answer = await operation.run(context, { params, query, body }, settle).catch(async (error: unknown) => {
        if (asked) await requests.forget(asked)
        throw error
      })
      if (answer.kind === 'csv') return sendFile(reply, answer.file)
      const text = textOf(answer)
      void reply.status(answers.status)
      if (answers.kind === 'json' && answers.pages) addNextLink(request, reply, services.baseUrl(), answer)
      if (isGet && text !== null) {
        const etag = etagOf(text)
        void reply.header('etag', etag)
        if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send()
      }
      return send(reply, text)
    },
  })
}

const textOf = (answer: Answer): string | null => (answer.kind === 'json' ? JSON.stringify(answer.body) : null)

const send = (reply: FastifyReply, text: string | null): FastifyReply =>
  text === null ? reply.send() : reply.type('application/json; charset=utf-8').serializer(String).send(text)

/** The next part's URL, for programs that don't parse our bodies (RFC 8288). */
function addNextLink(request: FastifyRequest, reply: FastifyReply, baseUrl: string, answer: Answer): void {
  const next = answer.kind === 'json' ? z.object({ next: z.string().nullable() }).parse(answer.body).next : null
  if (next === null) return
  const url = new URL(request.url, `${baseUrl}/`)
  url.searchParams.set('cursor', next)
  void reply.header('link', `<${baseUrl}${url.pathname}${url.search}>; rel="next"`)
}

/** Relative to the plugin's prefix. */
const routePath = ({ endpoint }: Operation): string => endpoint.path.slice(apiBase.length)

function methodsByPath(operations: readonly Operation[]): Map<string, string[]> {
  const paths = Map.groupBy(operations, routePath)
  return new Map(Array.from(paths, ([path, some]) => [path, some.map(({ method }) => method)]))
}

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? ''

/** Turns every error below /api/v1 into a problem (RFC 9457). Bugs are logged, without revealing internals. */
function problemAnswers(baseUrl: () => string) {
  function sendProblem(reply: FastifyReply, name: ProblemName, detail: string, field?: string): FastifyReply {
    const { status, title } = problems[name]
    const body: Problem = { type: `${baseUrl()}${apiDocs}#problem-${name}`, title, status, detail, ...(field !== undefined && { field }) }
    return reply.status(status).type('application/problem+json').serializer(JSON.stringify).send(body)
  }

  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof ApiProblem) return sendProblem(reply.headers(error.headers), error.problem, error.message, error.field)
    if (error instanceof Refusal) return sendProblem(reply, problemOfRefusal(error), error.message, error.field)
    if (isUnstorable(error)) {
      return sendProblem(reply, 'invalid-request', "The request contains a character that can't be stored, such as a null byte.")
    }
    const away = awayStore(error)
    if (away !== null) {
      request.log.warn({ err: error, route: request.routeOptions.url }, `${away} is unreachable`)
      return sendProblem(reply.header('retry-after', storeIsBackAfterSeconds), 'unavailable', storeIsAway[away])
    }
    if (isOverTime(error)) {
      request.log.warn({ err: error, route: request.routeOptions.url }, 'a query took too long')
      return sendProblem(reply, 'unavailable', overTimeWords(error))
    }
    const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
    if (status >= 400 && status < 500) return sendProblem(reply, problemOfStatus(status), error.message)
    request.log.error({ err: error, route: request.routeOptions.url }, 'an API request failed')
    return sendProblem(reply, 'internal', 'It has been logged. Please try again, with the same Idempotency-Key if you sent one.')
  }
}
