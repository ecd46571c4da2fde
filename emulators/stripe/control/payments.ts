import { cardError } from '../billing/cards.ts'
import { authenticate } from '../billing/intents.ts'
import { collect, intentOf } from '../billing/invoices.ts'
import { createMethod } from '../billing/methods.ts'
import type { Invoice } from '../objects/types.ts'
import type { World } from '../world.ts'

/** Pays like somebody in a browser: with a typed card, and the bank's challenge answered. */
export function payWithCard(world: World, invoice: Invoice, number: string, answer: 'complete' | 'fail' | undefined): object {
  const year = new Date(world.clock.now()).getUTCFullYear() + 3
  const method = createMethod(world, { number, exp_month: 12, exp_year: year, cvc: '123' })
  const attempt = collect(world, invoice, { offSession: false, method })
  const intent = intentOf(world, invoice)
  if (!attempt || !intent) throw cardError({ code: 'invoice_not_editable', message: 'There is nothing to pay.' })
  if (attempt.status === 'requires_action' && answer !== undefined) authenticate(world, intent, answer === 'complete')
  return {
    status: intent.status,
    error: intent.last_payment_error,
    paymentMethod: method.id,
    paymentIntent: intent.id,
    invoice: invoice.id,
  }
}
