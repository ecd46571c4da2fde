import type { FastifyBaseLogger } from 'fastify'

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', 'child'] as const
type Line = (this: { log: FastifyBaseLogger }, ...args: unknown[]) => unknown

/** Every method of a log, each handed on to the one that is behind `log`. */
const handedOn = Object.fromEntries(
  methods.map((method): [string, Line] => [
    method,
    function (...args) {
      return Reflect.apply(this.log[method], this.log, args)
    },
  ]),
)

/**
 * The log of one request, made when its first line is written. Hardly any request writes one, and making a log searches
 * what it is to name for secrets.
 */
export function requestLog(make: () => FastifyBaseLogger): FastifyBaseLogger {
  let made: FastifyBaseLogger | undefined
  return Object.create(handedOn, {
    log: { get: () => (made ??= make()) },
    level: { get: () => (made ??= make()).level },
  }) as FastifyBaseLogger
}
