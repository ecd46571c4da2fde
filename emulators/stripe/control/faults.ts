import { z } from 'zod'
import { type Fault, faultShape, untilAfter } from '../../lib/faults.ts'

/** The input of `POST fail`: the faults common to all stand-ins, and the fields of Stripe's own error. */
export const failInput = z.object({
  ...faultShape,
  status: z.number().int().min(200).max(599).default(500),
  type: z.enum(['api_error', 'card_error', 'idempotency_error', 'invalid_request_error']).optional(),
  code: z.string().optional(),
  message: z.string().default('The stand-in was asked to fail.'),
})

/** A fault whose response has Stripe's shape, unless a body was given. */
export function faultFrom({ type, code, message, seconds, ...answer }: z.output<typeof failInput>): Fault {
  const usual = answer.status >= 500 ? 'api_error' : answer.status === 402 ? 'card_error' : 'invalid_request_error'
  const error = { type: type ?? usual, message, ...(answer.status === 429 ? { code: 'rate_limit' } : {}), ...(code ? { code } : {}) }
  const headers = { 'content-type': 'application/json; charset=UTF-8', 'access-control-allow-origin': '*', ...answer.headers }
  return { ...answer, until: untilAfter(seconds), headers, body: answer.body ?? JSON.stringify({ error }) }
}
