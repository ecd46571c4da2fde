import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import type { Plan } from '../../../contract/billing.ts'
import type { PlanId } from '../../../contract/user.ts'
import { failureText } from '../../api/client.ts'
import { plansQuery } from '../../api/billing.ts'
import { sessionQuery } from '../../api/session.ts'
import { returnState } from '../../lib/addresses.ts'
import { formatDollars } from '../../lib/format.ts'
import { paths } from '../../paths.ts'
import { LoadingScreen } from '../../shell/LoadingScreen.tsx'
import { planNames } from '../../shell/plans.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { PlanFeatures } from '../../ui/PlanCard.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'
import { checkoutQuery, useChangeInstead } from './checkout.ts'
import { OnboardingFrame, WhereSold } from './OnboardingFrame.tsx'
import { PaymentDetails } from './PaymentDetails.tsx'
import { PlanActivation } from './PlanActivation.tsx'

/** Requires a chosen plan, then a login. */
export function PaymentPage() {
  return (
    <WhereSold>
      <Payment />
    </WhereSold>
  )
}

function Payment() {
  const { flow, dispatch } = usePurchaseFlow()
  const location = useLocation()
  const { data: session } = useQuery(sessionQuery)
  const plans = useQuery(plansQuery)
  useEffect(() => dispatch({ type: 'stepOpened', step: 'payment' }), [dispatch])

  if (flow.selectedPlan === null || flow.isComplete) return <Navigate to={paths.choosePlan} replace />
  if (session === undefined) return <LoadingScreen />
  if (session.user === null) return <Navigate to={paths.login} replace state={returnState(location)} />
  if (flow.selectedPlan === 'free') {
    return (
      <OnboardingFrame step="payment" width="narrow" title="Activating your free plan" line="No payment needed.">
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

/** Null until the catalog has loaded. */
function OrderSummary({ plan }: { plan: Plan | null }) {
  return (
    <section aria-labelledby="order-summary" className="rounded-card border border-line bg-surface p-5 sm:p-6">
      <h2 id="order-summary" className="text-base font-semibold">
        Order Summary
      </h2>
      {plan === null ? (
        <Skeleton className="mt-4 h-48" />
      ) : (
        <>
          <div className="mt-4 flex items-baseline justify-between gap-3">
            <p className="font-medium">{plan.name} Plan</p>
            <p className="tabular-nums">{formatDollars(plan.price)}/month</p>
          </div>
          <PlanFeatures className="mt-4 text-muted" features={plan.features} />
          <dl className="mt-5 flex items-baseline justify-between gap-3 border-t border-line pt-4 font-semibold">
            <dt>Total</dt>
            <dd className="tabular-nums">{formatDollars(plan.price)}/month</dd>
          </dl>
          <Link to={paths.choosePlan} className="mt-1 -mb-3 inline-flex min-h-10 items-center font-medium text-brand hover:underline">
            Change plan
          </Link>
        </>
      )}
    </section>
  )
}

function FreeActivation() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { dispatch } = usePurchaseFlow()
  const checkout = useQuery(checkoutQuery(client, 'free'))
  useChangeInstead('free', checkout.data)

  useEffect(() => {
    if (checkout.data?.kind !== 'in-force') return
    dispatch({ type: 'paymentSucceeded' })
    toast.success('Plan Selected', 'Your free plan has been activated.')
    void navigate(paths.selectSites, { replace: true })
  }, [checkout.data, dispatch, navigate])

  useEffect(() => {
    if (!checkout.isError) return
    dispatch({ type: 'paymentFailed' })
    toast.error('Error', 'Failed to activate free plan. Please try again.')
  }, [checkout.isError, dispatch])

  return (
    <Card>
      {checkout.isError && !checkout.isFetching ? (
        <ErrorState
          title="Couldn't activate the free plan"
          actions={
            <>
              <Button variant="primary" onClick={() => void checkout.refetch()}>
                Try again
              </Button>
              <Link to={paths.choosePlan} className={buttonClass()}>
                Back to plans
              </Link>
            </>
          }
        >
          {failureText(checkout.error)}
        </ErrorState>
      ) : (
        <Spinner label="Activating your free plan..." />
      )}
    </Card>
  )
}

type CardPaymentProps = {
  planId: PlanId
  /** Null until the catalog has loaded. */
  price: number | null
}

/** The left side of the payment page: whatever is still missing between this person and the plan. */
function CardPayment({ planId, price }: CardPaymentProps) {
  const { flow, dispatch } = usePurchaseFlow()
  // Paid, but not yet in force: after the payment below, or a reload at that moment.
  const paid = flow.paymentStatus === 'success'
  const [processing, setProcessing] = useState(false)
  // Nothing is pending, though leaving this page may take a moment.
  const [inForce, setInForce] = useState(false)
  const activated = useActivated(planId)

  const goOn = useCallback(
    (paidHere: boolean) => {
      setInForce(true)
      activated(paidHere)
    },
    [activated],
  )

  function backToTheForm() {
    dispatch({ type: 'paymentFailed' })
    setProcessing(false)
  }

  return (
    <Card>
      {(paid && !inForce) || processing ? (
        <PlanActivation plan={planId} paid={paid} onActive={() => activated(true)} onNothingPaid={backToTheForm} />
      ) : (
        <CardCheckout planId={planId} price={price} onProcessing={() => setProcessing(true)} onInForce={goOn} />
      )}
    </Card>
  )
}

type CardCheckoutProps = CardPaymentProps & { onProcessing: () => void; onInForce: (paidHere: boolean) => void }

function CardCheckout({ planId, price, onProcessing, onInForce }: CardCheckoutProps) {
  const client = useQueryClient()
  const { flow } = usePurchaseFlow()
  const checkout = useQuery(checkoutQuery(client, planId))
  useChangeInstead(planId, checkout.data)

  const isInForce = checkout.data?.kind === 'in-force'
  const paidHere = flow.paymentStatus === 'processing'
  useEffect(() => {
    if (isInForce) onInForce(paidHere)
  }, [isInForce, paidHere, onInForce])

  useEffect(() => {
    if (checkout.isError) toast.error('Error', 'Failed to create subscription. Please try again.')
  }, [checkout.isError])

  if (checkout.isError && !checkout.isFetching) {
    return (
      <LoadFailure title="Couldn't set up the payment" error={checkout.error} onRetry={() => void checkout.refetch()}>
        <p>You haven't been charged for the {planNames[planId]} plan.</p>
        <p className="mt-2 text-sm break-words">{failureText(checkout.error)}</p>
      </LoadFailure>
    )
  }
  if (checkout.data?.kind === 'pay' && !checkout.isFetching && price !== null) {
    return <PaymentDetails {...checkout.data} price={price} onProcessing={onProcessing} onRestart={() => void checkout.refetch()} />
  }
  return <Spinner label="Setting up payment..." />
}

/** The plan is in force: continues to the sites, confirming a payment made here. */
function useActivated(plan: PlanId): (paidHere: boolean) => void {
  const navigate = useNavigate()
  const { dispatch } = usePurchaseFlow()
  return useCallback(
    (paidHere) => {
      dispatch({ type: 'paymentSucceeded' })
      if (paidHere) toast.success('Payment Successful', `Your ${planNames[plan]} plan has been activated.`)
      void navigate(paths.selectSites, { replace: true })
    },
    [plan, navigate, dispatch],
  )
}
