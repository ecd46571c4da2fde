import type { FastifyRequest } from 'fastify'
import { nameTenant } from '../platform/tenant.ts'
import type { KeyHolder, Keys } from './keys.ts'
import { ApiProblem } from './problem.ts'
import type { RateHeaders, RateLimit } from './rate-limit.ts'

export type KeyAccess = {
  /** Identifies a request's sender by key alone, with the headers about the limit. @throws ApiProblem 401, 403, 429 */
  enter(request: FastifyRequest, cost?: number): Promise<{ holder: KeyHolder; headers: RateHeaders }>
}

/** Access for programs: requires a key, and limits its requests. */
export const createKeyAccess = (keys: Pick<Keys, 'holderOf'>, rateLimit: RateLimit): KeyAccess => ({
  async enter(request, cost = 1) {
    const holder = await keys.holderOf(request.headers.authorization).catch(async (error: unknown) => {
      if (error instanceof ApiProblem) await rateLimit.countStranger(request.ip)
      throw error
    })
    await nameTenant(holder.person.id)
    return { holder, headers: await rateLimit.count(holder, cost) }
  },
})
