import { apiDocs } from '../../contract/api-v1/common.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, type ProblemName, problems } from '../../contract/api-v1/problems.ts'
import { Refusal, storeIsAway, storeIsBackAfterSeconds, tookTooLong } from '../common/errors.ts'
import { awayStore, isOverTime, isUnstorable } from '../platform/store-outages.ts'
import { ApiProblem, problemOfRefusal, problemOfStatus } from './problem.ts'

export type Problems = {
  answer(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/** Turns every error below /api/v1 into a problem (RFC 9457). Bugs are logged, without revealing internals. */
export function createProblems(baseUrl: () => string): Problems {
  function send(reply: FastifyReply, name: ProblemName, detail: string, field?: string): FastifyReply {
    const { status, title } = problems[name]
    const body: Problem = { type: `${baseUrl()}${apiDocs}#problem-${name}`, title, status, detail, ...(field !== undefined && { field }) }
    return reply.status(status).type('application/problem+json').serializer(JSON.stringify).send(body)
  }

  return {
    answer(error, request, reply) {
      if (error instanceof ApiProblem) return send(reply.headers(error.headers), error.problem, error.message, error.field)
      if (error instanceof Refusal) return send(reply, problemOfRefusal(error), error.message, error.field)
      if (isUnstorable(error)) {
        return send(reply, 'invalid-request', "The request contains a character that can't be stored, such as a null byte.")
      }
      const away = awayStore(error)
      if (away !== null) {
        request.log.warn({ err: error, route: request.routeOptions.url }, `${away} is unreachable`)
        return send(reply.header('retry-after', storeIsBackAfterSeconds), 'unavailable', storeIsAway[away])
      }
      if (isOverTime(error)) {
        request.log.warn({ err: error, route: request.routeOptions.url }, 'a query took too long')
        return send(reply, 'unavailable', tookTooLong)
      }
      const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
      if (status >= 400 && status < 500) return send(reply, problemOfStatus(status), error.message)
      request.log.error({ err: error, route: request.routeOptions.url }, 'an API request failed')
      return send(reply, 'internal', 'It has been logged. Please try again, with the same Idempotency-Key if you sent one.')
    },
  }
}
