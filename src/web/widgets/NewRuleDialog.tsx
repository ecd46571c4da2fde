import { lazy, Suspense } from 'react'
import type { NewCondition } from '../../contract/alerts/conditions.ts'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

type NewRuleDialogProps = {
  property: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** What the form begins with; an empty rule about clicks when absent. */
  initial?: NewCondition
}

const NewRuleForm = lazy(async () => ({ default: (await import('./rule-form/NewRuleForm.tsx')).NewRuleForm }))

/** Creates a rule for a property (OPEN-POINTS 5). Its form comes when somebody opens it. */
export function NewRuleDialog({ property, open, onOpenChange, initial }: NewRuleDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="New Alert" description={<span className="wrap-anywhere">For {property}</span>}>
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
