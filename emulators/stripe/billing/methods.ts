import { buildPaymentMethod } from '../objects/payment-method.ts'
import type { CardDetails } from '../objects/payment-method.ts'
import type { PaymentMethod } from '../objects/types.ts'
import { invalid, missingObject } from '../wire/errors.ts'
import type { World } from '../world.ts'
import { behaviorOf, BEHAVIORS, cardError, PROBLEMS, READY_MADE } from './cards.ts'
import type { Behavior, BehaviorName, ProblemName } from './cards.ts'

export interface Billing {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  readonly country?: string | null | undefined
}

/** A payment method for a card. Its number is discarded immediately; only its behavior is kept. */
export function createMethod(world: World, card: CardDetails, billing: Billing = {}): PaymentMethod {
  const behavior = behaviorOf(card, new Date(world.clock.now()))
  const method = world.create('payment_method', buildPaymentMethod(world.clock.seconds(), card, 'US', billing), null)
  world.store.secrets.cards[method.id] = { behavior, authenticated: false }
  return method
}

/** The payment method with that id; one of Stripe's ready-made ids creates a new one. */
export function findMethod(world: World, id: string, param?: string): PaymentMethod {
  const number = READY_MADE[id]
  if (number !== undefined) {
    const year = new Date(world.clock.now()).getUTCFullYear() + 4
    return createMethod(world, { number, exp_month: 12, exp_year: year, cvc: null })
  }
  return world.store.get('payment_method', id, param)
}

export function behaviorOfMethod(world: World, method: PaymentMethod): Behavior {
  const name = world.store.secrets.cards[method.id]?.behavior
  const behavior = BEHAVIORS[(name ?? 'succeeds') as BehaviorName]
  const failing = method.customer === null ? undefined : world.store.secrets.failing[method.customer]
  return failing === undefined ? behavior : { ...behavior, charge: PROBLEMS[failing as ProblemName] }
}

/** Whether the bank wants to challenge the cardholder. */
export function needsAuthentication(world: World, method: PaymentMethod): boolean {
  const { threeDSecure } = behaviorOfMethod(world, method)
  return threeDSecure === 'always' || (threeDSecure === 'first' && !world.store.secrets.cards[method.id]?.authenticated)
}

export function markAuthenticated(world: World, method: PaymentMethod): void {
  const card = world.store.secrets.cards[method.id]
  if (card) card.authenticated = true
}

/** Attaches a payment method to a customer. */
export function attach(world: World, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer === customer) return method
  if (method.customer !== null) {
    throw invalid('The payment method you provided has already been attached to a customer.', { code: 'payment_method_unexpected_state' })
  }
  const { setup } = behaviorOfMethod(world, method)
  if (setup) throw cardError(setup)
  return world.change(method, null, (changed) => {
    changed.customer = customer
    world.emit('payment_method.attached', changed)
  })
}

export function detach(world: World, method: PaymentMethod): PaymentMethod {
  if (method.customer === null) {
    throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.', {
      code: 'payment_method_unexpected_state',
    })
  }
  for (const customer of world.store.all('customer')) {
    if (customer.invoice_settings.default_payment_method !== method.id) continue
    world.change(customer, 'customer.updated', (changed) => (changed.invoice_settings.default_payment_method = null))
  }
  for (const subscription of world.store.all('subscription')) {
    if (subscription.default_payment_method !== method.id) continue
    world.change(subscription, 'customer.subscription.updated', (changed) => (changed.default_payment_method = null))
  }
  return world.change(method, 'payment_method.detached', (changed) => (changed.customer = null))
}

/** A customer that exists and wasn't deleted. */
export function customerOf(world: World, id: string, param?: string) {
  if (world.store.secrets.deleted.includes(id)) throw missingObject('customer', id, param)
  return world.store.get('customer', id, param)
}
