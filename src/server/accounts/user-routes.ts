import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { passwordChange, proof, sessionList, userPatch } from '../../contract/account.ts'
import { user } from '../../contract/user.ts'
import { Refusal } from '../common/errors.ts'
import { callerOf, setCookies } from './caller.ts'
import type { AccountsRoutesDeps } from './routes.ts'

/** The signed-in person: `/api/user`, their password and sessions. */
export const userRoutes =
  ({ accounts, requirePerson, describe, described, disconnectGoogle, selectProperty }: AccountsRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get('/api/user', { schema: { response: { 200: user } } }, async (request) => describe(await requirePerson(request)))

    app.patch('/api/user', { schema: { body: userPatch, response: { 200: user } } }, async (request) => {
      const person = await requirePerson(request)
      const { selectedProperty, ...profile } = request.body
      // What may still be refused comes first: a change that is refused leaves everything as it was.
      await accounts.profile.check(person, profile, request.ip)
      if (typeof selectedProperty === 'string') await selectProperty(person.id, selectedProperty)
      await accounts.profile.update(person, profile)
      if (selectedProperty === null) await disconnectGoogle(person.id)
      return described(person.id)
    })

    app.post('/api/user/proof', { schema: { body: proof } }, async (request, reply) => {
      await accounts.proof.byPassword(await requirePerson(request), request.body.password, callerOf(request))
      return reply.status(204).send()
    })

    app.post('/api/user/password', { schema: { body: passwordChange } }, async (request, reply) => {
      const { id } = await requirePerson(request)
      setCookies(reply, await accounts.passwords.change(id, request.body, callerOf(request)))
      return reply.status(204).send()
    })

    app.delete('/api/user/google-sign-ins', { schema: { response: { 200: user } } }, async (request) => {
      const { id, hasPassword } = await requirePerson(request)
      if (!hasPassword) throw new Refusal(409, "Set a password first, or you won't be able to log in.")
      await accounts.googleSignIns.remove(id)
      return described(id)
    })

    app.get('/api/user/sessions', { schema: { response: { 200: sessionList } } }, async (request) =>
      accounts.sessionsOf((await requirePerson(request)).id, callerOf(request)),
    )

    app.delete('/api/user/sessions', async (request, reply) => {
      const { id } = await requirePerson(request)
      await accounts.endOtherSessions(id, callerOf(request))
      return reply.status(204).send()
    })
  }
