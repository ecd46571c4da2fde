import type { Stripe } from 'stripe'
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
  // The same key for the same attempt: if our answer gets lost, the next click finds this customer again.
  const idempotencyKey = `ranklark-customer:${id}:${held ?? 'first'}`
  const made = await stripe.customers.create({ email, metadata: { user_id: id } }, { idempotencyKey })
  await store.saveCustomer(id, made.id)
  return made.id
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
