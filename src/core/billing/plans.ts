import type { Plan } from '../../contract/billing.ts'
import { mostRecipients } from '../../contract/reports/limits.ts'
import type { PlanId } from '../../contract/user.ts'

/** Each plan's price and limits (SPEC §6, §9). For installations that sell none, see offer.ts. */
export const plans: Record<PlanId, Plan> = {
  free: {
    id: 'free',
    name: 'Free',
    price: 0,
    billing: 'monthly',
    features: ['1 site', 'Weekly alerts', 'Email', 'Basic reporting'],
    siteLimit: 1,
    alertFrequency: ['weekly'],
    slack: false,
    sms: false,
    webhook: false,
    apiAccess: 'none',
    reporting: 'basic',
    reportRecipients: 0,
    hourly: false,
    supportDays: 5,
  },
  pro: {
    id: 'pro',
    name: 'Pro',
    price: 9,
    billing: 'monthly',
    features: ['5 sites', 'Daily and weekly alerts', 'Email and Slack', 'Advanced reporting', 'Priority support'],
    siteLimit: 5,
    alertFrequency: ['daily', 'weekly'],
    popular: true,
    slack: true,
    sms: true,
    webhook: false,
    apiAccess: 'read',
    reporting: 'advanced',
    reportRecipients: 5,
    hourly: false,
    supportDays: 2,
  },
  agency: {
    id: 'agency',
    name: 'Agency',
    price: 29,
    billing: 'monthly',
    features: [
      '25 sites',
      'Real-time, daily and weekly alerts',
      'Email and Slack',
      'White-label reports',
      'API access',
      'Dedicated support',
    ],
    siteLimit: 25,
    alertFrequency: ['real-time', 'daily', 'weekly'],
    slack: true,
    sms: true,
    webhook: true,
    apiAccess: 'full',
    reporting: 'white-label',
    reportRecipients: mostRecipients,
    hourly: true,
    supportDays: 1,
  },
}

/** Cheapest first, the order of display. */
export const catalog: readonly Plan[] = [plans.free, plans.pro, plans.agency]

/** Whether going from one plan to the other is an upgrade: it costs more, and takes effect immediately. */
export const isUpgrade = (from: PlanId, to: PlanId): boolean => plans[to].price > plans[from].price
