import { Elements } from '@stripe/react-stripe-js'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { useStripeAppearance } from './stripe-appearance.ts'
import { stripeOf } from '../../shell/purchase/stripe.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import type { StripeAccess } from './checkout.ts'
import { PaymentForm } from './PaymentForm.tsx'

export type PaymentDetailsProps = {
  clientSecret: string
  stripe: StripeAccess
  price: number
  /** The bank takes its time. */
  onProcessing: () => void
  /** This payment can no longer be made; another has to be set up. */
  onRestart: () => void
}

/** Stripe's form, once its script is there and the payment turns out to be still open. */
export function PaymentDetails(props: PaymentDetailsProps) {
  const { clientSecret, stripe: access, onProcessing } = props
  const { tell } = usePurchaseFlow()
  const appearance = useStripeAppearance()
  const opening = useQuery({
    queryKey: ['payment', clientSecret],
    queryFn: async () => {
      const stripe = await stripeOf(access)
      const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret)
      return { stripe, status: paymentIntent?.status ?? null }
    },
    gcTime: 0,
    structuralSharing: false,
  })

  // Made already, in another tab or before a reload.
  const status = opening.data?.status
  useEffect(() => {
    if (status === 'succeeded') tell({ type: 'paymentSucceeded' })
    if (status === 'processing') onProcessing()
  }, [status, tell, onProcessing])

  if (opening.isError && !opening.isFetching) {
    return (
      <ErrorState
        title="Couldn't load the payment form"
        actions={
          <Button variant="primary" onClick={() => void opening.refetch()}>
            Try again
          </Button>
        }
      >
        Stripe provides this form. A browser extension or your network may be blocking it. You haven't been charged.
      </ErrorState>
    )
  }
  if (opening.data === undefined || status === 'succeeded' || status === 'processing') return <Spinner label="Setting up payment..." />
  return (
    <Elements key={clientSecret} stripe={opening.data.stripe} options={{ clientSecret, appearance }}>
      <PaymentForm {...props} />
    </Elements>
  )
}
