import type { Stripe } from 'stripe'
import { Refusal } from '../common/errors.ts'
import type { Person } from '../accounts/service.ts'
import type { BillingStore } from './store.ts'
import { isMissing } from './stripe-problem.ts'

export type Payer = Pick<Person, 'id' | 'email'>

/** A person's Stripe customer, created if missing; keeps its address up to date. */
export async function customerFor(stripe: Stripe, store: BillingStore, { id, email }: Payer): Promise<string> {
  const held = await store.customerOf(id)
  const known = held === null ? null : await retrieve(stripe, held)
  if (known) {
    if (known.email !== email) await stripe.customers.update(known.id, { email })
    return known.id
  }
  const customer = (await unsaved(stripe, { id, email })) ?? (await stripe.customers.create({ email, metadata: { user_id: id } }))
  try {
    await store.saveCustomer(id, customer.id)
  } catch (error) {
    // The account was deleted meanwhile: nobody else knows of this customer.
    if (error instanceof Refusal) await stripe.customers.del(customer.id)
    throw error
  }
  return customer.id
}

/**
 * The customer that an earlier attempt created, if its response was lost. An idempotency key of our own would do the same, but Stripe
 * repeats errors for it, and refuses it with another address, for a day.
 */
async function unsaved(stripe: Stripe, { id, email }: Payer): Promise<Stripe.Customer | undefined> {
  const { data } = await stripe.customers.list({ email, limit: 100 })
  return data.find(({ metadata }) => metadata['user_id'] === id)
}

/** Null if it was deleted at Stripe, or belongs to another Stripe account. */
async function retrieve(stripe: Stripe, id: string): Promise<Stripe.Customer | null> {
  try {
    const customer = await stripe.customers.retrieve(id)
    return customer.deleted ? null : customer
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
