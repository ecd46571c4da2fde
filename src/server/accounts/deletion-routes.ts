import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { accountDeletion } from '../../contract/account.ts'
import { callerOf, setCookies } from './caller.ts'
import type { Deletion } from './deletion.ts'
import type { AccountsService, Person } from './service.ts'

export type DeletionRoutesDeps = {
  accounts: AccountsService
  deletion: Deletion
  requirePerson(request: FastifyRequest): Promise<Person>
}

/** `DELETE /api/user`: the account and all that belongs to it, for good. */
export const deletionRoutes =
  ({ accounts, deletion, requirePerson }: DeletionRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const keyGenerator = async (request: FastifyRequest) => (await requirePerson(request)).id
    const config = { rateLimit: { max: 20, timeWindow: '1 minute', keyGenerator } }
    app.delete('/api/user', { config, schema: { body: accountDeletion } }, async (request, reply) => {
      const person = await requirePerson(request)
      const caller = callerOf(request)
      await deletion.remove(person, request.body, caller.address)
      // The session went with the account; this clears its cookies.
      setCookies(reply, await accounts.logout(caller))
      return reply.status(204).send()
    })
  }
