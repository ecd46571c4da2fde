import type { FastifyPluginAsync } from 'fastify'
import { authEndpoints as endpoints } from '../../contract/account.ts'
import { noMailText } from '../../core/delivery/no-mail.ts'
import { Refusal } from '../common/errors.ts'
import { callerOf } from './caller.ts'
import type { AccountsRoutesDeps } from './routes.ts'
import { serve } from './serve.ts'

/** Each looks up a link that anybody may have made up. */
const withLink = { limit: { max: 60 } } as const

/** Actions proven by an emailed link. */
export const recoveryRoutes =
  ({ accounts, mailer }: AccountsRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    function refuseWithoutMail(): void {
      if (!mailer.sends) throw new Refusal(409, noMailText)
    }

    serve(app, endpoints.forgotPassword, async ({ body, request }) => {
      refuseWithoutMail()
      await accounts.passwords.forgot(body.email, callerOf(request))
    })

    serve(app, endpoints.resetPassword, ({ body }) => accounts.passwords.reset(body), withLink)

    serve(
      app,
      endpoints.verifyEmail,
      async ({ person, body }) => ({ email: await accounts.addresses.confirm(person.id, body.token) }),
      withLink,
    )

    serve(
      app,
      endpoints.undoEmail,
      async ({ body }) => {
        const { userId, email } = await accounts.addresses.undo(body.token)
        return { email, token: await accounts.passwords.linkToken(userId, email) }
      },
      withLink,
    )

    serve(app, endpoints.sendVerification, async ({ person: { id, email, pendingEmail }, request }) => {
      refuseWithoutMail()
      await accounts.addresses.writeTo(id, await accounts.addresses.countLetter(id, pendingEmail ?? email, request.ip))
    })
  }
