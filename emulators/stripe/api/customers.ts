import { z } from 'zod'
import { endSubscription } from '../billing/cancel.ts'
import { attach, customerOf, findMethod } from '../billing/methods.ts'
import { buildCustomer } from '../objects/customer.ts'
import type { Customer } from '../objects/types.ts'
import { invalid } from '../wire/errors.ts'
import { pageOf } from '../wire/paging.ts'
import { expand, mergeMetadata, metadata, paging, parseParams, text, unsettable } from '../wire/params.ts'
import type { World } from '../world.ts'
import type { Route } from './context.ts'

const fields = {
  email: unsettable.optional(),
  name: unsettable.optional(),
  description: unsettable.optional(),
  phone: unsettable.optional(),
  metadata: metadata.optional(),
  invoice_settings: z.strictObject({ default_payment_method: unsettable.optional() }).optional(),
  expand,
}
const createParams = z.strictObject({ ...fields, payment_method: text.optional() })
const updateParams = z.strictObject(fields)
const listParams = z.strictObject({ ...paging, email: z.string().optional() })
const retrieveParams = z.strictObject({ expand })

function apply(world: World, customer: Customer, params: z.output<typeof updateParams>): void {
  const method = params.invoice_settings?.default_payment_method
  if (typeof method === 'string' && findMethod(world, method, 'invoice_settings[default_payment_method]').customer !== customer.id) {
    throw invalid(
      `The customer does not have a payment method with the ID ${method}. The payment method must be attached to the customer.`,
      {
        code: 'resource_missing',
        param: 'invoice_settings[default_payment_method]',
      },
    )
  }
  for (const key of ['email', 'name', 'description', 'phone'] as const) {
    const value = params[key]
    if (value !== undefined) customer[key] = value
  }
  customer.metadata = mergeMetadata(customer.metadata, params.metadata)
  if (method !== undefined) customer.invoice_settings.default_payment_method = method
}

export const customerRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    run: ({ world, params: form }) => {
      const { payment_method, ...params } = parseParams(createParams, form)
      const customer = buildCustomer(world.clock.seconds(), {})
      return world.store.atomically(() => {
        world.create('customer', customer, null)
        if (payment_method !== undefined) attach(world, findMethod(world, payment_method, 'payment_method'), customer.id)
        apply(world, customer, params)
        world.emit('customer.created', customer)
        return customer
      })
    },
  },
  {
    method: 'GET',
    path: '/v1/customers',
    run: ({ world, params: form }) => {
      const params = parseParams(listParams, form)
      const living = world.store
        .all('customer')
        .filter((each) => !world.store.secrets.deleted.includes(each.id) && (params.email === undefined || each.email === params.email))
      return pageOf(living, params, '/v1/customers')
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:',
    run: ({ world, params }, id) => {
      parseParams(retrieveParams, params)
      if (world.store.secrets.deleted.includes(id)) return { id, object: 'customer', deleted: true }
      return world.store.get('customer', id)
    },
  },
  {
    method: 'POST',
    path: '/v1/customers/:',
    run: ({ world, params: form }, id) => {
      const params = parseParams(updateParams, form)
      return world.change(customerOf(world, id), 'customer.updated', (changed) => apply(world, changed, params))
    },
  },
  {
    method: 'DELETE',
    path: '/v1/customers/:',
    run: ({ world }, id) => {
      const customer = customerOf(world, id)
      for (const subscription of world.store.all('subscription')) {
        if (subscription.customer === id && subscription.ended_at === null) endSubscription(world, subscription, 'cancellation_requested')
      }
      for (const method of world.store.all('payment_method')) {
        if (method.customer === id) world.change(method, 'payment_method.detached', (changed) => (changed.customer = null))
      }
      world.store.secrets.deleted.push(id)
      world.emit('customer.deleted', customer)
      return { id, object: 'customer', deleted: true }
    },
  },
]
