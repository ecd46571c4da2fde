import { buildCharge } from '../objects/payment-method.ts'
import type { PaymentIntent, PaymentMethod } from '../objects/types.ts'
import { invalid } from '../wire/errors.ts'
import type { World } from '../world.ts'
import { PROBLEMS } from './cards.ts'
import type { CardProblem } from './cards.ts'
import { invoiceActionRequired, invoicePaid, invoicePaymentFailed } from './settlement.ts'
import { attach, behaviorOfMethod, markAuthenticated, needsAuthentication } from './methods.ts'

export const AUTHENTICATION_FAILED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

/** The outcome of a payment; `problem` is set if it failed. */
export interface Attempt {
  readonly status: 'succeeded' | 'requires_action' | 'failed'
  readonly problem: CardProblem | null
}

/** An error as shown in an intent's last attempt. */
function lastError(problem: CardProblem, method: PaymentMethod, charge: string | null) {
  return {
    ...(charge ? { charge } : {}),
    code: problem.code,
    ...(problem.decline_code ? { decline_code: problem.decline_code } : {}),
    doc_url: `https://stripe.com/docs/error-codes/${problem.code.replaceAll('_', '-')}`,
    message: problem.message,
    payment_method: structuredClone(method),
    type: problem.code === 'payment_intent_authentication_failure' ? 'invalid_request_error' : 'card_error',
  }
}

/** Tries to pay an intent with a card. */
export function confirm(world: World, intent: PaymentIntent, method: PaymentMethod, mode: { offSession: boolean }): Attempt {
  if (intent.status === 'succeeded') {
    throw invalid('You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.', {
      code: 'payment_intent_unexpected_state',
      payment_intent: structuredClone(intent),
    })
  }
  if (intent.status === 'canceled') {
    throw invalid('You cannot confirm this PaymentIntent because it has a status of canceled.', {
      code: 'payment_intent_unexpected_state',
      payment_intent: structuredClone(intent),
    })
  }
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalid('The PaymentMethod you provided belongs to another customer.', { code: 'payment_method_unexpected_state' })
  }
  const { setup, charge, threeDSecure } = behaviorOfMethod(world, method)
  const refused = setup ?? (threeDSecure === 'never' ? charge : null)
  if (refused) return failed(world, intent, method, refused)
  if (!needsAuthentication(world, method)) return charge ? failed(world, intent, method, charge) : succeeded(world, intent, method)
  if (mode.offSession && !world.store.secrets.intentOf[invoiceOf(world, intent) ?? '']) {
    return failed(world, intent, method, PROBLEMS.authentication_required)
  }
  return requiresAction(world, intent, method, mode.offSession)
}

/** Ends a 3-D Secure challenge, as the cardholder decided. */
export function authenticate(world: World, intent: PaymentIntent, passed: boolean): void {
  if (intent.status !== 'requires_action' || intent.payment_method === null) return
  const method = world.store.get('payment_method', intent.payment_method)
  if (!passed) {
    failed(world, intent, method, { code: 'payment_intent_authentication_failure', message: AUTHENTICATION_FAILED }, false)
    return
  }
  markAuthenticated(world, method)
  const { charge } = behaviorOfMethod(world, method)
  if (charge) failed(world, intent, method, charge)
  else succeeded(world, intent, method)
}

export function cancelIntent(world: World, intent: PaymentIntent, reason: string): void {
  if (intent.status === 'succeeded' || intent.status === 'canceled') return
  world.change(intent, null, (changed) => {
    changed.status = 'canceled'
    changed.canceled_at = world.clock.seconds()
    changed.cancellation_reason = reason
    changed.next_action = null
  })
  world.emit('payment_intent.canceled', intent)
}

/** The invoice that an intent pays for. */
function invoiceOf(world: World, intent: PaymentIntent): string | undefined {
  return Object.entries(world.store.secrets.intentOf).find(([, id]) => id === intent.id)?.[0]
}

function succeeded(world: World, intent: PaymentIntent, method: PaymentMethod): Attempt {
  const charge = world.create('charge', buildCharge(world.clock.seconds(), intent, method, null), null)
  // Declined cards never get here, so attaching can't fail.
  if (intent.customer !== null && intent.setup_future_usage !== null) attach(world, method, intent.customer)
  world.change(intent, null, (changed) => {
    changed.status = 'succeeded'
    changed.amount_received = intent.amount
    changed.latest_charge = charge.id
    changed.payment_method = method.id
    changed.next_action = null
    changed.last_payment_error = null
  })
  world.emit('charge.succeeded', charge)
  world.emit('payment_intent.succeeded', intent)
  const invoice = invoiceOf(world, intent)
  if (invoice !== undefined) invoicePaid(world, world.store.get('invoice', invoice), method)
  return { status: 'succeeded', problem: null }
}

function failed(world: World, intent: PaymentIntent, method: PaymentMethod, problem: CardProblem, charged = true): Attempt {
  const charge = charged ? world.create('charge', buildCharge(world.clock.seconds(), intent, method, problem), null) : null
  world.change(intent, null, (changed) => {
    changed.status = 'requires_payment_method'
    if (charge) changed.latest_charge = charge.id
    changed.payment_method = null
    changed.next_action = null
    changed.last_payment_error = lastError(problem, method, charge?.id ?? null)
  })
  if (charge) world.emit('charge.failed', charge)
  world.emit('payment_intent.payment_failed', intent)
  const invoice = invoiceOf(world, intent)
  if (invoice !== undefined) invoicePaymentFailed(world, world.store.get('invoice', invoice))
  return { status: 'failed', problem }
}

function requiresAction(world: World, intent: PaymentIntent, method: PaymentMethod, offSession: boolean): Attempt {
  world.change(intent, null, (changed) => {
    changed.status = 'requires_action'
    changed.payment_method = method.id
    changed.last_payment_error = null
    changed.next_action = challengeOf(world, intent.id)
  })
  world.emit('payment_intent.requires_action', intent)
  const invoice = invoiceOf(world, intent)
  if (invoice !== undefined) invoiceActionRequired(world, world.store.get('invoice', invoice), offSession)
  return { status: 'requires_action', problem: PROBLEMS.authentication_required }
}

/** What a browser has to do next: show the bank's challenge in a frame. */
export function challengeOf(world: World, intent: string) {
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: `${world.url}/v3/challenge?intent=${intent}`, source: `src_${intent}` },
  }
}
