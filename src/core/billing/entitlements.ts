import type { AlertFrequency, Plan } from '../../contract/billing.ts'
import type { DeliveryFrequency } from '../../contract/delivery.ts'
import type { PlanId } from '../../contract/user.ts'
import { catalogue, plans } from './plans.ts'

// Each answers why a plan does not allow something, in words for its owner; null when it does.

/** In the words of SPEC §5. */
export function siteLimitRefusal(planId: PlanId, sites: number): string | null {
  const plan = plans[planId]
  return sites > plan.siteLimit ? `Your ${plan.name} plan allows up to ${plan.siteLimit} site(s).` : null
}

const alertFrequencyOf: Record<DeliveryFrequency, AlertFrequency> = { instant: 'real-time', daily: 'daily', weekly: 'weekly' }

export function frequencyRefusal(planId: PlanId, frequency: DeliveryFrequency): string | null {
  const wanted = alertFrequencyOf[frequency]
  const allows = (plan: Plan) => plan.alertFrequency.includes(wanted)
  return allows(plans[planId]) ? null : `Your ${plans[planId].name} plan has no ${wanted} alerts. ${availability(allows)}.`
}

export function slackRefusal(planId: PlanId): string | null {
  const allows = (plan: Plan) => plan.slack
  return allows(plans[planId]) ? null : `Your ${plans[planId].name} plan has no Slack alerts. ${availability(allows)}.`
}

export function smsRefusal(planId: PlanId): string | null {
  const allows = (plan: Plan) => plan.sms
  return allows(plans[planId]) ? null : `Your ${plans[planId].name} plan has no SMS alerts. ${availability(allows)}.`
}

export function webhookRefusal(planId: PlanId): string | null {
  const allows = (plan: Plan) => plan.webhook
  return allows(plans[planId]) ? null : `Your ${plans[planId].name} plan has no webhook alerts. ${availability(allows)}.`
}

/** `read` or `full` access to the API, or why not. */
export function apiRefusal(planId: PlanId, access: 'read' | 'full'): string | null {
  const allows = (plan: Plan) => plan.apiAccess === 'full' || plan.apiAccess === access
  return allows(plans[planId])
    ? null
    : `Your ${plans[planId].name} plan has no ${access === 'read' ? 'API access' : 'API access that may change things'}. ${availability(allows)}.`
}

/** Whole reports, by mail on a schedule. */
export function advancedReportingRefusal(planId: PlanId): string | null {
  const allows = (plan: Plan) => plan.reporting !== 'basic'
  return allows(plans[planId])
    ? null
    : `Your ${plans[planId].name} plan has the monthly summary. Whole reports: ${lowerFirst(availability(allows))}.`
}

/** A brand of one's own, clients and links to share. */
export function whiteLabelRefusal(planId: PlanId): string | null {
  const allows = (plan: Plan) => plan.reporting === 'white-label'
  return allows(plans[planId]) ? null : `Your ${plans[planId].name} plan has no white-label reports. ${availability(allows)}.`
}

export function recipientsRefusal(planId: PlanId, recipients: number): string | null {
  const plan = plans[planId]
  const reason = advancedReportingRefusal(planId)
  if (reason) return reason
  return recipients > plan.reportRecipients ? `Your ${plan.name} plan sends a report to up to ${plan.reportRecipients} recipients.` : null
}

export function hourlyRefusal(planId: PlanId): string | null {
  const allows = (plan: Plan) => plan.hourly
  return allows(plans[planId]) ? null : `Your ${plans[planId].name} plan has no hourly figures. ${availability(allows)}.`
}

/** Which plans have a channel, in the words of SPEC §2: `Available on Pro and Agency plans`. */
export const channelAvailability = (channel: 'slack' | 'sms' | 'webhook'): string => availability((plan) => plan[channel])

function availability(allows: (plan: Plan) => boolean): string {
  const names = catalogue.filter(allows).map((plan) => plan.name)
  return names.length === 1 ? `Available on the ${names[0]} plan` : `Available on ${names.join(' and ')} plans`
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
