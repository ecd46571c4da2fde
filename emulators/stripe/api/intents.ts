import { z } from 'zod'
import { cardError } from '../billing/cards.ts'
import { confirm } from '../billing/intents.ts'
import { customerOf, findMethod } from '../billing/methods.ts'
import { confirmSetup, createSetup } from '../billing/setup.ts'
import type { PaymentIntent, PaymentMethod, SetupIntent } from '../objects/types.ts'
import { invalid } from '../wire/errors.ts'
import { pageOf } from '../wire/paging.ts'
import { expand, flag, mergeMetadata, metadata, paging, parseParams, text } from '../wire/params.ts'
import type { World } from '../world.ts'
import type { ApiCall, Route } from './context.ts'
import { methodData, methodFrom } from './payment-methods.ts'

const retrieveParams = z.strictObject({ client_secret: text.optional(), key: text.optional(), expand })
const listParams = z.strictObject({ ...paging, customer: text.optional() })
const confirmParams = z.strictObject({
  client_secret: text.optional(),
  expected_payment_method_type: text.optional(),
  key: text.optional(),
  off_session: flag.optional(),
  payment_method: text.optional(),
  payment_method_data: methodData.optional(),
  return_url: text.optional(),
  setup_future_usage: z.enum(['on_session', 'off_session']).optional(),
  use_stripe_sdk: flag.optional(),
  expand,
})
const setupParams = z.strictObject({
  allowed_payment_method_types: z.array(z.enum(['card'])).optional(),
  automatic_payment_methods: z.strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() }).optional(),
  confirm: flag.optional(),
  customer: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  payment_method: text.optional(),
  return_url: text.optional(),
  usage: z.enum(['off_session', 'on_session']).default('off_session'),
  expand,
})

/** What a browser may see of an intent: nothing about the customer. */
function forBrowser(intent: PaymentIntent | SetupIntent): object {
  const { customer: _customer, metadata: _metadata, ...shown } = intent
  return shown
}

function answer(call: ApiCall, intent: PaymentIntent | SetupIntent): object {
  return call.publishable ? forBrowser(intent) : intent
}

/** With the secret, a browser proves that the intent is its own. */
function proven<T extends PaymentIntent | SetupIntent>(call: ApiCall, intent: T, secret: string | undefined): T {
  const name = intent.object === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent'
  if (secret === undefined ? call.publishable : secret !== intent.client_secret) {
    throw invalid(`The client_secret provided does not match the client_secret associated with the ${name}.`, {
      code: intent.object === 'payment_intent' ? 'payment_intent_invalid_parameter' : 'setup_intent_invalid_parameter',
      param: 'client_secret',
    })
  }
  return intent
}

function chosenMethod(world: World, params: z.output<typeof confirmParams>, known: string | null): PaymentMethod | undefined {
  if (params.payment_method_data) return methodFrom(world, params.payment_method_data)
  const id = params.payment_method ?? known
  return id === null ? undefined : findMethod(world, id, 'payment_method')
}

const methodMissing = (name: string) =>
  invalid(
    `You cannot confirm this ${name} because it's missing a payment method. Update the ${name} with a payment method and then confirm it again.`,
    {
      code: name === 'PaymentIntent' ? 'payment_intent_unexpected_state' : 'setup_intent_unexpected_state',
    },
  )

export const intentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/payment_intents',
    run: ({ world, params: form }) => {
      const params = parseParams(listParams, form)
      const intents = world.store.all('payment_intent')
      return pageOf(
        intents.filter((intent) => params.customer === undefined || intent.customer === params.customer),
        params,
        '/v1/payment_intents',
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_intents/:',
    browser: true,
    run: (call, id) => {
      const { client_secret } = parseParams(retrieveParams, call.params)
      return answer(call, proven(call, call.world.store.get('payment_intent', id), client_secret))
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:/confirm',
    browser: true,
    run: (call, id) => {
      const { world } = call
      const params = parseParams(confirmParams, call.params)
      const intent = proven(call, world.store.get('payment_intent', id), params.client_secret)
      const method = chosenMethod(world, params, intent.payment_method)
      if (!method) throw methodMissing('PaymentIntent')
      if (params.setup_future_usage !== undefined) intent.setup_future_usage = params.setup_future_usage
      const attempt = confirm(world, intent, method, { offSession: params.off_session ?? false })
      if (attempt.status === 'failed' && attempt.problem) {
        const charge = intent.latest_charge === null ? {} : { charge: intent.latest_charge }
        throw cardError(attempt.problem, { ...charge, payment_intent: answer(call, intent), payment_method: structuredClone(method) })
      }
      return answer(call, intent)
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents',
    run: ({ world, params: form }) => {
      const params = parseParams(setupParams, form)
      const { automatic_payment_methods: automatic } = params
      const method = params.payment_method === undefined ? null : findMethod(world, params.payment_method, 'payment_method')
      const setup = createSetup(world, {
        customer: params.customer === undefined ? null : customerOf(world, params.customer, 'customer').id,
        description: params.description ?? null,
        metadata: mergeMetadata({}, params.metadata),
        usage: params.usage,
        allowed_payment_method_types: params.allowed_payment_method_types ?? null,
        automatic_payment_methods: params.allowed_payment_method_types
          ? null
          : { allow_redirects: automatic?.allow_redirects ?? 'always', enabled: automatic?.enabled ?? true },
        ...(method ? { payment_method: method.id, status: 'requires_confirmation' } : {}),
      })
      if (!params.confirm) return setup
      if (!method) throw methodMissing('SetupIntent')
      const attempt = confirmSetup(world, setup, method)
      if (attempt.status === 'failed' && attempt.problem) throw cardError(attempt.problem, { setup_intent: structuredClone(setup) })
      return setup
    },
  },
  {
    method: 'GET',
    path: '/v1/setup_intents/:',
    browser: true,
    run: (call, id) => {
      const { client_secret } = parseParams(retrieveParams, call.params)
      return answer(call, proven(call, call.world.store.get('setup_intent', id), client_secret))
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:/confirm',
    browser: true,
    run: (call, id) => {
      const { world } = call
      const params = parseParams(confirmParams, call.params)
      const setup = proven(call, world.store.get('setup_intent', id), params.client_secret)
      const method = chosenMethod(world, params, setup.payment_method)
      if (!method) throw methodMissing('SetupIntent')
      const attempt = confirmSetup(world, setup, method)
      if (attempt.status === 'failed' && attempt.problem) {
        throw cardError(attempt.problem, { setup_intent: answer(call, setup), payment_method: structuredClone(method) })
      }
      return answer(call, setup)
    },
  },
]
