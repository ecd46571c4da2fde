import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { NewRuleDialog } from '../../widgets/NewRuleDialog.tsx'
import { cardGridClass } from './ConditionCard.tsx'
import { DeliverySection } from './delivery/DeliverySection.tsx'
import { useDeliveryDraft } from './delivery/use-delivery-draft.ts'
import { DeliveryAlone } from './DeliveryAlone.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'
import { type Delivery, deliveryTitle, draftsElsewhere, SettingsForm } from './SettingsForm.tsx'
import type { Drafts } from './use-conditions-draft.ts'
import { useMissingRule, useOpenRule } from './use-open-rule.ts'

export function AlertSettingsPage() {
  const { selectedProperty } = useCurrentUser()
  return (
    <>
      <title>Alert configuration · Ranklark</title>
      <Settings property={selectedProperty} />
    </>
  )
}

function Heading({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-title font-semibold">Alert Configuration</h1>
        <p className="wrap-anywhere text-muted">{children}</p>
      </div>
      {action}
    </div>
  )
}

function Settings({ property }: { property: string | null }) {
  const { isDirty, save, ...section } = useDeliveryDraft()
  const delivery: Delivery = { section: <DeliverySection {...section} />, isDirty, save }
  const [drafts] = useState<Drafts>(() => new Map())
  const [creating, setCreating] = useState(false)
  const unsaved = useCallback(
    () => [...(drafts.get(property ?? '')?.titles ?? []), ...draftsElsewhere(drafts, property), ...(isDirty ? [deliveryTitle] : [])],
    [drafts, property, isDirty],
  )
  return (
    <>
      <Heading
        action={
          property !== null && (
            <Button onClick={() => setCreating(true)}>
              <Plus aria-hidden />
              New Alert
            </Button>
          )
        }
      >
        {property ?? 'No property selected'}
      </Heading>
      {property === null ? (
        <DeliveryAlone delivery={delivery} elsewhere={draftsElsewhere(drafts, null)} />
      ) : (
        <>
          <Rules
            // Input for one property isn't meant for another.
            key={property}
            property={property}
            drafts={drafts}
            delivery={delivery}
          />
          <NewRuleDialog property={property} open={creating} onOpenChange={setCreating} />
        </>
      )}
      <LeaveGuard unsaved={unsaved} />
    </>
  )
}

type RulesProps = {
  property: string
  drafts: Drafts
  delivery: Delivery
}

function Rules({ property, drafts, delivery }: RulesProps) {
  const { data: rules, isPending, error, refetch } = useQuery(conditionsQuery(property))
  const opened = useOpenRule()
  useMissingRule(property, opened, rules)
  if (rules === undefined && !isPending) {
    return (
      <Card>
        <ErrorState title="The alert conditions could not be loaded" actions={<Button onClick={() => void refetch()}>Try again</Button>}>
          {propertyName(property)}: {failureText(error)}
        </ErrorState>
      </Card>
    )
  }
  if (rules === undefined) return <Loading />
  return <SettingsForm property={property} rules={rules} drafts={drafts} opened={opened} delivery={delivery} />
}

function Loading() {
  return (
    <div aria-busy className={cardGridClass}>
      <output className="sr-only">Loading alert conditions</output>
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} className="h-96" />
      ))}
    </div>
  )
}
