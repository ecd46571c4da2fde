import { z } from 'zod'
import { planId, user } from './user.ts'
import { endpoint } from './endpoint.ts'

export const alertFrequency = z.enum(['real-time', 'daily', 'weekly'])
export type AlertFrequency = z.infer<typeof alertFrequency>

/** One entry of the catalogue. Prices in US dollars a month. */
export const plan = z.object({
  id: planId,
  name: z.string(),
  price: z.number(),
  billing: z.literal('monthly'),
  features: z.array(z.string()),
  siteLimit: z.number().int(),
  alertFrequency: z.array(alertFrequency),
  popular: z.boolean().optional(),
  slack: z.boolean(),
  sms: z.boolean(),
  webhook: z.boolean(),
  apiAccess: z.enum(['none', 'read', 'full']),
  /** `basic`: a monthly summary on screen. `advanced`: whole reports, by mail on a schedule. `white-label`: under a brand of one's own. */
  reporting: z.enum(['basic', 'advanced', 'white-label']),
  /** Recipients of one scheduled report; 0 where there are none. */
  reportRecipients: z.number().int(),
  /** Figures of today by the hour, and instant alerts from them. */
  hourly: z.boolean(),
  /** Working days within which support answers. */
  supportDays: z.number().int(),
})
export type Plan = z.infer<typeof plan>
export const plans = z.array(plan)

export const planChoice = z.object({ planType: planId })

/** Free: only success. Paid: what the payment form needs. */
export const createSubscriptionAnswer = z.union([z.object({ clientSecret: z.string().min(1) }), z.object({ success: z.literal(true) })])

const card = z.object({ brand: z.string(), last4: z.string(), expMonth: z.number().int(), expYear: z.number().int() })

/** What somebody pays for. */
export const subscription = z.object({
  /** The plan in force. Stripe's webhooks decide it, never the browser. */
  plan: planId,
  /** `none`: never paid, or ended. `incomplete`: the first payment is still to be made. `past_due`: a renewal failed and is tried again. */
  status: z.enum(['none', 'incomplete', 'active', 'past_due']),
  /** The plan whose first payment is still to be made, while that is `incomplete`. */
  begunPlan: planId.nullable(),
  /** When the period that is paid for ends. */
  currentPeriodEnd: z.iso.datetime().nullable(),
  /** The plan from then on, where it is another one: a downgrade, or `free` after a cancellation. */
  nextPlan: planId.nullable(),
  card: card.nullable(),
  /** How the browser reaches Stripe. `scriptUrl`: another place of its script. */
  checkout: z.object({ publishableKey: z.string(), scriptUrl: z.string().nullable() }),
})
export type Subscription = z.infer<typeof subscription>

/** What a change would cost. Amounts in US dollars. */
export const changePreview = z.object({
  takesEffect: z.enum(['now', 'period_end']),
  /** Charged at once, less what is left of the present plan. */
  dueNow: z.number(),
  /** Each month from then on. */
  price: z.number(),
  /** When the change happens, or the next charge follows. */
  at: z.iso.datetime().nullable(),
})
export type ChangePreview = z.infer<typeof changePreview>

export const subscriptionState = z.object({ user, subscription })
export type SubscriptionState = z.infer<typeof subscriptionState>

/**
 * A change from one paid plan to another. `action_required`: the bank wants to ask
 * the owner of the card (3-D Secure) with this client secret; the change happens once it was paid.
 */
export const changeAnswer = subscriptionState.extend({
  outcome: z.enum(['changed', 'scheduled', 'action_required']),
  clientSecret: z.string().nullable(),
})
export type ChangeAnswer = z.infer<typeof changeAnswer>

/** Stripe's own page for card and invoices. */
export const portalAnswer = z.object({ url: z.url() })

const path = '/api/subscription'
export const billingEndpoints = {
  plans: endpoint({ method: 'GET', path: '/api/plans', access: { anybody: 'prices' }, answer: plans }),
  create: endpoint({
    method: 'POST',
    path: '/api/create-subscription',
    access: 'session',
    body: planChoice,
    answer: createSubscriptionAnswer,
  }),
  read: endpoint({ method: 'GET', path, access: 'session', answer: subscription }),
  preview: endpoint({ method: 'POST', path: `${path}/preview`, access: 'session', body: planChoice, answer: changePreview }),
  change: endpoint({ method: 'POST', path: `${path}/change`, access: 'session', proof: 'always', body: planChoice, answer: changeAnswer }),
  /** Takes back a cancellation or a downgrade that has not happened yet: the card is charged again. */
  resume: endpoint({ method: 'POST', path: `${path}/resume`, access: 'session', proof: 'always', answer: subscriptionState }),
  /** How things stand at Stripe now, without waiting for its webhooks. */
  refresh: endpoint({ method: 'POST', path: `${path}/refresh`, access: 'session', answer: subscriptionState }),
  portal: endpoint({ method: 'POST', path: `${path}/portal`, access: 'session', proof: 'always', answer: portalAnswer }),
  webhook: endpoint({
    method: 'POST',
    path: '/api/stripe/webhook',
    access: { anybody: 'signed by Stripe' },
    answer: z.object({ received: z.literal(true) }),
  }),
}
