import type { Plan } from '../../../contract/billing.ts'

/** What a smaller plan no longer covers, a sentence each. `sites`: as many are monitored. */
export function whatEnds(from: Plan, to: Plan, sites: number): string[] {
  const surplus = sites - to.siteLimit
  const frequencies = from.alertFrequency.filter((frequency) => !to.alertFrequency.includes(frequency))
  return [
    ...(surplus > 0 ? [`${surplus} of your ${sites} sites will be paused; you choose which stay.`] : []),
    ...(frequencies.length > 0 ? [`Alerts come ${to.alertFrequency.join(' or ')}, no longer ${frequencies.join(' or ')}.`] : []),
    ...(from.hourly && !to.hourly ? ['There are no figures of today by the hour.'] : []),
    ...(from.slack && !to.slack ? ['Alerts no longer go to Slack.'] : []),
    ...(from.sms && !to.sms ? ['Critical alerts no longer come by SMS.'] : []),
    ...(from.webhook && !to.webhook ? ['Alerts no longer go to your webhook.'] : []),
    ...reportsLoss(from, to),
    ...apiLoss(from, to),
  ]
}

function reportsLoss(from: Plan, to: Plan): string[] {
  const isBranded = from.reporting === 'white-label' && to.reporting !== 'white-label'
  const shared = isBranded ? ['Links to reports that you shared lead nowhere.'] : []
  if (from.reporting !== 'basic' && to.reporting === 'basic')
    return ['No reports are sent on a schedule; the monthly summary stays on screen.', ...shared]
  if (!isBranded) return []
  return [
    'Reports carry our name instead of your brand.',
    `Schedules for clients, or for more than ${to.reportRecipients} recipients, are paused.`,
    ...shared,
  ]
}

function apiLoss(from: Plan, to: Plan): string[] {
  if (from.apiAccess === to.apiAccess || from.apiAccess === 'none' || to.apiAccess === 'full') return []
  return [to.apiAccess === 'none' ? 'There is no API access any more.' : 'The API can only be read.']
}
