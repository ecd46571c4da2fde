import type { FastifyPluginAsync } from 'fastify'
import { userEndpoints as endpoints, type UserPatch } from '../../contract/account.ts'
import { Refusal } from '../common/errors.ts'
import { callerOf, setCookies } from './caller.ts'
import type { Person } from './person.ts'
import type { AccountsRoutesDeps } from './routes.ts'
import { serve } from './serve.ts'

/** The signed-in person, their password and sessions. */
export const userRoutes =
  ({ accounts, describe, described, disconnectGoogle, selectProperty }: AccountsRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.read, ({ person }) => describe(person))

    serve(
      app,
      endpoints.change,
      async ({ person, body: { selectedProperty, ...profile }, request }) => {
        // Check first what could be refused: a refused change leaves everything as it was.
        const mayWrite = await accounts.profile.check(person, profile, request.ip)
        if (typeof selectedProperty === 'string') await selectProperty(person.id, selectedProperty)
        await accounts.profile.update(person, profile, mayWrite)
        if (selectedProperty === null) await disconnectGoogle(person.id)
        return described(person.id)
      },
      // Selecting a property asks Google for the list.
      { needsProof: changesTheWayIn, limit: { max: 60, of: 'account' } },
    )

    serve(
      app,
      endpoints.prove,
      ({ person, body, request }) => accounts.proof.byPassword(person, body.password, callerOf(request)),
      // A correct password doesn't count as an attempt, but takes as long.
      { limit: { max: 30, of: 'account' } },
    )

    serve(
      app,
      endpoints.changePassword,
      async ({ person, body, request, reply }) => setCookies(reply, await accounts.passwords.change(person.id, body, callerOf(request))),
      // Each one is announced by email.
      { limit: { max: 30, per: '1 hour', of: 'account' } },
    )

    serve(app, endpoints.removeGoogleSignIns, async ({ person, request }) => {
      if (!person.hasPassword) throw new Refusal(409, "Set a password first, or you won't be able to log in.")
      await accounts.googleSignIns.remove(person, callerOf(request))
      return described(person.id)
    })

    serve(app, endpoints.dismissNotice, ({ person, params }) => accounts.dismissNotice(person.id, params.notice))

    serve(app, endpoints.sessions, ({ person, request }) => accounts.sessionsOf(person.id, callerOf(request)))

    serve(app, endpoints.endOtherSessions, ({ person, request }) => accounts.endOtherSessions(person.id, callerOf(request)))
  }

function changesTheWayIn({ email, pendingEmail }: Person, patch: UserPatch): boolean {
  const asked = patch.email?.toLowerCase()
  return patch.selectedProperty === null || (asked !== undefined && asked !== email && asked !== pendingEmail)
}
