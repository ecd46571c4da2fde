import { z } from 'zod'

/** Body of every answer of the API that is not 2xx or 304 (RFC 9457), as `application/problem+json`. */
export const problem = z.object({
  /** An address that explains this kind of problem. */
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** What is wrong this time, and what to do. */
  detail: z.string(),
  /** The parameter, field of the body or header that was wrong, when one was. */
  field: z.string().optional(),
})
export type Problem = z.infer<typeof problem>

/** Every kind of problem there is: `type` ends with its name. */
export const problems = {
  'invalid-request': { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'A key is needed' },
  plan: { status: 403, title: 'This account does not include it' },
  scope: { status: 403, title: 'The key may not do this' },
  forbidden: { status: 403, title: 'This is not allowed' },
  'not-found': { status: 404, title: 'There is no such thing' },
  'method-not-allowed': { status: 405, title: 'This address does not take that method' },
  conflict: { status: 409, title: 'This cannot be done as things are' },
  'list-changed': { status: 409, title: 'The list has changed' },
  'request-under-way': { status: 409, title: 'The same request is being carried out' },
  'too-large': { status: 413, title: 'The request is too large' },
  'media-type': { status: 415, title: 'The body has to be JSON' },
  'idempotency-key-used': { status: 422, title: 'This idempotency key was used for another request' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  google: { status: 502, title: 'Google does not answer' },
  unavailable: { status: 503, title: 'A store cannot be reached just now' },
} as const
export type ProblemName = keyof typeof problems
