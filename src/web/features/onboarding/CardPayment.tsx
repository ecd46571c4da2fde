import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { PlanId } from '../../../contract/user.ts'
import { failureText } from '../../api/client.ts'
import { paths } from '../../paths.ts'
import { planNames } from '../../shell/plans.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { Card } from '../../ui/Card.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'
import { checkoutQuery, useChangeInstead } from './checkout.ts'
import { PaymentDetails } from './PaymentDetails.tsx'
import { PlanActivation } from './PlanActivation.tsx'

type CardPaymentProps = {
  planId: PlanId
  /** Null until the catalog has loaded. */
  price: number | null
}

/** The left side of the payment page: whatever is still missing between this person and the plan. */
export function CardPayment({ planId, price }: CardPaymentProps) {
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
        <Payment planId={planId} price={price} onProcessing={() => setProcessing(true)} onInForce={goOn} />
      )}
    </Card>
  )
}

type PaymentProps = CardPaymentProps & { onProcessing: () => void; onInForce: (paidHere: boolean) => void }

function Payment({ planId, price, onProcessing, onInForce }: PaymentProps) {
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
