import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  changeAnswer,
  changePreview,
  createSubscriptionAnswer,
  planChoice,
  plans as plansSchema,
  portalAnswer,
  subscription,
  subscriptionState,
} from '../../contract/billing.ts'
import type { User } from '../../contract/user.ts'
import { catalogue } from '../../core/billing/plans.ts'
import type { AccountsService, Person } from '../accounts/service.ts'
import type { BillingService } from './service.ts'

export type BillingRoutesDeps = {
  accounts: AccountsService
  billing: BillingService
  requirePerson(request: FastifyRequest): Promise<Person>
  /** A person as the browser may see them. */
  describe(person: Person): Promise<User>
}

/** The plans and what one pays for them: `/api/plans`, `/api/create-subscription` (SPEC §7), `/api/subscription`. */
export const billingRoutes =
  ({ accounts, billing, requirePerson, describe }: BillingRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const state = async (userId: string) => {
      const person = await accounts.person(userId)
      if (!person) throw new Error('A signed-in person has no row')
      return { user: await describe(person), subscription: await billing.subscription(person) }
    }

    // Each of these asks Stripe several times, whose patience is for the whole installation.
    const config = {
      rateLimit: { max: 30, timeWindow: '1 minute', keyGenerator: async (request: FastifyRequest) => (await requirePerson(request)).id },
    }

    app.get('/api/plans', { schema: { response: { 200: plansSchema } } }, async () => [...catalogue])

    app.post(
      '/api/create-subscription',
      { config, schema: { body: planChoice, response: { 200: createSubscriptionAnswer } } },
      async (request) => billing.choose(await requirePerson(request), request.body.planType),
    )

    app.get('/api/subscription', { schema: { response: { 200: subscription } } }, async (request) =>
      billing.subscription(await requirePerson(request)),
    )

    app.post('/api/subscription/preview', { config, schema: { body: planChoice, response: { 200: changePreview } } }, async (request) =>
      billing.preview((await requirePerson(request)).id, request.body.planType),
    )

    app.post('/api/subscription/change', { config, schema: { body: planChoice, response: { 200: changeAnswer } } }, async (request) => {
      const { id } = await requirePerson(request)
      const outcome = await billing.change(id, request.body.planType)
      return { ...(await state(id)), ...outcome }
    })

    app.post('/api/subscription/resume', { config, schema: { response: { 200: subscriptionState } } }, async (request) => {
      const { id } = await requirePerson(request)
      await billing.resume(id)
      return state(id)
    })

    app.post('/api/subscription/refresh', { config, schema: { response: { 200: subscriptionState } } }, async (request) => {
      const { id } = await requirePerson(request)
      await billing.refresh(id)
      return state(id)
    })

    app.post('/api/subscription/portal', { config, schema: { response: { 200: portalAnswer } } }, async (request) => ({
      url: await billing.portal((await requirePerson(request)).id),
    }))
  }
