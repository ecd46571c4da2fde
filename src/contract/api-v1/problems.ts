import { z } from 'zod'

/** The body of every API answer other than 2xx or 304 (RFC 9457), as `application/problem+json`. */
export const problem = z.object({
  /** A URL that explains this kind of problem. */
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** What is wrong in this case, and what to do. */
  detail: z.string(),
  /** The invalid parameter, body field or header, if any. */
  field: z.string().optional(),
})
export type Problem = z.infer<typeof problem>

/** All kinds of problems: `type` ends with the name. */
export const problems = {
  'invalid-request': { status: 400, title: 'Invalid request' },
  unauthenticated: { status: 401, title: 'A valid API key is required' },
  plan: { status: 403, title: 'Not available for this account' },
  scope: { status: 403, title: 'This key lacks permission' },
  forbidden: { status: 403, title: 'Not allowed' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  'list-changed': { status: 409, title: 'The list has changed' },
  'request-under-way': { status: 409, title: 'The same request is still in progress' },
  'too-large': { status: 413, title: 'The request is too large' },
  'media-type': { status: 415, title: 'The body must be JSON' },
  'idempotency-key-used': { status: 422, title: 'This idempotency key was used for another request' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  google: { status: 502, title: "Google isn't responding" },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const
export type ProblemName = keyof typeof problems
