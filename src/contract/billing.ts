import { z } from 'zod'
import { planId, user } from './user.ts'
import { endpoint, signedIn } from './endpoint.ts'

export const alertFrequency = z.enum(['real-time', 'daily', 'weekly'])
export type AlertFrequency = z.infer<typeof alertFrequency>

/** One entry of the catalog. Prices in US dollars a month. */
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
  /** `basic`: a monthly summary on screen. `advanced`: full reports, scheduled by email. `white-label`: with your own brand. */
  reporting: z.enum(['basic', 'advanced', 'white-label']),
  /** Recipients per scheduled report; 0 if there are none. */
  reportRecipients: z.number().int(),
  /** Today's figures by the hour, with instant alerts. */
  hourly: z.boolean(),
  /** Number of business days within which support answers. */
  supportDays: z.number().int(),
})
export type Plan = z.infer<typeof plan>
export const plans = z.array(plan)

export const planChoice = z.object({ planType: planId })

/** Free: just success. Paid: the payment form's secret. */
export const createSubscriptionAnswer = z.union([z.object({ clientSecret: z.string().min(1) }), z.object({ success: z.literal(true) })])

const card = z.object({ brand: z.string(), last4: z.string(), expMonth: z.number().int(), expYear: z.number().int() })

/** A person's paid plan. */
export const subscription = z.object({
  /** The plan in force. Stripe's webhooks determine it, never the browser. */
  plan: planId,
  /** `none`: never paid, or ended. `incomplete`: the first payment is outstanding. `past_due`: a renewal failed and will be retried. */
  status: z.enum(['none', 'incomplete', 'active', 'past_due']),
  /** The plan with the outstanding first payment, while `incomplete`. */
  begunPlan: planId.nullable(),
  /** When the paid period ends. */
  currentPeriodEnd: z.iso.datetime().nullable(),
  /** The plan after that, if it differs: a downgrade, or `free` after a cancellation. */
  nextPlan: planId.nullable(),
  card: card.nullable(),
  /** What the browser needs to reach Stripe. `scriptUrl`: overrides the script's URL. */
  checkout: z.object({ publishableKey: z.string(), scriptUrl: z.string().nullable() }),
})
export type Subscription = z.infer<typeof subscription>

/** The cost of a change. Amounts in US dollars. */
export const changePreview = z.object({
  takesEffect: z.enum(['now', 'period_end']),
  /** Charged now, minus what is left of the current plan. */
  dueNow: z.number(),
  /** Charged each month after that. */
  price: z.number(),
  /** When the change happens, or when the next charge is. */
  at: z.iso.datetime().nullable(),
})
export type ChangePreview = z.infer<typeof changePreview>

export const subscriptionState = z.object({ user, subscription })
export type SubscriptionState = z.infer<typeof subscriptionState>

/**
 * A change from one paid plan to another. `action_required`: the card's owner has to confirm with the bank (3-D Secure) using this client
 * secret; the change happens once it is paid.
 */
export const changeAnswer = subscriptionState.extend({
  outcome: z.enum(['changed', 'scheduled', 'action_required']),
  clientSecret: z.string().nullable(),
})
export type ChangeAnswer = z.infer<typeof changeAnswer>

/** The Stripe page for card and invoices. */
export const portalAnswer = z.object({ url: z.url() })

const path = '/api/subscription'
export const billingEndpoints = {
  plans: endpoint({ method: 'GET', path: '/api/plans', access: { anybody: 'prices' }, answer: plans }),
  create: signedIn.post('/api/create-subscription', { proof: 'by-content', body: planChoice, answer: createSubscriptionAnswer }),
  read: signedIn.get(path, { answer: subscription }),
  preview: signedIn.post(`${path}/preview`, { body: planChoice, answer: changePreview }),
  change: signedIn.post(`${path}/change`, { proof: 'always', body: planChoice, answer: changeAnswer }),
  /** Undoes a pending cancellation or downgrade: the card is charged again. */
  resume: signedIn.post(`${path}/resume`, { proof: 'always', answer: subscriptionState }),
  /** The current state at Stripe, without waiting for its webhooks. */
  refresh: signedIn.post(`${path}/refresh`, { answer: subscriptionState }),
  portal: signedIn.post(`${path}/portal`, { proof: 'always', answer: portalAnswer }),
  webhook: endpoint({
    method: 'POST',
    path: '/api/stripe/webhook',
    access: { anybody: 'signed by Stripe' },
    answer: z.object({ received: z.literal(true) }),
  }),
}
