import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Check } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { Plan, Subscription } from '../../../contract/billing.ts'
import { planId, type PlanId } from '../../../contract/user.ts'
import { isUpgrade } from '../../../core/billing/plans.ts'
import { plansQuery, subscriptionQuery } from '../../api/billing.ts'
import { formatDate } from '../../lib/dates.ts'
import { useAddress } from '../../lib/hooks/use-address.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { PlanCard, PlanCardsLoading, PlanGrid } from '../../ui/PlanCard.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import { SubscriptionState } from './SubscriptionState.tsx'

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
