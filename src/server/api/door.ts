import type { FastifyRequest } from 'fastify'
import { nameTenant } from '../platform/tenant.ts'
import type { KeyHolder, Keys } from './keys.ts'
import { ApiProblem } from './problem.ts'
import type { RateHeaders, RateLimit } from './rate-limit.ts'

export type Door = {
  /** Who comes with a request, by its key alone, and what to tell them about the limit. @throws ApiProblem 401, 403, 429 */
  enter(request: FastifyRequest, cost?: number): Promise<{ holder: KeyHolder; headers: RateHeaders }>
}

/** The way in for programs: a key, and not more requests than it may send. */
export const createDoor = (keys: Pick<Keys, 'holderOf'>, rateLimit: RateLimit): Door => ({
  async enter(request, cost = 1) {
    const holder = await keys.holderOf(request.headers.authorization).catch(async (error: unknown) => {
      if (error instanceof ApiProblem) await rateLimit.countStranger(request.ip)
      throw error
    })
    nameTenant(holder.person.id)
    return { holder, headers: await rateLimit.count(holder.key.id, cost) }
  },
})
