import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { SubscriptionState } from '../../../contract/billing.ts'
import type { PlanId, User } from '../../../contract/user.ts'
import { untilInForce } from '../../api/billing.ts'
import { failureText } from '../../api/client.ts'
import { planNames } from '../../shell/plans.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Spinner } from '../../ui/Spinner.tsx'

type PlanActivationProps = {
  /** Null if this tab has forgotten which plan it was: then any paid one. */
  plan: PlanId | null
  /** Whether the money has arrived, or a bank is still processing it. */
  paid: boolean
  onActive: (plan: PlanId) => void
  /** Called if there turns out to be no payment to wait for. */
  onNothingPaid: () => void
}

/** After a payment: waits until the plan is in force on the server, and says so if that takes a while. */
export function PlanActivation({ plan, paid, onActive, onNothingPaid }: PlanActivationProps) {
  const client = useQueryClient()
  const isInForce = (user: User) => (plan === null ? user.plan !== 'free' : user.plan === plan)
  const activation = useQuery({
    queryKey: ['plan-activation', plan],
    queryFn: () => untilInForce(client, isInForce),
    gcTime: 0,
  })
  const outcome = activation.data && outcomeOf(activation.data, isInForce)
  const callbacks = useRef({ onActive, onNothingPaid })
  useEffect(() => {
    if (outcome === 'nothing-paid') callbacks.current.onNothingPaid()
    else if (outcome !== undefined && outcome !== 'waiting') callbacks.current.onActive(outcome)
  }, [outcome])

  if (activation.isFetching || (outcome !== undefined && outcome !== 'waiting')) {
    return <Spinner label={paid ? `Activating your ${nameOf(plan)} plan...` : 'Waiting for your bank...'} />
  }
  return (
    <EmptyState
      icon={<Clock aria-hidden />}
      title={paid ? 'Payment received, activating your plan' : 'Your bank is still processing the payment'}
      actions={
        <Button variant="primary" onClick={() => void activation.refetch()}>
          Check again
        </Button>
      }
    >
      <p>You don't need to pay again, and you can close this page. Your {nameOf(plan)} plan starts as soon as the payment is confirmed.</p>
      {activation.error !== null && <p className="mt-2 text-sm break-words">{failureText(activation.error)}</p>}
    </EmptyState>
  )
}

function outcomeOf({ user, subscription }: SubscriptionState, isInForce: (user: User) => boolean): PlanId | 'waiting' | 'nothing-paid' {
  if (isInForce(user)) return subscription.plan
  return subscription.status === 'none' ? 'nothing-paid' : 'waiting'
}

const nameOf = (plan: PlanId | null): string => (plan === null ? 'new' : planNames[plan])
