import { z } from 'zod'
import { collect, finalize, noCard, refuseUnpaid, voidInvoice } from '../billing/invoices.ts'
import { customerOf, findMethod } from '../billing/methods.ts'
import { previewInvoice } from '../billing/preview.ts'
import { invalid } from '../wire/errors.ts'
import { pageOf } from '../wire/paging.ts'
import { expand, flag, paging, parseParams, text } from '../wire/params.ts'
import type { Route } from './context.ts'
import { retrieveOnly } from './retrieve.ts'
import { changedItems, previewDetails } from './subscription-params.ts'

const listParams = z.strictObject({
  ...paging,
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
  collection_method: text.optional(),
})
const payParams = z.strictObject({ payment_method: text.optional(), off_session: flag.optional(), expand })
const finalizeParams = z.strictObject({ auto_advance: flag.optional(), expand })
const voidParams = z.strictObject({ expand })
const previewParams = z.strictObject({
  customer: text.optional(),
  subscription: text.optional(),
  subscription_details: previewDetails.optional(),
  preview_mode: z.enum(['next']).optional(),
  expand,
})
const paymentListParams = z.strictObject({
  ...paging,
  invoice: text.optional(),
  status: z.enum(['canceled', 'open', 'paid']).optional(),
  payment: z.strictObject({ type: z.enum(['payment_intent']), payment_intent: text.optional() }).optional(),
})

export const invoiceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/invoices',
    run: ({ world, params: form }) => {
      const params = parseParams(listParams, form)
      const found = world.store
        .all('invoice')
        .filter(
          (invoice) =>
            (params.customer === undefined || invoice.customer === params.customer) &&
            (params.status === undefined || invoice.status === params.status) &&
            (params.subscription === undefined || invoice.parent?.subscription_details?.subscription === params.subscription),
        )
      return pageOf(found, params, '/v1/invoices')
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/create_preview',
    run: ({ world, params: form }) => {
      const params = parseParams(previewParams, form)
      const { subscription: id, customer, subscription_details: details } = params
      if (customer !== undefined) customerOf(world, customer, 'customer')
      const subscription =
        id === undefined
          ? world.store.all('subscription').findLast((each) => each.customer === customer && each.ended_at === null)
          : world.store.get('subscription', id, 'subscription')
      if (!subscription) throw invalid(`No upcoming invoices for customer: ${customer}`, { code: 'invoice_upcoming_none' })
      return previewInvoice(world, subscription, {
        items: details?.items && changedItems(world, subscription, details.items),
        proration: details?.proration_behavior ?? 'create_prorations',
        prorationDate: details?.proration_date ?? world.clock.seconds(),
        cancels: details?.cancel_now === true || (details?.cancel_at_period_end ?? subscription.cancel_at !== null),
      })
    },
  },
  retrieveOnly('invoice', '/v1/invoices/:'),
  {
    method: 'POST',
    path: '/v1/invoices/:/pay',
    run: ({ world, params: form }, id) => {
      const params = parseParams(payParams, form)
      const invoice = world.store.get('invoice', id)
      const method = params.payment_method === undefined ? undefined : findMethod(world, params.payment_method, 'payment_method')
      if (invoice.status === 'paid') throw invalid('Invoice is already paid')
      if (invoice.status === 'void') throw invalid('Invoice is voided. You cannot pay a voided invoice.')
      if (invoice.status === 'draft') finalize(world, invoice)
      const attempt = collect(world, invoice, { offSession: params.off_session ?? true, method })
      if (!attempt) throw noCard(world, customerOf(world, invoice.customer ?? ''))
      refuseUnpaid(world, invoice, attempt)
      return invoice
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:/finalize',
    run: ({ world, params }, id) => {
      parseParams(finalizeParams, params)
      return finalize(world, world.store.get('invoice', id))
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:/void',
    run: ({ world, params }, id) => {
      parseParams(voidParams, params)
      return voidInvoice(world, world.store.get('invoice', id))
    },
  },
  {
    method: 'GET',
    path: '/v1/invoice_payments',
    run: ({ world, params: form }) => {
      const params = parseParams(paymentListParams, form)
      const found = world.store
        .all('invoice_payment')
        .filter(
          (each) =>
            (params.invoice === undefined || each.invoice === params.invoice) &&
            (params.status === undefined || each.status === params.status) &&
            (params.payment?.payment_intent === undefined || each.payment.payment_intent === params.payment.payment_intent),
        )
      return pageOf(found, params, '/v1/invoice_payments')
    },
  },
  retrieveOnly('invoice_payment', '/v1/invoice_payments/:'),
  retrieveOnly('charge', '/v1/charges/:'),
]
