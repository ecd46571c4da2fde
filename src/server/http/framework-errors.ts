import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { apiBase, apiDocs } from '../../contract/api-v1/common.ts'
import { type Problem, problems } from '../../contract/api-v1/problems.ts'
import type { ApiError } from '../../contract/common.ts'
import { apiRoot } from '../../contract/endpoint.ts'

const badAddress = 'This URL is not valid: it contains a % that is not followed by two hexadecimal digits, or a part that is too long.'

/**
 * Fastify's own refusals, from before any route, hook or error handler runs, in our format.
 * @param baseUrl this installation's URL: a request could claim any
 */
export const frameworkErrors =
  (baseUrl: () => string) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const defect = (error.statusCode ?? 500) >= 500
    if (defect) request.log.error({ err: error }, 'a request failed before it was routed')
    const path = request.raw.url ?? ''
    // None of our hooks sees this answer.
    void reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }).serializer(String)
    if (path.startsWith(`${apiBase}/`)) {
      const name = defect ? 'internal' : 'invalid-request'
      const { status, title } = problems[name]
      const detail = defect ? 'It has been logged. Please try again.' : badAddress
      const body: Problem = { type: `${baseUrl()}${apiDocs}#problem-${name}`, title, status, detail }
      return reply.status(status).type('application/problem+json').send(JSON.stringify(body))
    }
    void reply.status(defect ? 500 : 400)
    const message = defect ? 'Something went wrong on our side. It has been logged; please try again.' : badAddress
    if (!path.startsWith(apiRoot)) return reply.type('text/plain; charset=utf-8').send(message)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ message } satisfies ApiError))
  }

/** Requests that can't be read, by error code; anything else isn't HTTP. */
const unreadable: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'The request headers are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: '413 Content Too Large', message: 'The chunk extensions of this request are too large.' },
  TOO_MANY_PIECES: { status: '413 Content Too Large', message: 'The request arrived in too many small pieces.' },
  TOO_MANY_BODIES: { status: '429 Too Many Requests', message: 'Too many large requests are arriving at once. Try again in a minute.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request took too long to arrive.' },
}
const noHttp = { status: '400 Bad Request', message: "This isn't an HTTP request." }

/** Answers input that never became a request, and closes its connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, message } = unreadable[error.code ?? ''] ?? noHttp
  const body = JSON.stringify({ message } satisfies ApiError)
  const headers = ['content-type: application/json; charset=utf-8', `content-length: ${Buffer.byteLength(body)}`, 'connection: close']
  socket.end([`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n'))
}
