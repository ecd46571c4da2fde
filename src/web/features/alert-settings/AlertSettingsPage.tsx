import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { PropertyRequired } from '../../shell/PropertyRequired.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { NewRuleDialog } from '../../widgets/NewRuleDialog.tsx'
import { cardGridClass } from './ConditionCard.tsx'
import { DeliverySection } from './delivery/DeliverySection.tsx'
import { useDeliveryDraft } from './delivery/use-delivery-draft.ts'
import { LeaveGuard } from './LeaveGuard.tsx'
import { deliveryTitle, SettingsForm } from './SettingsForm.tsx'
import type { Drafts } from './use-conditions-draft.ts'
import { useMissingRule, useOpenRule } from './use-open-rule.ts'

export function AlertSettingsPage() {
  const { selectedProperty } = useCurrentUser()
  return (
    <>
      <title>Alert configuration · Ranklark</title>
      {selectedProperty === null ? (
        <>
          <Heading>No property selected</Heading>
          <PropertyRequired>
            Alerts are about the figures of one property. Select it, and choose here what you want to hear of.
          </PropertyRequired>
        </>
      ) : (
        <Settings property={selectedProperty} />
      )}
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

function Settings({ property }: { property: string }) {
  const { isDirty, save, ...section } = useDeliveryDraft()
  const [drafts] = useState<Drafts>(() => new Map())
  const [creating, setCreating] = useState(false)
  const unsaved = useCallback(
    () => [
      ...[...drafts].flatMap(([name, { titles }]) => (name === property ? titles : [`${titles.join(', ')} (${name})`])),
      ...(isDirty ? [deliveryTitle] : []),
    ],
    [drafts, property, isDirty],
  )
  return (
    <>
      <Heading
        action={
          <Button onClick={() => setCreating(true)}>
            <Plus aria-hidden />
            New Alert
          </Button>
        }
      >
        {property}
      </Heading>
      <Rules
        // What was typed about one property is not meant for another.
        key={property}
        property={property}
        drafts={drafts}
        delivery={{ section: <DeliverySection {...section} />, isDirty, save }}
      />
      <NewRuleDialog property={property} open={creating} onOpenChange={setCreating} />
      <LeaveGuard unsaved={unsaved} />
    </>
  )
}

type RulesProps = {
  property: string
  drafts: Drafts
  delivery: { section: ReactNode; isDirty: boolean; save: () => Promise<boolean> }
}

function Rules({ property, drafts, delivery }: RulesProps) {
  const { data: rules, isPending, error, refetch } = useQuery(conditionsQuery(property))
  const opened = useOpenRule()
  useMissingRule(property, opened, rules)
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
