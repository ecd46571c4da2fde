import type { AlertFrequency, Plan } from '../../contract/billing.ts'
import type { DeliveryFrequency } from '../../contract/delivery/delivery.ts'
import { mostRecipients } from '../../contract/reports/limits.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { catalog, plans } from './plans.ts'

// Each returns why a plan doesn't allow something, in words for its owner; null if it does, and where there are no plans.

const unless = (held: HeldPlan, allows: (plan: Plan) => boolean, words: (plan: Plan) => string): string | null =>
  held === null || allows(plans[held]) ? null : words(plans[held])

/** For what a plan either has or doesn't have. */
const lacking = (held: HeldPlan, allows: (plan: Plan) => boolean, what: string): string | null =>
  unless(held, allows, ({ name }) => `Your ${name} plan doesn't include ${what}. ${availability(allows)}.`)

const alertFrequencyOf: Record<DeliveryFrequency, AlertFrequency> = { instant: 'real-time', daily: 'daily', weekly: 'weekly' }

export function frequencyRefusal(held: HeldPlan, frequency: DeliveryFrequency): string | null {
  const wanted = alertFrequencyOf[frequency]
  return lacking(held, (plan) => plan.alertFrequency.includes(wanted), `${wanted} alerts`)
}

export const slackRefusal = (held: HeldPlan): string | null => lacking(held, (plan) => plan.slack, 'Slack alerts')
export const smsRefusal = (held: HeldPlan): string | null => lacking(held, (plan) => plan.sms, 'SMS alerts')
export const webhookRefusal = (held: HeldPlan): string | null => lacking(held, (plan) => plan.webhook, 'webhook alerts')
export const hourlyRefusal = (held: HeldPlan): string | null => lacking(held, (plan) => plan.hourly, 'hourly data')

/** `read` or `full` access to the API, or why not. */
export const apiRefusal = (held: HeldPlan, access: 'read' | 'full'): string | null =>
  lacking(
    held,
    (plan) => plan.apiAccess === 'full' || plan.apiAccess === access,
    access === 'read' ? 'API access' : 'write access to the API',
  )

/** Full reports, emailed on a schedule. */
export function advancedReportingRefusal(held: HeldPlan): string | null {
  const allows = (plan: Plan) => plan.reporting !== 'basic'
  return unless(
    held,
    allows,
    ({ name }) => `Your ${name} plan includes the monthly summary only. Full reports are ${lowerFirst(availability(allows))}.`,
  )
}

/** Custom branding, clients and shared links. */
export const whiteLabelRefusal = (held: HeldPlan): string | null =>
  lacking(held, (plan) => plan.reporting === 'white-label', 'white-label reports')

/** Maximum recipients of one scheduled report. */
export const recipientLimit = (held: HeldPlan): number => (held === null ? mostRecipients : plans[held].reportRecipients)

export const recipientsRefusal = (held: HeldPlan, recipients: number): string | null =>
  advancedReportingRefusal(held) ??
  unless(
    held,
    (plan) => recipients <= plan.reportRecipients,
    ({ name, reportRecipients }) => `Your ${name} plan allows up to ${reportRecipients} recipients per report.`,
  )

/** Which plans have a channel, in the words of SPEC §2: `Available on Pro and Agency plans`. */
export const channelAvailability = (channel: 'slack' | 'sms' | 'webhook'): string => availability((plan) => plan[channel])

function availability(allows: (plan: Plan) => boolean): string {
  const names = catalog.filter(allows).map((plan) => plan.name)
  return names.length === 1 ? `Available on the ${names[0]} plan` : `Available on ${names.join(' and ')} plans`
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
