import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { FastifyRequest } from 'fastify'
import { passwordProof, recoveryCodes, twoFactorConfirm, twoFactorSetup } from '../../contract/account.ts'
import { userAnswer } from '../../contract/user.ts'
import { callerOf, setCookies } from './caller.ts'
import type { Person } from './person.ts'
import type { AccountsRoutesDeps } from './routes.ts'

/** The second factor of the signed-in person: `/api/user/two-factor`. */
export const twoFactorRoutes =
  ({ accounts, requirePerson, described, mailer }: AccountsRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    /** Guesses at the password count, whichever door they are made at. */
    async function counted<T>(request: FastifyRequest, act: (person: Person) => Promise<T>): Promise<T> {
      const person = await requirePerson(request)
      const attempt = { account: person.id, address: request.ip }
      await accounts.attempts.count('password', attempt)
      const done = await act(person)
      await accounts.attempts.succeeded('password', attempt)
      return done
    }
    async function tell(person: Person, enabled: boolean): Promise<void> {
      await accounts.note(person.id, { kind: enabled ? 'two-factor-on' : 'two-factor-off', details: {} })
      await mailer.send({ kind: 'two-factor-changed', to: person.email, username: person.username, enabled })
    }

    app.post('/api/user/two-factor', { schema: { body: passwordProof, response: { 200: twoFactorSetup } } }, (request) =>
      counted(request, () => accounts.twoFactor.setUp(request.body, callerOf(request))),
    )

    app.post(
      '/api/user/two-factor/confirm',
      { schema: { body: twoFactorConfirm, response: { 200: userAnswer } } },
      async (request, reply) => {
        const person = await counted(request, async (who) => {
          setCookies(reply, await accounts.twoFactor.confirm(who.id, request.body.code, callerOf(request)))
          return who
        })
        await tell(person, true)
        return { user: await described(person.id) }
      },
    )

    app.post('/api/user/two-factor/recovery-codes', { schema: { body: passwordProof, response: { 200: recoveryCodes } } }, (request) =>
      counted(request, async ({ id }) => {
        const codes = await accounts.twoFactor.renewRecoveryCodes(request.body, callerOf(request))
        await accounts.note(id, { kind: 'recovery-codes-renewed', details: {} })
        return { recoveryCodes: codes }
      }),
    )

    app.delete('/api/user/two-factor', { schema: { body: passwordProof, response: { 200: userAnswer } } }, async (request, reply) => {
      const person = await counted(request, async (who) => {
        setCookies(reply, await accounts.twoFactor.switchOff(who.id, request.body, callerOf(request)))
        return who
      })
      await tell(person, false)
      return { user: await described(person.id) }
    })
  }
