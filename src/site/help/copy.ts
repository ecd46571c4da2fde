import type { Plan } from '../../contract/billing.ts'
import { catalog } from '../../core/billing/plans.ts'

/** The plans that include something, for use in a sentence: `Pro and Agency`. */
export const plansWith = (has: (plan: Plan) => boolean): string =>
  catalog
    .filter(has)
    .map(({ name }) => name)
    .join(' and ')

const reporting = ({ reporting: kind, reportRecipients }: Plan): string => {
  if (kind === 'basic') return 'monthly summary on screen'
  const recipients = `emailed to up to ${reportRecipients.toLocaleString('en-US')} recipients`
  return kind === 'advanced'
    ? `weekly and monthly, as a web page or PDF, ${recipients}`
    : `weekly and monthly, under your own brand and for clients, ${recipients}`
}

const access: Record<Plan['apiAccess'], string> = { none: 'none', read: 'read-only', full: 'read and write' }

/** How soon support responds. */
export const answerTime = ({ supportDays }: Plan): string => `within ${supportDays} business day${supportDays === 1 ? '' : 's'}`

/** What a plan's feature names mean in detail. */
export const detailsOf = (plan: Plan): readonly (readonly [what: string, how: string])[] => [
  ['Reports', reporting(plan)],
  ['API and MCP', access[plan.apiAccess]],
  ['Hourly data', plan.hourly ? 'for all sites' : 'none'],
  ['Webhooks', plan.webhook ? 'for alerts, recoveries and connection problems' : 'none'],
  ['Support response', answerTime(plan)],
]
