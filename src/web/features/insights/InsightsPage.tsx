import type { ReactNode } from 'react'
import { useCurrentUser } from '../../shell/current-user.ts'
import { PropertyRequired } from '../../shell/PropertyRequired.tsx'
import { Insights } from './Insights.tsx'

export function InsightsPage() {
  const { selectedProperty } = useCurrentUser()
  return (
    <>
      <title>SEO insights · Ranklark</title>
      {selectedProperty === null ? (
        <>
          <InsightsTitle line="No property selected" />
          <PropertyRequired>Select a property to see what to improve first.</PropertyRequired>
        </>
      ) : (
        <Insights property={selectedProperty} title={<InsightsTitle line={selectedProperty} />} />
      )}
    </>
  )
}

function InsightsTitle({ line }: { line: string }): ReactNode {
  return (
    <div className="min-w-0">
      <h1 className="text-title font-semibold">SEO Insights Dashboard</h1>
      <p className="wrap-anywhere text-muted">{line}</p>
    </div>
  )
}
