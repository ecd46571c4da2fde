import { z } from 'zod'
import { attach, createMethod, customerOf, detach, findMethod } from '../billing/methods.ts'
import type { PaymentMethod } from '../objects/types.ts'
import { pageOf } from '../wire/paging.ts'
import { expand, integer, mergeMetadata, metadata, paging, parseParams, text, unsettable } from '../wire/params.ts'
import type { World } from '../world.ts'
import type { Route } from './context.ts'

const billingDetails = z.strictObject({
  name: unsettable.optional(),
  email: unsettable.optional(),
  phone: unsettable.optional(),
  address: z
    .strictObject({
      city: unsettable.optional(),
      country: unsettable.optional(),
      line1: unsettable.optional(),
      line2: unsettable.optional(),
      postal_code: unsettable.optional(),
      state: unsettable.optional(),
    })
    .optional(),
})
/** A card as sent by a browser; also within a confirmation, as `payment_method_data`. */
export const methodData = z.strictObject({
  type: z.enum(['card']),
  card: z.strictObject({ number: text, exp_month: integer, exp_year: integer, cvc: text.optional() }),
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
  /** The publishable key, for browsers that send it this way. */
  key: text.optional(),
  expand,
})
const retrieveParams = z.strictObject({ expand })
const listParams = z.strictObject({ ...paging, customer: text.optional(), type: z.enum(['card']).optional() })
const attachParams = z.strictObject({ customer: text, expand })
const updateParams = z.strictObject({ metadata: metadata.optional(), expand })

export function methodFrom(world: World, data: z.output<typeof methodData>): PaymentMethod {
  const { number, exp_month, exp_year, cvc } = data.card
  const { name, email, address } = data.billing_details ?? {}
  const card = {
    number: number.replaceAll(/[\s-]/g, ''),
    exp_month,
    exp_year: exp_year < 100 ? 2000 + exp_year : exp_year,
    cvc: cvc ?? null,
  }
  const method = createMethod(world, card, { name, email, country: address?.country })
  method.metadata = mergeMetadata({}, data.metadata)
  return method
}

function cardsOf(world: World, customer: string): PaymentMethod[] {
  customerOf(world, customer, 'customer')
  return world.store.all('payment_method').filter((method) => method.customer === customer)
}

export const paymentMethodRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/payment_methods',
    browser: true,
    run: ({ world, params }) => methodFrom(world, parseParams(methodData, params)),
  },
  {
    method: 'GET',
    path: '/v1/payment_methods',
    run: ({ world, params: form }) => {
      const params = parseParams(listParams, form)
      return pageOf(params.customer === undefined ? [] : cardsOf(world, params.customer), params, '/v1/payment_methods')
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:/payment_methods',
    run: ({ world, params: form }, id) => {
      const params = parseParams(listParams, form)
      return pageOf(cardsOf(world, id), params, `/v1/customers/${id}/payment_methods`)
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods/:',
    run: ({ world, params }, id) => {
      parseParams(retrieveParams, params)
      return world.store.get('payment_method', id)
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:',
    run: ({ world, params: form }, id) => {
      const params = parseParams(updateParams, form)
      const method = world.store.get('payment_method', id)
      return world.change(method, 'payment_method.updated', (changed) => {
        changed.metadata = mergeMetadata(changed.metadata ?? {}, params.metadata)
      })
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:/attach',
    run: ({ world, params }, id) => {
      const { customer } = parseParams(attachParams, params)
      return attach(world, findMethod(world, id), customerOf(world, customer, 'customer').id)
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:/detach',
    run: ({ world, params }, id) => {
      parseParams(retrieveParams, params)
      return detach(world, world.store.get('payment_method', id))
    },
  },
]
