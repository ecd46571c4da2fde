import { useQuery } from '@tanstack/react-query'
import type { Plan, Subscription } from '../../../contract/billing.ts'
import { subscriptionQuery } from '../../api/billing.ts'
import { failureText } from '../../api/client.ts'
import { plansQuery } from '../../api/plans.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { PlanCardsLoading, PlanGrid } from '../../ui/PlanCard.tsx'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import { PlanOption } from './PlanOption.tsx'
import { SubscriptionState } from './SubscriptionState.tsx'
import { usePlanChoice } from './use-plan-choice.ts'

export function SubscriptionCard() {
  const plans = useQuery(plansQuery)
  const subscription = useQuery(subscriptionQuery)
  const failed = plans.error ?? subscription.error
  return (
    <SectionCard title="Subscription" description="Your plan and what it includes. Prices in US dollars.">
      {failed !== null ? (
        <ErrorState
          title="Couldn't load your subscription"
          actions={
            <Button variant="primary" onClick={() => void Promise.all([plans.refetch(), subscription.refetch()])}>
              Try again
            </Button>
          }
        >
          {failureText(failed)}
        </ErrorState>
      ) : plans.data === undefined || subscription.data === undefined ? (
        <PlanCardsLoading />
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
