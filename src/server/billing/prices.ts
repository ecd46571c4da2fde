import type { Stripe } from 'stripe'
import type { PaidPlan, PlanId } from '../../contract/user.ts'
import { plans } from '../../core/billing/plans.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import { idOf, type StripeClient } from './stripe-client.ts'

/** The lookup keys of the plans' prices at Stripe (docs/payment.md). */
const lookupKeys: Record<PaidPlan, string> = { pro: 'ranklark_pro_monthly', agency: 'ranklark_agency_monthly' }
const paidPlans = ['pro', 'agency'] as const satisfies readonly PaidPlan[]

const rememberMs = 10 * 60_000

type Known = Record<PaidPlan, Stripe.Price>

export type Prices = {
  /** The price of a plan. @throws Refusal 502 if it differs from the plan's card */
  priceOf(plan: PaidPlan): Promise<string>
  /** The plan of a price; null if it isn't ours. An older price of the same product still counts. */
  planOf(price: string | Stripe.Price | Stripe.DeletedPrice): Promise<PlanId | null>
}

export function createPrices(client: StripeClient, clock: Clock): Prices {
  let known: { prices: Promise<Known>; until: number } | undefined
  const productOf = new Map<string, string>()

  async function ask(): Promise<Known> {
    const stripe = await client()
    const { data } = await stripe.prices.list({ lookup_keys: Object.values(lookupKeys), limit: 10 })
    const find = (plan: PaidPlan): Stripe.Price => {
      const price = data.find((each) => each.lookup_key === lookupKeys[plan])
      // Without it, nobody's plan could be determined: better to fail than to treat everyone as unpaid.
      if (!price) throw new Refusal(502, `Stripe has no price with the lookup key ${lookupKeys[plan]}.`)
      return price
    }
    return { pro: find('pro'), agency: find('agency') }
  }

  function prices(): Promise<Known> {
    const now = clock.now().getTime()
    if (!known || known.until < now) {
      const asked = ask()
      known = { prices: asked, until: now + rememberMs }
      asked.catch(() => (known = undefined))
    }
    return known.prices
  }

  async function product(price: string | Stripe.Price | Stripe.DeletedPrice): Promise<string> {
    const id = idOf(price)
    const held = productOf.get(id)
    if (held !== undefined) return held
    const full = typeof price !== 'string' && !price.deleted ? price : await (await client()).prices.retrieve(id)
    const found = idOf(full.product)
    productOf.set(id, found)
    return found
  }

  return {
    async priceOf(plan) {
      const price = (await prices())[plan]
      if (!price.active) throw new Refusal(502, `Stripe's price ${lookupKeys[plan]} is archived.`)
      const asShown = price.currency === 'usd' && price.unit_amount === plans[plan].price * 100
      if (asShown && price.recurring?.interval === 'month' && price.recurring.interval_count === 1) return price.id
      throw new Refusal(502, `Stripe's price ${lookupKeys[plan]} is not $${plans[plan].price} a month.`)
    },
    async planOf(price) {
      const held = await prices()
      const id = idOf(price)
      const same = paidPlans.find((plan) => held[plan].id === id)
      if (same) return same
      const theirs = await product(price)
      return paidPlans.find((plan) => idOf(held[plan].product) === theirs) ?? null
    },
  }
}
