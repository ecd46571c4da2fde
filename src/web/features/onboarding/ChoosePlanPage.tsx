import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { Plan } from '../../../contract/billing.ts'
import type { User } from '../../../contract/user.ts'
import { plansQuery, subscriptionQuery } from '../../api/billing.ts'
import { failureText } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { PlanCard, PlanCardsLoading, PlanGrid, planHeadingId } from '../../ui/PlanCard.tsx'
import { OnboardingFrame, WhereSold } from './OnboardingFrame.tsx'

export function ChoosePlanPage() {
  return (
    <WhereSold>
      <Catalogue />
    </WhereSold>
  )
}

function Catalogue() {
  // Somebody who signs up with Google returns from there to choose a plan.
  useConnectionResult()
  const plans = useQuery(plansQuery)
  // The chooser has to be known first: a visitor's choice is dropped once somebody with a plan signs in.
  const { data: session } = useQuery(sessionQuery)
  const { dispatch } = usePurchaseFlow()
  useEffect(() => dispatch({ type: 'stepOpened', step: 'plan' }), [dispatch])
  useBegunPlan(session?.user ?? null)
  return (
    <OnboardingFrame step="plan" width="wide" title="Choose Your Plan" line="Change or cancel at any time. Prices in US dollars.">
      <title>Choose your plan · Ranklark</title>
      {plans.isPending || session === undefined ? (
        <PlanCardsLoading />
      ) : plans.isError ? (
        <Card>
          <ErrorState
            title="Couldn't load the plans"
            actions={
              <Button variant="primary" onClick={() => void plans.refetch()}>
                Try again
              </Button>
            }
          >
            {failureText(plans.error)}
          </ErrorState>
        </Card>
      ) : (
        <Choice plans={plans.data} />
      )}
    </OnboardingFrame>
  )
}

/** A payment abandoned in another browser resumes with its plan. */
function useBegunPlan(user: User | null): void {
  const { flow, dispatch } = usePurchaseFlow()
  const isOpen = user?.planChosen === false && flow.selectedPlan === null
  const { data } = useQuery({ ...subscriptionQuery, enabled: isOpen })
  const begun = data?.begunPlan ?? null
  useEffect(() => {
    if (isOpen && begun !== null) dispatch({ type: 'planChosen', plan: begun })
  }, [isOpen, begun, dispatch])
}

function Choice({ plans }: { plans: readonly Plan[] }) {
  const navigate = useNavigate()
  const { flow, dispatch } = usePurchaseFlow()
  const chosen = flow.isComplete ? null : flow.selectedPlan
  return (
    <>
      <PlanGrid>
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            heading="h2"
            badge={plan.popular && <Badge tone="brand">Most Popular</Badge>}
            marked={plan.id === chosen}
          >
            <Button
              className={clsx('w-full', plan.id === chosen && 'border-brand! text-brand!')}
              aria-pressed={plan.id === chosen}
              aria-describedby={planHeadingId(plan)}
              onClick={() => dispatch({ type: 'planChosen', plan: plan.id })}
            >
              {plan.id === chosen && <Check aria-hidden />}
              {plan.id === chosen ? 'Selected' : 'Select Plan'}
            </Button>
          </PlanCard>
        ))}
      </PlanGrid>
      {/* Stays within reach on phones, where the plans are longer than the screen. */}
      <div className="sticky bottom-0 -mx-4 mt-6 border-t border-line bg-page px-4 py-3 sm:static sm:mx-0 sm:mt-8 sm:border-0 sm:p-0 sm:text-center">
        <Button
          variant="primary"
          className="w-full sm:w-auto sm:min-w-64"
          disabled={chosen === null}
          onClick={() => void navigate(paths.payment)}
        >
          {chosen === 'free' ? 'Continue to Setup' : 'Continue to Payment'}
        </Button>
      </div>
    </>
  )
}
