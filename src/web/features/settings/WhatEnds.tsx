import type { Plan } from '../../../contract/billing.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { whatEnds } from './what-ends.ts'

/** What a smaller plan no longer covers. */
export function WhatEnds({ from, to }: { from: Plan; to: Plan }) {
  const { sitesMonitored } = useCurrentUser()
  const ends = whatEnds(from, to, sitesMonitored)
  if (ends.length === 0) return null
  return (
    <>
      <ul className="mt-4 flex list-disc flex-col gap-1 pl-5">
        {ends.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="mt-4 text-muted">No data is deleted.</p>
    </>
  )
}
