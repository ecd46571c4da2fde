import { useQuery } from '@tanstack/react-query'
import type { ChangePreview, Plan, Subscription } from '../../../contract/billing.ts'
import { previewQuery } from '../../api/billing.ts'
import { failureText } from '../../api/client.ts'
import { formatDate } from '../../lib/dates.ts'
import { formatDollars } from '../../lib/money.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useChangePlan } from './use-change-plan.ts'
import { WhatEnds } from './WhatEnds.tsx'

type ChangePlanDialogProps = { from: Plan; to: Plan; subscription: Subscription; onClose: () => void }

/** Says what a change costs and when it happens, before it does. */
export function ChangePlanDialog({ from, to, subscription, onClose }: ChangePlanDialogProps) {
  const preview = useQuery(previewQuery(to.id))
  const change = useChangePlan(subscription, to.id, onClose)
  const isUnpaid = subscription.status === 'past_due'
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Change from ${from.name} to ${to.name}?`}>
      {preview.isError ? (
        <p role="alert" className="text-critical">
          {failureText(preview.error, "Couldn't get the price of this change. Please try again.")}
        </p>
      ) : preview.data === undefined ? (
        <div aria-busy>
          <output className="sr-only">Calculating the price</output>
          <Skeleton className="h-28" />
        </div>
      ) : preview.data.takesEffect === 'now' ? (
        <Now preview={preview.data} from={from} to={to} isUnpaid={isUnpaid} />
      ) : (
        <Later preview={preview.data} from={from} to={to} isUnpaid={isUnpaid} />
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Stay on {from.name}</Button>
        {preview.isError ? (
          <Button variant="primary" disabled={preview.isFetching} onClick={() => void preview.refetch()}>
            Try again
          </Button>
        ) : (
          <Button variant="primary" disabled={preview.data === undefined || change.isPending} onClick={() => change.mutate()}>
            {change.isPending ? 'Processing...' : confirmLabel(preview.data, to)}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

function confirmLabel(preview: ChangePreview | undefined, to: Plan): string {
  const due = preview?.takesEffect === 'now' && preview.dueNow > 0
  return due ? `Pay ${formatDollars(preview.dueNow)} and change to ${to.name}` : `Change to ${to.name}`
}

/** `isUnpaid`: the last renewal failed, and is tried again. */
type WhatChangesProps = { preview: ChangePreview; from: Plan; to: Plan; isUnpaid: boolean }

function Now({ preview, from, to, isUnpaid }: WhatChangesProps) {
  const now = useNow()
  return (
    <>
      <p>
        {to.name} starts immediately.{preview.dueNow > 0 && ` Unused ${from.name} time is credited.`}
        {preview.price === 0 && isUnpaid && " The failed payment won't be retried, and you won't be charged again."}
      </p>
      {preview.price > 0 && (
        <dl className="mt-4 grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 rounded-control bg-sunken p-4 tabular-nums">
          <dt className="font-semibold">Due now</dt>
          <dd className="text-right font-semibold">{formatDollars(preview.dueNow)}</dd>
          <dt>Monthly{preview.at !== null && `, from ${formatDate(new Date(preview.at), now)}`}</dt>
          <dd className="text-right">{formatDollars(preview.price)}</dd>
        </dl>
      )}
      <WhatEnds from={from} to={to} />
    </>
  )
}

function Later({ preview, from, to, isUnpaid }: WhatChangesProps) {
  const now = useNow()
  const day = preview.at === null ? 'the end of the paid period' : formatDate(new Date(preview.at), now)
  return (
    <>
      <p>
        {isUnpaid
          ? `The failed payment is still due. Once it's paid, ${from.name} stays active until ${day}.`
          : `${from.name} is paid and stays active until ${day}.`}{' '}
        {preview.price === 0
          ? `Then you switch to ${to.name}, and you won't be charged again.`
          : `Then you switch to ${to.name} at ${formatDollars(preview.price)}/month.`}{' '}
        You can undo this until then.
      </p>
      <WhatEnds from={from} to={to} />
    </>
  )
}
