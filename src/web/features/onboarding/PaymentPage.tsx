import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { plansQuery } from '../../api/plans.ts'
import { sessionQuery } from '../../api/session.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { returnState } from '../../lib/return-path.ts'
import { paths } from '../../paths.ts'
import { LoadingScreen } from '../../shell/LoadingScreen.tsx'
import { CardPayment } from './CardPayment.tsx'
import { FreeActivation } from './FreeActivation.tsx'
import { OnboardingFrame } from './OnboardingFrame.tsx'
import { OrderSummary } from './OrderSummary.tsx'
import { WhereSold } from './WhereSold.tsx'

/** Needs a plan first, then somebody who is signed in. */
export function PaymentPage() {
  return (
    <WhereSold>
      <Payment />
    </WhereSold>
  )
}

function Payment() {
  const { flow, tell } = usePurchaseFlow()
  const location = useLocation()
  const { data: session } = useQuery(sessionQuery)
  const plans = useQuery(plansQuery)
  useEffect(() => tell({ type: 'stepOpened', step: 'payment' }), [tell])

  if (flow.selectedPlan === null || flow.isComplete) return <Navigate to={paths.choosePlan} replace />
  if (session === undefined) return <LoadingScreen />
  if (session.user === null) return <Navigate to={paths.login} replace state={returnState(location)} />
  if (flow.selectedPlan === 'free') {
    return (
      <OnboardingFrame step="payment" width="narrow" title="Activating your free plan" line="Nothing to pay.">
        <title>Free plan · Ranklark</title>
        <FreeActivation />
      </OnboardingFrame>
    )
  }
  const plan = plans.data?.find(({ id }) => id === flow.selectedPlan)
  return (
    <OnboardingFrame step="payment" width="wide" title="Complete Your Payment" line="Next: choose your sites.">
      <title>Payment · Ranklark</title>
      <div className="mx-auto grid w-full max-w-[54rem] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-6">
        <div className="order-last min-w-0 lg:order-none">
          <CardPayment planId={flow.selectedPlan} price={plan?.price ?? null} />
        </div>
        <OrderSummary plan={plan ?? null} />
      </div>
    </OnboardingFrame>
  )
}
