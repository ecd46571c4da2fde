import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { useMutation } from '@tanstack/react-query'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../ui/overlay/toast.ts'

const unknownIssue = 'There was an issue processing your payment. Please try again.'

type Payment = { stripe: Stripe; elements: StripeElements }
type Options = { onProcessing: () => void; onRestart: () => void }

/** Confirms the payment at Stripe; methods that lead to a bank's own page come back to the site screen. Answers what went wrong, if something did. */
export function usePay({ onProcessing, onRestart }: Options) {
  const { tell } = usePurchaseFlow()

  function fail(message: string): string {
    tell({ type: 'paymentFailed' })
    toast.error('Payment Failed', message)
    return message
  }

  async function pay({ stripe, elements }: Payment): Promise<string | null> {
    tell({ type: 'paymentStarted' })
    try {
      const { error, paymentIntent } = await stripe.confirmPayment({
        elements,
        confirmParams: { return_url: `${window.location.origin}${paths.selectSites}` },
        redirect: 'if_required',
      })
      const status = (paymentIntent ?? error?.payment_intent)?.status
      // An error, too, when the payment was made in another tab meanwhile.
      if (status === 'succeeded') {
        tell({ type: 'paymentSucceeded' })
        return null
      }
      if (status === 'processing') {
        onProcessing()
        return null
      }
      // Not the card's fault: this payment was cancelled, or has run out while the page stood open.
      if (error?.type === 'invalid_request_error') onRestart()
      return fail(error?.message ?? unknownIssue)
    } catch {
      return fail(unknownIssue)
    }
  }

  return useMutation({ mutationFn: pay })
}
