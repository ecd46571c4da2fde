import type { Plan } from '../../../contract/billing.ts'
import { useCurrentUser } from '../../shell/current-user.ts'

/** What a smaller plan no longer covers. */
export function WhatEnds({ from, to }: { from: Plan; to: Plan }) {
  const { sitesMonitored } = useCurrentUser()
  const surplus = sitesMonitored - to.siteLimit
  const frequencies = from.alertFrequency.filter((frequency) => !to.alertFrequency.includes(frequency))
  const ends = [
    ...(surplus > 0 ? [`${surplus} of your ${sitesMonitored} sites will be paused; you choose which stay.`] : []),
    ...(frequencies.length > 0 ? [`Alerts come ${to.alertFrequency.join(' or ')}, no longer ${frequencies.join(' or ')}.`] : []),
    ...(from.slack && !to.slack ? ['Alerts no longer go to Slack.'] : []),
    ...apiLoss(from, to),
  ]
  if (ends.length === 0) return null
  return (
    <>
      <ul className="mt-4 flex list-disc flex-col gap-1 pl-5">
        {ends.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="mt-4 text-muted">Nothing is deleted.</p>
    </>
  )
}

function apiLoss(from: Plan, to: Plan): string[] {
  if (from.apiAccess === to.apiAccess || from.apiAccess === 'none' || to.apiAccess === 'full') return []
  return [to.apiAccess === 'none' ? 'There is no API access any more.' : 'The API can only be read.']
}
