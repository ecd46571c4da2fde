import { lazy, Suspense } from 'react'
import type { NewCondition } from '../../contract/alerts/conditions.ts'
import { propertyName } from '../../core/accounts/property-name.ts'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

type NewRuleDialogProps = {
  property: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The form's initial values; by default an empty rule about clicks. */
  initial?: NewCondition
}

const NewRuleForm = lazy(async () => ({ default: (await import('./rule-form/NewRuleForm.tsx')).NewRuleForm }))

/** Creates a rule for a property (OPEN-POINTS 5). Its form loads when somebody opens it. */
export function NewRuleDialog({ property, open, onOpenChange, initial }: NewRuleDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New Alert"
      description={<span className="wrap-anywhere">For {propertyName(property)}</span>}
    >
      <Suspense fallback={<Loading />}>
        <NewRuleForm property={property} initial={initial ?? null} onDone={() => onOpenChange(false)} />
      </Suspense>
    </Dialog>
  )
}

function Loading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading the form</output>
      <Skeleton className="h-132 w-full" />
    </div>
  )
}
