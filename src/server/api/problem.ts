import { type ProblemName, problems } from '../../contract/api-v1/problems.ts'
import type { Refusal } from '../common/errors.ts'

/** A problem specific to the API; everything else is refused with a `Refusal`. */
export class ApiProblem extends Error {
  override name = 'ApiProblem'
  readonly problem: ProblemName
  readonly field: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(problem: ProblemName, detail: string, more: { field?: string; headers?: Record<string, string> } = {}) {
    super(detail)
    this.problem = problem
    this.field = more.field
    this.headers = more.headers ?? {}
  }
}

const usual: Record<Refusal['status'], ProblemName> = {
  400: 'invalid-request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  413: 'too-large',
  429: 'too-many-requests',
  502: 'google',
  503: 'unavailable',
}
export const problemOfRefusal = ({ status }: Refusal): ProblemName => usual[status]

/** The problem for an error thrown by Fastify with its own status. */
export const problemOfStatus = (status: number): ProblemName => {
  const names = Object.keys(problems) as ProblemName[]
  return names.find((name) => problems[name].status === status) ?? 'invalid-request'
}
