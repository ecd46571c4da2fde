import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const attempt = z.object({
  at: z.iso.datetime(),
  /** The HTTP status; null when nothing was answered. */
  status: z.number().int().nullable(),
  /** How long the answer took. */
  ms: z.number().int(),
  /** The beginning of what was answered; null when it was empty. Somebody else's text. */
  answer: z.string().nullable(),
  /** Why it was not taken; null when it was. */
  detail: z.string().nullable(),
})

/** A message to somebody's server, and what became of it. */
export const webhookDelivery = z.object({
  id: z.string(),
  /** `webhook-id`, the same at every attempt. */
  key: z.string(),
  kind: z.enum(['alerts', 'digest', 'test']),
  /** What it tells of, in words: `2 alerts opened, 1 recovered`. */
  about: z.string(),
  property: z.string().nullable(),
  createdAt: z.iso.datetime(),
  state: z.enum(['waiting', 'sent', 'failed']),
  /** When it is tried next; null when it is not. */
  nextAttemptAt: z.iso.datetime().nullable(),
  /** Oldest first. */
  attempts: z.array(attempt),
  /** Why it cannot be sent again; null when it can. */
  resendLocked: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

/** The latest first; `before` is the `id` of the last one seen. */
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

/** With what is sent, as text. */
export const webhookDeliveryInFull = webhookDelivery.extend({ body: z.string().nullable() })
export type WebhookDeliveryInFull = z.infer<typeof webhookDeliveryInFull>
export const webhookDeliveryParams = z.object({ id: z.coerce.number().int().positive() })

const path = '/api/webhook-deliveries'
export const webhookLogEndpoints = {
  list: endpoint({ method: 'GET', path, access: 'session', query: webhookDeliveriesQuery, answer: webhookDeliveries }),
  read: endpoint({ method: 'GET', path: `${path}/:id`, access: 'session', params: webhookDeliveryParams, answer: webhookDeliveryInFull }),
  resend: endpoint({
    method: 'POST',
    path: `${path}/:id/resend`,
    access: 'session',
    params: webhookDeliveryParams,
    answer: webhookDeliveryInFull,
  }),
}
