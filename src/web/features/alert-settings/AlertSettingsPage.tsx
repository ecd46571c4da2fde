import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import { useBlocker } from 'react-router'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { searchTypesQuery } from '../../api/analytics.ts'
import { failureText } from '../../api/client.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { PropertyRequired } from '../../shell/PropertyScreen.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { PropertyName } from '../../widgets/PropertyName.tsx'
import { NewRuleDialog } from '../../widgets/NewRuleDialog.tsx'
import { cardGridClass } from './ConditionCard.tsx'
import { DeliverySection } from './delivery/DeliverySection.tsx'
import { useDeliveryDraft } from './delivery/use-delivery-draft.ts'
import { type Delivery, deliveryTitle, draftsElsewhere, SaveBar, settingsClass, SettingsForm } from './SettingsForm.tsx'
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
        <p className="text-muted">{children}</p>
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
        {property === null ? 'No property selected' : <PropertyName name={property} />}
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
  // The cards have a row more if there are several to choose from.
  const { isPending: isTypesPending } = useQuery(searchTypesQuery(property, { range: 'all', compare: 'none' }))
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
  if (rules === undefined || isTypesPending) return <Loading />
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

/** Rules need a property; delivery can be set up before there is one. */
function DeliveryAlone({ delivery, elsewhere }: { delivery: Delivery; elsewhere: readonly string[] }) {
  const formId = useId()
  const saving = useMutation({
    mutationFn: () => delivery.save(),
    onSuccess: (isSaved) => {
      if (isSaved) toast.success('Settings Saved', deliveryTitle)
    },
  })
  return (
    <div className={settingsClass}>
      <PropertyRequired>Each rule monitors one property. Select a property to set up its rules.</PropertyRequired>
      {delivery.section}
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate()
        }}
      >
        <SaveBar
          form={formId}
          isSaving={saving.isPending}
          problems={[]}
          unsaved={delivery.isDirty ? [deliveryTitle] : []}
          elsewhere={elsewhere}
        />
      </form>
    </div>
  )
}

/** Asks before somebody leaves the screen, or the app, with unsaved changes. `unsaved` names them. */
function LeaveGuard({ unsaved }: { unsaved: () => readonly string[] }) {
  const blocker = useBlocker(
    ({ currentLocation: { pathname }, nextLocation }) =>
      // Somebody who reaches the login has logged out: there is nobody left to save for.
      nextLocation.pathname !== pathname && nextLocation.pathname !== paths.login && unsaved().length > 0,
  )

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (unsaved().length > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])

  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => {
        if (!open) blocker.reset?.()
      }}
      title="Leave without saving?"
      description={<span className="wrap-anywhere">Unsaved changes: {unsaved().join(', ')}.</span>}
      confirm="Leave without saving"
      pending={false}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
