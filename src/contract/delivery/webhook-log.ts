import { z } from 'zod'
import { signedIn } from '../endpoint.ts'

const attempt = z.object({
  at: z.iso.datetime(),
  /** The HTTP status; null without a response. */
  status: z.number().int().nullable(),
  /** How long the response took. */
  ms: z.number().int(),
  /** The start of the response; null if it was empty. Text we didn't write. */
  answer: z.string().nullable(),
  /** Why it wasn't accepted; null if it was. */
  detail: z.string().nullable(),
})

/** A message to a customer's server, and its result. */
export const webhookDelivery = z.object({
  id: z.string(),
  /** `webhook-id`, the same for every attempt. */
  key: z.string(),
  kind: z.enum(['alerts', 'digest', 'test']),
  /** Its content in words: `2 alerts opened, 1 recovered`. */
  about: z.string(),
  property: z.string().nullable(),
  createdAt: z.iso.datetime(),
  state: z.enum(['waiting', 'sent', 'failed']),
  /** The time of the next attempt; null if there is none. */
  nextAttemptAt: z.iso.datetime().nullable(),
  /** Oldest first. */
  attempts: z.array(attempt),
  /** Why it can't be resent; null if it can. */
  resendLocked: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

/** Latest first; `before` is the `id` of the last one seen. */
export const webhookDeliveriesQuery = z.object({
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
})
export const webhookDeliveries = z.object({
  deliveries: z.array(webhookDelivery),
  /** Whether there are older ones. */
  more: z.boolean(),
})
export type WebhookDeliveries = z.infer<typeof webhookDeliveries>

/** Includes the sent body, as text. */
export const webhookDeliveryInFull = webhookDelivery.extend({ body: z.string().nullable() })
export type WebhookDeliveryInFull = z.infer<typeof webhookDeliveryInFull>
export const webhookDeliveryParams = z.object({ id: z.coerce.number().int().positive() })

const path = '/api/webhook-deliveries'
export const webhookLogEndpoints = {
  list: signedIn.get(path, { query: webhookDeliveriesQuery, isLong: 'names', answer: webhookDeliveries }),
  read: signedIn.get(`${path}/:id`, { params: webhookDeliveryParams, isLong: 'names', answer: webhookDeliveryInFull }),
  resend: signedIn.post(`${path}/:id/resend`, { params: webhookDeliveryParams, isLong: 'names', answer: webhookDeliveryInFull }),
}
