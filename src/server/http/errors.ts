import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import type { ApiError } from '../../contract/common.ts'
import { ProofNeeded, Refusal, storeIsAway, storeIsBackAfterSeconds, overTimeWords } from '../common/errors.ts'
import { awayStore, isOverTime, isUnstorable } from '../platform/store-outages.ts'
import { validationMessage } from '../platform/validation-message.ts'
import { TooManyRequests } from '../platform/fair-share.ts'

/** Turns errors thrown by a route into `{ message, field? }` (OPEN-POINTS 23). Bugs are logged, without revealing internals. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const send = (status: number, body: ApiError) => reply.status(status).send(body)

  if (error instanceof Refusal)
    return send(error.status, {
      message: error.message,
      ...(error.field !== undefined && { field: error.field }),
      ...(error instanceof ProofNeeded && { code: error.code }),
    })
  if (hasZodFastifySchemaValidationErrors(error)) {
    const first = error.validation[0]
    const field = first?.instancePath.split('/').filter(Boolean).join('.') ?? ''
    const message = first && validationMessage({ field, code: first.keyword, message: first.message ?? '', details: first.params })
    return send(400, { message: message || "The request isn't valid.", ...(field && { field }) })
  }
  // No stored name contains a null byte, which PostgreSQL refuses in any text.
  if (isUnstorable(error)) return send(400, { message: "The request contains a character that can't be stored, such as a null byte." })
  const away = awayStore(error)
  if (away !== null) {
    request.log.warn({ err: error, route: request.routeOptions.url }, `${away} is unreachable`)
    void reply.header('retry-after', storeIsBackAfterSeconds)
    return send(503, { message: storeIsAway[away] })
  }
  if (isOverTime(error)) {
    request.log.warn({ err: error, route: request.routeOptions.url }, 'a query took too long')
    return send(503, { message: overTimeWords(error) })
  }
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  if (status === 429 && !(error instanceof TooManyRequests))
    return send(429, { message: 'Too many attempts. Please wait a minute and try again.' })
  if (status >= 400 && status < 500) return send(status, { message: error.message })
  const route = request.routeOptions.url
  if (isResponseSerializationError(error))
    request.log.error({ err: error, issues: error.cause.issues, route }, 'a response does not match its contract')
  else request.log.error({ err: error, route }, 'a request failed')
  return send(500, { message: 'Something went wrong on our side. It has been logged; please try again.' })
}
