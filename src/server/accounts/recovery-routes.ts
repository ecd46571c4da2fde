import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { forgotPasswordForm, resetPassword, undoEmail, undoEmailAnswer, verifyEmail, verifyEmailAnswer } from '../../contract/account.ts'
import { noMailText } from '../../core/delivery/no-mail.ts'
import { Refusal } from '../common/errors.ts'
import { callerOf } from './caller.ts'
import type { AccountsRoutesDeps } from './routes.ts'

/** What is proven by a link in a mail: `/api/auth/{forgot-password,reset-password,verify-email,undo-email}`. */
export const recoveryRoutes =
  ({ accounts, mailer, requirePerson }: AccountsRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    function refuseWithoutMail(): void {
      if (!mailer.sends) throw new Refusal(409, noMailText)
    }

    app.post('/api/auth/forgot-password', { schema: { body: forgotPasswordForm } }, async (request, reply) => {
      refuseWithoutMail()
      await accounts.passwords.forgot(request.body.email, callerOf(request))
      return reply.status(202).send()
    })

    app.post('/api/auth/reset-password', { schema: { body: resetPassword } }, async (request, reply) => {
      await accounts.passwords.reset(request.body)
      return reply.status(204).send()
    })

    app.post('/api/auth/verify-email', { schema: { body: verifyEmail, response: { 200: verifyEmailAnswer } } }, async (request) => {
      const { id } = await requirePerson(request)
      return { email: await accounts.addresses.confirm(id, request.body.token) }
    })

    app.post('/api/auth/undo-email', { schema: { body: undoEmail, response: { 200: undoEmailAnswer } } }, async (request) => {
      const { userId, email } = await accounts.addresses.undo(request.body.token)
      return { email, token: await accounts.passwords.linkToken(userId, email) }
    })

    app.post('/api/auth/verify-email/send', async (request, reply) => {
      const { id, email, pendingEmail } = await requirePerson(request)
      refuseWithoutMail()
      await accounts.addresses.countLetter(id, pendingEmail ?? email, request.ip)
      await accounts.addresses.writeTo(id)
      return reply.status(202).send()
    })
  }
