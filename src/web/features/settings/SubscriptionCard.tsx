import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock, Check, CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Plan, Subscription } from '../../../contract/billing.ts'
import { planId, type PlanId } from '../../../contract/user.ts'
import { isUpgrade } from '../../../core/billing/plans.ts'
import { keepPlan, plansQuery, portalUrl, showSubscription, subscriptionQuery } from '../../api/billing.ts'
import { failureText } from '../../api/client.ts'
import { formatDate } from '../../lib/dates.ts'
import { formatDollars } from '../../lib/format.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { planNames } from '../../shell/plans.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { PlanCard, PlanCardsLoading, PlanGrid } from '../../ui/PlanCard.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'

export function SubscriptionCard() {
  const { plan } = useCurrentUser()
  const plans = useQuery(plansQuery)
  const subscription = useQuery(subscriptionQuery)
  const failed = plans.error ?? subscription.error
  return (
    <SectionCard title="Subscription" description="Your plan and what it includes. Prices in US dollars.">
      {failed !== null ? (
        <LoadFailure
          title="Couldn't load your subscription"
          error={failed}
          onRetry={() => void Promise.all([plans.refetch(), subscription.refetch()])}
        />
      ) : plans.data === undefined || subscription.data === undefined ? (
        <>
          {/* What is paid when. */}
          {plan !== 'free' && <Skeleton className="mb-5 h-10" />}
          <PlanCardsLoading />
        </>
      ) : (
        <Loaded plans={plans.data} subscription={subscription.data} />
      )}
    </SectionCard>
  )
}

function Loaded({ plans, subscription }: { plans: readonly Plan[]; subscription: Subscription }) {
  const { asked, choose, close } = usePlanChoice(subscription)
  const current = plans.find(({ id }) => id === subscription.plan)
  const next = plans.find(({ id }) => id === asked)
  return (
    <>
      <SubscriptionState subscription={subscription} price={current?.price ?? 0} />
      <PlanGrid>
        {plans.map((plan) => (
          <PlanOption key={plan.id} plan={plan} subscription={subscription} onChoose={() => choose(plan.id)} />
        ))}
      </PlanGrid>
      {current && next && <ChangePlanDialog from={current} to={next} subscription={subscription} onClose={close} />}
    </>
  )
}

type PlanOptionProps = { plan: Plan; subscription: Subscription; onChoose: () => void }

function PlanOption({ plan, subscription, onChoose }: PlanOptionProps) {
  const now = useNow()
  const { currentPeriodEnd, nextPlan } = subscription
  const isCurrent = plan.id === subscription.plan
  const isBetter = isUpgrade(subscription.plan, plan.id)
  const from = plan.id === nextPlan && currentPeriodEnd !== null ? formatDate(new Date(currentPeriodEnd), now) : null
  return (
    <PlanCard
      plan={plan}
      heading="h3"
      marked={isCurrent}
      badge={
        isCurrent ? (
          <Badge tone="positive" icon={<Check aria-hidden />}>
            Current plan
          </Badge>
        ) : from !== null ? (
          <Badge icon={<CalendarClock aria-hidden />}>From {from}</Badge>
        ) : (
          plan.popular && <Badge tone="brand">Most Popular</Badge>
        )
      }
    >
      {isCurrent || from !== null ? (
        <p className="control flex items-center justify-center text-muted">{isCurrent ? 'Your plan' : `Starts ${from}`}</p>
      ) : (
        <Button variant={isBetter && plan.popular ? 'primary' : 'secondary'} className="w-full" onClick={onChoose}>
          {isBetter ? 'Upgrade' : 'Downgrade'} to {plan.name}
        </Button>
      )}
    </PlanCard>
  )
}

const parameter = 'change'

/**
 * People who pay already, or give a plan up, are asked before anything changes (`?change=agency`, so that other screens can link there);
 * everybody else goes to pay.
 */
function usePlanChoice(subscription: Subscription): {
  /** The plan being confirmed. */
  asked: PlanId | null
  choose: (plan: PlanId) => void
  close: () => void
} {
  const navigate = useNavigate()
  const [query, change] = useAddress()
  const { dispatch } = usePurchaseFlow()
  const isPaying = subscription.status === 'active' || subscription.status === 'past_due'
  const isAsked = (plan: PlanId) => plan !== subscription.plan && (isPaying || plan === 'free')
  const wanted = planId.safeParse(query.get(parameter))

  function choose(plan: PlanId) {
    if (isAsked(plan)) {
      change(() => new URLSearchParams({ [parameter]: plan }))
      return
    }
    dispatch({ type: 'planChosen', plan })
    void navigate(paths.payment)
  }

  return {
    asked: wanted.success && isAsked(wanted.data) ? wanted.data : null,
    choose,
    close: () => change(() => new URLSearchParams(), { replace: true }),
  }
}

type SubscriptionStateProps = { subscription: Subscription; price: number }

/** What is paid when, with which card, with the actions for it. */
function SubscriptionState({ subscription, price }: SubscriptionStateProps) {
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
