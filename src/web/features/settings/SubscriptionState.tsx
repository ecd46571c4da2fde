import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Subscription } from '../../../contract/billing.ts'
import { keepPlan, portalUrl, showSubscription } from '../../api/billing.ts'
import { failureText } from '../../api/client.ts'
import { formatDate } from '../../lib/dates.ts'
import { formatDollars } from '../../lib/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { planNames } from '../../shell/plans.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'

type SubscriptionStateProps = { subscription: Subscription; price: number }

/** What is paid when, with which card, with the actions for it. */
export function SubscriptionState({ subscription, price }: SubscriptionStateProps) {
  switch (subscription.status) {
    case 'none':
      return subscription.plan === 'free' ? null : (
        <Lines>
          <p>Your administrator gave you the {planNames[subscription.plan]} plan. You aren't charged for it.</p>
        </Lines>
      )
    case 'incomplete':
      return (
        <Lines>
          <p>You started a payment but didn't finish it. Choose the plan again to continue. You haven't been charged.</p>
        </Lines>
      )
    case 'active':
      return (
        <Lines actions={<Actions subscription={subscription} />}>
          <Outlook subscription={subscription} price={price} />
          <CardLine card={subscription.card} />
        </Lines>
      )
    case 'past_due':
      return (
        <>
          <div role="alert" className="mb-5 flex items-start gap-3 rounded-control bg-warning-soft p-4">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
            <p>
              <strong className="font-semibold">The last payment for {planNames[subscription.plan]} failed.</strong> We'll retry it over the
              next few days. Check your card or add another one to keep your plan. Nothing will be deleted.
            </p>
          </div>
          <Lines actions={<Actions subscription={subscription} />}>
            <Outlook subscription={subscription} price={price} />
            <CardLine card={subscription.card} />
          </Lines>
        </>
      )
  }
}

function Lines({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div className="mb-5 flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">{children}</div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}

function Outlook({ subscription: { plan, nextPlan, currentPeriodEnd, status }, price }: SubscriptionStateProps) {
  const now = useNow()
  if (currentPeriodEnd === null) return null
  const end = formatDate(new Date(currentPeriodEnd), now)
  if (nextPlan !== null) {
    return (
      <p className="font-medium">
        {planNames[plan]} until {end}, then {planNames[nextPlan]}
      </p>
    )
  }
  if (status === 'past_due') return null
  return (
    <p className="font-medium tabular-nums">
      {planNames[plan]}, next payment {formatDollars(price)} on {end}
    </p>
  )
}

function CardLine({ card }: Pick<Subscription, 'card'>) {
  if (card === null) return null
  const expiry = `${String(card.expMonth).padStart(2, '0')}/${String(card.expYear % 100).padStart(2, '0')}`
  return (
    <p className="text-muted tabular-nums">
      <span className="capitalize">{card.brand}</span> ending in {card.last4}, expires {expiry}
    </p>
  )
}

function Actions({ subscription: { plan, nextPlan } }: Pick<SubscriptionStateProps, 'subscription'>) {
  const portal = usePortal()
  const keep = useKeepPlan()
  return (
    <>
      {nextPlan !== null && (
        <Button variant="primary" disabled={keep.isPending} onClick={() => keep.mutate()}>
          Keep {planNames[plan]}
        </Button>
      )}
      <Button disabled={portal.isPending} onClick={() => portal.mutate()}>
        Manage card and invoices
      </Button>
    </>
  )
}

function useKeepPlan() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: keepPlan,
    onSuccess: (state) => {
      showSubscription(client, state)
      toast.success('Plan Kept', `Your ${planNames[state.subscription.plan]} plan continues.`)
    },
    onError: (error) => toast.error('Error', failureText(error, "Couldn't keep your plan. Please try again.")),
  })
}

/** Opens Stripe's billing portal, which returns here. */
function usePortal() {
  return useMutation({
    mutationFn: portalUrl,
    onSuccess: (url) => window.location.assign(url),
    onError: (error) => toast.error('Error', failureText(error, "Couldn't open the page for your card and invoices. Please try again.")),
  })
}
