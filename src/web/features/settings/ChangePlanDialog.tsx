import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChangePreview, Plan, Subscription } from '../../../contract/billing.ts'
import type { PlanId } from '../../../contract/user.ts'
import { isUpgrade } from '../../../core/billing/plans.ts'
import { changePlan, previewQuery, showSubscription, untilInForce } from '../../api/billing.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { formatDate } from '../../lib/dates.ts'
import { formatDollars } from '../../lib/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { planNames } from '../../shell/plans.ts'
import { stripeOf } from '../../shell/purchase/stripe.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { whatEnds } from './what-ends.ts'

type ChangePlanDialogProps = { from: Plan; to: Plan; subscription: Subscription; onClose: () => void }

/** Shows a plan change's cost and effective date before it is made. */
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
          {/* The usual height of what follows. */}
          <Skeleton className={isUpgrade(from.id, to.id) ? 'h-35' : 'h-20 sm:h-10'} />
        </div>
      ) : preview.data.takesEffect === 'now' ? (
        <Now preview={preview.data} from={from} to={to} isUnpaid={isUnpaid} />
      ) : (
        <Later preview={preview.data} from={from} to={to} isUnpaid={isUnpaid} />
      )}
      {!preview.isError && <WhatEnds from={from} to={to} />}
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

/** `isUnpaid`: the last renewal failed, and will be retried. */
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
    </>
  )
}

function Later({ preview, from, to, isUnpaid }: WhatChangesProps) {
  const now = useNow()
  const day = preview.at === null ? 'the end of the paid period' : formatDate(new Date(preview.at), now)
  return (
    <p>
      {isUnpaid
        ? `The failed payment is still due. Once it's paid, ${from.name} stays active until ${day}.`
        : `${from.name} is already paid for and stays active until ${day}.`}{' '}
      {preview.price === 0
        ? `Then you'll switch to ${to.name}, and you won't be charged again.`
        : `Then you'll switch to ${to.name} at ${formatDollars(preview.price)}/month.`}{' '}
      You can undo this until then.
    </p>
  )
}

/** What a smaller plan no longer includes. */
function WhatEnds({ from, to }: { from: Plan; to: Plan }) {
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

/** The bank, or the person dealing with it, declined the payment. */
class Declined extends Error {
  override name = 'Declined'
}

type Outcome = 'changed' | 'scheduled' | 'on-its-way'

/** From one paid plan to another, or back to Free; calls `onDone` once it is settled, or at least paid. */
function useChangePlan({ plan: from, checkout }: Subscription, to: PlanId, onDone: () => void) {
  const client = useQueryClient()

  async function change(): Promise<Outcome> {
    const answer = await changePlan(to)
    if (answer.outcome !== 'action_required') {
      showSubscription(client, answer)
      return answer.outcome
    }
    if (answer.clientSecret === null) throw new Error('There is no way to ask the bank')
    const stripe = await stripeOf(checkout)
    const { error } = await stripe.handleNextAction({ clientSecret: answer.clientSecret })
    if (error !== undefined) throw new Declined(error.message)
    const state = await untilInForce(client, (user) => user.plan === to)
    return state.user.plan === to ? 'changed' : 'on-its-way'
  }

  return useMutation({
    mutationFn: change,
    onSuccess: (outcome) => {
      toastOutcome(outcome, to)
      onDone()
    },
    onError: (error) => toastFailure(error, isUpgrade(from, to)),
  })
}

function toastOutcome(outcome: Outcome, to: PlanId): void {
  switch (outcome) {
    case 'changed':
      if (to === 'free') return toast.success('Plan Selected', 'Your free plan has been activated.')
      return toast.success('Payment Successful', `Your ${planNames[to]} plan has been activated.`)
    case 'scheduled':
      return toast.success(
        'Plan Change Scheduled',
        `You'll switch to ${planNames[to]} when the paid period ends. Nothing changes until then.`,
      )
    case 'on-its-way':
      return toast.success('Payment Successful', `Your ${planNames[to]} plan starts as soon as the payment is confirmed.`)
  }
}

function toastFailure(error: Error, upgrade: boolean): void {
  if (error instanceof Declined)
    toast.error('Payment Failed', error.message || 'There was an issue processing your payment. Please try again.')
  else {
    // Only a card is missing for a better plan.
    const declined = upgrade && error instanceof ApiFailure && error.status === 409
    toast.error(declined ? 'Payment Failed' : 'Error', failureText(error, "Couldn't change your plan. Please try again."))
  }
}
