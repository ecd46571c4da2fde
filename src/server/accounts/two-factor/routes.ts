import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { twoFactorEndpoints as endpoints } from '../../../contract/account/profile.ts'
import { callerOf, setCookies } from '../caller.ts'
import type { Person } from '../person.ts'
import type { AccountsRoutesDeps } from '../routes.ts'
import { changesWaysIn, serve } from '../serve.ts'

/** The second factor of the signed-in person. */
export const twoFactorRoutes =
  ({ accounts, described, mailer }: AccountsRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    /** Wrong passwords count here like everywhere else. */
    async function counted<T>({ id }: Person, request: FastifyRequest, act: () => Promise<T>): Promise<T> {
      const attempt = { account: id, address: request.ip }
      await accounts.attempts.count('password', attempt)
      const done = await accounts.attempts.changing(id, act)
      await accounts.attempts.succeeded('password', attempt)
      return done
    }
    async function announce(person: Person, enabled: boolean): Promise<void> {
      await accounts.note(person.id, { kind: enabled ? 'two-factor-on' : 'two-factor-off', details: {} })
      const { username, emailVerified } = person
      // Whoever has the password may have turned it on; then the owner can't get in to turn it off.
      const link = enabled && emailVerified ? await accounts.addresses.undoLink(person) : null
      await mailer.send({ kind: 'two-factor-changed', username, enabled, link }, { account: person })
    }

    serve(
      app,
      endpoints.begin,
      async ({ person, body, request }) => {
        const caller = callerOf(request)
        const setup = await counted(person, request, () => accounts.twoFactor.setUp(person.id, body, caller))
        // Its confirmation needs a proof, and the password was one.
        if (person.hasPassword) await accounts.proof.note(person.id, caller)
        return setup
      },
      changesWaysIn,
    )

    serve(
      app,
      endpoints.confirm,
      async ({ person, body, request, reply }) => {
        const cookies = await counted(person, request, () => accounts.twoFactor.confirm(person.id, body.code, callerOf(request)))
        setCookies(reply, cookies)
        await announce(person, true)
        return { user: await described(person.id) }
      },
      changesWaysIn,
    )

    serve(
      app,
      endpoints.renewRecoveryCodes,
      ({ person, body, request, reply }) =>
        counted(person, request, async () => {
          const { codes, cookies } = await accounts.twoFactor.renewRecoveryCodes(person, body, callerOf(request))
          setCookies(reply, cookies)
          await accounts.note(person.id, { kind: 'recovery-codes-renewed', details: {} })
          await mailer.send({ kind: 'recovery-codes-changed', username: person.username }, { account: person })
          return { recoveryCodes: codes }
        }),
      changesWaysIn,
    )

    serve(
      app,
      endpoints.end,
      async ({ person, body, request, reply }) => {
        const cookies = await counted(person, request, () => accounts.twoFactor.switchOff(person.id, body, callerOf(request)))
        setCookies(reply, cookies)
        await announce(person, false)
        return { user: await described(person.id) }
      },
      changesWaysIn,
    )
  }
