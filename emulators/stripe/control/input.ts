import { z } from 'zod'
import { PROBLEMS } from '../billing/cards.ts'

/** Shapes of the control API's input; README.md says what each does. */
const moment = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'not a moment')

export const webhookInput = z.object({
  url: z.url(),
  secret: z.string().min(1).optional(),
  events: z.array(z.string()).min(1).default(['*']),
})

export const clockInput = z.object({ now: moment.nullable() })

export const advanceInput = z.object({
  days: z.number().nonnegative().default(0),
  hours: z.number().nonnegative().default(0),
  minutes: z.number().nonnegative().default(0),
  seconds: z.number().nonnegative().default(0),
  to: moment.optional(),
})

export const settingsInput = z
  .object({
    retryDays: z.array(z.number().positive()),
    afterRetries: z.enum(['cancel', 'unpaid', 'past_due']),
    webhookRetrySeconds: z.array(z.number().positive()),
  })
  .partial()

export const releaseInput = z.object({
  order: z.union([z.literal('reversed'), z.array(z.string())]).optional(),
  times: z.number().int().positive().default(1),
})

export const redeliverInput = z.object({ event: z.string(), times: z.number().int().positive().default(1) })

export const forgeInput = z.object({
  type: z.string(),
  object: z.record(z.string(), z.unknown()),
  url: z.url().optional(),
  signature: z.enum(['wrongSecret', 'missing', 'old', 'otherBody']).default('wrongSecret'),
})

export const cardInput = z.object({
  customer: z.string(),
  problem: z
    .enum(Object.keys(PROBLEMS) as [keyof typeof PROBLEMS, ...(keyof typeof PROBLEMS)[]])
    .nullable()
    .default('generic_decline'),
})

export const payInput = z
  .object({
    subscription: z.string().optional(),
    invoice: z.string().optional(),
    card: z.string().default('4242424242424242'),
    /** The cardholder's response to the bank; absent: none, the payment waits. */
    authenticate: z.enum(['complete', 'fail']).optional(),
  })
  .refine((input) => (input.subscription === undefined) !== (input.invoice === undefined), 'a subscription or an invoice')
