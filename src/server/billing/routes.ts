import type { FastifyPluginAsync } from 'fastify'
import { billingEndpoints as endpoints } from '../../contract/billing.ts'
import type { User } from '../../contract/user.ts'
import { catalog } from '../../core/billing/plans.ts'
import { type AccountsService, type Person, serve } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { BillingService } from './service.ts'

export type BillingRoutesDeps = {
  accounts: AccountsService
  billing: BillingService
  /** A person as shown to the browser. */
  describe(person: Person): Promise<User>
}

/** The plans and their payment. */
export const billingRoutes =
  ({ accounts, billing, describe }: BillingRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    const state = async (userId: string) => {
      const person = await accounts.person(userId)
      if (!person) throw new Error('A signed-in person has no row')
      return { user: await describe(person), subscription: await billing.subscription(person) }
    }

    // Each of these calls Stripe several times, whose limits are for the whole installation (turns.ts).
    const asksStripe = { limit: { max: 30 } } as const

    serve(app, endpoints.plans, () => [...catalog], { limit: { unlimited: 'the same short list for everybody, from memory' } })

    serve(
      app,
      endpoints.create,
      async ({ person, body, request }) => {
        const attempt = { account: person.id, address: request.ip }
        if (body.planType !== 'free') await accounts.attempts.count('checkout', attempt)
        return billing.choose(person, body.planType, () => accounts.attempts.count('subscription', attempt).catch(tooManyToday))
      },
      {
        ...asksStripe,
        // Free ends a paid or granted plan.
        needsProof: ({ plan }, { planType }) => planType === 'free' && plan !== null && plan !== 'free',
      },
    )

    serve(app, endpoints.read, ({ person }) => billing.subscription(person))

    serve(app, endpoints.preview, ({ person, body }) => billing.preview(person.id, body.planType), asksStripe)

    serve(
      app,
      endpoints.change,
      async ({ person: { id }, body }) => {
        const outcome = await billing.change(id, body.planType)
        return { ...(await state(id)), ...outcome }
      },
      asksStripe,
    )

    serve(
      app,
      endpoints.resume,
      async ({ person: { id } }) => {
        await billing.resume(id)
        return state(id)
      },
      asksStripe,
    )

    serve(
      app,
      endpoints.refresh,
      async ({ person: { id } }) => {
        await billing.refresh(id)
        return state(id)
      },
      asksStripe,
    )

    serve(app, endpoints.portal, async ({ person }) => ({ url: await billing.portal(person.id) }), asksStripe)
  }

function tooManyToday(error: unknown): never {
  if (!(error instanceof Refusal) || error.status !== 429) throw error
  throw new Refusal(
    429,
    'Too many payments were started today from this account or network. You can still pay for the plan you chose last. Choose another one tomorrow.',
  )
}
