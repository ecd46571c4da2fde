import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { Subscription } from '../../../contract/billing.ts'
import type { PlanId } from '../../../contract/user.ts'
import { subscriptionQuery } from '../../api/billing.ts'
import { logFailure } from '../../lib/log.ts'
import { paths } from '../../paths.ts'
import { planNames } from '../../shell/plans.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { stripeOf } from '../../shell/purchase/stripe.ts'
import { Card } from '../../ui/Card.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { OnboardingFrame } from './OnboardingFrame.tsx'
import { PlanActivation } from './PlanActivation.tsx'
import type { ReturnedPayment } from './returned-payment.ts'

type PaymentReturnProps = { payment: ReturnedPayment; onDone: () => void }

/** Back from a bank's own page. What the address says is only a hint: the plan comes from the server. */
export function PaymentReturn({ payment, onDone }: PaymentReturnProps) {
  return (
    <OnboardingFrame step="payment" width="narrow" title="Complete Your Payment" line="Welcome back from your bank.">
      <title>Payment · Ranklark</title>
      <Card>{payment.status === 'failed' ? <Failed payment={payment} /> : <Made payment={payment} onDone={onDone} />}</Card>
    </OnboardingFrame>
  )
}

function Made({ payment, onDone }: PaymentReturnProps) {
  const { flow, tell } = usePurchaseFlow()
  const navigate = useNavigate()

  function onActive(plan: PlanId) {
    tell({ type: 'paymentSucceeded' })
    toast.success('Payment Successful', `Your ${planNames[plan]} plan has been activated.`)
    onDone()
  }

  function backToPayment() {
    tell({ type: 'paymentFailed' })
    void navigate(paths.payment, { replace: true })
  }

  return <PlanActivation plan={flow.selectedPlan} paid={payment.status === 'succeeded'} onActive={onActive} onNothingPaid={backToPayment} />
}

function Failed({ payment }: { payment: ReturnedPayment }) {
  const navigate = useNavigate()
  const { tell } = usePurchaseFlow()
  const subscription = useQuery(subscriptionQuery)
  const isSettled = !subscription.isPending
  const checkout = subscription.data?.checkout ?? null
  useEffect(() => {
    if (!isSettled) return
    void reasonOf(payment, checkout).then((reason) => {
      tell({ type: 'paymentFailed' })
      toast.error('Payment Failed', reason)
      // Its guard knows where to go when this tab has forgotten the plan.
      return navigate(paths.payment, { replace: true })
    })
  }, [isSettled, checkout, payment, tell, navigate])
  return <Spinner label="Setting up payment..." />
}

/** The provider's own words, where it has some. */
async function reasonOf({ clientSecret }: ReturnedPayment, checkout: Subscription['checkout'] | null): Promise<string> {
  const unknown = 'There was an issue processing your payment. Please try again.'
  if (clientSecret === null || checkout === null) return unknown
  try {
    const stripe = await stripeOf(checkout)
    const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret)
    return paymentIntent?.last_payment_error?.message ?? unknown
  } catch (error) {
    logFailure('Could not find out why the payment failed', error)
    return unknown
  }
}
