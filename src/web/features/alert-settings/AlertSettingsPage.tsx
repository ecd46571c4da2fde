import { useQuery } from '@tanstack/react-query'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { PropertyRequired } from '../../shell/PropertyRequired.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { otherRules } from './condition-cards.ts'
import { cardGridClass } from './ConditionCard.tsx'
import { ConditionsForm } from './conditions-form.tsx'
import { OtherRules } from './OtherRules.tsx'

export function AlertSettingsPage() {
  const { selectedProperty } = useCurrentUser()
  return (
    <>
      <title>Alert configuration · Ranklark</title>
      <div className="mb-5">
        <h1 className="text-title font-semibold">Alert Configuration</h1>
        <p className="break-words text-muted">{selectedProperty ?? 'No property selected'}</p>
      </div>
      {selectedProperty === null ? (
        <PropertyRequired>
          Alerts are about the figures of one property. Select it, and choose here what you want to hear of.
        </PropertyRequired>
      ) : (
        // What was typed about one property is not meant for another.
        <Rules key={selectedProperty} property={selectedProperty} />
      )}
    </>
  )
}

function Rules({ property }: { property: string }) {
  const { data: rules, isPending, error, refetch } = useQuery(conditionsQuery(property))
  if (rules === undefined && !isPending) {
    return (
      <Card>
        <ErrorState title="The alert conditions could not be loaded" actions={<Button onClick={() => void refetch()}>Try again</Button>}>
          {property}: {failureText(error, 'the server did not answer as expected')}
        </ErrorState>
      </Card>
    )
  }
  if (rules === undefined) return <Loading />
  const others = otherRules(rules)
  return (
    <div className="flex flex-col gap-8">
      <ConditionsForm property={property} rules={rules} />
      {others.length > 0 && <OtherRules property={property} rules={others} />}
    </div>
  )
}

function Loading() {
  return (
    <div aria-busy className={cardGridClass}>
      <output className="sr-only">Loading alert conditions</output>
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} className="h-80" />
      ))}
    </div>
  )
}
