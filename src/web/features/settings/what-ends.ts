import type { Plan } from '../../../contract/billing.ts'

/** What a smaller plan no longer includes, one sentence each. `sites`: the number of monitored ones. */
export function whatEnds(from: Plan, to: Plan, sites: number): string[] {
  const surplus = sites - to.siteLimit
  const frequencies = from.alertFrequency.filter((frequency) => !to.alertFrequency.includes(frequency))
  return [
    ...(surplus > 0 ? [`${surplus} of your ${sites} sites will be paused; you choose which ones to keep.`] : []),
    ...(frequencies.length > 0 ? [`You'll get ${to.alertFrequency.join(' or ')} alerts; ${frequencies.join(' and ')} alerts stop.`] : []),
    ...(from.hourly && !to.hourly ? ['Hourly data stops.'] : []),
    ...(from.slack && !to.slack ? ['Slack alerts stop.'] : []),
    ...(from.sms && !to.sms ? ['SMS alerts stop.'] : []),
    ...(from.webhook && !to.webhook ? ['Webhook alerts stop.'] : []),
    ...reportsLoss(from, to),
    ...apiLoss(from, to),
  ]
}

function reportsLoss(from: Plan, to: Plan): string[] {
  const isBranded = from.reporting === 'white-label' && to.reporting !== 'white-label'
  const shared = isBranded ? ['Shared links stop working.'] : []
  if (from.reporting !== 'basic' && to.reporting === 'basic')
    return ['Scheduled reports stop; you can still view the monthly summary.', ...shared]
  if (!isBranded) return []
  return [
    'Reports show the Ranklark brand instead of yours.',
    `Schedules for clients or with more than ${to.reportRecipients} recipients are paused.`,
    ...shared,
  ]
}

function apiLoss(from: Plan, to: Plan): string[] {
  if (from.apiAccess === to.apiAccess || from.apiAccess === 'none' || to.apiAccess === 'full') return []
  return [to.apiAccess === 'none' ? 'API access ends.' : 'API access becomes read-only.']
}
