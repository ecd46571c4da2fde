import { intentOf } from '../billing/invoices.ts'
import { listOf } from '../objects/types.ts'
import type { Lookup } from '../wire/expand.ts'
import type { World } from '../world.ts'

/** Finds what `expand` requests, including fields that Stripe shows only then. */
export function lookupIn(world: World): Lookup {
  return {
    byId: (id) => {
      if (world.store.secrets.deleted.includes(id)) return { id, object: 'customer', deleted: true }
      const found = world.store.findAny(id)
      return found && structuredClone({ ...found })
    },
    onDemand: (object, field) => {
      const id = String(object['id'])
      if (object['object'] === 'invoice' && field === 'payments') {
        return listOf(
          structuredClone(world.store.all('invoice_payment').filter((each) => each.invoice === id)),
          `/v1/invoice_payments?invoice=${id}`,
        )
      }
      if (object['object'] === 'invoice' && field === 'confirmation_secret') {
        const invoice = world.store.find('invoice', id)
        const intent = invoice && intentOf(world, invoice)
        return intent?.client_secret ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
      }
      if (object['object'] === 'customer' && field === 'subscriptions') {
        const running = world.store.all('subscription').filter((each) => each.customer === id && each.ended_at === null)
        return listOf(structuredClone(running).toReversed(), `/v1/customers/${id}/subscriptions`)
      }
      return undefined
    },
  }
}
