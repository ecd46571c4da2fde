import type { FastifyPluginAsync } from 'fastify'
import { userEndpoints } from '../../../contract/account/profile.ts'
import { callerOf, setCookies } from '../caller.ts'
import type { Deletion } from './deletion.ts'
import { serve } from '../serve.ts'
import type { AccountsService } from '../service.ts'

export type DeletionRoutesDeps = { accounts: AccountsService; deletion: Deletion }

/** Deletes an account and everything that belongs to it. */
export const deletionRoutes =
  ({ accounts, deletion }: DeletionRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    serve(
      app,
      userEndpoints.remove,
      async ({ person, body, request, reply }) => {
        const caller = callerOf(request)
        await deletion.remove(person, body, caller.address)
        // The session is deleted with the account; this clears its cookies.
        setCookies(reply, await accounts.logout(caller))
      },
      { limit: { max: 20 } },
    )
  }
